"""Who may do what, over SASL_SSL: every mechanism arrives at the same rights, and what a broker
does not allow is told by name, with the status of a wrong setting.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import diagnosis
import orjson
import pytest
from confluent_kafka.admin import (
    AclBinding,
    AclOperation,
    AclPermissionType,
    AdminClient,
    ResourcePatternType,
    ResourceType,
)
from harness import PATIENCE_S, kafka_home, kafka_settings, make_topics, notes, worker
from token_issuer import TokenIssuer

from stream_deid.config import Kafka
from stream_deid.errors import Unavailable
from stream_deid.exits import MISCONFIGURED, UNAVAILABLE
from stream_deid.operations.doctor.findings import Level
from stream_deid.rig.authority import Authority
from stream_deid.rig.broker import ApacheKafka
from stream_deid.rig.reconciliation import LedgerReader, publish
from stream_deid.streaming.kafka.awaiting import Patience, await_worker_topics
from stream_deid.streaming.kafka.clients import base_options
from stream_deid.streaming.kafka.rights import missing_rights

PARTITIONS = 2
Right = tuple[ResourceType, str, AclOperation]


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ApacheKafka]:
    """A broker that asks who is there, over TLS, and allows `worker` nothing yet."""
    home = kafka_home()
    users = {"admin": "admin-secret", "worker": "worker-secret"}
    folder = tmp_path_factory.mktemp("guarded")
    ca = Authority(folder / "ca")
    with ApacheKafka(folder / "kafka", home, users=users, authority=ca) as broker:
        yield broker


@pytest.fixture(scope="module")
def issuer() -> Iterator[TokenIssuer]:
    with TokenIssuer({"worker": "worker-secret"}) as one:
        yield one


def as_user(broker: ApacheKafka, group: str, user: str, mechanism: str = "PLAIN") -> Kafka:
    security = broker.security(user, mechanism)
    return replace(kafka_settings(broker.bootstrap, group), security=security)


def by_token(kafka: Kafka, issuer: TokenIssuer) -> Kafka:
    """The same without a password: with tokens that `issuer` gives for a secret."""
    kept = {n: v for n, v in kafka.security.items() if n not in ("sasl.username", "sasl.password")}
    return replace(kafka, security=kept | issuer.security("worker", "worker-secret"))


def rights(kafka: Kafka) -> dict[str, Right]:
    """All that a worker needs, as docs/deployment says it."""
    topics = dict(zip(("in", "out", "audit", "dead"), kafka.topics, strict=True))
    return {
        "read in": (ResourceType.TOPIC, topics["in"], AclOperation.READ),
        "write out": (ResourceType.TOPIC, topics["out"], AclOperation.WRITE),
        "write audit": (ResourceType.TOPIC, topics["audit"], AclOperation.WRITE),
        "write dead": (ResourceType.TOPIC, topics["dead"], AclOperation.WRITE),
        "read group": (ResourceType.GROUP, kafka.group, AclOperation.READ),
        "transactions": (ResourceType.TRANSACTIONAL_ID, kafka.group, AclOperation.WRITE),
    }


def allow(admin: AdminClient, *wanted: Right) -> None:
    bindings = [
        AclBinding(kind, name, ResourcePatternType.PREFIXED, "User:worker", "*",
                   operation, AclPermissionType.ALLOW)
        for kind, name, operation in wanted
    ]  # fmt: skip
    for future in admin.create_acls(bindings).values() if bindings else ():
        future.result(10)


def ended(kafka: Kafka, log: Path) -> tuple[int, str]:
    """The status of a worker's first end, and what its last error says."""
    deadline = time.monotonic() + PATIENCE_S
    with worker(kafka, log, pause_s=60, STREAM_DEID_DEADLINE_S="10") as only:
        while not only.statuses:
            assert time.monotonic() < deadline
            time.sleep(0.05)
        told = [orjson.loads(line) for line in log.read_bytes().splitlines() if line[:1] == b"{"]
        critical = [orjson.dumps(e).decode() for e in told if e["level"] == "critical"]
        return only.statuses[0], critical[0]


