"""The listener on Apache Kafka: what was answered AA is there, and everything is there once."""

from __future__ import annotations

import random
import signal
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path

import harness
import hl7
from harness import PATIENCE_S, until
from mllp_parties import (
    PARTITIONS,
    Ehr,
    bodies,
    listener,
    make_topics,
    message,
    read_all,
    seen_topic,
)

from stream_deid.config import Kafka
from stream_deid.rig.broker import Broker, free_port
from stream_deid.rig.reconciliation import LedgerReader
from stream_deid.rig.supervised import Supervised


def status(port: int, path: str) -> int:
    connection = HTTPConnection("127.0.0.1", port, timeout=5)
    connection.request("GET", f"/{path}")
    found = connection.getresponse().status
    connection.close()
    return found


def test_a_message_is_produced_whole_under_its_patient_and_its_repetition_is_not(
    apache: Kafka, tmp_path: Path
) -> None:
    make_topics(apache)
    port, log = free_port(), tmp_path / "mllp.log"
    raw = message("C1", patient="4711", text="Jane Doe came in")
    with listener(apache, port, log) as running:
        ehr = Ehr(port)
        ehr.until_taken(raw)
        assert ehr.once(raw) == "AA"
        running.kill()  # as if between broker and ACK: the sender knows nothing of it
        ehr.close()
        ehr.until_taken(raw.replace(b"20260101120000", b"20260101120500"))
        ehr.until_taken(message("C1", patient="4711", text="another content"))
        assert ehr.once(message("", patient="4711")) == "AR"
    records = read_all(apache, apache.topic_in)
    assert bodies(records) == [raw, message("C1", patient="4711", text="another content")]
    assert {record.key() for record in records} == {b"4711@HOSP"}
    headers = [dict(record.headers() or ()) for record in records]
    assert all(h["format"] == b"hl7v2" and len(h["mllp-id"]) == 32 for h in headers)
    ids = read_all(apache, seen_topic(apache))
    assert len(ids) == 2
    told = log.read_text() + repr([(r.key(), r.value()) for r in ids])
    assert not any(word in told for word in ("Jane", "DOE", "4711", "LAB", "another content"))


def feed(
    ports: list[int], sender: str, count: int, failed: list[BaseException], taken: list[str]
) -> None:
    """What one EHR sends; ids overlap between senders, for they are the sender's own."""
    try:
        ehr = Ehr(*ports)
        for i in range(count):
            text = f"{sender}-{i}"
            ehr.until_taken(message(f"{i}", sender=sender, patient=f"{i % 7 + 1}", text=text))
            taken.append(text)
        ehr.close()
    except BaseException as error:  # noqa: BLE001 - told by the test
        failed.append(error)


@contextmanager
def feeding(*feeds: tuple[list[int], str], count: int) -> Iterator[list[str]]:
    """Feeds, each `(ports, sender)`; gives what is taken so far, and waits for the rest."""
    failed: list[BaseException] = []
    taken: list[str] = []
    threads = [
        threading.Thread(target=feed, args=(ports, sender, count, failed, taken))
        for ports, sender in feeds
    ]
    for thread in threads:
        thread.start()
    yield taken
    for thread in threads:
        thread.join()
    assert not failed, failed


