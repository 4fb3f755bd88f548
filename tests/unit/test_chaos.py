"""What `stream-deid chaos` says of a run: notes mixed up, out of order, or standing still."""

import hashlib
from itertools import islice

import orjson
import pytest

from stream_deid import config
from stream_deid.config import Kafka
from stream_deid.errors import NoteRejected, Unavailable
from stream_deid.formats import sniff
from stream_deid.rig.chaos.feeding import messages
from stream_deid.rig.chaos.ledger import HashBook
from stream_deid.rig.chaos.placing import Sent, placed
from stream_deid.rig.chaos.plan import BROKER_QUICK, CONT, KILL, STEADY, STOP, Bounds, ChaosPlan
from stream_deid.rig.chaos.report import Account
from stream_deid.rig.chaos.stalls import ChaosEvent, Stall, Wait, stalls, waits
from stream_deid.rig.hashing_worker import reject
from stream_deid.rig.reconciliation import environment

KAFKA = Kafka()
BOUNDS = Bounds(worker=10, broker=20, steady=5, bytes_a_second=1000)


def mac(raw: bytes) -> str:
    return hashlib.sha256(raw).hexdigest()


def sent(*raws: bytes) -> dict[str, Sent]:
    return {f"t/0/{n}": Sent(mac(raw), len(raw), good=True, at=0.0) for n, raw in enumerate(raws)}


def test_a_worker_of_a_trial_has_the_trials_key_whatever_the_shell_names(tmp_path):
    shell = {"STREAM_DEID_KEYS__FILE": str(tmp_path / "the reader's own")}
    worker = shell | environment(KAFKA, STREAM_DEID_KEYS__VALUE=(key := config.new_key()))
    assert config.read_key(config.load(None, worker).keys) == key.encode()


def released(
    book: HashBook, offset: int, raw: bytes, note: bytes, told: bytes | None = None
) -> None:
    audit = {"input_mac": mac(raw), "output_mac": mac(note if told is None else told)}
    book.saw(KAFKA.topic_out, 3, f"t/0/{offset}", note)
    book.saw(KAFKA.topic_audit, 3, f"t/0/{offset}", orjson.dumps(audit))


def rejected(book: HashBook, offset: int, raw: bytes) -> None:
    letter = {"input_mac": mac(raw), "code": "json.syntax"}
    book.saw(KAFKA.topic_dead, 0, f"t/0/{offset}", orjson.dumps(letter))


@pytest.fixture
def book() -> HashBook:
    return HashBook(KAFKA, mac)


def test_messages_stand_where_the_broker_holds_them():
    """Whatever reports of delivery said of offsets; equal messages in the order they were sent."""
    first, again, other = (
        Sent(of, 1, good=True, at=at) for of, at in (("a", 1), ("a", 2), ("b", 3))
    )
    found = [(2, 0, "b"), (2, 5, "a"), (2, 7, "a")]
    assert placed("t", [(2, first), (2, again), (2, other)], found) == {
        "t/2/0": other,
        "t/2/5": first,
        "t/2/7": again,
    }


@pytest.mark.parametrize(
    ("found", "what"),
    [([(2, 0, "a"), (2, 1, "a")], "nobody sent offset 1"), ([], "1 messages that were taken")],
    ids=["twice", "lost"],
)
def test_a_broker_that_holds_something_else_ends_the_trial(found, what):
    with pytest.raises(Unavailable, match=what):
        placed("t", [(2, Sent("a", 1, good=True, at=0.0))], found)


def test_a_run_as_it_should_be(book):
    released(book, 0, b"one", b"clean one")
    released(book, 1, b"two", b"clean two")
    assert book.problems(sent(b"one", b"two")) == {}


@pytest.mark.parametrize(
    ("raw", "note", "told"),
    [(b"two", b"clean one", None), (b"one", b"clean one", b"another")],
    ids=["audit of another message", "audit of another note"],
)
def test_a_wrong_pair_is_found(book, raw, note, told):
    released(book, 0, raw, note, told)
    assert book.problems(sent(b"one")) == {"wrong_pairs": 1}


def test_a_dead_letter_of_another_message_is_found(book):
    rejected(book, 0, b"two")
    assert book.problems(sent(b"one")) == {"wrong_pairs": 1, "good_notes_rejected": 1}


def test_disorder_what_was_never_sent_and_both_ends_are_found(book):
    released(book, 1, b"two", b"clean two")
    released(book, 0, b"one", b"clean one")
    rejected(book, 1, b"two")
    released(book, 2, b"three", b"clean three")
    assert book.problems(sent(b"one", b"two")) == {
        "wrong_order": 2,  # the note and its audit
        "released_and_rejected": 1,
        "good_notes_rejected": 1,
        "of_nothing_sent": 1,
    }


