"""The commands and files that the guide names are there, and what can run here is run."""

import re
import shlex

import pytest
import toolbox

from stream_deid import config

GUIDE = (toolbox.ROOT / "docs/deployment.md").read_text()
BLOCKS = re.findall(r"^ *```\n(.*?)^ *```", GUIDE, re.MULTILINE | re.DOTALL)
LINES = [line.strip() for block in BLOCKS for line in block.splitlines()]


def commands(program):
    """The arguments of each use of a program in the guide's blocks."""
    split = [[word for word in shlex.split(line) if "=" not in word] for line in LINES]
    return [words[1:] for words in split if words[:1] == [program]]


def test_every_kustomization_is_rendered(kubectl, tmp_path):
    folders = re.findall(r"(?:kustomize|-k) deploy/k8s/(\S+?)[`\s]", GUIDE)
    assert folders
    for folder in set(folders):
        assert toolbox.kustomize(kubectl, folder, tmp_path)


def test_every_file_that_is_named_exists():
    named = set(re.findall(r"`?\b((?:deploy|docs)/[\w./-]+)", GUIDE))
    for name in named - {"deploy/compose/key"}:
        assert (toolbox.ROOT / name.rstrip(".")).exists(), name


def test_images_are_built_from_stages_that_exist():
    builds = [words for words in commands("docker") if words[0] == "build"]
    assert builds
    for words in builds:
        file = toolbox.ROOT / words[words.index("-f") + 1]
        stages = re.findall(r"^FROM .* AS (\S+)$", file.read_text(), re.MULTILINE)
        if "--target" in words:
            assert words[words.index("--target") + 1] in stages


@pytest.mark.parametrize("folder", ["base", "overlays", "components", "examples"])
def test_every_part_of_the_manifests_is_in_the_table(folder):
    table = "\n".join(line for line in GUIDE.splitlines() if line.startswith("| `"))
    parts = [p.name for p in (toolbox.K8S / folder).iterdir() if p.is_dir()]
    if folder == "examples":
        assert "`examples/`" in table
        return
    for part in set(parts) - {"worker", "triton"}:
        assert f"{folder}/{part}" in table


def test_the_times_that_are_told_are_those_of_the_manifests(rendered):
    stateful = toolbox.the(rendered["overlays/cpu"], "StatefulSet", "stream-deid-worker")
    pod = toolbox.pod_of(stateful)
    probe = pod["containers"][0]["startupProbe"]
    assert f"{probe['periodSeconds'] * probe['failureThreshold']} s" in GUIDE
    assert f"({pod['terminationGracePeriodSeconds']} s)" in GUIDE
    settings = toolbox.settings_file(rendered["overlays/cpu"])
    assert "session_timeout_s = 30.0" in settings
    assert "(30 s here)" in GUIDE


@pytest.mark.parametrize("stored", ["s3cret", "1e5", "true", '"quoted"', "{a = 1}", "0x10", " x "])
def test_a_password_from_a_secret_arrives_as_it_is(stored):
    name = "STREAM_DEID_KAFKA__SECURITY__SASL.PASSWORD"
    assert name in GUIDE
    assert config.load(None, {name: stored}).kafka.security == {"sasl.password": stored}
