"""Attacks on the local Triton server by another user of the same machine, and by its own engines.

Each was tried on the server as it was before: another user loaded a model with a `model.py` of its
own over HTTP, which ran as the service; regions in `/dev/shm` could be read; engines called home.
"""

import multiprocessing
import os
import signal
import socket
import subprocess
import sys
import tempfile
from pathlib import Path

import psutil
import pytest
import tiny
import tritonclient.grpc as triton
from tritonclient.utils import InferenceServerException

from stream_deid.serving.local import confinement
from stream_deid.serving.local.confinement import TMP
from stream_deid.serving.local.listening import Listening
from stream_deid.serving.local.server import LocalServer
from stream_deid.serving.local.supervisor import SHM

NOBODY = 65534
IN_TMP = any(
    place.is_relative_to(TMP)
    for named in map(Path, (sys.prefix, tiny.__file__))
    for place in (named.absolute(), named.resolve())
)
"""Whether the tests run in a checkout there, which then stays in sight of the server."""
root_only = pytest.mark.skipif(os.getuid() != 0, reason="only root can become another user")


def as_another_user(work, *arguments):
    """What `work` returns, or the name of its exception, when another user runs it.

    In a process of its own from the start: one that is forked from here, among the threads of gRPC,
    may hang before it begins.
    """
    here, there = multiprocessing.Pipe()
    fresh = multiprocessing.get_context("spawn")
    child = fresh.Process(target=_become, args=(there, work, arguments))
    child.start()
    try:
        assert here.poll(60)
        return here.recv()
    finally:
        child.join()


def _become(pipe, work, arguments):
    os.setgroups([])
    os.setgid(NOBODY)
    os.setuid(NOBODY)
    try:
        pipe.send(work(*arguments))
    except OSError as error:
        pipe.send(type(error).__name__)


def connect(path):
    with socket.socket(socket.AF_UNIX) as one:
        one.connect(path)
        return "connected"


@root_only
def test_another_user_reaches_neither_socket_nor_models_nor_log(server):
    assert as_another_user(connect, server.url.removeprefix("unix:")) == "PermissionError"
    folder = server.url.removeprefix("unix:").rpartition("/")[0]
    for name in ("models", "pid"):
        assert as_another_user(os.stat, Path(folder) / name) == "PermissionError"
    assert server.log.stat().st_mode & 0o077 == 0


def test_nothing_of_it_listens_on_any_port(server):
    family = [psutil.Process(server._process.pid)]
    family += family[0].children(recursive=True)
    assert len(family) == 2 + len(tiny.MODELS)
    assert not [c for p in family for c in p.net_connections(kind="inet")]


def test_no_region_lies_open_in_shared_memory(server):
    assert "memory" in server.confined
    assert not list(SHM.glob("stream_deid_*"))
    inside = Path(f"/proc/{server.pid}/root/dev/shm")
    regions = list(inside.glob("stream_deid_*"))
    assert len(regions) == len(tiny.MODELS)
    assert inside.stat().st_mode & 0o077 == 0


def test_the_server_has_no_network_no_privileges_and_leaves_no_core(server):
    every = {"memory", "network", "sockets", "scratch", "privileges", "dumps", "files"}
    assert server.confined == every - ({"scratch"} if IN_TMP else set())
    status = Path(f"/proc/{server.pid}/status").read_text()
    assert "CapEff:\t0000000000000000" in status
    assert "NoNewPrivs:\t1" in status
    links = Path(f"/proc/{server.pid}/net/dev").read_text().splitlines()[2:]
    assert [line.split(":")[0].strip() for line in links] == ["lo"]
    assert psutil.Process(server.pid).rlimit(psutil.RLIMIT_CORE) == (0, 0)


def test_it_sees_nothing_of_others_in_tmp_and_leaves_nothing_there(server):
    if IN_TMP:
        return
    own = Path(server.url.removeprefix("unix:")).parent.name
    seen = {path.name for path in Path(f"/proc/{server.pid}/root{TMP}").iterdir()}
    others = seen - {own}
    assert own in seen
    assert all(name.startswith("python_env_") for name in others)  # Triton's own, an empty folder
    assert not others & {path.name for path in Path(TMP).iterdir()}


@pytest.mark.parametrize("interface", ["unix", "tcp"])
def test_models_shared_memory_traces_and_logs_can_not_be_steered(repo, unused_port, interface):
    port = unused_port if interface == "tcp" else 0
    with (
        LocalServer(repo, ["tiny_lstm"], Listening(grpc_port=port), threads=1) as server,
        triton.InferenceServerClient(server.url) as client,
    ):
        assert client.is_model_ready("tiny_lstm")
        for attack in (
            lambda: client.load_model("tiny_bert"),
            lambda: client.unload_model("tiny_lstm"),
            lambda: client.register_system_shared_memory("mine", "/mine", 4096),
            lambda: client.update_trace_settings(settings={"trace_level": ["TENSORS"]}),
            lambda: client.update_log_settings({"log_verbose_level": 9}),
        ):
            with pytest.raises(InferenceServerException):
                attack()
        assert client.is_model_ready("tiny_lstm")
        assert not client.is_model_ready("tiny_bert")  # it lies in the repository, unwanted


