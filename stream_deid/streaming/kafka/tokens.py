"""OAuth tokens for Faust's client, from the endpoint that librdkafka asks too.

librdkafka fetches its own tokens (`sasl.oauthbearer.method = "oidc"`); aiokafka wants them handed
to it. Both read the same options and make the same request: client credentials (RFC 6749, 4.4).
"""

from __future__ import annotations

import asyncio
import base64
import json
import ssl
import threading
import time
import urllib.parse
import urllib.request
from collections.abc import Mapping

from aiokafka.abc import AbstractTokenProvider

from stream_deid.errors import Unavailable

_PATIENCE_S = 10.0
_RENEW = 0.8  # of a token's life, as librdkafka does it


class BearerTokens(AbstractTokenProvider):  # type: ignore[misc] # aiokafka publishes no types
    """Bearer tokens by the options `sasl.oauthbearer.*`, each used for most of its life."""

    def __init__(self, options: Mapping[str, str]) -> None:
        self._url = options["sasl.oauthbearer.token.endpoint.url"]
        who = options["sasl.oauthbearer.client.id"], options["sasl.oauthbearer.client.secret"]
        self._basic = base64.b64encode(":".join(who).encode()).decode()
        form = {"grant_type": "client_credentials"}
        if scope := options.get("sasl.oauthbearer.scope"):
            form["scope"] = scope
        self._form = urllib.parse.urlencode(form).encode()
        self._ca = options.get("https.ca.location")
        self._lock = threading.Lock()
        self._token, self._until = "", 0.0

    async def token(self) -> str:
        """A token that is valid now. Raises `Unavailable("kafka.token")`."""
        return await asyncio.to_thread(self._valid)

    def _valid(self) -> str:
        with self._lock:
            if time.monotonic() >= self._until:
                self._token, life = self._fetched()
                self._until = time.monotonic() + _RENEW * life
            return self._token

    def _fetched(self) -> tuple[str, float]:
        request = urllib.request.Request(  # noqa: S310 - the address is a setting
            self._url,
            data=self._form,
            headers={"Authorization": f"Basic {self._basic}", "Accept": "application/json"},
        )
        context = ssl.create_default_context(cafile=self._ca)
        try:
            with urllib.request.urlopen(  # noqa: S310
                request, timeout=_PATIENCE_S, context=context
            ) as answer:
                told = json.load(answer)
            return str(told["access_token"]), float(told.get("expires_in", 60.0))
        except (OSError, ValueError, KeyError, TypeError) as error:
            # an answer may hold a token, an address a password: only the kind goes on
            status = getattr(error, "status", None)
            kind = f"status {status}" if status else type(error).__name__
            raise Unavailable("kafka.token", f"the endpoint gives no token ({kind})") from None
