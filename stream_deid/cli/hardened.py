"""The settings of a process that may see notes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from stream_deid.config import Settings


def hardened_settings(file: Path | None) -> Settings:
    """The settings, in a process that may now see the key and notes. To be called before anything
    else is imported: libraries start programs of their own, which would inherit the key.
    """
    from stream_deid import config
    from stream_deid.hardening import harden

    harden()
    settings = config.load(file)
    config.forget_secrets()
    return settings
