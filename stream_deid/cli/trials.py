"""Commands that try the service on this machine: a demonstration, chaos, hostile messages."""

from __future__ import annotations

import argparse

from stream_deid.cli import argument_types
from stream_deid.cli.argument_types import Commands, amount, count, number, port, processes, share
from stream_deid.cli.hardened import sees_notes

_BOUNDS = (
    ("worker", 10.0, "seconds to a release after a signal"),
    ("broker", 20.0, "... after a broker answers again"),
    ("triton", 20.0, "... after all models answer again"),
    ("steady", 10.0, "... while nothing happens"),
    ("start", 60.0, "... after the workers' start"),
)
"""Of what, and the longest time without a release in seconds."""


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
    add("--duration", type=argument_types.seconds, default=60.0, help="seconds of feed and events")
    add("--kill-rate", type=argument_types.rate, default=0.05, help="events a second")
    add("--workers", type=processes, default=2)
    add("--rate", type=amount, help="notes a second (default: 60, real models 3)")
    add("--poison", type=share, default=0.02, help="share of messages that are none")
    add("--giants", type=share, default=0.003, help="share of large notes")
    add("--giant-bytes", type=count, help="of a large note (default: 300000, real models 12000)")
    add(
        "--session-timeout",
        type=argument_types.seconds,
        default=7.0,
        help="of the workers, in seconds",
    )
    add("--static", action="store_true", help="workers have names that stay")
    add("--logs", type=argument_types.new_folder, metavar="FOLDER", help="keep the workers' logs")
    for whose, most, told in _BOUNDS:
        add(f"--{whose}-bound", type=argument_types.seconds, default=most, help=told)
    parser.set_defaults(run=_run_chaos)


def _run_chaos(arguments: argparse.Namespace) -> int:
    from stream_deid import config
    from stream_deid.rig import chaos

    real = arguments.models == "real"
    plan = chaos.ChaosPlan(
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
        "--seconds",
        type=argument_types.seconds_or_0,
        default=0.0,
        help="stop after these (0: never)",
    )
    parser.add_argument("--only", type=number, default=-1, metavar="N", help="only this input")
    parser.add_argument("--jobs", type=processes, default=1, help="processes")
    parser.add_argument("--nice", type=argument_types.niceness, default=0, help="of the processes")
    parser.add_argument("--slow", type=amount, default=20.0, help="times an ordinary note's time")
    parser.add_argument(
        "--twice", type=count, default=1, metavar="N",
        help="process one input of N a second time, to compare (default: each)",
    )  # fmt: skip
    parser.add_argument(
        "--keep", type=argument_types.new_folder, metavar="FOLDER", help="write faulty inputs here"
    )
    parser.add_argument(
        "--kinds", nargs="*", default=(), choices=("json", "hl7", "fhir", "map", "bytes"),
        help="only inputs of these kinds",
    )  # fmt: skip
    parser.add_argument(
        "--samples", type=argument_types.folder, nargs="*", metavar="FOLDER",
        help="what else to mutate (default: tests/data and corpora here, where they are)",
    )  # fmt: skip
    parser.set_defaults(run=_run_fuzz)


@sees_notes
def _run_fuzz(arguments: argparse.Namespace) -> int:
    from stream_deid.rig.fuzz import command, samples
    from stream_deid.rig.fuzz.run import FuzzPlan

    plan = FuzzPlan(
        seed=arguments.seed,
        count=arguments.count,
        seconds=arguments.seconds,
        folders=samples.FOLDERS if arguments.samples is None else tuple(arguments.samples),
        kinds=tuple(arguments.kinds),
        jobs=arguments.jobs,
        nice=arguments.nice,
        slow=arguments.slow,
        twice=arguments.twice,
    )
    return command.main(command.FuzzOrder(plan, arguments.only, arguments.keep))


def _broker(commands: Commands[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser("broker", help="an embedded broker for trials, in the foreground")
    parser.add_argument("--port", type=port, default=9092)
    parser.add_argument(
        "--data", type=argument_types.new_folder, help="data folder (default: a fresh one)"
    )
    parser.set_defaults(run=_run_broker)


def _run_broker(arguments: argparse.Namespace) -> int:
    from stream_deid.rig import broker

    return broker.main(arguments.port, arguments.data)


COMMANDS = (_demo, _chaos, _fuzz, _broker)
