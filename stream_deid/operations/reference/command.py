"""`stream-deid reference`: prints it, writes it, or prints one schema."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from stream_deid import atomic, exits
from stream_deid.operations.reference import records
from stream_deid.operations.reference.page import page


def main(parser: argparse.ArgumentParser, target: Path | None, schema: str) -> int:
    """Raises `Halt("reference.schema")` for a schema that there is not."""
    if schema:
        sys.stdout.write(json.dumps(records.schema(schema), indent=2) + "\n")
        return exits.OK
    text = page(parser)
    if target is None:
        sys.stdout.write(text)
    else:
        atomic.write(target, text)
    return exits.OK