def test_a_note_waits_from_when_it_is_the_next_of_its_partition():
    found = list(
        waits(
            {(0, 0): (1.0, 5), (0, 1): (2.0, 5), (0, 2): (9.0, 5), (1, 0): (3.0, 5)},
            {(0, 0): 4.0, (0, 1): 6.0, (0, 2): 10.0},
            now=20.0,
        )
    )
    assert [(w.partition, w.since, w.done) for w in found] == [
        (0, 1.0, 4.0),
        (0, 4.0, 6.0),
        (0, 9.0, 10.0),
        (1, 3.0, 20.0),
    ]


def one_stall(since: float, done: float, *events: ChaosEvent, size: int = 0) -> Stall:
    return stalls([Wait(0, since, done, size)], events, BOUNDS)[-1]


@pytest.mark.parametrize(
    ("since", "done", "events", "kind", "seconds", "over"),
    [
        (10, 14, [], STEADY, 4, False),
        (10, 16, [], STEADY, 6, True),
        (10, 19, [ChaosEvent(KILL, 11, 11)], KILL, 8, False),
        (10, 22, [ChaosEvent(KILL, 11, 11)], KILL, 11, True),
        # a broker is waited for while it is away, and has its own bound afterwards
        (10, 60, [ChaosEvent(BROKER_QUICK, 11, 45)], BROKER_QUICK, 15, False),
        (10, 66, [ChaosEvent(BROKER_QUICK, 11, 45)], BROKER_QUICK, 21, True),
        # each event has its own time, however many there are
        (10, 29, [ChaosEvent(BROKER_QUICK, 9, 12), ChaosEvent(KILL, 18, 18)], KILL, 11, False),
        (10, 33, [ChaosEvent(BROKER_QUICK, 9, 12), ChaosEvent(KILL, 18, 18)], KILL, 15, True),
        # what is long over is no excuse
        (100, 106, [ChaosEvent(KILL, 11, 11)], STEADY, 6, True),
        # what comes too late neither, while it lasts or afterwards
        (10, 24, [ChaosEvent(STOP, 11, 11), ChaosEvent(CONT, 23, 23)], CONT, 1, True),
        (10, 22, [ChaosEvent(STOP, 11, 11), ChaosEvent(CONT, 20, 20)], CONT, 2, False),
        (10, 16, [ChaosEvent(STOP, 17, 17)], STEADY, 6, True),
    ],
)
def test_a_stall_is_put_down_to_the_last_event_and_judged_by_all(  # noqa: PLR0917 - one row
    since, done, events, kind, seconds, over
):
    found = one_stall(since, done, *events)
    assert (found.kind, found.seconds, found.over) == (kind, seconds, over)


def test_each_event_has_the_time_until_the_next_one():
    events = [ChaosEvent(STOP, 11, 11), ChaosEvent(CONT, 19, 19)]
    found = stalls([Wait(0, 10, 20, 0)], events, BOUNDS)
    assert [(one.kind, one.seconds) for one in found] == [(STOP, 8), (CONT, 1)]


def test_a_large_note_has_its_time():
    assert not one_stall(10, 16, size=2000).over
    assert one_stall(10, 18, size=2000).over


def test_the_feed_is_the_same_for_the_same_seed_and_holds_everything():
    plan = ChaosPlan(poison=0.1, giants=0.05, giant_bytes=50_000)
    first = list(islice(messages(plan), 400))
    assert first == list(islice(messages(plan), 400))
    assert 20 < sum(not one.good for one in first) < 70
    assert any(len(one.raw) > 50_000 for one in first)
    assert {sniff(one.raw) for one in first if one.good} == {"json", "hl7v2"}


def test_the_stub_rejects_what_is_no_message():
    reject(b'{"a": 1}')
    reject(b"MSH|^~\\&|")
    for raw in (b'{"a": ', b"", b"Dear"):
        with pytest.raises(NoteRejected):
            reject(raw)


def test_the_account_tells_the_worst_of_each_partition():
    found = [Stall(0, KILL, 3.0, over=False), Stall(0, KILL, 4.5, over=False)]
    found += [Stall(1, KILL, 2.0, over=False), Stall(1, STEADY, 0.25, over=True)]
    lines = Account(stalls=found, problems={"lost": 2}).lines()
    assert [" ".join(line.split()) for line in lines[-4:]] == [
        "longest time without a release, in seconds (by partition):",
        "after no event 0.2 (0.2) 1 too long",
        "after worker SIGKILL 4.5 (4.5 2.0)",
        "WRONG: lost 2",
    ]


def test_what_a_broker_acknowledged_and_forgot_was_no_input():
    first, other = Sent("a", 1, good=True, at=0.0), Sent("b", 1, good=True, at=1.0)
    sent = [(2, first), (2, other)]
    assert placed("t", sent, [(2, 0, "a")], whole=False) == {"t/2/0": first}
    with pytest.raises(Unavailable):
        placed("t", sent, [(2, 0, "c")], whole=False)
