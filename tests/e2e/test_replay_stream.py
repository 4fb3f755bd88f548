"""Replays on Apache Kafka: exactly once under kills, byte for byte, no further than they may."""

from __future__ import annotations

import hashlib
import io
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import hashing
import orjson
import pytest
from confluent_kafka import Consumer, Producer, TopicPartition
from confluent_kafka.admin import AdminClient, NewPartitions
from flowing import outputs
from harness import HASHING, PATIENCE_S, make_topics, notes, worker
from structlog.testing import capture_logs

from stream_deid import exits
from stream_deid.config import Kafka, Settings
from stream_deid.errors import Halt, Unavailable
from stream_deid.outcome import Released, Source
from stream_deid.rig.broker import Broker
from stream_deid.rig.reconciliation import LedgerReader, environment, publish
from stream_deid.rig.supervised import Supervised
from stream_deid.streaming.kafka.clients import base_options, create_topics
from stream_deid.streaming.replay import command
from stream_deid.streaming.replay.job import ReplayJob
from stream_deid.streaming.replay.order import Bound, ReplayOrder, ReplayProgress, named

PARTITIONS = 3
SCRIPT = Path(__file__).with_name("replaying.py")


class Telling(hashing.Obedient):
    """The hashing processor with what a replay reads in its audit."""

    def __init__(
        self, release: str = "hashing-1", crash: bytes = b"", key: bytes = b"hashing"
    ) -> None:
        super().__init__(0.0, None)
        self.release = release
        self.crash = crash
        self.key = key

    def mac(self, raw: bytes) -> str:
        return hashlib.blake2b(raw, key=self.key, digest_size=32).hexdigest()

    async def process(self, raw: bytes, source: Source):
        if self.crash and raw.startswith(self.crash):
            raise MemoryError
        outcome = await super().process(raw, source)
        body = orjson.loads(outcome.audit)
        body |= {"note_id": f"N{source.partition}-{source.offset}", "spans": []}
        return Released(outcome.note, outcome.key, orjson.dumps(body), outcome.stats)


def run(kafka: Kafka, job: ReplayJob, processor: Telling | None = None) -> tuple[int, str]:
    """One replay in this process: its status and what it says."""

    async def opened(_: Settings):
        return processor or Telling()

    said = io.StringIO()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("stream_deid.streaming.replay.command.logs.configure", lambda: None)
        status = command.main(Settings(kafka=kafka, deadline_s=5.0), job, opened, said)
    return status, said.getvalue()


def ledger(kafka: Kafka, partitions: int, count: int):
    reader = LedgerReader(kafka, partitions)
    try:
        reader.until(lambda seen: seen.done >= count, PATIENCE_S)
        return reader.settle(1.0)
    finally:
        reader.close()


def headers_of(kafka: Kafka, topic: str) -> list[Mapping[str, bytes]]:
    return [one.headers for one in outputs(kafka, topic)]


def done_by_a_replay(kafka: Kafka) -> None:
    """What the workers would have done: a first replay into the live topics does it."""
    group = Consumer({**base_options(kafka), "group.id": kafka.group})
    places = [TopicPartition(kafka.topic_in, p) for p in range(PARTITIONS)]
    ends = [group.get_watermark_offsets(place, 20)[1] for place in places]
    for place, end in zip(places, ends, strict=True):
        place.offset = end
    group.commit(offsets=places, asynchronous=False)
    group.close()
    run(kafka, ReplayJob(ReplayOrder(live=True), name="as-live"))


@pytest.fixture
def topics(apache: Kafka) -> Kafka:
    make_topics(apache, PARTITIONS)
    beside = named(apache, "x", live=False)
    create_topics(apache, dict.fromkeys(beside.topics, PARTITIONS))
    return apache


