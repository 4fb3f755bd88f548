"""Every overlay with every component, alone and all at once: as a site may put them together."""

import re

import pytest
import toolbox
import yaml
from test_manifests_schema import validate
from toolbox import containers, environment, of_kind, pod_of, workloads

from stream_deid import __version__

COMPONENTS = ("release", "replay", "records", "triton-tls", "otel", "mllp-out")
"""What an overlay has not got already; in this order, as their notes ask."""
OVERLAYS = ("cpu", "gpu", "mllp")
OURS = re.compile(r"(?:.*/)?stream-deid-[a-z]+:(\S+)")


@pytest.fixture(scope="module")
def manifests(tmp_path_factory):
    """The manifests, where a site may write its own."""
    folder = tmp_path_factory.mktemp("site")
    toolbox.shutil.copytree(toolbox.K8S, folder / "k8s")
    return folder / "k8s"


def put_together(kubectl, manifests, overlay, components):
    site = manifests / "examples/own"
    site.mkdir(exist_ok=True)
    body = {
        "apiVersion": "kustomize.config.k8s.io/v1beta1",
        "kind": "Kustomization",
        "resources": [f"../../overlays/{overlay}"],
        "components": [f"../../components/{name}" for name in components],
    }
    (site / "kustomization.yaml").write_text(yaml.safe_dump(body))
    return toolbox.built(kubectl, site, manifests)


@pytest.mark.parametrize("components", [*((c,) for c in COMPONENTS), COMPONENTS], ids="+".join)
@pytest.mark.parametrize("overlay", OVERLAYS)
def test_it_renders_to_pods_that_can_start(kubectl, manifests, overlay, components):
    objects = put_together(kubectl, manifests, overlay, components)
    for item in objects:
        validate(item)
    names = [(o["kind"], o["metadata"].get("namespace"), o["metadata"]["name"]) for o in objects]
    assert len(names) == len(set(names))
    accounts = {o["metadata"]["name"] for o in of_kind(objects, "ServiceAccount")}
    for workload in workloads(objects):
        pod, boxes = pod_of(workload), containers(workload)
        assert pod["serviceAccountName"] in accounts
        assert {v["name"] for v in pod["volumes"]} == {
            mount["name"] for box in boxes for mount in box["volumeMounts"]
        }
        for box in boxes:
            assert re.search(r":[^/]+$", box["image"]), box["image"]
            assert len(box.get("env", [])) == len(environment(box))


@pytest.mark.parametrize("overlay", OVERLAYS)
def test_images_of_ours_are_of_this_release(kubectl, manifests, overlay):
    objects = put_together(kubectl, manifests, overlay, COMPONENTS)
    found = [OURS.fullmatch(box["image"]) for w in workloads(objects) for box in containers(w)]
    tags = {one[1].partition("-")[0] for one in found if one}
    assert tags == {__version__}
    for workload in workloads(objects):
        uses = workload["metadata"]["name"] in ("stream-deid-worker", "stream-deid-replay")
        told = environment(containers(workload)[-1])
        assert ("STREAM_DEID_TRITON__CA" in told) == uses, workload["metadata"]["name"]
        assert ("STREAM_DEID_KAFKA__TOPIC_RECORDS" in told) == uses
