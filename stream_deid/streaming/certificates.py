"""Certificates that are renewed while a worker runs.

The clients of Kafka and Triton read their files once. So a worker whose files were replaced ends in
an orderly way, and whoever keeps it running starts it with the new ones. Workers of a StatefulSet
take turns, by the number in their name. Files that no connection could be made with are left alone:
those in memory still serve.
"""

from __future__ import annotations

import hashlib
import random
import ssl
from collections.abc import Iterator
from pathlib import Path

from stream_deid.config import Settings
from stream_deid.errors import Halt
from stream_deid.streaming.kafka.security import credentials
from stream_deid.streaming.observability import logs

LOOK_S = 5.0
"""How often the files are looked at."""

_TURN_S = 20.0  # for one worker to come back, before the next one ends
_TURNS = 10

_log = logs.get("certificates")


class Certificates:
    """The files that connections are made with, as they were at the start."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._files = sorted(_files(settings))
        self._first = self._now()
        self._last = self._first

    def renewed(self) -> bool:
        """Whether there are others now, the same at two looks, that serve."""
        before, self._last = self._last, self._now()
        if self._last == self._first or self._last != before:
            return False
        changed = [f for f in self._files if self._first.get(f) != self._last.get(f)]
        if problem := _problem(self._settings):
            _log.error("certificates_unusable", files=changed, error=problem)
            self._first = self._last  # said once; the next ones are looked at again
            return False
        _log.warning("certificates_renewed", files=changed, ends_in_s=round(self.turn_s))
        return True

    @property
    def turn_s(self) -> float:
        """How long this worker waits for others to come back first."""
        ordinal = self._settings.kafka.member_name().rpartition("-")[2]
        turn = int(ordinal) if ordinal.isdecimal() else random.randrange(_TURNS)
        return _TURN_S * (turn % _TURNS)

    def _now(self) -> dict[str, str]:
        """A digest of each file that can be read."""
        found = {}
        for name in self._files:
            try:
                found[name] = hashlib.sha256(Path(name).read_bytes()).hexdigest()
            except OSError:
                continue
        return found


def _files(settings: Settings) -> Iterator[str]:
    yield from (file for name, file in settings.kafka.security.items() if "location" in name)
    triton = settings.triton
    yield from (file for file in (triton.ca, triton.certificate, triton.key) if file)


def _problem(settings: Settings) -> str:
    """Why no connection could be made with the files of now; empty where one could."""
    triton = settings.triton
    try:
        credentials(settings.kafka.security)
        if triton.ca:
            context = ssl.create_default_context(cafile=triton.ca)
            if triton.certificate:
                context.load_cert_chain(triton.certificate, triton.key, password="")
    except (OSError, Halt) as error:  # a fault of TLS is an OSError, too
        return type(error).__name__
    return ""
