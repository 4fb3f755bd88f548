"""`stream-deid models`: export, build, check and serve the model repository."""

from __future__ import annotations

import argparse
from pathlib import Path

from stream_deid.cli.argument_types import Commands, amount, bias, port, share


def _models(commands: Commands[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser("models", help="build, check and serve the model repository")
    actions = parser.add_subparsers(required=True, metavar="ACTION")
    build = actions.add_parser("build", help="make engines from the exported graphs")
    build.add_argument("--target", choices=("cpu", "tensorrt"), default="cpu")
    build.add_argument(
        "--into", type=Path, help="TensorRT: build in copies of the configured models"
    )
    build.add_argument("--cache", type=Path, help="where TensorRT plans are kept")
    build.set_defaults(run=_run_models_build)
    _models_export(actions)
    check = actions.add_parser("check", help="manifests, files and generated configurations")
    check.add_argument("--write", action="store_true", help="write the generated configurations")
    check.set_defaults(run=_run_models_check)
    serve = actions.add_parser("serve", help="a local Triton server on CPU, in the foreground")
    serve.add_argument("--host", default="127.0.0.1", help="address to listen on")
    serve.add_argument("--grpc-port", type=port, default=8001)
    serve.add_argument("--metrics-port", type=port, default=0, help="Triton's metrics (0: none)")
    serve.add_argument("--certificate", type=Path, help="TLS for gRPC: the server's, in PEM")
    serve.add_argument("--key", type=Path, help="of the certificate")
    serve.add_argument("--ca", type=Path, help="who signs the certificates that clients must show")
    serve.set_defaults(run=_run_models_serve)


def _models_export(actions: Commands[argparse.ArgumentParser]) -> None:
    parser = actions.add_parser("export", help="write a trained run into the model repository")
    parser.add_argument("recipe", help="the recipe of the run")
    parser.add_argument("folder", type=Path, help="the folder of the run")
    parser.add_argument("--version", default="", help="of a model, which needs one")
    parser.add_argument("--o-bias", type=bias, help="of a model or pool; see `stream-deid choose`")
    parser.add_argument("--weight", type=amount, default=1.0, help="in a pool of models")
    parser.add_argument("--float", action="store_true", help="no int8 (BERT)")
    parser.add_argument(
        "--share", type=share, default=1.0, help="below 1: blended with the served weights (BERT)"
    )
    parser.add_argument("--preset", choices=("performance", "mixed"), default="performance")
    parser.add_argument("--figures", type=Path, help="JSON for the manifest")
    parser.set_defaults(run=_run_models_export)


def _run_models_export(arguments: argparse.Namespace) -> int:
    from stream_deid import config
    from stream_deid.serving import manifest
    from stream_deid.training.export import command as export
    from stream_deid.training.export.choice import Choice

    choice = None
    if arguments.o_bias is not None:
        choice = Choice(
            arguments.version,
            arguments.o_bias,
            arguments.weight,
            int8=not arguments.float,
            preset=arguments.preset,
            share=arguments.share,
            figures=export.figures(arguments.figures),
        )
    repo = manifest.repository(config.load(arguments.config).triton.repository)
    return export.main(arguments.recipe, arguments.folder, repo, choice)


def _run_models_build(arguments: argparse.Namespace) -> int:
    from stream_deid import config
    from stream_deid.serving import commands

    return commands.build(
        config.load(arguments.config), arguments.target, into=arguments.into, cache=arguments.cache
    )


def _run_models_check(arguments: argparse.Namespace) -> int:
    from stream_deid import config
    from stream_deid.serving import commands

    return commands.check(config.load(arguments.config), write=arguments.write)


def _run_models_serve(arguments: argparse.Namespace) -> int:
    from stream_deid import config
    from stream_deid.serving import commands

    return commands.serve(
        config.load(arguments.config),
        arguments.host,
        arguments.grpc_port,
        arguments.metrics_port,
        (arguments.ca, arguments.certificate, arguments.key),
    )


COMMANDS = (_models,)
