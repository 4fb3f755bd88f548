"""What a command writes is there whole or as it was; nothing in the package writes otherwise."""

import ast
import os
import resource
import signal
import stat
import subprocess
import sys
from pathlib import Path

import pytest

import stream_deid
from stream_deid import atomic

PACKAGE = Path(stream_deid.__file__).parent
ALLOWED = {
    "atomic.py": "this is it",
    "files/writing.py": "a large output beside its place, locked, for its owner alone",
    "config/keys.py": "a new key, never over an old one, removed where it is cut short",
    "rig/authority.py": "in a temporary folder of a trial",
    "rig/broker.py": "in a temporary folder of a trial",
    "rig/supervised.py": "the log of a process of a trial, which grows",
    "serving/local/confinement.py": "files of the kernel",
    "serving/local/supervisor.py": "marks in the temporary folder of the local server",
    "serving/local/server.py": "a copy of the models in that folder",
    "streaming/replay/comparing.py": "into what `beside` gives",
    "attack/blinded.py": "into what `beside` gives",
    "stderr.py": "the standard error of this process, taken over",
    "training/fast/reviews.py": "into what `beside` gives",
}
FLAGS = {"O_WRONLY", "O_RDWR", "O_CREAT", "O_APPEND", "O_TRUNC"}


def writings(source):
    """The lines on which a file is written or opened for it."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr in FLAGS | {"write_text", "write_bytes"}:
            yield node.lineno
        if isinstance(node, ast.Call):
            name = getattr(node.func, "attr", getattr(node.func, "id", ""))
            texts = [a.value for a in (*node.args, *(k.value for k in node.keywords))
                     if isinstance(a, ast.Constant) and isinstance(a.value, str)]  # fmt: skip
            modes = [text for text in texts if 0 < len(text) < 4 and set(text) <= set("rwaxbt+")]
            if name in ("open", "fdopen") and any(set(mode) & set("wax+") for mode in modes):
                yield node.lineno


def test_what_writes_is_seen():
    for line in (
        "p.write_text('x')", "p.write_bytes(b'')", "open(p, 'w')", "p.open('ab')",
        "p.open(mode='x')", "os.open(p, os.O_CREAT | os.O_RDWR)", "os.fdopen(d, 'wb')",
    ):  # fmt: skip
        assert list(writings(line)), line
    assert not list(writings("open(p); p.open('rb'); p.read_text('utf-8'); write(p, 'x')"))


def test_nothing_writes_in_another_way():
    found = {
        str(path.relative_to(PACKAGE))
        for path in PACKAGE.rglob("*.py")
        if list(writings(path.read_text("utf-8")))
    }
    assert found == set(ALLOWED)


@pytest.mark.parametrize("name", [name for name, why in ALLOWED.items() if "what `beside`" in why])
def test_these_open_what_is_beside(name):
    source = (PACKAGE / name).read_text("utf-8")
    assert source.count("beside(") == len(list(writings(source)))


SAVERS = {
    "save", "save_file", "save_arrays", "save_model", "save_pretrained", "serialize", "savez",
    "copy", "copy2", "copyfile", "copytree", "move", "to_csv", "savefig", "tofile", "extractall",
}  # fmt: skip
"""What libraries call the functions that write a file by its path."""
SAVED = {
    "serving/local/server.py": "copies, whose hashes are checked when all are there",
    "serving/local/listening.py": "certificates into the server's own temporary folder",
    "serving/build/cpu.py": "OpenVINO's two files, whose stamp goes first and comes back last",
}


def libraries(tree):
    """By each name that a module imports, the library that it comes from."""
    found = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {a.asname or a.name.partition(".")[0]: a.name for a in node.names}
        elif isinstance(node, ast.ImportFrom):
            found |= {a.asname or a.name: f"{node.module}.{a.name}" for a in node.names}
    return {name: module for name, module in found.items() if not module.startswith("stream_deid")}


def besides(tree):
    """The calls that are made with what `beside` gave, by identity."""
    for node in ast.walk(tree):
        for item in node.items if isinstance(node, ast.With) else ():
            call, given = item.context_expr, item.optional_vars
            called = getattr(getattr(call, "func", None), "attr", "") or getattr(
                getattr(call, "func", None), "id", ""
            )
            if called == "beside" and isinstance(given, ast.Name):
                for inner in ast.walk(node):
                    names = {n.id for n in ast.walk(inner) if isinstance(n, ast.Name)}
                    if isinstance(inner, ast.Call) and given.id in names:
                        yield id(inner)


def savings(source):
    """The lines on which a library writes a file that `beside` did not give."""
    tree = ast.parse(source)
    known, beside = libraries(tree), set(besides(tree))
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call) or id(node) in beside:
            continue
        function, root = node.func, node.func
        while isinstance(root, ast.Attribute):
            root = root.value
        name = getattr(function, "attr", "")
        if isinstance(function, ast.Name):
            name = known.get(function.id, "").rpartition(".")[2]
        of_library = getattr(root, "id", "") in known and name in SAVERS
        trained = name == "train" and node.args  # python-crfsuite's trainer
        if of_library or trained or name in ("save_pretrained", "to_csv", "savefig", "tofile"):
            yield node.lineno


def test_what_libraries_write_is_seen():
    for line in (
        "import torch\ntorch.save(state, out)", "from onnx import save\nsave(graph, out)",
        "from safetensors.torch import save_file as keep\nkeep(learnt, out)",
        "import shutil\nshutil.copyfile(a, b)", "trainer.train(str(out))", "m.save_pretrained(out)",
        "import torch\nwith beside(out) as part:\n    torch.save(state, out)",
        "import torch\npart = out.with_suffix('.part')\ntorch.save(state, part)",
    ):  # fmt: skip
        assert list(savings(line)), line
    for line in (
        "import torch\nwith atomic.beside(out) as part:\n    torch.save(state, part)",
        "with beside(out) as part:\n    trainer.train(str(part))", "inventory.save(out)",
        "model.train()", "from stream_deid import reviews\nreviews.save(out, one)",
    ):  # fmt: skip
        assert not list(savings(line)), line


def test_no_library_writes_in_place():
    found = {
        str(path.relative_to(PACKAGE))
        for path in PACKAGE.rglob("*.py")
        if list(savings(path.read_text("utf-8")))
    }
    assert found == set(SAVED)


def small_disk():
    """Of any file no more than 4 kB can be written."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))


