"""The Job, the rights and the topics of a replay are those that the program needs and no more."""

import json
import subprocess
import sys

import pytest
import toolbox
from confluent_kafka import Producer
from test_manifests_program import load, worker_container
from toolbox import containers, environment, of_kind, pod_of, the

from stream_deid import cli, exits
from stream_deid.errors import Halt
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


JOBS = {
    "examples/replay": "stream-deid-replay",
    "examples/replay-verify": "stream-deid-verify",
    "examples/replay-diff": "stream-deid-diff",
}


def outcome(job, *, status=None, disrupted=False):
    """What Kubernetes does with a pod that ended so: the first rule that fits, or a try less."""
    for rule in job["spec"]["podFailurePolicy"]["rules"]:
        conditions = {(c["type"], c["status"]) for c in rule.get("onPodConditions", [])}
        if disrupted and ("DisruptionTarget", "True") in conditions:
            return rule["action"]
        codes = rule.get("onExitCodes", {"values": []})
        if status in codes["values"]:
            assert codes["operator"] == "In"
            assert codes["containerName"] == containers(job)[0]["name"]
            return rule["action"]
    return "Count"


@pytest.mark.parametrize("example", JOBS)
def test_only_what_may_end_otherwise_is_tried_again(rendered, example):
    job = the(rendered[example], "Job", JOBS[example])
    assert pod_of(job)["restartPolicy"] == "Never"  # podFailurePolicy asks for it
    for status in (exits.USAGE, exits.REJECTS, exits.MISCONFIGURED):
        assert outcome(job, status=status) == "FailJob"
    for status in (exits.UNAVAILABLE, exits.CRASHED, 137, 143):
        assert outcome(job, status=status) == "Count"
    for status in (exits.UNAVAILABLE, exits.MISCONFIGURED, 137, 143):
        assert outcome(job, status=status, disrupted=True) == "Ignore"


def test_a_replay_that_a_note_ended_is_tried_again():
    """Three times, after which that note is a dead letter: the Job must not give up before."""
    assert exits.status_of(Halt("replay.crashed", "")) == exits.CRASHED
    assert exits.status_of(Halt("replay.other", "")) == exits.MISCONFIGURED


@pytest.mark.parametrize("example", ["examples/replay-verify", "examples/replay-diff"])
def test_jobs_that_compare_write_nothing_and_are_the_only_ones(rendered, example):
    (job,) = of_kind(rendered[example], "Job")
    assert job["metadata"]["name"] == JOBS[example]
    (container,) = containers(job)
    arguments = cli._parser().parse_args(container["args"])
    assert arguments.verify or arguments.diff
    assert not arguments.live
    assert arguments.id is None


def test_each_try_has_its_folder_on_the_volume(rendered):
    """A folder that is there already is refused, and the Job tries again under another pod."""
    job = the(rendered["examples/replay-diff"], "Job", "stream-deid-diff")
    (container,) = containers(job)
    (folder,) = [a.partition("=")[2] for a in container["args"] if a.startswith("--diff=")]
    named = {e["name"]: e for e in container["env"]}
    assert named["TRY"]["valueFrom"]["fieldRef"]["fieldPath"] == "metadata.name"
    mount, _, last = folder.rpartition("/")
    assert last == "$(TRY)"
    (volume,) = [m["name"] for m in container["volumeMounts"] if m["mountPath"] == mount]
    (claim,) = [
        v["persistentVolumeClaim"]["claimName"]
        for v in pod_of(job)["volumes"]
        if v["name"] == volume
    ]
    the(rendered["examples/replay-diff"], "PersistentVolumeClaim", claim)


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
