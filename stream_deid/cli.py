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
    for add in _COMMANDS:
        add(commands)
    return parser


Commands = argparse._SubParsersAction  # noqa: SLF001  # argparse has no public name for it


def _worker(commands: Commands[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser("worker", help="de-identify a Kafka topic until told to stop")
    parser.set_defaults(run=_run_worker)


def _run_worker(arguments: argparse.Namespace) -> int:
    from stream_deid import config
    from stream_deid.processor import Processor
    from stream_deid.streaming import worker

    return worker.run(config.load(arguments.config), Processor.open)


def _file(commands: Commands[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser("file", help="de-identify a file: JSON lines, or HL7 messages")
    parser.add_argument("input", type=Path)
    parser.add_argument("--out", type=Path, required=True, help="the clean messages")
    parser.add_argument("--audit", type=Path, required=True, help="the audit, JSON lines")
    parser.add_argument("--dead", type=Path, help="rejects (default: beside --out, .dead.jsonl)")
    parser.add_argument("--format", choices=("auto", "json", "hl7v2"), default="auto")
    parser.add_argument("--language", help="language of notes that don't name theirs (en, es)")
    parser.add_argument("--concurrency", type=int, default=32, help="notes in flight")
    parser.add_argument("--quiet", action="store_true", help="no progress bar")
    parser.set_defaults(run=_run_file)


def _run_file(arguments: argparse.Namespace) -> int:
    from stream_deid import config, files

    settings = config.load(arguments.config)
    return files.main(
        settings,
        files.Job(
            source=arguments.input,
            out=arguments.out,
            audit=arguments.audit,
            dead=arguments.dead or arguments.out.with_suffix(".dead.jsonl"),
            format=arguments.format,
            language=arguments.language or "",
            concurrency=arguments.concurrency,
            progress=not arguments.quiet,
        ),
    )


def _demo(commands: Commands[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser("demo", help="the whole stack on this machine, with its own feed")
    parser.add_argument("--keep", action="store_true", help="leave it running afterwards")
    parser.add_argument("--messages", type=int, default=240)
    parser.add_argument("--seed", type=int, default=7)
    parser.set_defaults(run=_run_demo)


def _run_demo(arguments: argparse.Namespace) -> int:
    from stream_deid import config, demo

    return demo.main(
        config.load(arguments.config),
        settings_file=arguments.config,
        messages=arguments.messages,
        seed=arguments.seed,
        keep=arguments.keep,
    )


def _chaos(commands: Commands[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser("chaos", help="kill workers and brokers; account for every note")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--duration", type=float, default=60.0, help="seconds")
    parser.add_argument("--kill-rate", type=float, default=0.2, help="kills a second")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--notes", type=int, default=5000)
    parser.set_defaults(run=_run_chaos)


def _run_chaos(arguments: argparse.Namespace) -> int:
    from stream_deid.streaming import chaos

    return chaos.main(arguments)


def _models(commands: Commands[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser("models", help="build, check and serve the model repository")
    actions = parser.add_subparsers(required=True, metavar="ACTION")
    build = actions.add_parser("build", help="make engines from the exported graphs")
    build.add_argument("--target", choices=("cpu", "tensorrt"), default="cpu")
    build.set_defaults(run=_run_models_build)
    _models_export(actions)
    check = actions.add_parser("check", help="manifests, files and generated configurations")
    check.add_argument("--write", action="store_true", help="write the generated configurations")
    check.set_defaults(run=_run_models_check)
    serve = actions.add_parser("serve", help="a local Triton server on CPU, in the foreground")
    serve.add_argument("--grpc-port", type=int, default=8001)
    serve.set_defaults(run=_run_models_serve)


def _models_export(actions: Commands[argparse.ArgumentParser]) -> None:
    parser = actions.add_parser("export", help="write a trained run into the model repository")
    parser.add_argument("recipe", help="the recipe of the run")
    parser.add_argument("folder", type=Path, help="the folder of the run")
    parser.add_argument("--version", required=True)
    parser.add_argument("--o-bias", type=float, required=True, help="see `stream-deid choose`")
    parser.add_argument("--weight", type=float, default=1.0, help="in a pool of models")
    parser.add_argument("--float", action="store_true", help="no int8 (BERT)")
    parser.add_argument("--preset", choices=("performance", "mixed"), default="performance")
    parser.add_argument("--figures", type=Path, help="JSON for the manifest")
    parser.set_defaults(run=_run_models_export)


def _run_models_export(arguments: argparse.Namespace) -> int:
    from stream_deid import config
    from stream_deid.serving import manifest
    from stream_deid.training import export

    choice = export.Choice(
        arguments.version,
        arguments.o_bias,
        arguments.weight,
        int8=not arguments.float,
        preset=arguments.preset,
        figures=export.figures(arguments.figures),
    )
    repo = manifest.repository(config.load(arguments.config).triton.repository)
    return export.main(arguments.recipe, arguments.folder, repo, config.data_dir(), choice)


def _run_models_build(arguments: argparse.Namespace) -> int:
    from stream_deid import config
    from stream_deid.serving import commands

    return commands.build(config.load(arguments.config), arguments.target)


def _run_models_check(arguments: argparse.Namespace) -> int:
    from stream_deid import config
    from stream_deid.serving import commands

    return commands.check(config.load(arguments.config), write=arguments.write)


def _run_models_serve(arguments: argparse.Namespace) -> int:
    from stream_deid import config
    from stream_deid.serving import commands

    return commands.serve(config.load(arguments.config), arguments.grpc_port)


def _train(commands: Commands[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser("train", help="train one system from its recipe")
    parser.add_argument("recipe", help="a recipe file, or the name of one that is shipped")
    parser.add_argument("--out", type=Path, required=True, help="folder of checkpoints and result")
    parser.set_defaults(run=_run_train)


def _run_train(arguments: argparse.Namespace) -> int:
    from stream_deid import config
    from stream_deid.training import train

    return train.main(arguments.recipe, arguments.out, config.data_dir())


def _evaluate(commands: Commands[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser("evaluate", help="score the served models on marked notes")
    parser.add_argument("gold", help="jsonl:en:FILE, jsonl:es:FILE, brat:es:FOLDER, i2b2:en:FOLDER")
    parser.add_argument("--errors", type=Path, help="write every mistake in its context here")
    parser.set_defaults(run=_run_evaluate)


def _run_evaluate(arguments: argparse.Namespace) -> int:
    from stream_deid import config
    from stream_deid.training.evaluate import command

    return command.main(config.load(arguments.config), arguments.gold, arguments.errors)


def _attack(commands: Commands[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser("attack", help="attack the surrogates; print what is found")
    parser.add_argument("--out", type=Path, default=Path("attack"), help="tables, plots, sheet")
    what = parser.add_mutually_exclusive_group()
    what.add_argument(
        "--only", nargs="+", metavar="PART", help="consistency parrot recurrence sheet"
    )
    what.add_argument("--score", type=Path, metavar="SHEET", help="only score a filled sheet")
    what.add_argument(
        "--transfer", nargs=2, metavar=("TRAIN", "DEV"),
        help="only what a tagger loses by learning from surrogates: marked notes, as --corpus",
    )  # fmt: skip
    parser.add_argument("--patients", type=int, default=100_000, help="of the consistency figures")
    parser.add_argument("--jobs", type=int, default=1, help="processes of the consistency figures")
    parser.add_argument("--notes", type=int, default=0, help="marked notes at most (0: all)")
    parser.add_argument("--files", type=int, default=400, help="patients of the recurrence attack")
    parser.add_argument("--markov", type=float, default=0.5, help="p of the strategy markov(p)")
    parser.add_argument("--corpus", help="marked notes, READER:LANGUAGE:PATH (default: our own)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--quiet", action="store_true", help="no progress bar")
    parser.set_defaults(run=_run_attack)


def _run_attack(arguments: argparse.Namespace) -> int:
    from stream_deid import config
    from stream_deid.attack import command
    from stream_deid.surrogate import Policy

    if arguments.score:
        return command.score(arguments.score)
    gold = tuple(arguments.transfer) if arguments.transfer else None
    policy = config.load(arguments.config).policy
    plan = command.Plan(
        out=arguments.out,
        parts=(command.TRANSFER,) if gold else tuple(arguments.only or command.ATTACKS),
        patients=arguments.patients,
        notes=arguments.notes,
        files=arguments.files,
        seed=arguments.seed,
        p=arguments.markov,
        corpus=arguments.corpus or command.CORPUS,
        gold=gold,
        policy=Policy.named(policy.name, policy.overrides),
        jobs=arguments.jobs,
        progress=not arguments.quiet,
    )
    return command.main(plan)


def _compare(commands: Commands[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser("compare", help="any systems on marked notes, without a server")
    parser.add_argument("gold", help="as for evaluate")
    parser.add_argument(
        "systems",
        nargs="+",
        metavar="NAME=SPEC",
        help="SPEC: patterns, crf:FILE, onnx:FOLDER, openvino:FOLDER, run:RECIPE:FOLDER; "
        "members joined by +, pooled models by ,",
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
    parser.set_defaults(run=_run_compare)


def _choose(commands: Commands[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser("choose", help="recall and precision of a model over thresholds")
    parser.add_argument("gold", help="as for evaluate")
    parser.add_argument(
        "pool",
        metavar="MODEL[,MODEL...]",
        help="onnx:FOLDER, openvino:FOLDER, run:RECIPE:FOLDER; several are pooled",
    )
    parser.add_argument("--weights", default="", help="of the pooled models, joined by commas")
    parser.set_defaults(run=_run_choose)


def _run_choose(arguments: argparse.Namespace) -> int:
    from stream_deid import config
    from stream_deid.training import choose

    return choose.main(arguments.gold, arguments.pool, arguments.weights, config.data_dir())


def _run_compare(arguments: argparse.Namespace) -> int:
    from stream_deid import config
    from stream_deid.training.evaluate import systems

    return systems.main(
        arguments.gold,
        arguments.systems,
        config.data_dir(),
        html=arguments.html,
        against=arguments.against,
        seen=arguments.seen,
    )


def _broker(commands: Commands[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser("broker", help="an embedded broker for trials, in the foreground")
    parser.add_argument("--port", type=int, default=9092)
    parser.add_argument("--data", type=Path, help="data folder (default: a fresh one)")
    parser.set_defaults(run=_run_broker)


def _run_broker(arguments: argparse.Namespace) -> int:
    from stream_deid.streaming import broker

    return broker.main(arguments.port, arguments.data)


def _keygen(commands: Commands[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser("keygen", help="print a fresh secret key")
    parser.set_defaults(run=_run_keygen)


def _run_keygen(_: argparse.Namespace) -> int:
    from stream_deid import config

    sys.stdout.write(config.new_key() + "\n")
    return 0


_COMMANDS = (
    *(_worker, _file, _demo, _chaos, _models),
    *(_train, _evaluate, _compare, _choose, _attack, _broker, _keygen),
)

if __name__ == "__main__":
    raise SystemExit(main())