@pytest.mark.parametrize(
    ("without", "code", "named"),
    [
        ("read in", "kafka.denied", "notes-"),
        ("write out", "kafka.denied", ".deid"),
        ("write audit", "kafka.denied", ".audit"),
        ("write dead", "kafka.denied", ".dead"),
        ("read group", "kafka.denied", "group"),
        ("transactions", "kafka.denied", "transactional ids"),
    ],
)
def test_a_missing_right_is_named(
    guarded: ApacheKafka, tmp_path: Path, without: str, code: str, named: str
) -> None:
    group = f"notes-{without.replace(' ', '-')}"
    owner = as_user(guarded, group, "admin")
    make_topics(owner, PARTITIONS)
    admin = AdminClient(base_options(owner))
    kafka = as_user(guarded, group, "worker")
    allow(admin, *(right for name, right in rights(kafka).items() if name != without))
    status, told = ended(kafka, tmp_path / "a.log")
    assert status == MISCONFIGURED
    assert code in told
    assert named in told


def owner_and_worker(
    guarded: ApacheKafka, issuer: TokenIssuer, group: str, mechanism: str
) -> tuple[Kafka, Kafka]:
    """Who made the topics, and who works on them by `mechanism`, without any right yet."""
    owner = as_user(guarded, group, "admin")
    make_topics(owner, PARTITIONS)
    kafka = as_user(guarded, group, "worker", mechanism)
    return owner, by_token(kafka, issuer) if mechanism == "OAUTHBEARER" else kafka


def await_missing(kafka: Kafka, wanted: list[str]) -> None:
    """Brokers heed a new right a moment after it was given."""
    admin, end = AdminClient(base_options(kafka)), time.monotonic() + 20
    while (found := missing_rights(admin, kafka)) != wanted:
        assert time.monotonic() < end, found
        time.sleep(0.2)


@pytest.mark.parametrize("mechanism", ["PLAIN", "SCRAM-SHA-512", "OAUTHBEARER"])
def test_a_group_that_may_be_seen_and_not_joined_is_named(
    guarded: ApacheKafka, issuer: TokenIssuer, mechanism: str
) -> None:
    group = f"looked-at-{mechanism.lower()}"
    owner, kafka = owner_and_worker(guarded, issuer, group, mechanism)
    all_rights, admin = rights(kafka), AdminClient(base_options(owner))
    read = all_rights.pop("read group")
    allow(admin, *all_rights.values())
    await_missing(kafka, [f"Describe group {group}"])
    allow(admin, (ResourceType.GROUP, group, AclOperation.DESCRIBE))
    await_missing(kafka, [f"Read group {group}"])
    allow(admin, read)
    await_missing(kafka, [])


@pytest.mark.parametrize("mechanism", ["PLAIN", "SCRAM-SHA-512", "OAUTHBEARER"])
def test_with_exactly_these_rights_every_note_arrives(
    guarded: ApacheKafka, issuer: TokenIssuer, tmp_path: Path, mechanism: str
) -> None:
    group = f"allowed-{mechanism.lower()}"
    owner, kafka = owner_and_worker(guarded, issuer, group, mechanism)
    allow(AdminClient(base_options(owner)), *rights(kafka).values())
    published = publish(owner, notes(40), PARTITIONS)
    with ExitStack() as stack:
        reader = LedgerReader(owner, PARTITIONS)
        stack.callback(reader.close)
        stack.enter_context(worker(kafka, tmp_path / "a.log"))
        reader.until(lambda seen: seen.done >= published, PATIENCE_S)
        assert reader.settle(0.5).problems(published) == {}


def refusal(kafka: Kafka) -> str:
    """What is told of a broker that lets nobody in."""
    with pytest.raises(Unavailable) as refused:
        await_worker_topics(kafka, kafka.topics, Patience(4.0))
    assert refused.value.code == "kafka.unreachable"
    return refused.value.detail