def test_a_replay_that_is_killed_again_and_again_gives_each_note_once_and_the_same_bytes(
    topics: Kafka, tmp_path: Path
) -> None:
    count = 900
    publish(topics, notes(count, 300), PARTITIONS)
    publish(topics, (b"dead %d" % n for n in range(30)), PARTITIONS)
    total = count + 30
    with worker(topics, tmp_path / "worker.log"):
        live = ledger(topics, PARTITIONS, total)
    env = environment(
        topics, PYTHONPATH=f"{HASHING.parents[2]}:{HASHING.parent}", HASHING_DELAY_S="0.2"
    )
    again = Supervised(
        [sys.executable, str(SCRIPT), "--id", "kills"], env=env, log=tmp_path / "replay.log"
    )
    beside = named(topics, "kills", live=False)
    reader = LedgerReader(beside, PARTITIONS)
    with again:
        for part in (100, 300, 500):
            reader.until(lambda seen, part=part: seen.done >= part, PATIENCE_S)
            again.send(signal.SIGKILL)
        reader.until(lambda seen: seen.done >= total, PATIENCE_S)
    found = reader.settle(2.0)
    reader.close()
    assert found.problems(total) == {}
    assert found.problems(len(live.notes) + len(live.dead)) == {}

    def by_source(seen, kafka):
        return {
            (kafka.topics.index(topic), source): v for (topic, source), v in seen.values.items()
        }

    assert by_source(found, beside) == by_source(live, topics)
    assert {h["replay"] for h in headers_of(topics, beside.topic_out)} == {b"kills"}
    assert not any("replay" in h for h in headers_of(topics, topics.topic_out))
    log = (tmp_path / "replay.log").read_text()
    begun = [orjson.loads(line) for line in log.splitlines() if '"event": "replay"' in line]
    assert [one["goes_on"] for one in begun][:4] == [False, True, True, True]


def test_it_ends_where_the_input_ended_when_it_began(topics: Kafka) -> None:
    """Notes and partitions that come while it runs are not its own."""
    publish(topics, notes(60), PARTITIONS)
    order = ReplayOrder()
    publish(topics, [b"boom"], PARTITIONS, only=1)
    with pytest.raises(Halt, match=r"replay\.crashed"):
        run(topics, ReplayJob(order, name="bounded"), Telling(crash=b"boom"))
    admin = AdminClient(base_options(topics))
    (grown,) = admin.create_partitions([NewPartitions(topics.topic_in, 4)]).values()
    grown.result(20)
    publish(topics, notes(40), 4)
    status, said = run(topics, ReplayJob(order, name="bounded"))
    found = ledger(named(topics, "bounded", live=False), PARTITIONS, 61)
    assert status == exits.OK, said
    assert found.problems(61) == {}
    again = run(topics, ReplayJob(order, name="bounded"))
    assert again == (exits.OK, "replay bounded: all of it was done before\n")


def test_a_note_that_ends_the_process_three_times_is_a_dead_letter(topics: Kafka) -> None:
    publish(topics, [b"note 1", b"boom", b"note 2"], 1)
    for _ in range(3):
        with pytest.raises(Halt, match=r"MemoryError at offset 1 of partition 0"):
            run(topics, ReplayJob(name="crash"), Telling(crash=b"boom"))
    status, said = run(topics, ReplayJob(name="crash"), Telling(crash=b"boom"))
    assert status == exits.REJECTS
    assert "1 note.crashes" in said
    assert ledger(named(topics, "crash", live=False), PARTITIONS, 3).problems(3) == {}


def test_a_name_stands_for_one_order_under_one_release_and_key(topics: Kafka) -> None:
    publish(topics, notes(6), PARTITIONS)
    run(topics, ReplayJob(name="one"))
    with pytest.raises(Halt, match=r"replay\.other.*another key"):
        run(topics, ReplayJob(name="one"), Telling(key=b"another"))
    with pytest.raises(Halt, match=r"replay\.other"):
        run(topics, ReplayJob(ReplayOrder(last=Bound(offset=1)), name="one"))
    with pytest.raises(Halt, match=r"replay\.other"):
        run(topics, ReplayJob(name="one"), Telling("hashing-2"))


def test_a_replay_of_which_the_broker_forgot_a_part_is_not_begun_again(topics: Kafka) -> None:
    """Here it knows one partition of the three."""
    publish(topics, notes(9), PARTITIONS)
    mine = named(topics, "old", live=False)
    metadata = ReplayProgress(3, command.identity(ReplayOrder(), Telling()), PARTITIONS).dump(0)
    group = Consumer({**base_options(topics), "group.id": mine.group})
    place = TopicPartition(topics.topic_in, 1, 2, metadata)
    group.commit(offsets=[place], asynchronous=False)
    group.close()
    with pytest.raises(Halt, match=r"replay\.expired"):
        run(topics, ReplayJob(name="old"))


