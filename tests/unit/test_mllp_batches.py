"""Batches over MLLP: cut into messages, all or none of them, answered by a batch of answers."""

import asyncio
import os
import random

import hl7
import pytest

from stream_deid.config import Mllp
from stream_deid.errors import NoteRejected, Unavailable
from stream_deid.mllp import batch
from stream_deid.mllp.arrival import Registrar
from stream_deid.mllp.desk import Desk
from stream_deid.mllp.framing import Block
from stream_deid.mllp.house import Budget, House
from stream_deid.mllp.metrics import ListenerMetrics

HEAD = b"BHS|^~\\&|LAB|SITE|DEID|HUB|20260101||||B7\r"
FILE = b"FHS|^~\\&|LAB|SITE|DEID|HUB|20260101||||F3\r"


def one(number, *, patient="1", modes=""):
    """`modes`: MSH-15 and MSH-16 as `|AL|NE`."""
    head = f"MSH|^~\\&|LAB|SITE|DEID|HUB|20260101||ADT^A01|{number}|P|2.5.1|||{modes}\r"
    return f"{head}PID|1||{patient}^^^HOSP^MR\r".encode()


class Broker:
    """Takes what is given it, but for numbers of a set, and remembers what it was given."""

    senders = 1

    def __init__(self, away=()):
        self.got, self._away = [], set(away)

    async def take(self, arrival):
        self.got.append(arrival.raw)
        if any(b"|%s|" % number in arrival.raw for number in self._away):
            raise Unavailable("mllp.kafka", "away")
        return "new"


def replied(body, away=(), *, whole=True, window=10_000):
    """What is answered, and what was taken."""
    own, metrics, broker = Mllp(window=window), ListenerMetrics(), Broker(away)
    registrar = Registrar(b"a key of these tests")
    house = House(own, registrar, broker, metrics, Budget(own.max_bytes_in_hand, metrics))
    return asyncio.run(Desk(house).take(Block(body, whole))), broker.got


def told(body, away=(), **options):
    """The answer as python-hl7 reads it (or nothing), whether silence is wanted, what was taken."""
    reply, got = replied(body, away, **options)
    return (hl7.parse(reply.message.decode()) if reply.message else None), reply.unsaid, got


def codes(answer):
    return [str(s[1]) for s in answer.segments("MSA")]


def names(answer):
    return [str(s[0]) for s in answer]


def test_each_message_is_taken_alone_and_answered_in_a_batch():
    raws = [one("1"), one("2", patient="2")]
    answer, _, got = told(FILE + HEAD + raws[0] + raws[1] + b"BTS|2\rFTS|1\r")
    assert got == raws
    assert names(answer) == ["FHS", "BHS", "MSH", "MSA", "MSH", "MSA", "BTS", "FTS"]
    assert codes(answer) == ["AA", "AA"]
    assert [str(answer.segment(s)[12]) for s in ("FHS", "BHS")] == ["F3", "B7"]
    assert [str(answer.segment("BHS")[n]) for n in (3, 4, 5, 6)] == ["DEID", "HUB", "LAB", "SITE"]
    assert [str(answer.segment(s)[1]) for s in ("BTS", "FTS")] == ["2", "1"]


