"""Who may do what by the manifests' rights, tried by everybody on everything, on Apache Kafka.

What may be done is told here once; all else must be refused: nobody who gets released notes sees
an inner topic, puts anything into an outer one, moves the release's offsets or takes its place.
"""

import json
import threading
import time

import pytest
from confluent_kafka import Consumer, KafkaError, KafkaException, Producer, TopicPartition
from confluent_kafka.admin import AdminClient

from stream_deid import seal
from stream_deid.config import Kafka, Release, Settings
from stream_deid.streaming.releasing.mover import Mover

READS = {
    "worker": {"notes.raw"},
    "release": {"notes.deid", "notes.audit"},
    "recipient": {"released.notes"},
    "auditor": {"released.notes", "released.audit"},
    "reader": {"notes.deid"},
    "sender": set(),
    "keda": set(),
}
WRITES = {
    "worker": {"notes.deid", "notes.audit", "notes.dead"},
    "release": {"released.notes", "released.audit"},
    "sender": {"notes.raw"},
}
TOPICS = {
    "notes.raw", "notes.deid", "notes.audit", "notes.dead", "released.notes", "released.audit",
}  # fmt: skip
TAKES = {"worker": "stream-deid-notes.raw-0", "release": "stream-deid-release"}
GROUPS = {"worker": "stream-deid", "release": "stream-deid-release"}
WAIT_S, MORE_S = 20.0, 4.0


@pytest.fixture(scope="module")
def manifests(rendered):
    return rendered["examples/site"]


@pytest.fixture(scope="module", autouse=True)
def notes(kafka):
    """One record in every topic; in the outer ones by `stream-deid release`, with its rights."""
    writer = Producer({"bootstrap.servers": kafka.bootstrap, "log_level": 0, **kafka.admin})
    value, key = json.dumps({"note_id": "a", "spans": []}).encode(), b"0123456789abcdef"
    for topic in TOPICS - WRITES["release"]:
        kind = seal.AUDIT if topic == "notes.audit" else seal.NOTE
        sealed = seal.seal(seal.seal_key(key, ""), kind, None, value)
        writer.produce(topic, value, partition=0, headers={seal.HEADER: sealed})
    assert writer.flush(WAIT_S) == 0
    inner = Kafka(
        bootstrap=kafka.bootstrap,
        group="stream-deid",
        security=kafka.authority.security("stream-deid-release"),
    )
    settings = Settings(kafka=inner, release=Release(period_s=2.0, least=1))
    mover, ended = Mover(settings, key), threading.Event()
    mover.watch.moved = lambda *_: ended.set()
    mover.run(ended)


def options(kafka, user, **more):
    security = kafka.authority.security(f"stream-deid-{user}")
    return {"bootstrap.servers": kafka.bootstrap, "log_level": 0, **security, **more}


def reads(kafka, user):
    """The topics of which a user is given a record; others give none in the time that these take
    and some more.
    """
    own = {"group.id": f"stream-deid-{user}-1", "enable.auto.commit": False}
    consumer = Consumer(options(kafka, user, **own))
    consumer.assign([TopicPartition(topic, 0, 0) for topic in TOPICS])
    found, end = set(), time.monotonic() + WAIT_S
    while time.monotonic() < end:
        message = consumer.poll(0.5)
        if message is not None and message.error() is None:
            found.add(message.topic())
        if found == READS[user]:
            end = min(end, time.monotonic() + MORE_S)
    consumer.close()
    return found


def writes(kafka, user, topic):
    told = []
    writer = Producer(options(kafka, user, **{"message.timeout.ms": 8000}))
    writer.produce(topic, b"{}", partition=0, on_delivery=lambda error, _: told.append(error))
    writer.flush(WAIT_S)
    if told[0] is not None:
        assert told[0].code() == KafkaError.TOPIC_AUTHORIZATION_FAILED
    return told[0] is None


def takes(kafka, user, transactional_id):
    """Whether a user may fence whoever has this id."""
    writer = Producer(options(kafka, user, **{"transactional.id": transactional_id}))
    try:
        writer.init_transactions(WAIT_S)
    except KafkaException as error:
        refused = error.args[0].code()
        assert refused == KafkaError.TRANSACTIONAL_ID_AUTHORIZATION_FAILED
        return False
    return True


def sees(kafka, user, group):
    """Whether a user may look at a group: who may not can't move its offsets either."""
    admin = AdminClient(options(kafka, user))  # its futures end with it
    try:
        admin.describe_consumer_groups([group])[group].result(WAIT_S)
    except KafkaException as error:
        assert error.args[0].code() == KafkaError.GROUP_AUTHORIZATION_FAILED  # noqa: PT017
        return False
    return True


@pytest.mark.parametrize("user", READS)
def test_everybody_does_what_he_may_and_nothing_else(kafka, user):
    assert reads(kafka, user) == READS[user]
    assert {topic for topic in TOPICS if writes(kafka, user, topic)} == WRITES.get(user, set())
    taken = {one for one in TAKES.values() if takes(kafka, user, one)}
    assert taken == ({TAKES[user]} if user in TAKES else set())
    watched = {"stream-deid"} if user == "keda" else set()
    seen = {one for one in GROUPS.values() if sees(kafka, user, one)}
    assert seen == ({GROUPS[user]} if user in GROUPS else watched)
    named = set(AdminClient(options(kafka, user)).list_topics(timeout=WAIT_S).topics)
    also = {"notes.raw"} if user == "keda" else set()
    assert named & TOPICS == READS[user] | WRITES.get(user, set()) | also
