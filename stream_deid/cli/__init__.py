"""The command line: arguments only; each subcommand imports what it needs.

Exit codes: 0 all well; 1 stopped by an error (`Halt`, `Unavailable`); 2 wrong arguments;
3 finished, but some notes were rejected (`file`).
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

from stream_deid import __version__
from stream_deid.cli import laboratory, repository, service
from stream_deid.errors import DeidError

EXIT_ERROR = 1


def main(argv: list[str] | None = None) -> int:
    """Run one subcommand; errors become one line on standard error that says what to do."""
    arguments = _parser().parse_args(argv)
    run: Callable[[argparse.Namespace], int] = arguments.run
    try:
        return run(arguments)
    except DeidError as error:
        sys.stderr.write(f"stream-deid: {error}\n")
        return EXIT_ERROR
    except KeyboardInterrupt:
        return 130


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="stream-deid", description="Streaming de-identification of clinical notes."
    )
    parser.add_argument("--version", action="version", version=__version__)
    parser.add_argument(
        "--config", type=Path, help="settings in TOML (default: $STREAM_DEID_CONFIG, or defaults)"
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for add in (*service.COMMANDS, *repository.COMMANDS, *laboratory.COMMANDS):
        add(commands)
    return parser