@pytest.mark.parametrize(
    ("body", "shape"),
    [
        (HEAD + one("1"), "BHS MSH MSA BTS"),
        (FILE + HEAD + one("1") + HEAD + one("2") + b"FTS\r",
         "FHS BHS MSH MSA BTS BHS MSH MSA BTS FTS"),
        (FILE + one("1") + b"FTS|0\r", "FHS MSH MSA FTS"),
        (b"\xef\xbb\xbf\r\n" + HEAD + one("1").replace(b"\r", b"\r\n") + b"BTS|1\r\n",
         "BHS MSH MSA BTS"),
        (HEAD + b"BTS|0\r", "BHS BTS"),
    ],
)  # fmt: skip
def test_what_a_batch_leaves_out_its_answer_does_not_need(body, shape):
    answer, unsaid, got = told(body)
    assert " ".join(names(answer)) == shape
    assert len(got) == shape.count("MSA")
    assert not unsaid


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (HEAD + b"some words\r" + one("1") + b"BTS|1\r", "hl7.batch"),
        (HEAD + one("1") + b"BTS|2\r", "hl7.batch"),
        (FILE + HEAD + one("1") + b"BTS|1\r", "hl7.batch"),  # FHS without FTS
        (HEAD + b"PID|1||4711\r", "hl7.batch"),
        (HEAD + one("1") + one("") + b"BTS|2\r", "mllp.control_id"),
        (HEAD + one("1") + one("2").replace(b"ADT^A01", b"") + b"BTS|2\r", "hl7.msh"),
    ],
)
def test_a_batch_in_which_something_is_wrong_is_refused_whole(body, code):
    answer, _, got = told(body)
    assert got == []
    assert set(codes(answer)) == {"AR"}
    errors = [str(s[5]).split("^")[0] for s in answer.segments("ERR")]
    assert code in errors
    assert set(errors) <= {code, "mllp.batch"}
    assert str(answer.segment("BTS" if "BTS" in names(answer) else "FTS")[1]).isdigit()


def test_one_that_is_too_long_or_of_too_many_is_refused():
    answer, _, got = told(HEAD + one("1"), whole=False)
    assert (codes(answer), got) == (["AR"], [])
    answer, _, got = told(HEAD + b"".join(one(f"{n}") for n in range(60)), window=100)
    assert (codes(answer), got) == (["AR"], [])


def test_behind_one_that_the_broker_did_not_take_nothing_is_sent():
    raws = [one(f"n{n}") for n in range(500)]
    answer, _, got = told(HEAD + b"".join(raws), away=[b"n250"])
    assert codes(answer) == ["AA"] * 250 + ["AE"] + ["AA"] * 149 + ["AE"] * 100
    assert got == raws[:400]


def test_answers_that_nobody_wants_are_left_out():
    quiet, loud = one("1", modes="NE|NE"), one("2", modes="AL|NE")
    answer, unsaid, _ = told(HEAD + quiet + loud)
    assert (codes(answer), str(answer.segment("BTS")[1]), unsaid) == (["CA"], "1", False)
    assert told(HEAD + quiet)[:2] == (None, False)
    assert told(HEAD + quiet, away=[b"1"])[:2] == (None, True)


def test_only_a_header_that_is_one_begins_a_batch():
    assert batch.begins(HEAD)
    assert not batch.begins(b"BHSX|a\r")
    assert not batch.begins(one("1"))
    with pytest.raises(NoteRejected, match=r"hl7\.batch"):
        batch.read(HEAD + b"x", most=5)


PIECES = (b"|", b"^", b"\r", b"\n", b"BHS|^~\\&|", b"FHS|^~\\&|", b"BTS|1\r", b"FTS\r", b"MSH|",
          b"\xff", b"\xc3\xa9", b"\x00", b"#", b"9" * 40, b"BTS", b"\xef\xbb\xbf")  # fmt: skip


@pytest.mark.parametrize("seed", range(int(os.environ.get("MLLP_FUZZ", "1000")) // 100))
def test_a_mutated_batch_is_taken_or_refused_whole(seed):
    dice = random.Random(seed)
    for _ in range(100):
        body = bytearray(FILE + HEAD + one("1") + one("2", patient="2") + b"BTS|2\rFTS|1\r")
        for _ in range(dice.randrange(1, 6)):
            at = dice.randrange(len(body) + 1)
            body[at : at + dice.randrange(3) * dice.randrange(20)] = dice.choice(PIECES)
        reply, got = replied(bytes(body))
        assert all(raw in body for raw in got)
        answers = [line for line in reply.message.split(b"\r") if line.startswith(b"MSA")]
        said = {line[5:6] for line in answers}  # behind A or C, as each MSH-15 asks
        assert said in ({b"A"}, {b"R"}, set())
        assert b"R" not in said or not got
        assert b"A" not in said or len(got) >= len(answers)
        assert said or got or reply.unsaid or b"BTS" in reply.message or b"FTS" in reply.message
