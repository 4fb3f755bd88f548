"""The Job, the rights and the topics of a replay are those that the program needs and no more."""

import json
import subprocess
import sys

import pytest
import toolbox
from confluent_kafka import Producer
from test_manifests_program import load, worker_container
from toolbox import containers, environment, of_kind, pod_of, the

from stream_deid import cli
from stream_deid.streaming.replay.order import named

SCRIPT = toolbox.ROOT / "tests/e2e/replaying.py"
NOTES = 60


@pytest.fixture(scope="module")
def manifests(rendered):
    return rendered["examples/replay"]


def rights(objects, name):
    acls = the(objects, "KafkaUser", name)["spec"]["authorization"]["acls"]
    return {
        (a["resource"]["type"], a["resource"]["name"], a["resource"]["patternType"]): set(
            a["operations"]
        )
        for a in acls
    }


def test_rights_and_topics_are_named_as_the_program_names_them(manifests, tmp_path):
    live = load(manifests, worker_container(manifests), tmp_path).kafka
    mine = named(live, "x", live=False)
    group = mine.group.removesuffix("x")
    assert rights(manifests, "stream-deid-replay") == {
        **{("topic", topic, "literal"): {"Read", "Describe"} for topic in live.topics},
        **{("topic", topic, "literal"): {"Write", "Describe"} for topic in mine.topics[1:]},
        ("group", live.group, "literal"): {"Describe"},
        ("group", group, "prefix"): {"Read", "Describe"},
        ("transactionalId", group, "prefix"): {"Write", "Describe"},
    }
    assert set(mine.topics) <= {t["metadata"]["name"] for t in of_kind(manifests, "KafkaTopic")}


def test_the_job_has_a_name_that_it_goes_on_under_and_goes_easy_on_the_workers(manifests):
    job = the(manifests, "Job", "stream-deid-replay")
    (container,) = containers(job)
    arguments = cli._parser().parse_args(container["args"])
    assert arguments.id
    assert arguments.rate
    assert arguments.max_lag
    assert job["spec"]["backoffLimit"] > 0
    assert pod_of(job)["restartPolicy"] == "OnFailure"


def test_triton_lets_it_in_and_it_reaches_kafka(manifests, tmp_path):
    (container,) = containers(the(manifests, "Job", "stream-deid-replay"))
    settings = load(manifests, container, tmp_path)
    policy = the(manifests, "NetworkPolicy", "stream-deid-replay")
    allowed = {p["port"] for rule in policy["spec"]["egress"] for p in rule["ports"]}
    kafka = int(settings.kafka.bootstrap.rpartition(":")[2])
    assert allowed == {kafka, int(settings.triton.url.rpartition(":")[2]), 53}
    asked = the(manifests, "NetworkPolicy", "stream-deid-triton")["spec"]["ingress"][0]["from"]
    components = {p["podSelector"]["matchLabels"]["app.kubernetes.io/component"] for p in asked}
    assert components == {"worker", "replay"}
    assert "STREAM_DEID_KAFKA__SECURITY" in environment(container)


def replay(kafka, manifests, tmp_path, user, *arguments):
    settings = tmp_path / "stream-deid.toml"
    settings.write_text(toolbox.settings_file(manifests))
    security = kafka.authority.security(f"stream-deid-{user}")
    said = ", ".join(f'"{name}" = "{value}"' for name, value in security.items())
    env = {
        "STREAM_DEID_CONFIG": str(settings),
        "STREAM_DEID_KAFKA__BOOTSTRAP": kafka.bootstrap,
        "STREAM_DEID_KAFKA__SECURITY": f"{{{said}}}",
        "STREAM_DEID_KAFKA__TRANSACTION_TIMEOUT_S": "20",
        "PYTHONPATH": f"{toolbox.ROOT}:{SCRIPT.parent}",
    }
    command = [sys.executable, str(SCRIPT), *arguments]
    return subprocess.run(command, env=env, capture_output=True, text=True, check=False)


def test_its_rights_are_enough_to_write_to_compare_and_to_look_for_notes(
    kafka, manifests, tmp_path
):
    producer = Producer({"bootstrap.servers": kafka.bootstrap, "log_level": 0, **kafka.admin})
    for number in range(NOTES):
        producer.produce("notes.raw", f"note {number}".encode())
    assert producer.flush(30) == 0
    job = the(manifests, "Job", "stream-deid-replay")
    plain = [a for a in containers(job)[0]["args"][1:] if "--rate" not in a]
    done = replay(kafka, manifests, tmp_path, "replay", *plain, "--to=2100-01-01")
    assert f"{NOTES} released" in done.stdout, done.stderr[-3000:]
    for arguments in (["--dead"], ["--patient", 20 * "a"], ["--verify"]):
        done = replay(kafka, manifests, tmp_path, "replay", *arguments)
        assert "denied" not in done.stderr
        assert done.returncode in (0, 3), done.stderr[-3000:]


def test_without_the_right_to_write_it_says_which_one_is_missing(kafka, manifests, tmp_path):
    done = replay(kafka, manifests, tmp_path, "replay", "--live", "--id", "denied")
    assert done.returncode == 78
    assert "kafka.denied" in done.stderr
    assert "Write topic notes.deid" in done.stderr
    assert json.dumps("note 1") not in done.stderr