def test_who_runs_it_a_second_time_fences_the_first(topics: Kafka) -> None:
    publish(topics, notes(300), PARTITIONS)
    env = environment(topics, PYTHONPATH=f"{HASHING.parents[2]}:{HASHING.parent}",
                      HASHING_DELAY_S="0.5")  # fmt: skip
    command_line = [sys.executable, str(SCRIPT), "--id", "two", "--rate", "30"]
    first = subprocess.Popen(command_line, env=env, stderr=subprocess.PIPE)
    beside = named(topics, "two", live=False)
    ledger(beside, PARTITIONS, 20)
    status, _ = run(topics, ReplayJob(ReplayOrder(), name="two"))
    assert status == exits.OK
    _, told = first.communicate(timeout=PATIENCE_S)
    assert first.returncode == exits.MISCONFIGURED
    assert b"replay.fenced" in told
    assert ledger(beside, PARTITIONS, 300).problems(300) == {}


@pytest.mark.parametrize("share", [(0, 2), (1, 2)])
def test_shares_take_their_partitions(topics: Kafka, share: tuple[int, int]) -> None:
    publish(topics, notes(9), PARTITIONS)
    run(topics, ReplayJob(ReplayOrder(share=share), name="shared"))
    seen = ledger(named(topics, "shared", live=False), PARTITIONS, 1)
    partitions = {int(source.split("/")[1]) for source in seen.notes}
    assert partitions == ({0, 2} if share[0] == 0 else {1})


def test_ranges_by_offset_and_by_time(topics: Kafka) -> None:
    producer = Producer(base_options(topics))
    begin = int(time.time() * 1000) - 100_000
    for n in range(30):
        producer.produce(topics.topic_in, b"note %d" % n, partition=0, timestamp=begin + 1000 * n)
    assert producer.flush(20) == 0

    def offsets(order: ReplayOrder, name: str) -> list[int]:
        run(topics, ReplayJob(order, name=name))
        return sorted(
            int(h["source"].split(b"/")[2])
            for h in headers_of(topics, topics.topic_out + ".replay")
            if h["replay"] == name.encode()
        )

    by_time = ReplayOrder(Bound(time_ms=begin + 5000), Bound(time_ms=begin + 8000))
    assert offsets(by_time, "time") == [5, 6, 7]
    assert offsets(ReplayOrder(Bound(offsets={0: 20}), Bound(offset=23)), "places") == [20, 21, 22]
    assert offsets(ReplayOrder(Bound(offsets={1: 0})), "elsewhere") == []


def test_by_pseudonym_through_the_audit(topics: Kafka) -> None:
    publish(topics, (b"note %d" % (n % 7) for n in range(70)), PARTITIONS)
    done_by_a_replay(topics)
    patient = Telling().mac(b"note 3")[:8]
    _, said = run(topics, ReplayJob(ReplayOrder(patients=(patient,)), name="patient"))
    assert said.startswith("replay patient: 10 released")
    _, said = run(topics, ReplayJob(ReplayOrder(notes=("N0-4", "N2-1")), name="notes"))
    assert said.startswith("replay notes: 2 released")


def test_a_pseudonym_that_nobody_has_is_told_and_no_done_replay_repeats_it(topics: Kafka) -> None:
    publish(topics, (b"note %d" % n for n in range(9)), PARTITIONS)
    done_by_a_replay(topics)
    job = ReplayJob(ReplayOrder(notes=("N0-1", "mistyped")), name="one")
    status, said = run(topics, job)
    assert status == exits.REJECTS
    assert said.startswith("replay one: 1 released")
    assert "no audit record has mistyped" in said
    assert run(topics, job) == (exits.OK, "replay one: all of it was done before\n")
    status, said = run(topics, replace(job, name="", verify=True))
    assert "1 of 1 notes" in said
    assert status == exits.REJECTS
    assert "no audit record has mistyped" in run(topics, replace(job, name="", dry=True))[1]


