"""One set of security options for both Kafka clients.

Settings hold librdkafka's names; this module says the same to Faust's client, and refuses what is
set by half: a certificate without its key, a password that no mechanism would send, credentials on
a connection in the clear that nobody asked for.
"""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Iterator, Mapping
from typing import Any

import faust

from stream_deid.config.problems import nearest
from stream_deid.errors import Halt, Unavailable
from stream_deid.streaming.kafka.tokens import BearerTokens

_TLS = frozenset(
    {
        "ssl.ca.location",
        "ssl.certificate.location",
        "ssl.key.location",
        "ssl.key.password",
        "ssl.endpoint.identification.algorithm",
    }
)
_PASSWORD = frozenset({"sasl.username", "sasl.password"})
_TOKEN = frozenset(
    {
        "sasl.oauthbearer.method",
        "sasl.oauthbearer.token.endpoint.url",
        "sasl.oauthbearer.client.id",
        "sasl.oauthbearer.client.secret",
    }
)
_TOKEN_ALSO = frozenset({"sasl.oauthbearer.scope", "https.ca.location"})
_MECHANISM = frozenset({"sasl.mechanism", "sasl.mechanisms"})
_OF = {
    "PLAIN": _PASSWORD,
    "SCRAM-SHA-256": _PASSWORD,
    "SCRAM-SHA-512": _PASSWORD,
    "OAUTHBEARER": _TOKEN,
}
UNDERSTOOD = frozenset({"security.protocol"}) | _TLS | _MECHANISM | _PASSWORD | _TOKEN | _TOKEN_ALSO
"""The options that can be set; any other could be told to one of the clients only."""


def credentials(security: Mapping[str, str]) -> Any:
    """Faust's `broker_credentials` for librdkafka's options; None for a plain connection.

    Raises `Halt("kafka.security")` for options that can't be said to both clients, or that are set
    by half, so that none of them ever connects with less protection than was meant.
    """
    for problem in _problems(security):
        raise Halt("kafka.security", problem)
    protocol, mechanism = _protocol(security), _mechanism(security)
    if protocol == "plaintext":
        return None
    context = _context(security) if protocol.endswith("ssl") else None
    if protocol == "ssl":
        return faust.SSLCredentials(context)
    if mechanism == "OAUTHBEARER":
        return faust.OAuthCredentials(oauth_cb=BearerTokens(security), ssl_context=context)
    return faust.SASLCredentials(
        username=security["sasl.username"],
        password=security["sasl.password"],
        mechanism=mechanism,
        ssl_context=context,
    )


def token_problem(security: Mapping[str, str]) -> str:
    """Why no token is to be had; empty where one is, or none is wanted."""
    if _mechanism(security) != "OAUTHBEARER":
        return ""
    try:
        asyncio.run(BearerTokens(security).token())
    except Unavailable as error:
        return error.detail
    return ""


def unknown(security: Mapping[str, str]) -> dict[str, str]:
    """The options that can't be set, and what each may mean; nothing where none is near."""
    return {name: nearest(name, UNDERSTOOD) for name in sorted(set(security) - UNDERSTOOD)}


def _protocol(security: Mapping[str, str]) -> str:
    return security.get("security.protocol", "plaintext").lower()


def _mechanism(security: Mapping[str, str]) -> str:
    return security.get("sasl.mechanism", security.get("sasl.mechanisms", "PLAIN"))


def _problems(security: Mapping[str, str]) -> Iterator[str]:
    """What is wrong, in the order in which a person would mend it."""
    protocol, said = _protocol(security), set(security)
    for name, meant in unknown(security).items():
        yield f"{name} is not supported" + (f": did you mean {meant}?" if meant else "")
    if protocol not in {"plaintext", "ssl", "sasl_plaintext", "sasl_ssl"}:
        yield f"unknown security.protocol {protocol}"
    if not protocol.endswith("ssl") and (idle := sorted(said & _TLS)):
        yield f"{idle[0]} is set, and security.protocol {protocol} has no TLS: say ssl or sasl_ssl"
    if ("ssl.certificate.location" in said) != ("ssl.key.location" in said):
        yield "ssl.certificate.location and ssl.key.location go together"
    sasl = said & (_MECHANISM | _PASSWORD | _TOKEN | _TOKEN_ALSO)
    if protocol.startswith("sasl"):
        yield from _sasl_problems(security)
    elif sasl:
        yield f"{min(sasl)} is set, and security.protocol {protocol} has no SASL: say sasl_ssl"


def _sasl_problems(security: Mapping[str, str]) -> Iterator[str]:
    mechanism = _mechanism(security)
    needed = _OF.get(mechanism)
    if needed is None:
        yield f"unsupported sasl.mechanism {mechanism}"
        return
    if missing := sorted(name for name in needed if not security.get(name)):
        yield f"{mechanism} needs {' and '.join(missing)}"
    also = _TOKEN_ALSO if needed is _TOKEN else frozenset()
    if idle := sorted((set(security) & (_PASSWORD | _TOKEN | _TOKEN_ALSO)) - needed - also):
        yield f"{idle[0]} says nothing to {mechanism}: take it out"
    if needed is _TOKEN and security["sasl.oauthbearer.method"] != "oidc":
        yield "sasl.oauthbearer.method must be oidc: tokens come from an endpoint"


def _context(security: Mapping[str, str]) -> ssl.SSLContext:
    context = ssl.create_default_context(cafile=security.get("ssl.ca.location"))
    certificate = security.get("ssl.certificate.location")
    if certificate:
        context.load_cert_chain(
            certificate, security.get("ssl.key.location"), security.get("ssl.key.password", "")
        )
    if security.get("ssl.endpoint.identification.algorithm") == "none":
        context.check_hostname = False
    return context
