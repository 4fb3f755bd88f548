"""Every command for kubectl that the guide prints, by the real kubectl: it takes it, as far as to
ask a cluster, which is not there; and what it names is in the manifests.
"""

import re
import shlex
import subprocess

import pytest
import toolbox

PAGES = [*sorted((toolbox.ROOT / "docs").glob("*.md")), toolbox.ROOT / "README.md"]
TEXT = "\n".join(page.read_text("utf-8") for page in PAGES)
BLOCK = re.compile(r"^ *```\w*\n(.*?)^ *```", re.MULTILINE | re.DOTALL)
PARTS = {("apply", "-k"), ("port-forward",), ("-n", "stream-deid", "rollout", "restart")}
"""What a sentence names without the rest of its arguments."""
NOBODY = ("--server=http://127.0.0.1:1", "--request-timeout=1s")


def said():
    """The commands of blocks and of sentences, as one types them."""
    for block in BLOCK.findall(TEXT):
        for line in block.replace("\\\n", " ").splitlines():
            yield from re.findall(r"\bkubectl ([^|;&#]+)", line)
    for inline in re.findall(r"`kubectl ([^`]+)`", BLOCK.sub("", TEXT)):
        yield inline.replace("\n", " ")


def commands():
    """The arguments of each, once; `$n` of a loop is its first."""
    found = {tuple(shlex.split(one.replace("$n", "0"))) for one in said()}
    return sorted(found - PARTS)


@pytest.fixture(scope="module")
def checkout(tmp_path_factory):
    """A folder with the manifests, and the key that a command reads."""
    folder = tmp_path_factory.mktemp("checkout")
    (folder / "deploy").symlink_to(toolbox.DEPLOY)
    (folder / "key").write_text("0" * 64)
    return folder


def run(kubectl, checkout, *words):
    env = {"PATH": "/usr/bin:/bin", "HOME": str(checkout)}
    return subprocess.run(
        [str(kubectl), *NOBODY, *words], cwd=checkout, env=env, timeout=60,
        capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL,
    )  # fmt: skip


@pytest.mark.parametrize("words", commands(), ids=" ".join)
def test_kubectl_takes_a_command_of_the_guide(kubectl, checkout, words):
    done = run(kubectl, checkout, *words)
    assert done.returncode == 0 or "connection refused" in done.stderr, done.stderr[-500:]


def test_a_command_that_kubectl_does_not_take_is_seen(kubectl, checkout):
    for words in (("rollout", "statu", "deployment/x"), ("scale", "deployment/x", "--replica=0")):
        done = run(kubectl, checkout, *words)
        assert "unknown" in done.stderr
        assert "connection refused" not in done.stderr


def test_what_the_commands_name_is_in_the_manifests(rendered):
    names = ("overlays/mllp", "overlays/dev", "examples/site")
    objects = [one for name in names for one in rendered[name]]
    there = {f"{one['kind'].lower()}/{one['metadata']['name']}" for one in objects}
    labels = {
        f"{key}={value}"
        for one in objects
        for key, value in one["metadata"].get("labels", {}).items()
    }
    for words in commands():
        for word in words:
            if re.fullmatch(r"(deployment|statefulset)/[\w-]+", word):
                assert word in there
            if match := re.fullmatch(r"(?:pod/)?(stream-deid-[a-z-]+)-\d+", word):
                assert f"statefulset/{match[1]}" in there
            if word.startswith("app.kubernetes.io/"):
                assert word in labels


def test_there_are_commands_to_take():
    assert len(commands()) > 12
