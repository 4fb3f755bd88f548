"""Dockerfiles: linted, rootless, pinned; every RUN line carried out in a clean folder (slow)."""

import hashlib
import json
import os
import re
import subprocess
from importlib.metadata import version

import pytest
import recipe
import toolbox
import yaml

from stream_deid.cli import _parser
from stream_deid.config import new_key
from stream_deid.rig.broker import free_port

DOCKER = toolbox.DEPLOY / "docker"
FILES = sorted(DOCKER.glob("*.Dockerfile"))
FINAL = {"worker.Dockerfile": [""], "triton.Dockerfile": ["plans", "cpu"]}
NOBODY = "10001:10001"


@pytest.mark.parametrize("path", FILES, ids=lambda p: p.name)
def test_hadolint_has_nothing_to_say(path):
    toolbox.run(toolbox.hadolint(), "--no-color", str(path))


@pytest.mark.parametrize("path", FILES, ids=lambda p: p.name)
def test_images_run_as_nobody_and_start_a_command_of_the_program(path):
    stages = {stage.name: dict(stage.steps) for stage in recipe.stages(path)}
    for name in FINAL[path.name]:
        stage = stages[name]
        assert stage["USER"] == NOBODY
        assert json.loads(stage["ENTRYPOINT"]) == ["/opt/stream-deid/bin/stream-deid"]
        assert callable(_parser().parse_args(json.loads(stage["CMD"])).run)


@pytest.mark.parametrize("path", FILES, ids=lambda p: p.name)
def test_the_program_is_found_by_its_name(path):
    """The guide types `kubectl exec POD -- stream-deid doctor`: nothing goes by the entrypoint."""
    stages = {stage.name: stage.steps for stage in recipe.stages(path)}
    for name in FINAL[path.name]:
        variables = [value for instruction, value in stages[name] if instruction == "ENV"]
        entry = json.loads(dict(stages[name])["ENTRYPOINT"])[0]
        (search,) = re.findall(r"\bPATH=(\S+)", " ".join(variables))
        assert search.split(":") == [entry.rpartition("/")[0], "${PATH}"]


@pytest.mark.parametrize("path", FILES, ids=lambda p: p.name)
def test_packages_come_from_the_constraints_or_with_their_hashes(path):
    for stage in recipe.stages(path):
        for instruction, value in stage.steps:
            if instruction == "RUN":
                for command in re.findall(r"pip (?:--python \S+ )?install (.*?)(?= && |$)", value):
                    ways = ("-c constraints.txt", "--require-hashes --only-binary", "--no-deps")
                    assert any(way in command for way in ways), command


@pytest.mark.parametrize(
    ("image", "some"),
    [
        ("worker", {"confluent-kafka", "faust-streaming", "tritonclient", "google-re2"}),
        ("triton", {"nvidia-pytriton", "openvino", "onnxruntime", "tritonclient", "google-re2"}),
        ("engines", {"nncf", "onnx", "openvino", "onnxruntime", "google-re2"}),
    ],
)
def test_what_an_image_installs_is_what_was_tested_wheel_by_wheel(image, some):
    lock = (DOCKER / f"{image}.lock").read_text().splitlines()[1:]
    pins = dict(re.fullmatch(r"(\S+)==(\S+) --hash=sha256:[0-9a-f]{64}", x).groups() for x in lock)
    tested = (toolbox.ROOT / "constraints.txt").read_text().lower().replace("_", "-")
    assert pins.items() <= dict(re.findall(r"^(\S+)==(\S+)$", tested, re.MULTILINE)).items()
    assert some <= pins.keys()
    told = re.findall(rf"-r deploy/docker/{image}\.lock", "".join(p.read_text() for p in FILES))
    assert len(told) == 1


def test_an_image_that_runs_here_names_its_bill_of_materials():
    for path in FILES:
        for stage in recipe.stages(path):
            labels = dict(stage.steps).get("LABEL", "")
            if stage.name in ("", "cpu"):
                (sbom,) = re.findall(r'stream-deid\.sbom="(\S+)"', labels)
                assert any(sbom in v for s in recipe.stages(path) for i, v in s.steps if i == "RUN")


