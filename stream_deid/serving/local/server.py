"""A real Triton server on this machine's CPU, out of the wheel `nvidia-pytriton`.

The wheel is used only as the carrier of the binaries. Its backends folder lacks the python
stub, so a folder of our own is put together from copies. Ready means that every model has
answered a real inference (over TLS, where this process can ask nothing: that the port is open). The
server ends with this process, however this process ends (`supervisor.py`), and gets a minimal
environment: no key or password of ours reaches it.

Nobody else gets in: it serves copies of the wanted models alone, out of a folder that only this
user can read, with model control off; it listens on a Unix socket in that folder, without HTTP,
metrics, traces or shared memory of clients, has no network (`confinement.py`) and reaches no files
but its own (`fence.py`). Only where a
port is asked for, it listens on TCP, with all but inference, health and metadata restricted.
"""

from __future__ import annotations

import importlib.metadata
import importlib.util
import os
import shutil
import subprocess
import sys
import sysconfig
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Self

import tritonclient.grpc as triton

from stream_deid.errors import Halt, Unavailable
from stream_deid.serving import manifest, wire
from stream_deid.serving.build import config_pbtxt
from stream_deid.serving.local.listening import Listening
from stream_deid.serving.local.socket_folder import socket_folder
from stream_deid.serving.local.supervisor import STUB, stubs, sweep_orphans
from stream_deid.serving.manifest import Manifest

SHM_PREFIX = "stream_deid_"
LOG_TAIL = 2000
POLL_S = 0.1
_ON_A_SOCKET = Listening()


def carrier() -> Path:
    """The folder of the Triton server in the installed wheel. Raises `Halt("triton.missing")`."""
    spec = importlib.util.find_spec("pytriton")
    if spec is None or not spec.submodule_search_locations:
        raise Halt(
            "triton.missing",
            "no Triton server on this machine: `pip install --no-deps nvidia-pytriton==0.7.0`, "
            "or set triton.url to a server that runs elsewhere",
        )
    return Path(spec.submodule_search_locations[0]) / "tritonserver"


def assert_numpy() -> None:
    """With numpy 2 Triton 2.51 hands out empty tensors without an error: refuse to start."""
    version = importlib.metadata.version("numpy")
    if int(version.split(".")[0]) >= 2:
        raise Halt("triton.numpy", f"Triton's python backend needs numpy below 2, not {version}")


def assemble(target: Path, source: Path) -> Path:
    """Put the backend folder together from copies (the server resolves no symbolic links)."""
    python = target / "python"
    python.mkdir(parents=True, exist_ok=True)
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    wanted = [
        source / "backends/python/libtriton_python.so",
        source / "backends/python/triton_python_backend_utils.py",
        source / "python_backend_stubs" / version / STUB,
    ]
    for file in wanted:
        if not file.is_file():
            raise Halt("triton.missing", f"the wheel nvidia-pytriton lacks {file.name} ({version})")
        shutil.copy(file, python / file.name)
    own = target / config_pbtxt.BACKEND
    own.mkdir(exist_ok=True)
    shutil.copy(Path(__file__).parent / "backend" / "model.py", own / "model.py")
    return target


def stage(target: Path, models: Mapping[str, Manifest]) -> Path:
    """Copies of the models that are wanted, and of no other, checked when they were copied: what
    their manifests name, and configurations made anew.

    What is served is what was checked: the files are read here once, and lie where nobody else
    can change them. Raises `Halt("manifest....")`.
    """
    for name, model in models.items():
        for relative in manifest.served_files(model):
            _copy(model.directory / relative, target / name / relative)
        for relative, text in config_pbtxt.render(model).items():
            _beneath(target / name / relative).write_text(text, encoding="utf-8")
    for name in models:
        manifest.load(target, name)
    return target


def _copy(source: Path, target: Path) -> None:
    if source.is_file():  # what is missing is told by its name when the copies are checked
        shutil.copyfile(source, _beneath(target))