def test_dead_letters_again_once_and_what_is_gone_is_told(topics: Kafka) -> None:
    publish(topics, [b"slow 1", b"dead 2", b"slow 3", b"note 4", b"slow 5"], 1)
    done_by_a_replay(topics)
    admin = AdminClient(base_options(topics))
    (cut,) = admin.delete_records([TopicPartition(topics.topic_in, 0, 1)]).values()
    cut.result(20)

    class Healed(Telling):
        async def process(self, raw: bytes, source: Source):
            return await super().process(raw.replace(b"slow", b"note"), source)

        def mac(self, raw: bytes) -> str:
            return super().mac(raw.replace(b"note", b"slow"))

    late = ReplayOrder(dead=("note.too_slow",), live=True)
    status, said = run(topics, ReplayJob(late, name="late"), Healed())
    assert status == exits.REJECTS
    assert said.startswith("replay late: 2 released")
    assert "1 records are not in the input any more" in said
    status, said = run(topics, ReplayJob(late, name="late-again"), Healed())
    assert said.startswith("replay late-again: 0 released")  # they are there by now
    found = ledger(topics, PARTITIONS, 4)
    assert Counter(found.notes.values()) == {1: 3}


def test_an_original_that_is_another_message_is_left_alone(topics: Kafka) -> None:
    publish(topics, [b"dead 1"], 1)
    done_by_a_replay(topics)

    class OtherKey(Telling):
        def mac(self, raw: bytes) -> str:
            return super().mac(b"other " + raw)

    status, said = run(topics, ReplayJob(ReplayOrder(dead=()), name="another"), OtherKey())
    assert status == exits.REJECTS
    assert "1 replay.another, left alone" in said
    unchecked = ReplayOrder(dead=(), check_macs=False)
    _, said = run(topics, ReplayJob(unchecked, name="unchecked"), OtherKey())
    assert "1 hashing.dead, in" in said


def test_a_replay_into_the_live_topics_takes_no_note_that_a_worker_still_has_before_it(
    topics: Kafka,
) -> None:
    publish(topics, notes(9), PARTITIONS)
    group = Consumer({**base_options(topics), "group.id": topics.group})
    group.commit(offsets=[TopicPartition(topics.topic_in, 0, 2)], asynchronous=False)
    group.close()
    _, said = run(topics, ReplayJob(ReplayOrder(live=True), name="ahead"))
    assert said.startswith("replay ahead: 2 released")


def test_dry_run_says_what_would_be_done_and_does_nothing(topics: Kafka) -> None:
    publish(topics, notes(9), PARTITIONS)
    status, said = run(topics, ReplayJob(name="dry", dry=True))
    assert status == exits.OK
    assert "9 records at most" in said
    assert run(topics, ReplayJob(name="dry"))[1].startswith("replay dry: 9 released")


@pytest.mark.parametrize("dry", [True, False])
def test_topics_that_are_not_there_are_told_at_once_by_the_dry_run_too(
    apache: Kafka, *, dry: bool
) -> None:
    make_topics(apache, PARTITIONS)
    publish(apache, notes(3), PARTITIONS)
    audit = named(apache, "x", live=False).topic_audit
    create_topics(apache, {audit: PARTITIONS})
    begin = time.monotonic()
    with pytest.raises(Unavailable) as ended:
        run(apache, ReplayJob(name="early", dry=dry))
    assert ended.value.code == "kafka.topic_missing"
    assert apache.topic_out + ".replay" in ended.value.detail
    assert audit not in ended.value.detail
    assert time.monotonic() - begin < 30  # of kafka.transaction_timeout_s = 60


def test_dry_run_tells_the_topics_that_would_be_written(topics: Kafka) -> None:
    _, said = run(topics, ReplayJob(name="dry", dry=True))
    for topic in named(topics, "x", live=False).topics[1:]:
        assert f"{topic}: is there, {PARTITIONS} partitions" in said
    _, said = run(topics, ReplayJob(verify=True, dry=True))
    assert ".replay" not in said


