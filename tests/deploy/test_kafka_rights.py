"""The rights of the manifests are enough for the whole way of a note, tried on Apache Kafka."""

import json
import re
import sys
import time
import urllib.error
import urllib.request

import metrics
import pytest
import toolbox
from confluent_kafka import Consumer, ConsumerGroupTopicPartitions, KafkaError, Producer
from confluent_kafka.admin import AdminClient, ConfigResource

from stream_deid.config import Kafka
from stream_deid.errors import Unavailable
from stream_deid.rig.authority import Authority
from stream_deid.rig.broker import free_port
from stream_deid.rig.supervised import Supervised
from stream_deid.streaming.kafka.awaiting import Patience, await_worker_topics

NOTES = 300
PATIENCE_S = 120.0


@pytest.fixture(scope="module")
def manifests(rendered):
    return rendered["overlays/cpu"]


def client(kafka, user, **options):
    """Options of a client that comes as `user`."""
    security = kafka.authority.security(f"stream-deid-{user}")
    return {"bootstrap.servers": kafka.bootstrap, "log_level": 0, **security, **options}


def toml(table):
    return "{" + ", ".join(f'"{key}" = "{value}"' for key, value in table.items()) + "}"


@pytest.fixture
def worker(kafka, manifests, tmp_path):
    """The shell of a worker with the settings, the name and the rights of its pod."""
    settings = tmp_path / "stream-deid.toml"
    settings.write_text(toolbox.settings_file(manifests))
    port = free_port()
    env = {
        "STREAM_DEID_CONFIG": str(settings),
        "STREAM_DEID_KAFKA__BOOTSTRAP": kafka.bootstrap,
        "STREAM_DEID_KAFKA__SECURITY": toml(kafka.authority.security("stream-deid-worker")),
        "STREAM_DEID_HTTP__PORT": str(port),
        "STREAM_DEID_DEADLINE_S": "30",
        "HOSTNAME": "stream-deid-worker-0",
        "KUBERNETES_SERVICE_HOST": "10.0.0.1",
        "PYTHONPATH": str(toolbox.ROOT),
    }
    log = tmp_path / "worker.log"
    command = [sys.executable, "-m", "stream_deid.rig.hashing_worker"]
    running = Supervised(command, env=env, log=log).start()
    yield f"http://127.0.0.1:{port}", log
    running.stop()


def get(url):
    try:
        with urllib.request.urlopen(url, timeout=5) as page:  # noqa: S310 - loopback
            return page.status, page.read().decode()
    except urllib.error.HTTPError as refused:
        return refused.code, ""
    except OSError:
        return 0, ""


def await_ready(url, log):
    end = time.monotonic() + PATIENCE_S
    while get(f"{url}/readyz")[0] != 200:
        assert time.monotonic() < end, log.read_text()[-3000:]
        time.sleep(0.2)


def read(kafka, topic, count):
    """So many committed records of a topic, as the user who may read it."""
    options = {"group.id": "stream-deid-reader-1", "auto.offset.reset": "earliest",
               "isolation.level": "read_committed"}  # fmt: skip
    consumer = Consumer(client(kafka, "reader", **options))
    consumer.subscribe([topic])
    found, end = [], time.monotonic() + PATIENCE_S
    while len(found) < count and time.monotonic() < end:
        message = consumer.poll(0.5)
        if message is not None and message.error() is None:
            found.append(message.value())
    consumer.close()
    return found


def test_a_worker_with_the_rights_of_its_user_does_its_work(kafka, worker):
    url, log = worker
    await_ready(url, log)
    sender = Producer(client(kafka, "sender"))
    for number in range(NOTES):
        sender.produce("notes.raw", f"note {number}".encode(), str(number).encode())
    assert sender.flush(30) == 0
    clean = read(kafka, "notes.deid", NOTES)
    assert len(set(clean)) == NOTES, log.read_text()[-3000:]
    assert get(f"{url}/healthz")[0] == 200
    page = get(f"{url}/metrics")[1]
    assert set(metrics.series(page)) <= set(metrics.of_a_worker())
    released = re.findall(r'notes_total\{outcome="released",partition="\d"\} (\S+)', page)
    assert sum(map(float, released)) == NOTES
    joined = [json.loads(line) for line in log.read_text().splitlines() if "ready_to_join" in line]
    assert joined[0]["member"] == "stream-deid-worker-0"


def test_a_doctor_in_a_pod_of_the_worker_sees_how_its_topics_are_set(kafka):
    admin = AdminClient(client(kafka, "worker"))
    asked = [ConfigResource(ConfigResource.Type.TOPIC, name) for name in Kafka().topics]
    for answer in admin.describe_configs(asked).values():
        assert "cleanup.policy" in answer.result(10)


def test_keda_sees_the_lag_and_no_note(kafka, worker):
    url, log = worker
    await_ready(url, log)
    admin = AdminClient(client(kafka, "keda"))
    assert set(admin.list_topics(timeout=10).topics) == {"notes.raw"}
    asked = admin.list_consumer_group_offsets([ConsumerGroupTopicPartitions("stream-deid")])
    assert asked["stream-deid"].result(10).topic_partitions is not None
    nosy = Consumer(client(kafka, "keda", **{"group.id": "stream-deid"}))
    nosy.subscribe(["notes.raw"])
    refused = nosy.poll(20)
    nosy.close()
    assert refused.error().code() in (
        KafkaError.TOPIC_AUTHORIZATION_FAILED,
        KafkaError.GROUP_AUTHORIZATION_FAILED,
    )


def told_of(kafka, security):
    """What a worker with these certificates is told."""
    mine = Kafka(bootstrap=kafka.bootstrap, security=security)
    with pytest.raises(Unavailable) as refused:
        await_worker_topics(mine, mine.topics, Patience(4.0))
    return refused.value.detail


@pytest.mark.parametrize("wrong", ["expired", "of another authority", "none"])
def test_a_certificate_that_the_broker_does_not_take_is_told(kafka, tmp_path, wrong):
    ours = kafka.authority
    theirs = Authority(tmp_path / "theirs")
    security = (theirs if "another" in wrong else ours).security(
        "stream-deid-nobody", days=-1 if wrong == "expired" else 2
    )
    security["ssl.ca.location"] = str(ours.certificate)
    if wrong == "none":
        security = {k: v for k, v in security.items() if "certificate" not in k and "key" not in k}
    assert re.search(r"tls alert .*certificate", told_of(kafka, security))
