"""An OAuth token endpoint on loopback. Nobody signs its tokens: a broker of tests takes them."""

from __future__ import annotations

import base64
import json
import time
from collections.abc import Mapping

from loopback import Answers, Loopback

LIFE_S = 3600


class TokenIssuer(Loopback):
    """Gives a token to whoever knows the secret of a client."""

    def __init__(self, secrets: Mapping[str, str]) -> None:
        super().__init__(_Gives, "/token")
        self.secrets = secrets
        self.asked: list[str] = []

    def security(self, name: str, secret: str) -> dict[str, str]:
        """What a client says that gets its tokens here (`kafka.security`)."""
        return {
            "sasl.mechanism": "OAUTHBEARER",
            "sasl.oauthbearer.method": "oidc",
            "sasl.oauthbearer.token.endpoint.url": self.url,
            "sasl.oauthbearer.client.id": name,
            "sasl.oauthbearer.client.secret": secret,
        }


class _Gives(Answers):
    server: TokenIssuer

    def post(self) -> None:
        self.asked()
        given = base64.b64decode(self.headers["Authorization"].removeprefix("Basic "))
        name, _, secret = given.decode().partition(":")
        self.server.asked.append(name)
        body: dict[str, object] = {"error": "invalid_client"}
        right = self.server.secrets.get(name) == secret
        if right:
            body = {"access_token": token(name), "expires_in": LIFE_S}
        self.say(200 if right else 401, json.dumps(body).encode())


def token(name: str) -> str:
    """A JSON Web Token of the algorithm `none`."""
    now = int(time.time())
    parts = {"alg": "none"}, {"sub": name, "iat": now, "exp": now + LIFE_S}
    coded = (base64.urlsafe_b64encode(json.dumps(p).encode()).rstrip(b"=").decode() for p in parts)
    return ".".join((*coded, ""))