@pytest.mark.parametrize("dry", [True, False])
def test_a_range_without_a_note_is_told_with_where_the_notes_are(
    topics: Kafka, *, dry: bool
) -> None:
    producer = Producer(base_options(topics))
    for n in range(30):
        producer.produce(
            topics.topic_in, b"note", partition=0, timestamp=1_772_323_200_000 + n * 1000
        )
    assert producer.flush(20) == 0
    later = ReplayOrder(Bound(time_ms=1_800_000_000_000))
    status, said = run(topics, ReplayJob(later, name="empty", dry=dry))
    assert status == exits.OK
    assert "nothing lies in the range\n" in said
    assert (
        f"{topics.topic_in}/0 holds offsets 0 to 29, "
        "recorded 2026-03-01T00:00:00Z to 2026-03-01T00:00:29Z\n"
    ) in said
    assert f"{topics.topic_in}/1 is empty; its next offset is 0\n" in said
    status, said = run(topics, ReplayJob(ReplayOrder(dead=()), name="none-dead", dry=dry))
    assert status == exits.OK
    assert "none of the notes asked for lies in the range\n" in said


def test_a_share_of_partitions_that_are_not_there_says_so(topics: Kafka) -> None:
    _, said = run(topics, ReplayJob(ReplayOrder(share=(7, 9)), name="share"))
    assert f"no partition of {topics.topic_in} belongs to it" in said


def test_a_comparison_of_nothing_says_why(topics: Kafka) -> None:
    """Nobody has done the notes: the range ends where the workers are."""
    publish(topics, notes(3), PARTITIONS)
    status, said = run(topics, ReplayJob(verify=True))
    assert status == exits.REJECTS
    assert "nothing lies in the range\n" in said
    assert f"the workers of {topics.group} have not done yet" in said


def test_verify_proves_the_same_release_and_writes_nothing(topics: Kafka) -> None:
    publish(topics, [*notes(60), b"dead 1", b"dead 2"], PARTITIONS)
    done_by_a_replay(topics)
    before = ledger(topics, PARTITIONS, 62)
    status, said = run(topics, ReplayJob(verify=True))
    assert (status, said) == (0, "62 of 62 notes came out byte for byte as they were released\n")
    status, said = run(topics, ReplayJob(verify=True), Telling("hashing-2"))
    assert status == exits.REJECTS
    assert "62 were released under hashing-1, this is hashing-2" in said
    assert ledger(topics, PARTITIONS, 62).notes == before.notes


def test_verify_sees_one_byte_and_a_note_without_output(topics: Kafka) -> None:
    publish(topics, notes(12), PARTITIONS)
    done_by_a_replay(topics)
    forged = Producer(base_options(topics))
    forged.produce(topics.topic_out, b"other", partition=0,
                   headers={"source": f"{topics.topic_in}/1/2"})  # fmt: skip
    assert forged.flush(20) == 0
    with capture_logs() as logged:
        status, said = run(topics, ReplayJob(verify=True))
    (told,) = (event for event in logged if event["event"] == "differs")
    assert (told["partition"], told["offset"]) == (1, 2)
    assert told["output"].startswith(f"{topics.topic_out}/0/")
    assert status == exits.REJECTS
    assert said == (
        "11 of 12 notes came out byte for byte as they were released\n1 came out otherwise\n"
        "1 outputs (note) are there again without a replay\n"
        "1 have more than one clean note; the last of each was compared\n"
    )


def test_the_rate_is_kept(topics: Kafka) -> None:
    publish(topics, notes(60), PARTITIONS)
    begin = time.monotonic()
    run(topics, ReplayJob(name="slowly", rate=20.0))
    assert time.monotonic() - begin > (60 - 20) / 20


def test_it_goes_on_with_the_dead_letters_that_there_were(topics: Kafka) -> None:
    publish(topics, [b"dead 1", b"note 2", b"dead 3", b"dead 4"], 1)
    done_by_a_replay(topics)
    order = ReplayOrder(dead=("hashing.dead",))
    with pytest.raises(Halt, match=r"MemoryError at offset 2"):
        run(topics, ReplayJob(order, name="some"), Telling(crash=b"dead 3"))
    publish(topics, [b"dead 5"], 1)
    done_by_a_replay(topics)
    status, said = run(topics, ReplayJob(order, name="some"))
    assert status == exits.REJECTS
    found = ledger(named(topics, "some", live=False), PARTITIONS, 3)
    assert sorted(int(source.split("/")[2]) for source in found.dead) == [0, 2, 3], said
    assert set(found.dead.values()) == {1}


