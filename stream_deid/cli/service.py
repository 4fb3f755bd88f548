"""Commands that run the service, or a piece of it."""

from __future__ import annotations

import argparse
import os
import stat
import sys
from dataclasses import replace
from pathlib import Path

from stream_deid.cli import argument_types
from stream_deid.cli.argument_types import (
    Commands,
    count,
    port,
)
from stream_deid.cli.hardened import hardened_settings


def _worker(commands: Commands[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser("worker", help="de-identify a Kafka topic until told to stop")
    parser.add_argument("--port", type=port, help="of health and metrics (default: http.port)")
    parser.set_defaults(run=_run_worker)


def _run_worker(arguments: argparse.Namespace) -> int:
    settings = hardened_settings(arguments.config, answers=False)

    from stream_deid.assembly import check
    from stream_deid.processor import Processor
    from stream_deid.streaming import worker

    check(settings)
    if arguments.port is not None:
        settings = replace(settings, http=replace(settings.http, port=arguments.port))
    return worker.run(settings, Processor.open)


def _release(commands: Commands[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser(
        "release", help="move clean notes to the outer topics, in batches and keyed order"
    )
    parser.add_argument("--port", type=port, help="of health and metrics (default: none of them)")
    parser.set_defaults(run=_run_release)


def _run_release(arguments: argparse.Namespace) -> int:
    settings = hardened_settings(arguments.config, answers=False)

    from stream_deid.streaming.releasing import mover

    return mover.main(settings, arguments.port)


def _mllp(commands: Commands[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser("mllp", help="take HL7 v2 over MLLP into the input topic")
    parser.set_defaults(run=_run_mllp)


def _run_mllp(arguments: argparse.Namespace) -> int:
    settings = hardened_settings(arguments.config, answers=False)

    from stream_deid.mllp import listener

    return listener.main(settings)


def _mllp_out(commands: Commands[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser("mllp-out", help="send released HL7 v2 to a receiver over MLLP")
    parser.set_defaults(run=_run_mllp_out)


def _run_mllp_out(arguments: argparse.Namespace) -> int:
    settings = hardened_settings(arguments.config, answers=False)

    from stream_deid.mllp import outlet

    return outlet.main(settings)


def _replay(commands: Commands[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser(
        "replay",
        help="process notes again: into topics of their own, or only to compare",
    )
    add = parser.add_argument
    add("--id", help="name of the replay; the same name goes on where it stopped")
    when = "a date or time (UTC), an offset, or PARTITION:OFFSET,..."
    add("--from", dest="first", metavar="WHEN", help=f"begin of the range: {when}")
    add("--to", dest="last", metavar="WHEN", help="its end, not included (default: now)")
    add("--patient", action="append", default=[], metavar="PSEUDONYM", help="notes of a patient")
    add("--note", action="append", default=[], metavar="PSEUDONYM", help="a note")
    add("--dead", nargs="*", metavar="CODE", help="dead letters, of these codes (default: all)")
    add("--since", metavar="WHEN", help="dead letters since a date or time")
    add("--share", default="0/1", metavar="I/N", help="every Nth partition: one of N processes")
    add("--rate", type=argument_types.pace, help="notes a second at most (default: no bound)")
    add(
        "--max-lag",
        type=count,
        help="wait while the workers are further behind than so many notes",
    )
    add("--live", action="store_true", help="into the live topics, where readers see notes twice")
    add("--dry-run", action="store_true", help="say what would be done")
    compared = parser.add_mutually_exclusive_group().add_argument
    compared("--verify", action="store_true", help="write nothing: compare bytes (status 3: no)")
    compared(
        "--diff",
        type=argument_types.new_folder,
        metavar="FOLDER",
        help="write nothing: what comes out otherwise",
    )
    add(
        "--other-key",
        action="store_true",
        help="key or tenant are others: don't check that originals are those that were named",
    )
    parser.set_defaults(run=_run_replay)


def _run_replay(arguments: argparse.Namespace) -> int:
    settings = hardened_settings(arguments.config)

    from stream_deid.operations.reference.source import dead_letter_codes
    from stream_deid.processor import Processor
    from stream_deid.streaming.replay import arguments as replays
    from stream_deid.streaming.replay import command

    known = dead_letter_codes() if arguments.dead else ()
    return command.main(settings, replays.job_of(arguments, known), Processor.open)


def _file(commands: Commands[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser("file", help="de-identify a file: JSON lines, HL7 or FHIR")
    parser.add_argument("input", type=Path, help="a file, or - for standard input")
    parser.add_argument("--out", type=Path, required=True, help="the clean messages, - for stdout")
    parser.add_argument("--audit", type=Path, required=True, help="the audit, JSON lines")
    parser.add_argument("--dead", type=Path, help="rejects (default: OUT.dead.jsonl)")
    parser.add_argument("--format", choices=("auto", "json", "hl7v2", "fhir"), default="auto")
    parser.add_argument("--language", help="language of notes that don't name theirs (en, es)")
    parser.add_argument(
        "--concurrency", type=argument_types.in_flight, default=32, help="notes in flight"
    )
    parser.add_argument("--overwrite", action="store_true", help="replace outputs that are there")
    parser.add_argument("--quiet", action="store_true", help="no progress bar")
    parser.add_argument(
        "--outer", action="store_true",
        help="for recipients: in an order drawn by the key, with the audit that may be given away",
    )  # fmt: skip
    parser.set_defaults(run=_run_file)


def _run_file(arguments: argparse.Namespace) -> int:
    settings = hardened_settings(arguments.config)

    from stream_deid import config
    from stream_deid.files import command

    return command.main(
        settings,
        command.FileJob(
            source=arguments.input,
            out=arguments.out,
            audit=arguments.audit,
            dead=arguments.dead,
            format=arguments.format,
            language=arguments.language or "",
            concurrency=arguments.concurrency,
            overwrite=arguments.overwrite,
            progress=not arguments.quiet,
            outer=arguments.outer,
            config=config.named(arguments.config),
        ),
    )


def _split(commands: Commands[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser(
        "split", help="a batch of HL7 v2 as single messages, into the input topic or a folder"
    )
    parser.add_argument("input", type=Path, help="a file with FHS, BHS, or - for standard input")
    where = parser.add_mutually_exclusive_group(required=True).add_argument
    where("--publish", action="store_true", help="to kafka.topic_in, each under its patient")
    where("--out", type=argument_types.new_folder, metavar="FOLDER", help="a file for each")
    parser.set_defaults(run=_run_split)


def _run_split(arguments: argparse.Namespace) -> int:
    settings = hardened_settings(arguments.config, answers=False)

    from stream_deid.files import splitting

    return splitting.main(settings, arguments.input, arguments.out)


def _keygen(commands: Commands[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser("keygen", help="make a fresh secret key")
    parser.add_argument("file", type=Path, nargs="?", help="a new file, for its owner alone")
    parser.set_defaults(run=_run_keygen)


def _run_keygen(arguments: argparse.Namespace) -> int:
    from stream_deid import config

    if arguments.file:
        config.write_new_key(arguments.file)
        return 0
    if stat.S_ISREG(os.fstat(sys.stdout.fileno()).st_mode):
        os.fchmod(sys.stdout.fileno(), 0o600)  # `keygen > key`
    sys.stdout.write(config.new_key() + "\n")
    return 0


COMMANDS = (
    _worker,
    _release,
    _replay,
    _mllp,
    _mllp_out,
    _file,
    _split,
    _keygen,
)
