"""What can be said of settings without asking anybody: policy, formats, security options.

`config.examine` knows types and bounds; what the settings mean is known where they are used.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path

from stream_deid.assembly import of_profile
from stream_deid.config import Problem, Settings, read_key
from stream_deid.errors import Halt
from stream_deid.formats import FORMATS
from stream_deid.streaming.kafka.security import credentials
from stream_deid.surrogate.policy import Policy


def problems(settings: Settings) -> Iterator[Problem]:
    """Mistakes in the meaning of settings, each with its remedy."""
    policy, formats = settings.policy, settings.formats
    yield from _tried(
        "policy",
        "docs/policies.md has the names",
        lambda: Policy.named(policy.name, policy.overrides),
    )
    yield from _tried(
        "profile",
        "docs/models.md says which models it reads",
        lambda: of_profile(settings),
    )
    if settings.keys.value and not settings.keys.file:
        yield from _tried(
            "keys.value",
            "`stream-deid keygen FILE` makes one; docs/keys.md",
            lambda: read_key(settings.keys),
        )
    for name in formats.accept:
        made = partial(FORMATS[name], formats)
        yield from _tried("formats", "docs/fhir.md has the rules", made)
    unreadable = list(_unreadable(settings.kafka.security))
    yield from unreadable or _tried(
        "kafka.security",
        "docs/deployment.md has the options; all clients must be told the same",
        lambda: credentials(settings.kafka.security),
    )


def _unreadable(security: Mapping[str, str]) -> Iterator[Problem]:
    """Files of certificates and keys, by name: what reads them together names none."""
    for option, file in security.items():
        if option.endswith(".location"):
            path = f"kafka.security.{option}"
            try:
                Path(file).read_bytes()
            except OSError as error:
                told = f"{path}: {file} can't be read: {error.strerror}"
                yield Problem(path, told, "mount it, or mend it")


def _tried(path: str, remedy: str, call: Callable[[], object]) -> Iterator[Problem]:
    try:
        call()
    except Halt as error:
        yield Problem(path, f"{path}: {error.detail}", remedy)
    except OSError as error:  # ssl.SSLError is one, and names no path
        told = getattr(error, "reason", "") or error.strerror or type(error).__name__
        remedy = "PEM, the certificate itself first, its own key"
        yield Problem(path, f"{path}: a certificate or key doesn't serve: {told}", remedy)