def test_a_patients_notes_come_in_the_order_of_their_times_whatever_partition_they_lie_in(
    topics: Kafka,
) -> None:
    """The input got more partitions, and the patient's key fell to another one."""
    producer = Producer(base_options(topics))
    begin = int(time.time() * 1000) - 100_000
    for n in range(120):
        producer.produce(
            topics.topic_in, b"the same note", partition=(n * 7) % PARTITIONS,
            timestamp=begin + 100 * n,
        )  # fmt: skip
    assert producer.flush(20) == 0
    run(topics, ReplayJob(name="ordered"))
    places: dict[int, int] = dict.fromkeys(range(PARTITIONS), 0)
    expected = []
    for n in range(120):
        partition = (n * 7) % PARTITIONS
        expected.append(f"{topics.topic_in}/{partition}/{places[partition]}".encode())
        places[partition] += 1
    assert [h["source"] for h in headers_of(topics, topics.topic_out + ".replay")] == expected


def test_offsets_without_a_record_are_stepped_over_and_told_where_they_were_named(
    topics: Kafka,
) -> None:
    """Senders with transactions leave markers and aborted records in the input."""
    sender = Producer({**base_options(topics), "transactional.id": "sender"})
    sender.init_transactions(20)
    for n, kept in enumerate([True, False, True, True, False]):
        sender.begin_transaction()
        sender.produce(topics.topic_in, b"note %d" % n, partition=0)
        assert sender.flush(20) == 0
        (sender.commit_transaction if kept else sender.abort_transaction)(20)
    _, said = run(topics, ReplayJob(name="holes"))
    assert said.startswith("replay holes: 3 released")
    letter = {"source": {"topic": topics.topic_in, "partition": 0, "offset": 9}, "code": "a.b"}
    forged = Producer(base_options(topics))
    for offset in (0, 1, 9):  # a note, its marker, the last marker
        letter["source"]["offset"] = offset
        forged.produce(topics.topic_dead, orjson.dumps(letter))
    assert forged.flush(20) == 0
    status, said = run(topics, ReplayJob(ReplayOrder(dead=()), name="named"))
    assert status == exits.REJECTS
    assert said.startswith("replay named: 1 released")
    assert "2 coordinates that were named hold no record" in said


def test_told_to_stop_it_ends_and_goes_on_later(topics: Kafka) -> None:
    publish(topics, notes(200), PARTITIONS)
    env = environment(topics, PYTHONPATH=f"{HASHING.parents[2]}:{HASHING.parent}")
    first = subprocess.Popen(
        [sys.executable, str(SCRIPT), "--id", "stop", "--rate", "30"],
        env=env,
        stderr=subprocess.PIPE,
    )
    beside = named(topics, "stop", live=False)
    ledger(beside, PARTITIONS, 20)
    first.send_signal(signal.SIGTERM)
    _, told = first.communicate(timeout=PATIENCE_S)
    assert first.returncode == exits.UNAVAILABLE
    assert b"--id stop goes on with it" in told
    assert run(topics, ReplayJob(name="stop"))[0] == exits.OK
    assert ledger(beside, PARTITIONS, 200).problems(200) == {}


def test_it_outlives_the_broker(topics: Kafka, apache_broker: Broker, tmp_path: Path) -> None:
    publish(topics, notes(900), PARTITIONS)
    env = environment(
        topics, PYTHONPATH=f"{HASHING.parents[2]}:{HASHING.parent}", HASHING_DELAY_S="0.2"
    )
    again = Supervised(
        [sys.executable, str(SCRIPT), "--id", "broker"], env=env, log=tmp_path / "replay.log"
    )
    beside = named(topics, "broker", live=False)
    reader = LedgerReader(beside, PARTITIONS)
    with again:
        reader.until(lambda seen: seen.done >= 200, PATIENCE_S)
        apache_broker.kill()
        apache_broker.start()
        reader.until(lambda seen: seen.done >= 900, PATIENCE_S)
    assert reader.settle(2.0).problems(900) == {}
    reader.close()
