"""Commands for operators: what is set, whether it fits the surroundings, what goes on."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from stream_deid import exits
from stream_deid.cli.argument_types import Commands, seconds_or_0
from stream_deid.cli.hardened import hardened_settings

_NO_KEY = (
    "no key is set: `file`, `evaluate` and `explain` make a fresh one for each run; worker, "
    "release, replay and mllp end with 78 (key.missing). `--for worker` counts it as a mistake\n"
)


def _config(commands: Commands[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser("config", help="what is set, and whether it can be")
    actions = parser.add_subparsers(required=True, metavar="ACTION")
    show = actions.add_parser("show", help="every setting, its value and where it came from")
    show.add_argument("--changed", action="store_true", help="only what is not as by default")
    show.add_argument("--json", action="store_true")
    show.set_defaults(run=_run_config_show)
    check = actions.add_parser("check", help="every mistake at once (status 78)")
    check.add_argument(
        "--no-models",
        action="store_true",
        help="the models are not on this machine: leave them out",
    )
    check.add_argument(
        "--no-files",
        action="store_true",
        help="files that settings name (keys, certificates, maps) are mounted elsewhere: leave out "
        "those that aren't here",
    )
    check.add_argument(
        "--for",
        dest="command",
        choices=("worker", "file"),
        help="what will run: without a key a worker (release, replay, mllp) ends with 78, so it is "
        "a mistake; file makes one for each run. Neither said, a missing key is told and the "
        "status stays 0",
    )
    check.add_argument("--json", action="store_true")
    check.set_defaults(run=_run_config_check)


def _run_config_show(arguments: argparse.Namespace) -> int:
    from stream_deid import config
    from stream_deid.config import showing

    found = config.examine(arguments.config)
    if found.settings is None:
        sys.stderr.write(showing.mistakes(found.problems))
        return exits.MISCONFIGURED
    if arguments.json:
        sys.stdout.write(showing.as_json(found, changed=arguments.changed).decode())
    else:
        sys.stdout.write(showing.as_text(found, changed=arguments.changed))
    return exits.OK


def _run_config_check(arguments: argparse.Namespace) -> int:
    from stream_deid import config
    from stream_deid.config import showing
    from stream_deid.operations import offline_checks

    found = config.examine(arguments.config)
    problems = offline_checks.all_problems(
        found,
        models=not arguments.no_models,
        files=not arguments.no_files,
        key=arguments.command == "worker",
    )
    if arguments.json:
        sys.stdout.write(showing.mistakes_as_json(problems).decode())
    else:
        sys.stdout.write(showing.mistakes(problems) or "no mistakes\n")
    if arguments.command is None and offline_checks.no_key(found.draft.keys):
        sys.stderr.write(_NO_KEY)
    return exits.MISCONFIGURED if problems else exits.OK


def _explain(commands: Commands[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser(
        "explain", help="what becomes of each leaf of the messages of a file, and who decided"
    )
    parser.add_argument("input", type=Path, help="a file, or - for standard input")
    parser.add_argument("--format", choices=("auto", "json", "hl7v2", "fhir"), default="auto")
    parser.add_argument("--values", action="store_true", help="show values, not their shapes")
    parser.add_argument("--json", action="store_true", help="one JSON object a message")
    parser.set_defaults(run=_run_explain)


def _run_explain(arguments: argparse.Namespace) -> int:
    settings = hardened_settings(arguments.config)

    from stream_deid.operations.explain import command

    return command.main(
        settings,
        arguments.input,
        arguments.format,
        values=arguments.values,
        as_json=arguments.json,
    )


def _doctor(commands: Commands[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser(
        "doctor",
        help="the settings against machine, brokers and models: what is wrong, what to do "
        "(status 0 well, 1 warnings, 78 errors)",
    )
    parser.add_argument(
        "--for", dest="commands", nargs="+", default=[], choices=("release", "replay", "mllp"),
        help="look at the topics of these commands too",
    )  # fmt: skip
    parser.add_argument("--json", action="store_true")
    parser.set_defaults(run=_run_doctor)


def _run_doctor(arguments: argparse.Namespace) -> int:
    from stream_deid.hardening import harden

    harden()

    from stream_deid.operations.doctor import command

    return command.main(arguments.config, frozenset(arguments.commands), as_json=arguments.json)


def _trace(commands: Commands[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser(
        "trace",
        help="everything that happened to one note, without its text "
        "(1: nothing is known, or something is not what the audit names)",
    )
    parser.add_argument(
        "note",
        metavar="NOTE",
        help="a pseudonym (note_id of the audit), or [TOPIC/]PARTITION/OFFSET of the message or "
        "of what was made of it",
    )
    parser.add_argument("--since", metavar="WHEN", help="look no further back (a date or a time)")
    parser.add_argument("--json", action="store_true")
    parser.set_defaults(run=_run_trace)


def _run_trace(arguments: argparse.Namespace) -> int:
    settings = hardened_settings(arguments.config)

    from stream_deid.operations.trace import command

    return command.main(settings, arguments.note, arguments.since, as_json=arguments.json)


def _top(commands: Commands[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser(
        "top", help="what workers, and Tritons, do now, from their /metrics"
    )
    parser.add_argument(
        "addresses", nargs="*", metavar="ADDRESS",
        help="HOST:PORT, a URL, or dns:///NAME:PORT for all of a name (default: [http])",
    )  # fmt: skip
    parser.add_argument("--every", type=seconds_or_0, default=2.0, help="seconds between looks")
    parser.add_argument(
        "--once", action="store_true",
        help="one table of that many seconds (--every 0: since the workers' starts); 1 where "
        "somebody does not answer or is not live",
    )  # fmt: skip
    parser.set_defaults(run=_run_top)


def _run_top(arguments: argparse.Namespace) -> int:
    from stream_deid import config
    from stream_deid.operations.top import command

    addresses = arguments.addresses
    if not addresses:
        http = config.load(arguments.config).http
        addresses = [f"{http.host}:{http.port}"]
    return command.main(command.Look(addresses, arguments.every, arguments.once))


def _reference(commands: Commands[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser(
        "reference", help="settings, commands, codes, metrics and records, as Markdown"
    )
    parser.add_argument("--write", type=Path, metavar="FILE", help="instead of printing it")
    parser.add_argument("--schema", default="", metavar="NAME", help="the JSON Schema of a record")
    parser.set_defaults(run=_run_reference)


def _run_reference(arguments: argparse.Namespace) -> int:
    from stream_deid.cli import _parser
    from stream_deid.operations.reference import command

    return command.main(_parser(), arguments.write, arguments.schema)


COMMANDS = (_config, _doctor, _explain, _trace, _top, _reference)
