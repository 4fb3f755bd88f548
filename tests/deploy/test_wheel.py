"""The wheel by itself: everything that git holds of the package is in it, and it runs outside of a
checkout, with a model repository that lies elsewhere, beside what it declares and nothing else: the
environment is made with the commands of the README.
"""

import json
import re
import shutil
import subprocess
import sys
import venv
import zipfile

import pytest
import toolbox

from stream_deid import exits

BUILT_FROM = ("stream_deid", "pyproject.toml", "README.md", "LICENSE", "NOTICE")
TEXT = "Mr. John Smith was seen on 3/14/2021. BP 120/80."
NOTE = json.dumps({"note_id": "1", "patient_id": "p", "text": TEXT})
OUTPUTS = ("--out", "clean.jsonl", "--audit", "audit.jsonl")

pytestmark = pytest.mark.slow


def held(*paths):
    """What git holds below these paths of the checkout, as it lies there."""
    return toolbox.run("git", "-C", str(toolbox.ROOT), "ls-files", "--", *paths).splitlines()


def copied(names, into):
    for name in names:
        target = into / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(toolbox.ROOT / name, target)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    source, out = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("dist")
    copied(held(*BUILT_FROM), source)
    build = ["-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", str(out), str(source)]
    toolbox.run(sys.executable, *build)
    (path,) = out.glob("*.whl")
    return path


@pytest.fixture(scope="module")
def program(wheel, tmp_path_factory):
    """`stream-deid` of an environment of its own, with the extras that the README names."""
    folder = tmp_path_factory.mktemp("venv")
    venv.create(folder, symlinks=True)
    readme = (toolbox.ROOT / "README.md").read_text("utf-8")
    (extras,) = re.findall(r"dist/\*\.whl\)\[([a-z,]+)\]", readme)
    for what in ([f"{wheel}[{extras}]"], ["--no-deps", "nvidia-pytriton"]):
        toolbox.run(
            *(sys.executable, "-m", "pip", "--python", str(folder / "bin/python"), "install"),
            *("--quiet", "--no-compile", "-c", str(toolbox.ROOT / "constraints.txt"), *what),
        )
    return folder / "bin/stream-deid"


def run(program, folder, *arguments, **settings):
    env = {"PATH": "/usr/bin:/bin", "HOME": str(folder), "TMPDIR": str(folder)} | settings
    return subprocess.run(
        [str(program), *arguments],
        cwd=folder, env=env, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL,
    )  # fmt: skip


def test_all_that_git_holds_of_the_package_is_in_the_wheel(wheel):
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    assert {name for name in names if name.startswith("stream_deid/")} == set(held("stream_deid"))
    licences = {name.rpartition("/")[2] for name in names if "/licenses/" in name}
    assert licences == {"LICENSE", "NOTICE"}


def test_the_program_is_the_wheels(program, tmp_path):
    code = "import stream_deid; print(stream_deid.__file__)"
    where = toolbox.run(str(program.with_name("python")), "-c", code, cwd=tmp_path, env={})
    assert where.startswith(str(program.parents[1]))


WALK = """
import importlib, json, pkgutil, stream_deid
lacked = {}
for module in pkgutil.walk_packages(stream_deid.__path__, "stream_deid."):
    try:
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)
    except ModuleNotFoundError as error:
        lacked.setdefault(error.name, []).append(module.name)
print(json.dumps(lacked))
"""
OF_OTHER_EXTRAS = {"torch", "pycrfsuite", "authlib", "opentelemetry"}
OF_TRITON = "triton_python_backend_utils"


def test_every_module_finds_what_it_imports_but_for_the_extras_that_are_left_out(program, tmp_path):
    said = toolbox.run(str(program.with_name("python")), "-I", "-c", WALK, cwd=tmp_path, env={})
    lacked = json.loads(said)
    assert set(lacked) == OF_OTHER_EXTRAS | {OF_TRITON}
    assert lacked[OF_TRITON] == ["stream_deid.serving.local.backend.model"]


@pytest.mark.parametrize("name", ["hypothesis", "pytest", "fhir.resources"])
def test_what_only_tests_have_is_not_there(program, tmp_path, name):
    """So a module of the program that imported it would be seen."""
    command = [program.with_name("python"), "-I", "-c", f"import {name}"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert "ModuleNotFoundError" in done.stderr


def test_what_needs_no_model_runs(program, tmp_path):
    for arguments in ("--help", "config check --no-models", "fuzz --count 3"):
        done = run(program, tmp_path, *arguments.split())
        assert done.returncode == exits.OK, done.stderr


def test_a_check_of_settings_tells_that_the_models_are_missing(program, tmp_path):
    done = run(program, tmp_path, "config", "check")
    assert done.returncode == exits.MISCONFIGURED
    assert "triton.repository" in done.stdout + done.stderr


def test_without_models_it_says_what_to_do(program, tmp_path):
    (tmp_path / "notes.jsonl").write_text(NOTE)
    done = run(program, tmp_path, "file", "notes.jsonl", *OUTPUTS)
    assert done.returncode == exits.MISCONFIGURED
    said = " ".join(done.stderr.split())
    assert "models.missing: no model repository" in said
    assert "STREAM_DEID_TRITON__REPOSITORY" in said
    assert not (tmp_path / "clean.jsonl").exists()


def test_with_models_that_lie_elsewhere_a_file_is_processed(program, tmp_path):
    copied(held("triton_models/bilstm_crf_en"), tmp_path)
    (tmp_path / "notes.jsonl").write_text(NOTE)
    (tmp_path / "settings.toml").write_text(
        '[triton]\nrepository = "triton_models"\nthreads = 1\n[models]\nen = ["bilstm_crf_en"]\n'
    )
    configured = ("--config", "settings.toml")
    done = run(program, tmp_path, *configured, "file", "notes.jsonl", *OUTPUTS, "--quiet")
    assert done.returncode == exits.OK, done.stderr
    clean = json.loads((tmp_path / "clean.jsonl").read_text())["text"]
    assert clean.endswith("BP 120/80.")
    assert "Smith" not in clean
    done = run(program, tmp_path, *configured, "explain", "notes.jsonl", "--json")
    assert done.returncode == exits.OK, done.stderr
    assert "PATIENT" in done.stdout
