"""A real Triton with a manifest container's arguments: NVIDIA's with those that stand for its GPU,
or `stream-deid models serve`.
"""

import os
import subprocess
import sys
from contextlib import contextmanager

import tiny
from toolbox import ROOT, environment, expanded

from stream_deid.serving import manifest
from stream_deid.serving.local import server as local

MODEL = "tiny_lstm"
PATIENCE_S = 30.0


@contextmanager
def started(container, ports, folder, mounted=None):
    """Runs it over a small model in `folder`/repo; gives its log.

    `ports`: those that take the place of the manifest's; `mounted`: folders that take the place of
    mounted ones, by path.
    """
    tiny.add_model(folder / "repo", MODEL, "wordchar")
    models = local.stage(folder / "models", manifest.load_all(folder / "repo", [MODEL]))
    mounted = {"/models": models, **(mounted or {})}
    settings = environment(container)
    arguments = []
    for argument in container["args"]:
        name, _, value = argument.partition("=")
        value = str(ports.get(value, value))
        for path, here in mounted.items():
            value = value.replace(path, str(here))
        arguments.append(expanded(f"{name}={value}".rstrip("="), settings))
    command, env = (theirs if "command" in container else ours)(container, folder)
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen([*command, *arguments], env=env, stdout=log, stderr=log)
    try:
        yield folder / "log"
    finally:
        process.terminate()
        assert process.wait(PATIENCE_S) == 0


def theirs(container, folder):
    """The server of the manifest on a CPU, and its environment."""
    source = local.carrier()
    backends = local.assemble(folder / "backends", source)
    cpu = ("--model-config-name=cpu", f"--backend-directory={backends}")
    program = source / "bin" / container["command"][0]
    return [str(program), *cpu], local.environment(source, 1, folder)


def ours(_container, folder):
    """`stream-deid`, whose settings name the small model."""
    settings = folder / "stream-deid.toml"
    settings.write_text(
        f'[triton]\nrepository = "{folder}/repo"\nthreads = 1\n[models]\nen = ["{MODEL}"]\n'
    )
    named = {"STREAM_DEID_CONFIG": str(settings), "PYTHONPATH": str(ROOT)}
    return [sys.executable, "-m", "stream_deid.cli"], {"PATH": os.environ["PATH"]} | named