def test_a_full_disk_leaves_the_old_reference(tmp_path):
    page = tmp_path / "reference.md"
    page.write_text("the old one")
    done = subprocess.run(
        [sys.executable, "-m", "stream_deid.cli", "reference", "--write", str(page)],
        preexec_fn=small_disk, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert done.returncode == 78, done.stderr
    assert "Traceback" not in done.stderr
    assert page.read_text() == "the old one"
    assert list(tmp_path.iterdir()) == [page]


KILLED = """
import os, sys
from pathlib import Path
from stream_deid.atomic import beside
with beside(Path(sys.argv[1])) as part:
    part.write_bytes(b"half")
    os.kill(os.getpid(), 9)
"""


def test_a_kill_leaves_the_old_file(tmp_path):
    place = tmp_path / "file"
    place.write_bytes(b"old")
    done = subprocess.run([sys.executable, "-c", KILLED, str(place)], timeout=60, check=False)
    assert done.returncode == -9
    assert place.read_bytes() == b"old"
    atomic.write(place, "new")
    assert place.read_bytes() == b"new"


def test_an_exception_leaves_nothing_behind(tmp_path):
    place = tmp_path / "file"

    def broken():
        with atomic.beside(place) as part:
            part.write_bytes(b"half")
            raise KeyError

    with pytest.raises(KeyError):
        broken()
    assert list(tmp_path.iterdir()) == []


def test_modes_and_links_stay(tmp_path):
    place, link = tmp_path / "file", tmp_path / "link"
    place.write_bytes(b"old")
    place.chmod(0o640)
    link.symlink_to(place)
    atomic.write(link, b"new")
    assert link.is_symlink()
    assert place.read_bytes() == b"new"
    assert stat.S_IMODE(place.stat().st_mode) == 0o640
    with atomic.beside(tmp_path / "own", mode=atomic.PRIVATE) as part:
        assert stat.S_IMODE(part.stat().st_mode) == 0o600
    mask = os.umask(0o022)
    os.umask(mask)
    atomic.write(tmp_path / "open", b"")
    assert stat.S_IMODE((tmp_path / "open").stat().st_mode) == 0o666 & ~mask


def test_a_device_is_written_to_itself():
    atomic.write(Path("/dev/null"), b"x")
    assert not Path("/dev/null").is_file()