def test_the_build_context_holds_what_is_copied():
    rules = (toolbox.ROOT / ".dockerignore").read_text().splitlines()
    let_in = {rule[1:] for rule in rules if rule.startswith("!")}
    for path in FILES:
        for stage in recipe.stages(path):
            for instruction, value in stage.steps:
                if instruction == "COPY" and not value.startswith("--from"):
                    *sources, _ = value.split()
                    assert set(sources) <= let_in
                    assert all((toolbox.ROOT / source).exists() for source in sources)


def test_no_key_of_the_checkout_gets_into_an_image():
    rules = (toolbox.ROOT / ".dockerignore").read_text().splitlines()
    assert next(rule for rule in rules if not rule.startswith("#")) == "*"


def freeze(python, build):
    """What is installed beside a Python, by the pip of the build stage: `{name: version}`."""
    return versions(toolbox.run(str(build), "--python", str(python), "list", "--format=json"))


def versions(packages):
    """`{name: version}` of packages as pip and a bill of materials list them in JSON."""
    return {one["name"].lower().replace("_", "-"): one["version"] for one in json.loads(packages)}


def bill(folder):
    """What the bill of materials of an image names."""
    body = json.loads((folder / "opt/stream-deid/sbom.cdx.json").read_text())
    return versions(json.dumps(body["components"]))


def pinned():
    text = (toolbox.ROOT / "constraints.txt").read_text()
    pairs = [line.split("==") for line in text.splitlines() if "==" in line]
    return {name.lower().replace("_", "-"): version for name, version in pairs}


def contents(folder):
    """Every file below a folder, with its size and time."""
    files = [path for path in folder.rglob("*") if path.is_file()]
    return {(str(p), p.stat().st_size, p.stat().st_mtime_ns) for p in files}


def without_rights(command, **options):
    """A process that has no capability and can gain none, as in the pod."""
    if os.getuid() == 0:
        command = ["setpriv", "--no-new-privs", "--inh-caps=-all", "--bounding-set=-all", *command]
    return subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options
    )


@pytest.fixture(scope="module")
def worker_image(tmp_path_factory):
    folder = tmp_path_factory.mktemp("worker")
    play = recipe.Rehearsal(folder)
    play.carry_out(recipe.lineage(recipe.stages(DOCKER / "worker.Dockerfile"), "build"))
    return folder


@pytest.fixture(scope="module")
def triton_image(tmp_path_factory):
    folder = tmp_path_factory.mktemp("triton")
    stages = recipe.stages(DOCKER / "triton.Dockerfile")
    play = recipe.Rehearsal(folder)
    play.carry_out(recipe.lineage(stages, "build"))
    for name in ("engines", "server"):
        play.carry_out(next(s for s in stages if s.name == name).steps)
    return folder


@pytest.mark.slow
def test_the_workers_steps_give_an_environment_that_is_pinned_and_slim(worker_image):
    python = worker_image / "opt/stream-deid/bin/python"
    installed = freeze(python, worker_image / "opt/build/bin/pip")
    assert {"torch", "openvino", "onnxruntime", "setuptools", "pip"}.isdisjoint(installed)
    constraints = pinned()
    ours = {name: version for name, version in installed.items() if name != "stream-deid"}
    assert {k: v for k, v in ours.items() if constraints.get(k) != v} == {}


@pytest.mark.slow
@pytest.mark.parametrize("image", ["worker_image", "triton_image"])
def test_a_bill_of_materials_names_what_is_installed_in_the_versions_of_the_constraints(
    image, request
):
    folder = request.getfixturevalue(image)
    installed = freeze(folder / "opt/stream-deid/bin/python", folder / "opt/build/bin/pip")
    assert installed.items() <= (pinned() | {"stream-deid": version("stream-deid")}).items()
    assert bill(folder) == installed


@pytest.mark.slow
def test_the_same_steps_give_the_same_wheel(worker_image, triton_image):
    wheels = [next((f / "opt/wheels").glob("*.whl")) for f in (worker_image, triton_image)]
    assert len({hashlib.sha256(wheel.read_bytes()).hexdigest() for wheel in wheels}) == 1


