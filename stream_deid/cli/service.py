"""Commands that run the service, or a piece of it."""

from __future__ import annotations

import argparse
import os
import stat
import sys
from dataclasses import replace
from pathlib import Path

from stream_deid.cli import parts
from stream_deid.cli.parts import Commands, amount, count, number, port, processes, sealed, share


def _worker(commands: Commands[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser("worker", help="de-identify a Kafka topic until told to stop")
    parser.add_argument("--port", type=port, help="of health and metrics (default: http.port)")
    parser.set_defaults(run=_run_worker)


def _run_worker(arguments: argparse.Namespace) -> int:
    settings = sealed(arguments.config)

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
    settings = sealed(arguments.config)

    from stream_deid.streaming.releasing import mover

    return mover.main(settings, arguments.port)


def _mllp(commands: Commands[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser("mllp", help="take HL7 v2 over MLLP into the input topic")
    parser.set_defaults(run=_run_mllp)


def _run_mllp(arguments: argparse.Namespace) -> int:
    settings = sealed(arguments.config)

    from stream_deid.mllp import listener

    return listener.main(settings)


def _mllp_out(commands: Commands[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser("mllp-out", help="send released HL7 v2 to a receiver over MLLP")
    parser.set_defaults(run=_run_mllp_out)


def _run_mllp_out(arguments: argparse.Namespace) -> int:
    settings = sealed(arguments.config)

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
    add("--rate", type=parts.pace, help="notes a second at most (default: no bound)")
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
        type=parts.new_folder,
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
    settings = sealed(arguments.config)

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
    parser.add_argument("--concurrency", type=parts.in_flight, default=32, help="notes in flight")
    parser.add_argument("--overwrite", action="store_true", help="replace outputs that are there")
    parser.add_argument("--quiet", action="store_true", help="no progress bar")
    parser.add_argument(
        "--outer", action="store_true",
        help="for recipients: in an order drawn by the key, with the audit that may be given away",
    )  # fmt: skip
    parser.set_defaults(run=_run_file)


def _run_file(arguments: argparse.Namespace) -> int:
    settings = sealed(arguments.config)

    from stream_deid import config
    from stream_deid.files import command

    return command.main(
        settings,
        command.Job(
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


def _demo(commands: Commands[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser("demo", help="the whole stack on this machine, with its own feed")
    parser.add_argument("--keep", action="store_true", help="leave it running afterwards")
    parser.add_argument("--messages", type=count, default=240)
    parser.add_argument("--seed", type=number, default=7)
    parser.set_defaults(run=_run_demo)


def _run_demo(arguments: argparse.Namespace) -> int:
    from stream_deid import config
    from stream_deid.rig import demo

    return demo.main(
        config.load(arguments.config),
        settings_file=arguments.config,
        messages=arguments.messages,
        seed=arguments.seed,
        keep=arguments.keep,
    )


def _chaos(commands: Commands[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser(
        "chaos", help="feed, kill workers, brokers and models; account for every note and pause"
    )
    add = parser.add_argument
    add("--models", choices=("stub", "real"), default="stub", help="stub: hashes for notes")
    add("--seed", type=number, default=1)
    add("--duration", type=parts.seconds, default=60.0, help="seconds of feed and events")
    add("--kill-rate", type=parts.rate, default=0.05, help="events a second")
    add("--workers", type=processes, default=2)
    add("--rate", type=amount, help="notes a second (default: 60, real models 3)")
    add("--poison", type=share, default=0.02, help="share of messages that are none")
    add("--giants", type=share, default=0.003, help="share of large notes")
    add("--giant-bytes", type=count, help="of a large note (default: 300000, real models 12000)")
    add("--session-timeout", type=parts.seconds, default=7.0, help="of the workers, in seconds")
    add("--static", action="store_true", help="workers have names that stay")
    add("--logs", type=parts.new_folder, metavar="FOLDER", help="keep the workers' logs")
    add(
        "--worker-bound",
        type=parts.seconds,
        default=10.0,
        help="seconds to a release after a signal",
    )
    add("--broker-bound", type=parts.seconds, default=20.0, help="... after a broker answers again")
    add(
        "--triton-bound", type=parts.seconds, default=20.0, help="... after all models answer again"
    )
    add("--steady-bound", type=parts.seconds, default=10.0, help="... while nothing happens")
    add("--start-bound", type=parts.seconds, default=60.0, help="... after the workers' start")
    parser.set_defaults(run=_run_chaos)


def _run_chaos(arguments: argparse.Namespace) -> int:
    from stream_deid import config
    from stream_deid.rig import chaos

    real = arguments.models == "real"
    plan = chaos.Plan(
        seed=arguments.seed,
        duration_s=arguments.duration,
        kill_rate=arguments.kill_rate,
        workers=arguments.workers,
        rate=arguments.rate or (3.0 if real else 60.0),
        poison=arguments.poison,
        giants=arguments.giants,
        giant_bytes=arguments.giant_bytes or (12_000 if real else 300_000),
        session_timeout_s=arguments.session_timeout,
        static=arguments.static,
        bounds=chaos.Bounds(
            worker=arguments.worker_bound,
            broker=arguments.broker_bound,
            triton=arguments.triton_bound,
            steady=arguments.steady_bound,
            start=arguments.start_bound,
            bytes_a_second=1_000.0 if real else 100_000.0,
        ),
    )
    return chaos.main(
        plan,
        models=arguments.models,
        settings=config.load(arguments.config),
        file=arguments.config,
        logs=arguments.logs,
    )


def _fuzz(commands: Commands[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser("fuzz", help="hostile messages through the whole pure path")
    parser.add_argument("--seed", type=number, default=1)
    parser.add_argument("--count", type=count, default=10_000, help="inputs")
    parser.add_argument(
        "--seconds", type=parts.seconds_or_0, default=0.0, help="stop after these (0: never)"
    )
    parser.add_argument("--only", type=number, default=-1, metavar="N", help="only this input")
    parser.add_argument("--jobs", type=processes, default=1, help="processes")
    parser.add_argument("--nice", type=parts.niceness, default=0, help="of the processes")
    parser.add_argument("--slow", type=amount, default=20.0, help="times an ordinary note's time")
    parser.add_argument(
        "--keep", type=parts.new_folder, metavar="FOLDER", help="write faulty inputs here"
    )
    parser.add_argument(
        "--kinds", nargs="*", default=(), choices=("json", "hl7", "fhir", "map", "bytes"),
        help="only inputs of these kinds",
    )  # fmt: skip
    parser.add_argument(
        "--samples", type=parts.folder, nargs="*", metavar="FOLDER",
        help="what else to mutate (default: tests/data and corpora here, where they are)",
    )  # fmt: skip
    parser.set_defaults(run=_run_fuzz)


def _run_fuzz(arguments: argparse.Namespace) -> int:
    from stream_deid.rig.fuzz import command, samples
    from stream_deid.rig.fuzz.run import Plan

    plan = Plan(
        seed=arguments.seed,
        count=arguments.count,
        seconds=arguments.seconds,
        folders=samples.FOLDERS if arguments.samples is None else tuple(arguments.samples),
        kinds=tuple(arguments.kinds),
        jobs=arguments.jobs,
        nice=arguments.nice,
        slow=arguments.slow,
    )
    return command.main(command.Order(plan, arguments.only, arguments.keep))


def _broker(commands: Commands[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser("broker", help="an embedded broker for trials, in the foreground")
    parser.add_argument("--port", type=port, default=9092)
    parser.add_argument("--data", type=parts.new_folder, help="data folder (default: a fresh one)")
    parser.set_defaults(run=_run_broker)


def _run_broker(arguments: argparse.Namespace) -> int:
    from stream_deid.rig import broker

    return broker.main(arguments.port, arguments.data)


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
    _demo,
    _chaos,
    _fuzz,
    _broker,
    _keygen,
)
