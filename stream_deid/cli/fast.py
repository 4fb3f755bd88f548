"""`stream-deid lists` and `stream-deid templates`: what lets sentences pass without a model."""

from __future__ import annotations

import argparse
from pathlib import Path

from stream_deid.cli.argument_types import Commands, count
from stream_deid.cli.hardened import sees_notes

SERVED = {
    "en": "patterns+openvino:triton_models/bert_en,onnx:triton_models/bilstm_crf_en",
    "es": "patterns+openvino:triton_models/bert_es,onnx:triton_models/bilstm_crf_es",
}
_SOURCE = "READER:LANGUAGE:PATH (marked, jsonl, brat, i2b2, plain, messages)"


def _lists(commands: Commands[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser("lists", help="mine, review and compile the inclusion list")
    actions = parser.add_subparsers(required=True, metavar="ACTION")
    build = actions.add_parser("build", help="mine sentences by prevalence into a review file")
    _mining(build)
    build.set_defaults(run=_run_build)
    _reviewing(actions)


def _templates(commands: Commands[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser("templates", help="harvest, review and compile templates")
    actions = parser.add_subparsers(required=True, metavar="ACTION")
    harvest = actions.add_parser("harvest", help="sentences through an ensemble into a review file")
    _mining(harvest)
    harvest.add_argument(
        "--system", default="", help="as for compare (default: what the language is served by)"
    )
    harvest.set_defaults(run=_run_harvest)
    _reviewing(actions)


def _mining(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("sources", nargs="+", metavar="SOURCE", help=_SOURCE)
    parser.add_argument("--language", default="en", choices=sorted(SERVED))
    parser.add_argument(
        "--least", type=count, default=3, help="patients (templates: notes) at least"
    )
    parser.add_argument(
        "--out", type=Path, required=True, help="the review file; decisions in it are kept"
    )


def _reviewing(actions: Commands[argparse.ArgumentParser]) -> None:
    review = actions.add_parser("review", help="go through a review file, entry by entry")
    review.add_argument("file", type=Path)
    review.set_defaults(run=_run_review)
    compiled = actions.add_parser("compile", help="what was accepted, as the file that serves")
    compiled.add_argument("file", type=Path)
    compiled.add_argument("--out", type=Path, required=True, help="folder (`fast_lists`)")
    compiled.set_defaults(run=_run_compile)


@sees_notes
def _run_build(arguments: argparse.Namespace) -> int:
    from stream_deid.training.fast import command
    from stream_deid.training.recipe import data_folder

    return command.build(
        arguments.sources,
        arguments.language,
        data_folder() or Path(),
        arguments.out,
        least=arguments.least,
    )


@sees_notes
def _run_harvest(arguments: argparse.Namespace) -> int:
    from stream_deid.training.fast import command
    from stream_deid.training.recipe import data_folder

    return command.harvest(
        arguments.sources,
        arguments.language,
        arguments.system or SERVED[arguments.language],
        data_folder() or Path(),
        arguments.out,
        least=arguments.least,
    )


@sees_notes
def _run_review(arguments: argparse.Namespace) -> int:
    from stream_deid.training.fast import command

    return command.walk(arguments.file)


def _run_compile(arguments: argparse.Namespace) -> int:
    from stream_deid.training.fast import command

    return command.compiled(arguments.file, arguments.out)


COMMANDS = (_lists, _templates)
"""Commands of the fast paths."""
