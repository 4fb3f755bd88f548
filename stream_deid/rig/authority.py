"""A certificate authority of one's own, for trials on loopback (by the `openssl` command)."""

from __future__ import annotations

import shutil
import subprocess
import threading
from pathlib import Path

from stream_deid.errors import Unavailable

_PLACES = "subjectAltName=IP:127.0.0.1,DNS:localhost\n"


class Authority:
    """Gives everybody a key and a certificate for loopback; all files lie in `folder`."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True)
        self.folder, self.certificate = folder, folder / "ca.crt"
        self._one_at_a_time = threading.Lock()
        self._openssl("req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2",
                      "-subj", "/CN=ca", "-keyout", "ca.key", "-out", "ca.crt")  # fmt: skip

    def issue(self, name: str, days: int = 2, places: str = _PLACES) -> tuple[Path, Path]:
        """Paths of a new certificate of `CN=name` for `places`, and of its key; with `days` below 0
        it is one that has expired.
        """
        with self._one_at_a_time:
            (self.folder / "places").write_text(places, encoding="ascii")
            self._openssl("req", "-newkey", "rsa:2048", "-nodes", "-subj", f"/CN={name}",
                          "-keyout", f"{name}.key", "-out", f"{name}.csr")  # fmt: skip
            self._openssl("x509", "-req", "-in", f"{name}.csr", "-CA", "ca.crt", "-CAkey", "ca.key",
                          "-CAcreateserial", "-days", str(days), "-extfile", "places",
                          "-out", f"{name}.crt")  # fmt: skip
        return self.folder / f"{name}.crt", self.folder / f"{name}.key"

    def security(self, name: str, days: int = 2) -> dict[str, str]:
        """`kafka.security` of somebody who shows a certificate of `CN=name`."""
        certificate, key = self.issue(name, days)
        return {
            "security.protocol": "ssl",
            "ssl.ca.location": str(self.certificate),
            "ssl.certificate.location": str(certificate),
            "ssl.key.location": str(key),
        }

    def _openssl(self, *arguments: str) -> None:
        found = shutil.which("openssl")
        if found is None:
            raise Unavailable("broker.missing", "install openssl")
        subprocess.run(  # noqa: S603 - with arguments of this module
            [found, *arguments], cwd=self.folder, check=True, capture_output=True
        )
