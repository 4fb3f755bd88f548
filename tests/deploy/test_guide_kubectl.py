"""Every command for kubectl that the guide prints, by the real kubectl: it takes it, as far as to
ask a cluster, which is not there; and what it names is in the manifests.
"""

import re
import shlex
import subprocess

import pytest
import toolbox
from kubectl_names import There

PAGES = [
    *sorted((toolbox.ROOT / "docs").glob("*.md")),
    *sorted(toolbox.ROOT.glob("*.md")),
    *sorted(toolbox.K8S.rglob("*.yaml")),
]
TEXT = "\n".join(page.read_text("utf-8") for page in PAGES)
BLOCK = re.compile(r"^ *```\w*\n(.*?)^ *```", re.MULTILINE | re.DOTALL)
ROLL = ("-n", "stream-deid", "rollout", "restart")
PARTS = {("apply",), ("apply", "-k"), ("port-forward",), ROLL}
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
    assert done.returncode == 0 or re.search(r"(connection|was) refused", done.stderr), done.stderr


def test_a_command_that_kubectl_does_not_take_is_seen(kubectl, checkout):
    for words in (("rollout", "statu", "deployment/x"), ("scale", "deployment/x", "--replica=0")):
        done = run(kubectl, checkout, *words)
        assert "unknown" in done.stderr
        assert "connection refused" not in done.stderr


@pytest.fixture(scope="module")
def there(rendered):
    return There(rendered)


@pytest.mark.parametrize("words", commands(), ids=" ".join)
def test_what_a_command_names_is_in_the_manifests(there, words):
    assert [*there.faults(words)] == []


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ("-n stream-did get pods", "no namespace"),
        ("-n stream-deid get pods -l app.kubernetes.io/component=tritn", "no pod has"),
        ("-n stream-deid rollout status deployment/stream-deid-worker", "no object"),
        ("-n stream-deid rollout restart statefulset/stream-deid-wrker", "no object"),
        ("-n stream-deid exec stream-deid-worker -- stream-deid doctor", "no pod"),
        ("-n stream-deid exec stream-deid-triton-0 -- stream-deid doctor", "no pod"),
        ("-n stream-deid exec stream-deid-worker-0 -- stream-deid docter", "no command"),
        ("-n stream-deid debug stream-deid-worker-0 -it --container=wrker", "no container"),
        ("-n stream-deid port-forward pod/stream-deid-worker-0 8080:8081", "no port"),
        ("-n stream-deid create secret generic stream-deid-key --from-file=kei", "no pod mounts"),
        ("-n stream-deid create secret generic stream-deid-keys --from-file=key", "no pod mounts"),
        ("apply -f deploy/k8s/base/namespaces.yaml", "no file"),
        ("apply -k deploy/k8s/examples/sites", "nothing to apply"),
        ("kustomize deploy/k8s/base", "nothing to apply"),
    ],
)
def test_a_name_that_is_not_there_is_seen(there, line, fault):
    found = [*there.faults(shlex.split(line))]
    assert any(fault in one for one in found), found


def test_there_are_commands_to_take():
    assert len(commands()) > 12