@pytest.mark.parametrize("mechanism", ["PLAIN", "SCRAM-SHA-512", "OAUTHBEARER"])
def test_a_wrong_secret_is_told_as_such(
    guarded: ApacheKafka, issuer: TokenIssuer, mechanism: str, caplog: pytest.LogCaptureFixture
) -> None:
    kafka, name, reason = as_user(guarded, "wrong", "worker", mechanism), "password", "AUTHENT"
    if mechanism == "OAUTHBEARER":
        kafka, name, reason = by_token(kafka, issuer), "oauthbearer.client.secret", "status 401"
    told = refusal(replace(kafka, security={**kafka.security, f"sasl.{name}": "guessed"}))
    assert reason in told
    assert "guessed" not in told + caplog.text


def test_a_broker_of_another_authority_is_not_spoken_to(
    guarded: ApacheKafka, tmp_path: Path
) -> None:
    kafka = as_user(guarded, "elsewhere", "worker")
    other = str(Authority(tmp_path / "other").certificate)
    told = refusal(replace(kafka, security={**kafka.security, "ssl.ca.location": other}))
    assert "certificate verify failed" in told


def test_the_doctor_tells_rights_and_passwords(guarded: ApacheKafka) -> None:
    owner, kafka = (as_user(guarded, "seen", user) for user in ("admin", "worker"))
    make_topics(owner, 1)
    blind = diagnosis.told(kafka)[Level.ERROR]
    assert len(blind) == 4
    assert all("may not see" in one for one in blind)

    operations = AclOperation.DESCRIBE, AclOperation.WRITE
    allow(AdminClient(base_options(owner)), *((ResourceType.TOPIC, "seen", o) for o in operations))
    found = diagnosis.told(kafka)
    said = "\n".join(found[Level.ERROR])
    assert f"may not Read topic {kafka.topic_in}" in said
    assert "group" in said
    assert "transactional ids" in said
    assert any("settings can't be seen" in one for one in found[Level.WELL])

    wrong = replace(kafka, security=kafka.security | {"sasl.password": "canary-password"})
    (refused,) = diagnosis.told(wrong)[Level.ERROR]
    assert "refuses us" in refused
    assert "canary" not in refused


def test_a_session_timeout_that_the_broker_refuses_is_told(apache: Kafka, tmp_path: Path) -> None:
    make_topics(apache, PARTITIONS)
    short = replace(apache, session_timeout_s=1.0, heartbeat_s=0.3)
    status, told = ended(short, tmp_path / "a.log")
    assert status == MISCONFIGURED
    assert "kafka.session_timeout_s is 1 s" in told


def test_a_worker_whose_certificates_are_renewed_comes_back_with_them(
    guarded: ApacheKafka, tmp_path: Path
) -> None:
    kafka = as_user(guarded, "renewed", "admin")
    ca = tmp_path / "ca.crt"
    ca.write_bytes(Path(kafka.security["ssl.ca.location"]).read_bytes())
    kafka = replace(kafka, member="w-0", security=kafka.security | {"ssl.ca.location": str(ca)})
    make_topics(kafka, PARTITIONS)
    reader = LedgerReader(kafka, PARTITIONS)
    with worker(kafka, tmp_path / "w.log") as only:
        sent = publish(kafka, notes(50), PARTITIONS)
        reader.until(lambda seen: seen.done >= sent, PATIENCE_S)
        other = Authority(tmp_path / "other").certificate
        ca.write_bytes(ca.read_bytes() + other.read_bytes())  # both, while they change
        deadline = time.monotonic() + PATIENCE_S
        while only.starts < 2:
            assert time.monotonic() < deadline
            time.sleep(0.05)
        sent += publish(kafka, notes(50), PARTITIONS)
        reader.until(lambda seen: seen.done >= sent, PATIENCE_S)
        assert only.statuses == [UNAVAILABLE]
    assert reader.settle(0.5).problems(sent) == {}
    reader.close()
