"""A real tritonserver with a manifest container's arguments and those that stand for its GPU."""

import subprocess
from contextlib import contextmanager

import tiny
from toolbox import environment, expanded

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
    source = local.carrier()
    backends = local.assemble(folder / "backends", source)
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(
            [str(source / "bin" / container["command"][0]), *arguments,
             "--model-config-name=cpu", f"--backend-directory={backends}"],
            env=local.environment(source, 1, folder), stdout=log, stderr=log,
        )  # fmt: skip
    try:
        yield folder / "log"
    finally:
        process.terminate()
        assert process.wait(PATIENCE_S) == 0
