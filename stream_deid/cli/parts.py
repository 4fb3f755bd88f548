"""What the modules of commands share."""

from __future__ import annotations

import argparse

Commands = argparse._SubParsersAction  # noqa: SLF001  # argparse has no public name for it
