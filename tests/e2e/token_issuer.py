"""An OAuth token endpoint on loopback. Nobody signs its tokens: a broker of tests takes them."""

from __future__ import annotations

import base64
import json
import threading
import time
from collections.abc import Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Self

LIFE_S = 3600


class TokenIssuer:
    """Gives a token to whoever knows the secret of a client."""

    def __init__(self, secrets: Mapping[str, str]) -> None:
        self.asked: list[str] = []
        issuer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                self.rfile.read(int(self.headers["Content-Length"]))
                given = base64.b64decode(self.headers["Authorization"].removeprefix("Basic "))
                name, _, secret = given.decode().partition(":")
                issuer.asked.append(name)
                body = json.dumps({"error": "invalid_client"})
                right = secrets.get(name) == secret
                if right:
                    body = json.dumps({"access_token": token(name), "expires_in": LIFE_S})
                self.send_response(200 if right else 401)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body.encode())

            def log_message(self, *_: object) -> None:
                """Not needed."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}/token"

    def security(self, name: str, secret: str) -> dict[str, str]:
        """What a client says that gets its tokens here (`kafka.security`)."""
        return {
            "sasl.mechanism": "OAUTHBEARER",
            "sasl.oauthbearer.method": "oidc",
            "sasl.oauthbearer.token.endpoint.url": self.url,
            "sasl.oauthbearer.client.id": name,
            "sasl.oauthbearer.client.secret": secret,
        }

    def __enter__(self) -> Self:
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._server.shutdown()
        self._server.server_close()


def token(name: str) -> str:
    """A JSON Web Token of the algorithm `none`."""
    now = int(time.time())
    parts = {"alg": "none"}, {"sub": name, "iat": now, "exp": now + LIFE_S}
    coded = (base64.urlsafe_b64encode(json.dumps(p).encode()).rstrip(b"=").decode() for p in parts)
    return ".".join((*coded, ""))