@pytest.mark.slow
def test_no_weights_get_into_the_workers_image(worker_image):
    files = [path.name for path in (worker_image / "opt/models").rglob("*") if path.is_file()]
    assert set(files) <= {"manifest.json", "tokenizer.json", "vocabulary.json", "stacking.json"}


@pytest.mark.slow
def test_a_note_goes_through_both_images(worker_image, triton_image, tmp_path):
    """A Triton that serves, a worker's half that asks: each in its image's environment alone,
    without rights, and without writing anything but to the folder for scratch.
    """
    port, note = free_port(), {"note_id": "1", "patient_id": "p"}
    before = contents(worker_image) | contents(triton_image)
    (tmp_path / "key").write_text(new_key())
    text = "Mr. John Smith was seen today."
    (tmp_path / "notes.jsonl").write_text(json.dumps(note | {"text": text}))
    shared = {"PATH": "/usr/bin:/bin", "TMPDIR": str(tmp_path), "PYTHONDONTWRITEBYTECODE": "1"}
    server = without_rights(
        [str(triton_image / "opt/stream-deid/bin/stream-deid"), "models", "serve",
         "--host", "0.0.0.0", "--grpc-port", str(port)],  # noqa: S104 - as in the image
        env=shared | {"STREAM_DEID_TRITON__REPOSITORY": str(triton_image / "opt/models"),
                      "STREAM_DEID_TRITON__THREADS": "2"},
    )  # fmt: skip
    try:
        said = server.stdout.readline()
        assert "ready" in said, said
        asking = without_rights(
            [str(worker_image / "opt/stream-deid/bin/stream-deid"), "file",
             str(tmp_path / "notes.jsonl"), "--out", str(tmp_path / "clean.jsonl"),
             "--audit", str(tmp_path / "audit.jsonl"), "--quiet"],
            env=shared | {"STREAM_DEID_TRITON__REPOSITORY": str(worker_image / "opt/models"),
                          "STREAM_DEID_TRITON__URL": f"127.0.0.1:{port}",
                          "STREAM_DEID_KEYS__FILE": str(tmp_path / "key")},
        )  # fmt: skip
        output, _ = asking.communicate(timeout=300)
        assert asking.returncode == 0, output
    finally:
        server.terminate()
        server.wait(60)
    clean = json.loads((tmp_path / "clean.jsonl").read_text())["text"]
    assert clean.endswith("was seen today.")
    assert "Smith" not in clean
    assert (contents(worker_image) | contents(triton_image)) - before == set()


@pytest.mark.slow
def test_the_workers_image_imports_all_that_a_worker_needs(worker_image):
    code = "import stream_deid.streaming.worker, stream_deid.processor, faust, confluent_kafka"
    toolbox.run(str(worker_image / "opt/stream-deid/bin/python"), "-I", "-c", code, env={})


def test_compose_mounts_files_that_exist_and_builds_from_these_dockerfiles():
    body = yaml.safe_load((toolbox.DEPLOY / "compose.yaml").read_text())
    for name, service in body["services"].items():
        for volume in service.get("volumes", []):
            source = volume.partition(":")[0]
            assert (toolbox.DEPLOY / source).is_file() or source in body["volumes"], volume
        for depends in service.get("depends_on", {}):
            assert depends in body["services"]
        if "build" in service:
            assert (toolbox.ROOT / service["build"]["dockerfile"]).is_file()
            target = service["build"].get("target", "")
            stages = recipe.stages(toolbox.ROOT / service["build"]["dockerfile"])
            assert target in {stage.name for stage in stages}
        else:
            assert not service["image"].endswith(":latest"), name
        for port in service.get("ports", []):
            assert port.startswith("127.0.0.1:")


def test_composes_worker_has_time_to_drain():
    body = yaml.safe_load((toolbox.DEPLOY / "compose.yaml").read_text())
    assert int(body["services"]["worker"]["stop_grace_period"].removesuffix("s")) > 50


def test_promtool_takes_composes_prometheus():
    path = toolbox.DEPLOY / "compose/prometheus.yaml"
    toolbox.run(toolbox.promtool(), "check", "config", "--syntax-only", str(path))
