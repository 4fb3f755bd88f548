"""`stream-deid models build | check | serve`."""

from __future__ import annotations

import shutil
import sys
import threading
from collections.abc import Sequence
from pathlib import Path

from stream_deid import ending
from stream_deid.config import Settings
from stream_deid.errors import Halt
from stream_deid.serving import manifest
from stream_deid.serving.build import config_pbtxt
from stream_deid.serving.local.listening import Listening
from stream_deid.serving.local.server import LocalServer, stage
from stream_deid.serving.tls import Tls


def build(
    settings: Settings, target: str, *, into: Path | None = None, cache: Path | None = None
) -> int:
    """Make engines: CPU engines from the committed weights, or TensorRT plans on a GPU host.

    `into`: in copies of the configured models in this folder, and of no other, for a server
    that serves all it finds. `cache`: where plans are kept. Both for TensorRT only; raises `Halt`.
    """
    repo = manifest.repository(settings.triton.repository)
    if target != "tensorrt" and (into or cache):
        raise Halt("build.target", "--into and --cache are for --target tensorrt")
    if into is not None:
        repo = _copied(repo, settings.model_names, into)
    if target == "tensorrt":
        from stream_deid.serving.build import tensorrt as tensorrt_build  # noqa: PLC0415  # needs a GPU host

        return tensorrt_build.build_all(repo, settings.model_names, cache)
    import stream_deid.serving.build.cpu as cpu_build  # noqa: PLC0415  # needs the CPU engines

    return cpu_build.build_all(repo)


def _copied(repo: Path, models: Sequence[str], into: Path) -> Path:
    """Checked copies of these models alone; what an earlier try left of them goes first."""
    for name in models:
        shutil.rmtree(into / name, ignore_errors=True)
    return stage(into, manifest.load_all(repo, models))


def check(settings: Settings, *, write: bool) -> int:
    """Manifests, hashes of files and generated configurations; `write` brings these up to date.

    Every model of the repository is checked, and every configured one must be there.
    """
    repo = manifest.repository(settings.triton.repository)
    if write:
        for path in config_pbtxt.write_all(repo):
            sys.stdout.write(f"wrote {path.relative_to(repo)}\n")
    for name in sorted({*manifest.names(repo), *settings.model_names}):
        model = manifest.load(repo, name)
        sys.stdout.write(
            f"{name}@{model.version}: {len(model.files)} files, {len(model.labels)} labels, "
            f"{model.engine.cpu}, {'/'.join(model.languages)}: well\n"
        )
    config_pbtxt.check(repo)
    return 0


def serve(
    settings: Settings,
    host: str,
    grpc_port: int,
    metrics_port: int,
    tls: Sequence[Path | None] = (None, None, None),
) -> int:
    """A local server on TCP in the foreground until SIGTERM or Ctrl-C; its exit status.

    `metrics_port` 0: Triton's own metrics are not served. `tls`: files of the clients' authority,
    of the server's certificate and of its key; all of them or none, else `Halt("triton.tls")`.
    """
    files = [path for path in tls if path is not None]
    if files and len(files) < len(tls):
        raise Halt("triton.tls", "--ca, --certificate and --key go together: all three, or none")
    stop = threading.Event()
    ending.on_signal(lambda _: stop.set())
    server = LocalServer(
        manifest.repository(settings.triton.repository),
        settings.model_names,
        Listening(host, grpc_port, metrics_port, tls=Tls.read(*files) if files else None),
        threads=settings.triton.threads,
        restarts=3,
    )
    with server:
        how = "gRPC over TLS" if files else "gRPC"
        sys.stdout.write(f"Triton is ready: {how} {server.url}; log {server.log}\n")
        sys.stdout.flush()
        while server.running and not stop.wait(0.5):
            pass
        return 0 if stop.is_set() else server.wait()
