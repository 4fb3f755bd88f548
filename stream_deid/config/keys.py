"""The secret key: read, made, written."""

from __future__ import annotations

import logging
import os
import secrets
from dataclasses import replace
from pathlib import Path

from stream_deid.config.settings import Keys, Release, Settings
from stream_deid.errors import Halt
from stream_deid.hardening import open_to_others

MIN_KEY_BYTES = 16
_LEAST_DIFFERENT = 6
"""Different bytes: of 16 random hexadecimal digits fewer are one key in a million."""

_log = logging.getLogger(__name__)


def read_key(keys: Keys) -> bytes:
    """The secret key's bytes. Raises `Halt("key....")` where there is none or it is weak."""
    if bool(keys.file) == bool(keys.value):
        raise Halt(
            "key.missing",
            "set exactly one of keys.file (a mounted secret) and STREAM_DEID_KEYS__VALUE; "
            "`stream-deid keygen FILE` makes one",
        )
    return _strong(_in_file(keys.file, "keys.file") if keys.file else keys.value.encode())


def read_former_keys(release: Release) -> list[bytes]:
    """The keys that served before. Raises `Halt("key....")` as for the present one."""
    setting = "release.former_keys"
    return [
        _strong(_in_file(one, setting, f": {one}"), f"{setting}: the key in {one}")
        for one in release.former_keys
    ]


def _in_file(file: str, setting: str, which: str = "") -> bytes:
    try:
        if open_to_others(Path(file)):
            _log.warning(
                "%s%s can be read by other users: chmod 600, or mount it so",
                setting,
                which,
                extra={"ours": {"event": "key_open_to_others"}},
            )
        return Path(file).read_bytes().rstrip()
    except OSError as error:
        raise Halt("key.unreadable", f"{setting}{which} can't be read: {error.strerror}") from None


def _strong(key: bytes, name: str = "the key") -> bytes:
    if len(key) < MIN_KEY_BYTES:
        raise Halt("key.weak", f"{name} has {len(key)} bytes, not {MIN_KEY_BYTES} or more")
    if len(set(key)) < _LEAST_DIFFERENT:
        raise Halt("key.weak", f"{name} repeats a few characters; `stream-deid keygen FILE`")
    return key


def with_a_key(settings: Settings) -> Settings:
    """The same settings; where they name no key, with a fresh one for this run alone."""
    if settings.keys.file or settings.keys.value:
        return settings
    return replace(settings, keys=replace(settings.keys, value=new_key()))


def new_key() -> str:
    """A fresh secret: 32 random bytes, hexadecimal."""
    return secrets.token_hex(32)


def write_new_key(path: Path) -> None:
    """A fresh secret in a new file that its owner alone can read.

    Raises `Halt("key.exists")`: a key is never overwritten, since with it goes every surrogate.
    """
    try:
        descriptor = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    except FileExistsError:
        raise Halt("key.exists", f"{path} is there already; keys are never overwritten") from None
    except OSError as error:
        raise Halt("key.unwritable", f"{path} can't be written: {error.strerror}") from None
    try:
        with os.fdopen(descriptor, "w", encoding="ascii") as file:
            file.write(new_key() + "\n")
            file.flush()
            os.fsync(descriptor)
    except OSError as error:  # a full disk: what is cut short is no key, and would stay
        path.unlink(missing_ok=True)
        raise Halt("key.unwritable", f"{path} can't be written: {error.strerror}") from None
