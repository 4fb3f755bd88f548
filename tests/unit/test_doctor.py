"""What the doctor says of topics and of this machine, and what it advises."""

import contextlib
import socket
import time
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import orjson
import pytest
import yaml

from stream_deid.config import Http, Kafka, Keys, Release, Settings, Triton
from stream_deid.errors import Halt
from stream_deid.operations import offline_checks, tls_files
from stream_deid.operations.doctor import findings, kafka, machine, topics
from stream_deid.operations.doctor.findings import Area, Level
from stream_deid.operations.doctor.topics import Facts, Role, WantedTopic
from stream_deid.rig.authority import Authority
from stream_deid.rig.broker import free_port
from stream_deid.streaming.health import Health
from stream_deid.streaming.observability.endpoint import Endpoint
from stream_deid.streaming.observability.metrics import Metrics

DEPLOY = Path(__file__).parents[2] / "deploy" / "k8s"
SOUND = {
    "cleanup.policy": "delete", "retention.ms": "-1", "min.insync.replicas": "2",
    "max.message.bytes": "8388608", "unclean.leader.election.enable": "false",
}  # fmt: skip


def judged(role=Role.IN, *, replicas=3, in_sync=3, leaderless=0, **values):
    said = {name.replace("_", "."): value for name, value in values.items()}
    sound = SOUND | ({"cleanup.policy": "compact"} if role is Role.RECORDS else {})
    facts = Facts(12, replicas, in_sync, leaderless, sound | said)
    return list(topics.judge(WantedTopic("kafka.topic_x", "x", role), facts, Settings()))


@pytest.mark.parametrize("role", Role)
def test_a_sound_topic_is_well(role):
    (only,) = judged(role)
    assert only.level is Level.WELL


@pytest.mark.parametrize(
    ("role", "facts", "level", "said"),
    [
        (Role.IN, {"cleanup_policy": "compact"}, Level.ERROR, "only the newest stays"),
        (Role.OUT, {"cleanup_policy": "compact,delete"}, Level.ERROR, "compacted"),
        (Role.RECORDS, {"cleanup_policy": "compact,delete"}, Level.ERROR, "deleted by age"),
        (Role.IN, {"replicas": 1, "in_sync": 1}, Level.WARNING, "one replica"),
        (Role.IN, {"in_sync": 2}, Level.WARNING, "only 2 of 3 replicas are in sync"),
        (Role.IN, {"leaderless": 4}, Level.ERROR, "4 partitions have no leader"),
        (Role.IN, {"min_insync_replicas": "4"}, Level.ERROR, "nothing can be written"),
        (Role.IN, {"min_insync_replicas": "3"}, Level.WARNING, "while a broker is restarted"),
        (Role.IN, {"min_insync_replicas": "1"}, Level.WARNING, "can be lost"),
        (Role.IN, {"unclean_leader_election_enable": "true"}, Level.WARNING, "are lost"),
        (Role.IN, {"retention_ms": "3600000"}, Level.WARNING, "for 1 hours"),
        (Role.IN, {"retention_bytes": "1000"}, Level.WARNING, "by size"),
        (Role.AUDIT, {"retention_ms": "604800000"}, Level.WARNING, "for 7 days"),
        (Role.OUT, {"max_message_bytes": "1048588"}, Level.WARNING, "output.too_large"),
    ],
)  # fmt: skip
def test_what_will_hurt_is_told_with_its_remedy(role, facts, level, said):
    (only,) = judged(role, **facts)
    assert only.level is level
    assert said in only.what
    assert only.remedy


def test_topics_that_are_read_side_by_side_have_as_many_partitions():
    (only,) = topics.alike({"a": 12, "b": 6}, [("a", "b"), ("c", "d")])
    assert "--partitions 12" in only.remedy
    assert not list(topics.alike({"a": 12, "b": 12}, [("a", "b")]))


@pytest.mark.parametrize(
    ("command", "names"),
    [
        ("release", {"released.notes", "released.audit"}),
        ("replay", {"notes.deid.replay", "notes.audit.replay", "notes.dead.replay"}),
        ("mllp", {"notes.seen"}),
    ],
)
def test_other_commands_want_other_topics_too(command, names):
    usual = {"notes.raw", "notes.deid", "notes.audit", "notes.dead"}
    found = topics.wanted(Settings(), frozenset({command}))
    assert {one.name for one in found} == usual | names


