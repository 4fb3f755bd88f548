"""Every object that an overlay renders to is what its kind's published schema allows, strictly."""

import json
from functools import cache

import jsonschema
import kubernetes_validate
import pytest
import toolbox
import yaml

SCHEMAS = toolbox.ROOT / "tests/deploy/schemas"
KUBERNETES = ("1.29", "1.37")  # the oldest that is supported here, and the newest
BUILT_IN = (
    "v1",
    "apps/v1",
    "batch/v1",
    "policy/v1",
    "networking.k8s.io/v1",
    "scheduling.k8s.io/v1",
)


def validate(item):
    """Raises where an object is not as its schema says."""
    as_its_schema_says(json.dumps(item))


@cache
def as_its_schema_says(body):
    """Overlays and components have most objects in common: each is judged once."""
    item = json.loads(body)
    if item["apiVersion"] in BUILT_IN:
        for version in KUBERNETES:
            kubernetes_validate.validate(item, version, strict=True)
        return
    version = item["apiVersion"].partition("/")[2]
    text = (SCHEMAS / f"{item['kind'].lower()}_{version}.json").read_text()
    # Go writes the flag of an expression where Python does not take it
    jsonschema.validate(item, json.loads(text.replace("^(?i)", "(?i)^")))


def test_every_object_is_valid(objects):
    for item in objects:
        validate(item)


@pytest.mark.parametrize("cluster", ["cluster", "dev"])
def test_the_example_of_a_kafka_cluster_is_valid(cluster):
    for item in yaml.safe_load_all((toolbox.K8S / f"examples/kafka-{cluster}.yaml").read_text()):
        validate(item)


@pytest.mark.parametrize(
    ("kind", "where"),
    [
        ("StatefulSet", ["spec", "template", "spec"]),
        ("KafkaTopic", ["spec"]),
        ("ScaledObject", ["spec"]),
        ("PodMonitor", ["spec"]),
    ],
)
def test_a_field_that_does_not_exist_is_seen(rendered, kind, where):
    """The judge can condemn: a misspelt field must not pass for valid."""
    item = json.loads(json.dumps(toolbox.of_kind(rendered["overlays/cpu"], kind)[0]))
    place = item
    for key in where:
        place = place[key]
    place["replicaz"] = 3
    with pytest.raises((jsonschema.ValidationError, kubernetes_validate.ValidationError)):
        validate(item)


def test_nothing_is_there_twice(objects):
    names = [(o["kind"], o["metadata"].get("namespace"), o["metadata"]["name"]) for o in objects]
    assert len(set(names)) == len(names)


def test_compose_is_valid():
    schema = json.loads((SCHEMAS / "compose-spec.json").read_text())
    jsonschema.validate(yaml.safe_load((toolbox.DEPLOY / "compose.yaml").read_text()), schema)
