"""What else is read from the environment: never a setting of the service."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from stream_deid.config.declare import ENVIRONMENT_PREFIX
from stream_deid.errors import Halt

NOT_SETTINGS = {
    "STREAM_DEID_CONFIG": "The file of settings, where `--config` names none.",
    "STREAM_DEID_DATA": "The folder of corpora to train on (docs/models.md).",
}


def data_dir(environ: Mapping[str, str] | None = None) -> Path:
    """The folder of corpora to train on, `$STREAM_DEID_DATA`. Raises `Halt` where it is unset."""
    value = (os.environ if environ is None else environ).get("STREAM_DEID_DATA", "")
    if not value or not Path(value).is_dir():
        raise Halt("data.missing", "set STREAM_DEID_DATA to the folder of the training corpora")
    return Path(value)


def forget_secrets() -> None:
    """Take the settings, which have been read, out of this process's environment; the names of
    files stay.
    """
    for name in [name for name in os.environ if name.startswith(ENVIRONMENT_PREFIX)]:
        if name not in NOT_SETTINGS:
            del os.environ[name]


def without_secrets(environ: Mapping[str, str] | None = None) -> dict[str, str]:
    """The environment for programs that have no use for our settings, the key among them."""
    env = os.environ if environ is None else environ
    return {name: value for name, value in env.items() if not name.startswith(ENVIRONMENT_PREFIX)}


def local_broker(environ: Mapping[str, str] | None = None) -> tuple[str | None, str | None]:
    """What a trial should run on: `(KAFKA_BOOTSTRAP_SERVERS, KAFKA_HOME)`, where set."""
    env = os.environ if environ is None else environ
    return env.get("KAFKA_BOOTSTRAP_SERVERS") or None, env.get("KAFKA_HOME") or None