def test_the_topics_of_the_manifests_are_well():
    """Each KafkaTopic of deploy/ is judged as the doctor would judge it on the cluster."""
    settings = Settings(kafka=Kafka(topic_records="patients"))
    everything = topics.wanted(settings, frozenset({"release", "replay", "mllp"}))
    wanted = {one.name: one for one in everything}
    judged_names = set()
    for file in DEPLOY.rglob("topic*.yaml"):
        for topic in yaml.safe_load_all(file.read_text()):
            spec = topic["spec"]
            values = {name: str(value).lower() for name, value in spec["config"].items()}
            facts = Facts(spec["partitions"], spec["replicas"], spec["replicas"], 0, values)
            one = wanted[topic["metadata"]["name"]]
            for finding in topics.judge(one, facts, Settings()):
                assert finding.level is Level.WELL, finding
            judged_names.add(one.name)
    assert judged_names == set(wanted)


@pytest.mark.parametrize(
    ("away", "level"), [(0, None), (1, Level.WARNING), (2, Level.ERROR), (3, Level.ERROR)]
)
def test_brokers_that_nobody_reaches_are_named(away, level):
    with contextlib.ExitStack() as stack:
        ports = [free_port() for _ in range(3)]
        for port in ports[away:]:
            stack.enter_context(socket.create_server(("127.0.0.1", port)))
        known = [SimpleNamespace(id=n, host="127.0.0.1", port=p) for n, p in enumerate(ports)]
        found = list(kafka.brokers(known))
    assert [one.what.split(" can't")[0] for one in found] == [
        f"broker {n} at 127.0.0.1:{ports[n]}" for n in range(away)
    ]
    assert all(one.level is level and "advertised.listeners" in one.remedy for one in found)


def test_the_status_is_that_of_the_worst_finding():
    area = Area("a")
    well, warning, error = area.well("w"), area.warning("x", "do"), area.error("y", "do")
    assert findings.status([well]) == 0
    assert findings.status([well, warning]) == 1
    assert findings.status([error, warning]) == 78
    body = orjson.loads(findings.as_json([well, error]))
    assert body["status"] == 78
    assert body["findings"][1] == {"level": "error", "area": "a", "what": "y", "remedy": "do"}
    assert findings.as_text([well, warning]) == "a\n  well     w\n  warning  x\n           do\n"


def key_file(tmp_path, mode):
    file = tmp_path / "key"
    file.write_text("0123456789abcdef")
    file.chmod(mode)
    return Settings(keys=Keys(file=str(file)))


@pytest.mark.parametrize(
    ("mode", "level"), [(0o600, Level.WELL), (0o440, Level.WELL), (0o644, Level.WARNING)]
)
def test_the_key_is_for_its_owner(tmp_path, mode, level):
    (only,) = machine.key(key_file(tmp_path, mode))
    assert only.level is level


def test_a_key_that_is_none_is_an_error():
    (only,) = machine.key(Settings(keys=Keys(value="short")))
    assert only.level is Level.ERROR
    assert "key.weak" in only.what
    assert "short" not in only.what


FORMER = "fedcba9876543210"


@pytest.mark.parametrize(
    ("content", "mode", "level", "told"),
    [
        (FORMER, 0o600, Level.WELL, "former key"),
        (FORMER, 0o644, Level.WARNING, "can be read or changed by other users"),
        ("short", 0o600, Level.ERROR, "has 5 bytes"),
        ("ab" * 16, 0o600, Level.ERROR, "repeats a few characters"),
        ("0123456789abcdef\n", 0o600, Level.WARNING, "is the key that serves once more"),
        (None, 0o600, Level.ERROR, "can't be read: No such file or directory"),
    ],
)
def test_a_former_key_is_looked_at_as_the_present_one(tmp_path, content, mode, level, told):
    file = tmp_path / "former"
    if content is not None:
        file.write_text(content)
        file.chmod(mode)
    settings = replace(key_file(tmp_path, 0o600), release=Release(former_keys=(str(file),)))
    (only,) = [one for one in machine.look(settings) if str(file) in one.what]
    assert only.level is level
    assert told in only.what
    assert not content or content.strip() not in only.what


def test_former_keys_are_told_one_by_one(tmp_path):
    first, again = tmp_path / "first", tmp_path / "again"
    for file in (first, again):
        file.write_text(FORMER)
        file.chmod(0o600)
    named = (str(first), str(tmp_path / "none"), str(again))
    told = machine.former_keys(Settings(release=Release(former_keys=named)))
    one, none, other = told  # without a present key, too
    assert one.level is Level.WELL
    assert none.level is Level.ERROR
    assert f"{again} is the key in {first} once more" in other.what