def _beneath(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    return path


def environment(source: Path, threads: int, home: Path) -> dict[str, str]:
    """The server's whole environment; our interpreter comes first, the stub takes it from PATH."""
    libraries = [source.parents[1] / "nvidia_pytriton.libs", sysconfig.get_config_var("LIBDIR")]
    return {
        "PATH": f"{Path(sys.executable).parent}:/usr/local/bin:/usr/bin:/bin",
        "LD_LIBRARY_PATH": ":".join(str(path) for path in libraries),
        "STREAM_DEID_ENGINE_THREADS": str(threads),
        "LC_ALL": "C.UTF-8",
        "HOME": str(home),
        "TMPDIR": str(home),
    }


class LocalServer:
    """A Triton server that serves `models` of the repository `repo`; a context manager.

    `start()` returns when every model has answered an inference, and raises `Halt` where the
    server can't come up (with the end of its log, which holds no text of notes). `url` is its
    address for gRPC clients, as it is `listening`; over TLS only they can ask it, so it is ready
    when its port is open. `restarts`: how often a crashed server is started again. Its log and
    state lie in `work`, by default a fresh folder that goes away with the server. `confined`: which
    measures of `confinement` hold.
    """

    def __init__(
        self,
        repo: Path,
        models: Sequence[str],
        listening: Listening = _ON_A_SOCKET,
        *,
        threads: int = 0,
        restarts: int = 0,
        work: Path | None = None,
        startup_s: float = 90.0,
    ) -> None:
        self.repo = repo
        self.manifests = manifest.load_all(repo, models, hashes=False)
        self.threads, self.restarts, self.startup_s = threads, restarts, startup_s
        self.listening = listening
        self.listening.check()
        self._private = socket_folder()
        self.work = work or self._private
        self._log: IO[bytes] | None = None
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        """Address for gRPC clients."""
        return self.listening.url(self._private)

    @property
    def log(self) -> Path:
        """The server's log file."""
        return self.work / "triton.log"

    @property
    def pid(self) -> int:
        """Process id of the server itself (for tests that kill it)."""
        return int((self._private / "pid").read_text(encoding="ascii"))

    @property
    def confined(self) -> frozenset[str]:
        """The measures of `confinement` that hold."""
        return frozenset((self._private / "confined").read_text(encoding="ascii").split())

    @property
    def running(self) -> bool:
        """Whether the server, or whoever would start it again, is alive."""
        return self._process is not None and self._process.poll() is None

    def start(self) -> Self:
        """Start the server and wait until it answers. Raises `Halt`."""
        try:
            self._start()
            self.wait_ready(self.startup_s)
        except BaseException:
            self.stop()
            raise
        return self

    def _start(self) -> None:
        assert_numpy()
        config_pbtxt.check(self.repo, self.manifests)
        sweep_orphans(SHM_PREFIX)
        source = carrier()
        backends = assemble(self._private / "backends", source)
        models = stage(self._private / "models", self.manifests)
        self._log = os.fdopen(
            os.open(self.log, os.O_CREAT | os.O_APPEND | os.O_WRONLY, 0o600), "ab"
        )
        supervisor = Path(__file__).with_name("supervisor.py")
        prefix = f"{SHM_PREFIX}{self._private.name.rpartition('-')[2]}_"
        self._process = subprocess.Popen(  # noqa: S603  # all of it is ours
            [
                *(sys.executable, "-I", str(supervisor), str(self._private), str(self.restarts)),
                *(prefix, "loopback" if self.listening.grpc_port else "none", "--"),
                *self._command(source, backends, models, prefix),
            ],
            stdin=subprocess.PIPE,
            stdout=self._log,
            stderr=subprocess.STDOUT,
            env=environment(source, self.threads, self._private),
            cwd=self._private,
            start_new_session=True,  # Ctrl-C is for us; the supervisor is told by us
        )

    def _command(self, source: Path, backends: Path, models: Path, prefix: str) -> list[str]:
        return [
            str(source / "bin/tritonserver"),
            f"--model-repository={models}",
            f"--backend-directory={backends}",
            f"--backend-config=python,shm-region-prefix-name={prefix}",
            "--model-config-name=cpu",
            "--disable-auto-complete-config",
            "--model-control-mode=none",
            "--exit-timeout-secs=5",
            *self.listening.arguments(self._private),
        ]

    def wait_ready(self, timeout_s: float) -> None:
        """Return when each model has answered an inference.

        Raises `Halt("triton.start")` when the server ended, `Unavailable` after `timeout_s`.
        """
        end = time.monotonic() + timeout_s
        waiting, why = list(self.manifests.values()), ""
        with triton.InferenceServerClient(self.url) as client:
            while waiting:
                if not self.running:
                    raise Halt("triton.start", f"Triton ended while starting: {self._tail()}")
                if time.monotonic() > end:
                    raise Unavailable(
                        "triton.start",
                        f"{waiting[0].name} did not answer in {timeout_s:.0f} s: {why}; "
                        f"its log ends: {self._tail()}",
                    )
                why = self._unready(client, waiting[0])
                if why:
                    time.sleep(POLL_S)
                else:
                    waiting.pop(0)

    def _unready(self, client: Any, model: Manifest) -> str:
        if self.listening.tls is None:
            return _failure(client, model)
        return "" if self.listening.opened() else "its port is not open"

    def _tail(self) -> str:
        lines = self.log.read_text(encoding="utf-8", errors="replace").splitlines()
        errors = [line for line in lines if line.startswith("E") or "rror" in line]
        return " | ".join(errors[-5:] or lines[-5:])[-LOG_TAIL:]

    def wait(self) -> int:
        """Wait until the server has ended; its exit status."""
        assert self._process is not None
        return self._process.wait()

    def stop(self) -> None:
        """End the server; called more than once it does nothing."""
        if self._process is not None:
            if self._process.poll() is None:
                self._process.terminate()
            assert self._process.stdin is not None
            self._process.stdin.close()
            self._process.wait()
        if self._log is not None:
            self._log.close()
        shutil.rmtree(self._private, ignore_errors=True)

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()


def stub_pids(server_pid: int) -> dict[str, int]:
    """The processes of a server's models, by model name (from /proc; for tests)."""
    return {_model_of(arguments): pid for pid, (_, arguments) in stubs(server_pid).items()}


def _model_of(arguments: Sequence[str]) -> str:
    """The stub's arguments name the model's instance: `<model>_<n>_<m>`."""
    instance = next((a for a in reversed(arguments) if a.endswith(("_0_0", "_0_1"))), "")
    return instance[: -len("_0_0")]


def _failure(client: Any, model: Manifest) -> str:
    """Why one real inference fails; empty where it succeeds."""
    inputs, outputs = wire.request(model, wire.probe_arrays(model))
    try:
        result = client.infer(model.name, inputs, outputs=outputs, client_timeout=30.0)
    except triton.InferenceServerException as error:
        return str(error.message())
    return "" if wire.probe_ok(model, result) else "the answer is no finite array of scores"
