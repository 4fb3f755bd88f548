"""The command that attacks released notes; its parts that train need `stream-deid[training]`."""

from __future__ import annotations

import argparse
from pathlib import Path

from stream_deid.cli.argument_types import (
    Commands,
    count,
    count_or_all,
    new_folder,
    number,
    processes,
    share,
)
from stream_deid.cli.hardened import sees_notes, settings_alone


def _attack(commands: Commands[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser("attack", help="attack the surrogates; print what is found")
    parser.add_argument(
        "--out", type=new_folder, default=Path("attack"), help="tables, plots, sheet"
    )
    what = parser.add_mutually_exclusive_group()
    what.add_argument(
        "--only",
        nargs="+",
        metavar="PART",
        help="consistency parrot recurrence timing days pairs audited counters sheet",
    )
    what.add_argument("--score", type=Path, metavar="SHEET", help="only score a filled sheet")
    what.add_argument(
        "--transfer", nargs=2, metavar=("TRAIN", "DEV"),
        help="only what a tagger loses by learning from surrogates: marked notes, as --corpus",
    )  # fmt: skip
    parser.add_argument(
        "--patients", type=count, default=100_000, help="of the consistency figures"
    )
    parser.add_argument(
        "--jobs", type=processes, default=1, help="processes of the consistency figures"
    )
    parser.add_argument(
        "--notes", type=count_or_all, default=0, help="marked notes at most (0: all)"
    )
    parser.add_argument(
        "--files", type=count, default=400, help="patients of the recurrence attack"
    )
    parser.add_argument("--markov", type=share, default=0.5, help="p of the strategy markov(p)")
    parser.add_argument("--corpus", help="marked notes, READER:LANGUAGE:PATH (default: our own)")
    parser.add_argument(
        "--missed-by", default="", metavar="SPEC",
        help="parrot: the leaks are what this system (as for compare) misses in the corpus",
    )  # fmt: skip
    parser.add_argument("--seed", type=number, default=1)
    parser.add_argument("--quiet", action="store_true", help="no progress bar")
    parser.set_defaults(run=_run_attack)


@sees_notes
def _run_attack(arguments: argparse.Namespace) -> int:
    from stream_deid.attack import command
    from stream_deid.surrogate import Policy

    if arguments.score:
        return command.score(arguments.score)
    gold = tuple(arguments.transfer) if arguments.transfer else None
    policy = settings_alone(arguments.config).policy
    plan = command.AttackPlan(
        out=arguments.out,
        parts=(command.TRANSFER,) if gold else tuple(arguments.only or command.ATTACKS),
        patients=arguments.patients,
        notes=arguments.notes,
        files=arguments.files,
        seed=arguments.seed,
        p=arguments.markov,
        corpus=arguments.corpus or command.CORPUS,
        gold=gold,
        system=arguments.missed_by,
        policy=Policy.named(policy.name, policy.overrides),
        jobs=arguments.jobs,
        progress=not arguments.quiet,
    )
    return command.main(plan)


COMMANDS = (_attack,)