def run_feeds(
    ports: list[int],
    disturb: list[Supervised],
    *,
    senders: int,
    count: int,
    seed: int,
    kills: int = 4,
) -> None:
    """Feed from several senders at once, and kill a listener each time that some more are taken."""
    dice = random.Random(seed)
    feeds = [(dice.sample(ports, len(ports)), f"S{i}") for i in range(senders)]
    goals = dice.sample(range(senders * count // 10, senders * count * 9 // 10), kills)
    with feeding(*feeds, count=count) as taken:
        for goal in sorted(goals):
            until(lambda goal=goal: len(taken) > goal, taken.__len__)
            victim = dice.choice(disturb)
            victim.kill()


def expected(senders: int, count: int) -> Counter[bytes]:
    return Counter(
        message(f"{i}", sender=f"S{s}", patient=f"{i % 7 + 1}", text=f"S{s}-{i}")
        for s in range(senders)
        for i in range(count)
    )


def test_every_message_is_there_once_though_the_listener_is_killed(
    apache: Kafka, tmp_path: Path
) -> None:
    make_topics(apache)
    port = free_port()
    with listener(apache, port, tmp_path / "mllp.log") as only:
        run_feeds([port], [only], senders=4, count=150, seed=1, kills=8)
    records = read_all(apache, apache.topic_in)
    assert Counter(bodies(records)) == expected(4, 150)
    places = Counter((record.key(), record.partition()) for record in records)
    assert len(places) == 7  # a patient's messages share a partition, whoever sent them


def test_a_worker_releases_each_of_them_once(apache: Kafka, tmp_path: Path) -> None:
    """The input has gaps now, for each transaction leaves a marker behind its records."""
    make_topics(apache)
    harness.make_topics(apache, PARTITIONS)
    port = free_port()
    reader = LedgerReader(apache, PARTITIONS)
    with (
        listener(apache, port, tmp_path / "mllp.log") as only,
        harness.worker(apache, tmp_path / "worker.log"),
    ):
        run_feeds([port], [only], senders=3, count=60, seed=5)
        reader.until(lambda seen: seen.done >= 180, PATIENCE_S)
        ledger = reader.settle()
    reader.close()
    assert ledger.problems(180) == {}


def test_a_patients_messages_keep_the_order_of_their_sender(apache: Kafka, tmp_path: Path) -> None:
    make_topics(apache)
    port = free_port()
    with listener(apache, port, tmp_path / "mllp.log") as only:
        run_feeds([port], [only], senders=2, count=60, seed=2)
    for sender in ("S0", "S1"):
        for patient in range(1, 8):
            numbers = [
                int(str(hl7.parse(raw.decode()).segment("MSH")[10]))
                for raw in bodies(read_all(apache, apache.topic_in))
                if raw.startswith(f"MSH|^~\\&|{sender}|".encode())
                and f"|{patient}^^^HOSP".encode() in raw
            ]
            assert numbers == sorted(numbers)
            assert numbers


def test_every_message_is_there_once_though_two_listeners_fight_for_a_sender(
    apache: Kafka, tmp_path: Path
) -> None:
    """Each trouble sends a sender to the other listener, which must know what the first took."""
    make_topics(apache)
    ports = [free_port(), free_port()]
    with (
        listener(apache, ports[0], tmp_path / "a.log") as one,
        listener(apache, ports[1], tmp_path / "b.log") as two,
    ):
        run_feeds(ports, [one, two], senders=3, count=80, seed=3, kills=6)
        # and both at once, each with every message of one sender
        with feeding(([ports[0]], "S9"), ([ports[1]], "S9"), count=25):
            pass
    wanted = expected(3, 80) + Counter(
        message(f"{i}", sender="S9", patient=f"{i % 7 + 1}", text=f"S9-{i}") for i in range(25)
    )
    assert Counter(bodies(read_all(apache, apache.topic_in))) == wanted


def test_a_listener_that_was_stopped_and_wakes_up_adds_nothing(
    apache: Kafka, tmp_path: Path
) -> None:
    make_topics(apache)
    ports = [free_port(), free_port()]
    raws = [message(f"{i}") for i in range(20)]
    with (
        listener(apache, ports[0], tmp_path / "a.log") as one,
        listener(apache, ports[1], tmp_path / "b.log"),
    ):
        first, second = Ehr(ports[0]), Ehr(ports[1])
        for raw in raws[:10]:
            first.until_taken(raw)
        one.send(signal.SIGSTOP)
        waiting = threading.Thread(target=first.once, args=(raws[10],))
        waiting.start()  # it lies in the socket of the stopped listener
        for raw in raws:
            second.until_taken(raw)
        one.send(signal.SIGCONT)
        waiting.join(30)
        assert first.codes[-1] == "AA"
        for raw in raws:
            first.until_taken(raw)
    assert Counter(bodies(read_all(apache, apache.topic_in))) == Counter(raws)


def test_more_senders_than_lanes_take_turns_and_are_known_again(
    apache: Kafka, tmp_path: Path
) -> None:
    make_topics(apache)
    port = free_port()
    raws = [message(f"{i}", sender=f"S{i}") for i in range(5)]
    with listener(apache, port, tmp_path / "mllp.log", STREAM_DEID_MLLP__MAX_SENDERS="2"):
        ehr = Ehr(port)
        for raw in raws * 2:
            ehr.until_taken(raw)
    assert Counter(bodies(read_all(apache, apache.topic_in))) == Counter(raws)


def test_told_to_end_it_answers_what_it_has_and_loses_nothing(
    apache: Kafka, tmp_path: Path
) -> None:
    make_topics(apache)
    port = free_port()
    with (
        listener(apache, port, tmp_path / "mllp.log") as only,
        feeding(*(([port], f"S{i}") for i in range(3)), count=60) as taken,
    ):
        for goal in (20, 70, 120):
            until(lambda goal=goal: len(taken) > goal, taken.__len__)
            until(lambda: only.running, lambda: only.statuses)
            only.send(signal.SIGTERM)
    assert set(only.statuses) == {0}
    assert len(only.statuses) == 4
    assert Counter(bodies(read_all(apache, apache.topic_in))) == expected(3, 60)


def test_while_kafka_is_away_nothing_is_answered_aa_and_then_all_is_taken_once(
    apache: Kafka, apache_broker: Broker, tmp_path: Path
) -> None:
    make_topics(apache)
    port = free_port()
    http = free_port()
    more = {"STREAM_DEID_MLLP__ACK_S": "2", "STREAM_DEID_HTTP__PORT": str(http)}
    with listener(apache, port, tmp_path / "mllp.log", **more):
        ehr = Ehr(port)
        ehr.until_taken(message("0"))
        assert [status(http, path) for path in ("healthz", "readyz")] == [200, 200]
        apache_broker.kill()
        away = Ehr(port)
        assert [away.once(message(f"{i}")) for i in (1, 2)] == ["AE", "AE"]
        until(lambda: status(http, "readyz") == 503, lambda: "still ready")
        assert status(http, "healthz") == 200
        apache_broker.start()
        until(lambda: status(http, "readyz") == 200, lambda: "not ready again")
        for i in range(1, 20):
            ehr.until_taken(message(f"{i}"))
    assert Counter(bodies(read_all(apache, apache.topic_in))) == Counter(
        message(f"{i}") for i in range(20)
    )


def test_a_broker_that_dies_under_the_feed_loses_and_doubles_nothing(
    apache: Kafka, apache_broker: Broker, tmp_path: Path
) -> None:
    make_topics(apache)
    port = free_port()
    with (
        listener(apache, port, tmp_path / "mllp.log", STREAM_DEID_MLLP__ACK_S="3"),
        feeding(*(([port], f"S{i}") for i in range(3)), count=120) as taken,
    ):
        until(lambda: len(taken) > 60, taken.__len__)
        apache_broker.kill()
        apache_broker.start()
    assert Counter(bodies(read_all(apache, apache.topic_in))) == expected(3, 120)
