"""One set of security options for both Kafka clients.

Settings hold librdkafka's names (`security.protocol`, `sasl.mechanism`, `sasl.username`,
`sasl.password`, `ssl.ca.location`, `ssl.certificate.location`, `ssl.key.location`,
`ssl.key.password`, `ssl.endpoint.identification.algorithm`); this module says the same to
Faust's client.
"""

from __future__ import annotations

import ssl
from collections.abc import Mapping
from typing import Any

import faust

from stream_deid.errors import Halt

UNDERSTOOD = frozenset(
    {
        "security.protocol",
        "sasl.mechanism",
        "sasl.mechanisms",
        "sasl.username",
        "sasl.password",
        "ssl.ca.location",
        "ssl.certificate.location",
        "ssl.key.location",
        "ssl.key.password",
        "ssl.endpoint.identification.algorithm",
    }
)
"""The options that can be set; any other could be told to one of the clients only."""


def credentials(security: Mapping[str, str]) -> Any:
    """Faust's `broker_credentials` for librdkafka's options; None for a plain connection.

    Raises `Halt("kafka.security")` for options that can't be said to both clients, so that
    one of them never connects with less protection than configured.
    """
    unknown = sorted(set(security) - UNDERSTOOD)
    if unknown:
        raise Halt("kafka.security", f"not supported: {', '.join(unknown)}")
    protocol = security.get("security.protocol", "plaintext").lower()
    if protocol == "plaintext":
        return None
    context = _context(security) if protocol in {"ssl", "sasl_ssl"} else None
    if protocol == "ssl":
        return faust.SSLCredentials(context)
    if protocol not in {"sasl_ssl", "sasl_plaintext"}:
        raise Halt("kafka.security", f"unknown security.protocol {protocol}")
    mechanism = security.get("sasl.mechanism", security.get("sasl.mechanisms", "PLAIN"))
    if mechanism not in {"PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512"}:
        raise Halt("kafka.security", f"unsupported sasl.mechanism {mechanism}")
    return faust.SASLCredentials(
        username=security.get("sasl.username"),
        password=security.get("sasl.password"),
        mechanism=mechanism,
        ssl_context=context,
    )


def _context(security: Mapping[str, str]) -> ssl.SSLContext:
    context = ssl.create_default_context(cafile=security.get("ssl.ca.location"))
    certificate = security.get("ssl.certificate.location")
    if certificate:
        context.load_cert_chain(
            certificate, security.get("ssl.key.location"), security.get("ssl.key.password")
        )
    if security.get("ssl.endpoint.identification.algorithm") == "none":
        context.check_hostname = False
    return context
