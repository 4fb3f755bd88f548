"""The command line: arguments only; each subcommand imports what it needs.

Exit statuses: `stream_deid.exits`.
"""

from __future__ import annotations

import argparse
import errno
from collections.abc import Callable
from pathlib import Path

from stream_deid import __version__, ending, exits, stderr, unsaid
from stream_deid.cli import attack, fast, models, operation, service, training, trials
from stream_deid.cli.argument_types import Commands
from stream_deid.errors import DeidError

EXTRAS = {
    "serving": {"tritonclient", "grpc"},
    "streaming": {"confluent_kafka", "faust", "mode", "prometheus_client"},
    "cpu": {"onnxruntime", "openvino"},
    "build": {"nncf", "onnx", "safetensors"},
    "training": {"pycrfsuite", "sklearn", "torch", "transformers"},
}
"""The extra of this package that brings each package that only some commands need."""


_STORAGE = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EROFS})
"""What a full or broken disk says."""


def main(argv: list[str] | None = None) -> int:
    """Run one subcommand; errors become one line on standard error that says what to do.

    Without arguments of its own it is this process (`ending.as_process`) and doesn't return.
    """
    if argv is None:
        ending.as_process(lambda: _run(None))
    return _run(argv)


def _run(argv: list[str] | None) -> int:
    arguments = _parser().parse_args(argv)
    run: Callable[[argparse.Namespace], int] = arguments.run
    try:
        return run(arguments)
    except KeyboardInterrupt:
        return exits.INTERRUPTED
    except BrokenPipeError:
        return exits.CRASHED
    except Exception as error:  # noqa: BLE001  # its words may quote a note
        line, status = _told(error)
        stderr.stream().write(f"stream-deid: {line}\n")
        return status


def _told(error: Exception) -> tuple[str, int]:
    """An error for a person, and the status."""
    match error:
        case DeidError():
            return str(error), exits.status_of(error)
        case ImportError():
            return _missing(error), exits.MISCONFIGURED
        case OSError() if error.filename is not None:
            return f"file.system: {error.filename}: {error.strerror}", exits.MISCONFIGURED
        case OSError() if error.errno in _STORAGE:
            return f"file.system: an output: {error.strerror}", exits.MISCONFIGURED
        case _:
            return _defect(error), exits.CRASHED


def _defect(error: Exception) -> str:
    at = unsaid.place(error.__traceback__)
    kind = type(error).__qualname__
    return f"defect: {kind} at {at}; please report it, with the command and without notes"


def _missing(error: ImportError) -> str:
    package = (error.name or "a package").partition(".")[0]
    extra = next((extra for extra, packages in EXTRAS.items() if package in packages), "")
    command = f"pip install 'stream-deid[{extra}]'" if extra else "pip install it"
    return f"package.missing: this command needs {package}, which is not installed; {command}"


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="stream-deid", description="Streaming de-identification of clinical notes."
    )
    parser.add_argument("--version", action="version", version=__version__)
    parser.add_argument(
        "--config", type=Path, help="settings in TOML (default: $STREAM_DEID_CONFIG, or defaults)"
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for module in (service, trials, operation, models, training, attack, fast):
        for add in module.COMMANDS:
            add(commands)
    _take_config_anywhere(commands)
    return parser


def _take_config_anywhere(commands: Commands[argparse.ArgumentParser]) -> None:
    """`--config` may also stand behind the command, where people look for it."""
    for command in commands.choices.values():
        inner = [a for a in command._actions if isinstance(a, Commands)]  # noqa: SLF001
        for actions in inner:
            _take_config_anywhere(actions)
        if not inner:
            command.add_argument(
                "--config", type=Path, default=argparse.SUPPRESS, help="settings in TOML"
            )