def told_by(pid):
    """The header that opens closed protocols, as any local user reads it off the command line."""
    command = Path(f"/proc/{pid}/cmdline").read_bytes().decode().split("\0")
    told = next(a for a in command if a.startswith("--grpc-restricted-protocol"))
    key, _, value = told.rpartition(":")[2].partition("=")
    return {f"triton-grpc-protocol-{key}": value}


def test_what_the_command_line_tells_opens_nothing(repo, unused_port):
    with (
        LocalServer(repo, ["tiny_lstm"], Listening(grpc_port=unused_port), threads=1) as server,
        triton.InferenceServerClient(server.url) as client,
    ):
        read = as_another_user(told_by, server.pid) if os.getuid() == 0 else told_by(server.pid)
        for header in (read, {k: v[:8000] for k, v in read.items()}):
            with pytest.raises(InferenceServerException):
                client.get_system_shared_memory_status(headers=header)
            with pytest.raises(InferenceServerException):
                client.get_log_settings(headers=header)
        assert client.is_model_ready("tiny_lstm")


def test_what_is_served_is_a_checked_copy(tmp_path):
    """Whoever changes the repository under a running server changes nothing, restarts included."""
    tiny.add_model(tmp_path, "tiny_lstm", "wordchar")
    with LocalServer(tmp_path, ["tiny_lstm"], threads=1, restarts=1) as server:
        (tmp_path / "tiny_lstm/1/model.onnx").write_bytes(b"another graph")
        os.kill(server.pid, signal.SIGKILL)
        server.wait_ready(30)


TRIED = """
import os, pathlib, socket, sys
secret, listener, outside, here = sys.argv[1:]

def tried(work):
    try:
        return work() or "done"
    except OSError as error:
        return type(error).__name__

def called():
    with socket.socket(socket.AF_UNIX) as one:
        one.connect(listener)

print(
    tried(pathlib.Path(secret).read_text),
    tried(lambda: pathlib.Path(secret).with_name("new").write_text("x")),
    tried(lambda: os.kill(int(outside), 0)),
    tried(lambda: pathlib.Path(f"/proc/{outside}/environ").read_bytes()),
    tried(called),
    tried(lambda: pathlib.Path(here, "own").write_text("x") and None),
    tried(lambda: pathlib.Path(__import__("json").__file__).read_text() and None),
    flush=True,
)
"""


@root_only
def test_what_runs_inside_reaches_no_file_no_process_and_no_service_of_its_own_user(tmp_path):
    """A graph of somebody else's making, run by an engine with a fault, is root's where root
    started it, and owns the key, the disks and the socket of the container engine.
    """
    state = tmp_path / "state"
    state.mkdir()
    with (
        tempfile.TemporaryDirectory(dir="/run") as folder,
        tempfile.TemporaryDirectory(dir="/var/tmp") as home,
        socket.socket(socket.AF_UNIX) as listener,
        subprocess.Popen(["sleep", "60"]) as outside,
    ):
        secret = Path(home, "key")
        secret.write_text("0123")
        listener.bind(f"{folder}/engine")
        listener.listen()
        known = [str(secret), f"{folder}/engine", str(outside.pid), str(state)]
        supervisor = Path(confinement.__file__).with_name("supervisor.py")
        done = subprocess.run(
            [sys.executable, "-I", str(supervisor), str(state), "0", "none_", "none", "--",
             sys.executable, "-c", TRIED, *known],
            stdin=(pipe := os.pipe())[0], capture_output=True, text=True, check=False,
        )  # fmt: skip
        os.close(pipe[1])
        outside.kill()
    refused = ["PermissionError"] * 4 + ["FileNotFoundError"]
    assert done.stdout.split() == [*refused, "done", "done"], done.stderr


@root_only
def test_what_the_system_refuses_is_left_out():
    """A root without capabilities, as in many containers, may enter a user namespace and not map
    itself there: the server starts with the measures that are left.
    """
    code = (
        f"import sys; sys.path.insert(0, {str(Path(confinement.__file__).parent)!r}); "
        "import confinement; print(*confinement.confine(network=False))"
    )
    bare = ["setpriv", "--no-new-privs", "--inh-caps=-all", "--bounding-set=-all"]
    done = subprocess.run(
        [*bare, sys.executable, "-I", "-c", code], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert {"dumps", "privileges"} <= set(done.stdout.split())


@pytest.mark.parametrize("inside", [True, False])
def test_a_folder_is_not_hidden_from_who_is_called_by_a_link_in_it(tmp_path, inside):
    """A checkout in `/tmp` whose `.venv` is a link: its Triton was not found any more."""
    (tmp_path / "there").mkdir()
    (tmp_path / "folder").mkdir()
    link = tmp_path / ("folder" if inside else ".") / "link"
    link.symlink_to(tmp_path / "there")
    code = (
        f"import sys; sys.path.insert(0, {str(Path(confinement.__file__).parent)!r}); "
        "import confinement as c; "
        "assert c._unshare(c.CLONE_NEWNS) and c._private_memory(); print(c._hidden(*sys.argv[1:]))"
    )
    done = subprocess.run(
        [sys.executable, "-I", "-c", code, str(tmp_path / "folder"), str(link)],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    if "AssertionError" in done.stderr:
        pytest.skip("the system refuses namespaces")
    assert done.stdout.strip() == str(not inside), done.stderr