def test_certificates_are_looked_at_before_they_are_over(tmp_path):
    authority = Authority(tmp_path / "ca")
    (good, key), (soon, _) = authority.issue("good", 400), authority.issue("soon", 5)
    key.chmod(0o644)
    gone = tmp_path / "gone.pem"
    kafka = replace(
        Kafka(), security={"ssl.ca.location": str(gone), "ssl.certificate.location": str(good)}
    )
    triton = Triton(url="triton:8001", ca=str(soon), certificate=str(key), key=str(key))
    settings = Settings(kafka=kafka, triton=triton)
    told = [*machine.files(settings), *machine.certificates(settings)]
    said = {one.what.split(":")[0]: one for one in told if "triton.key" not in one.what}
    assert said["kafka.security.ssl.ca.location"].level is Level.ERROR
    assert said["kafka.security.ssl.certificate.location"].level is Level.WELL
    assert said["triton.ca"].level is Level.WARNING
    assert "holds no certificate" in said["triton.certificate"].what
    (of_key,) = (one for one in told if "triton.key" in one.what)
    assert of_key.remedy.startswith("chmod 600")


def test_a_certificate_of_another_time_is_an_error(tmp_path, monkeypatch):
    pem, _ = Authority(tmp_path / "ca").issue("one", 30)
    settings = Settings(triton=Triton(url="t:1", ca=str(pem)))
    now = time.time()
    for moved, said in ((60 * 86_400, "was valid until"), (-86_400, "is not valid yet")):
        monkeypatch.setattr(tls_files.time, "time", lambda moved=moved: now + moved)
        (only,) = machine.certificates(settings)
        assert only.level is Level.ERROR
        assert said in only.what


def test_a_port_is_free_or_ours_or_taken():
    port = free_port()
    settings = Settings(http=Http(port=port))
    (free,) = machine.ports(settings)
    assert free.level is Level.WELL
    endpoint = Endpoint("127.0.0.1", port, Health(), Metrics())
    endpoint.start()
    try:
        (ours,) = machine.ports(settings)
        assert "a worker answers" in ours.what
    finally:
        endpoint.stop()
    with socket.socket() as other:
        other.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        other.bind(("127.0.0.1", port))
        other.listen()
        other.settimeout(0.1)
        (taken,) = machine.ports(settings)
        assert taken.level is Level.ERROR


def test_models_that_are_not_there_are_an_error(tmp_path):
    settings = Settings(triton=Triton(url="t:1", repository=str(tmp_path)))
    (only,) = machine.models(settings)
    assert only.level is Level.ERROR
    assert "manifest.missing" in only.what


def test_a_model_of_another_language_is_an_error():
    settings = Settings(triton=Triton(url="t:1"), models={"es": ("bert_en",)})
    assert [one.level for one in machine.models(settings)] == [Level.ERROR]


def test_a_voter_in_the_worker_itself_has_no_manifest_to_look_for():
    settings = Settings(triton=Triton(url="t:1"), models={"es": ("bilstm_crf_es", "crf")})
    assert [one.level for one in machine.models(settings)] == [Level.WELL]


def test_a_folder_without_room_is_told(tmp_path, monkeypatch):
    settings = Settings(kafka=replace(Kafka(), state_dir=str(tmp_path / "not" / "yet")))
    (only,) = machine.space(settings)
    assert only.level is Level.WELL
    for free, level in ((10**7, Level.ERROR), (5 * 10**8, Level.WARNING)):
        monkeypatch.setattr(
            machine.shutil, "disk_usage", lambda _, free=free: type("U", (), {"free": free})
        )
        (only,) = machine.space(settings)
        assert only.level is level


def test_an_error_says_where_its_code_is_explained():
    assert (
        Area("a").of(Halt("key.weak", "the key has 5 bytes")).remedy == "docs/errors.md: key.weak"
    )


@pytest.mark.parametrize(
    ("content", "told"),
    [(None, "ca.crt can't be read: No such file"), (b"none", "ca.crt holds no certificate")],
)
def test_a_file_of_certificates_that_is_not_there_is_named(tmp_path, content, told):
    file = tmp_path / "ca.crt"
    if content:
        file.write_bytes(content)
    security = {"security.protocol": "ssl", "ssl.ca.location": str(file)}
    (problem,) = offline_checks.problems(Settings(kafka=Kafka(bootstrap="b:1", security=security)))
    assert told in problem.what
