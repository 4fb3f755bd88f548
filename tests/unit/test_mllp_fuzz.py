"""Mutated messages through everything that a block meets before Kafka: taken, or answered by code.

`MLLP_FUZZ=100000` tries more of them.
"""

import os
import random
import re
from pathlib import Path

import hl7
import pytest

from stream_deid.errors import NoteRejected
from stream_deid.mllp import answer, header
from stream_deid.mllp.arrival import Registrar
from stream_deid.mllp.framing import Blocks, wrap
from stream_deid.mllp.receiver import acknowledgment

SAMPLES = [
    path.read_bytes().replace(b"\r\n", b"\r").replace(b"\n", b"\r")
    for path in sorted((Path(__file__).parents[1] / "data/hl7").rglob("*"))
    if path.is_file() and path.read_bytes()[:3] == b"MSH"
]
COUNT = int(os.environ.get("MLLP_FUZZ", "3000"))
PIECES = (
    *(b"|", b"^", b"~", b"\\", b"&", b"\r", b"\n", b"\x00", b"\xff", b"\x0b", b"\x1c\r", b"MSH|"),
    *(b"||||||||", b"\xc3\xa9", b"\xef\xbb\xbf", b"AL", b"NE", b"\xe2\x80", b"9" * 300),
)
WORDS = frozenset(
    b"segment sequence error required field missing application internal control header encoding "
    b"charset table value found".split()
)
REGISTRAR = Registrar(b"a key of these tests")


def mutated(dice):
    raw = bytearray(dice.choice(SAMPLES))
    for _ in range(dice.randrange(1, 8)):
        end = min(len(raw), dice.choice((20, 120, len(raw))))
        at = dice.randrange(end + 1)
        kind = dice.randrange(4)
        if kind == 0:
            raw[at:at] = dice.choice(PIECES)
        elif kind == 1:
            del raw[at : at + dice.randrange(1, 12)]
        elif kind == 2:
            raw[at : at + 1] = dice.randbytes(1)
        else:
            del raw[at:]
    return bytes(raw)


def met(body):
    """What a sender is told of this block."""
    head, wrong = header.NO_HEADER, None
    try:
        head = header.read(body)
        REGISTRAR.arrival(head, body)
    except NoteRejected as error:
        wrong = answer.problem(error.code)
    return head, answer.answer(head, wrong)


@pytest.mark.skipif(not SAMPLES, reason="no samples")
def test_whatever_comes_is_taken_or_rejected_and_answered_well():
    dice = random.Random(7)
    blocks, limit = Blocks(20_000), 20_000
    taken = blocks_met = 0
    for _ in range(COUNT):
        stream = wrap(mutated(dice))
        at = dice.randrange(len(stream))
        for block in (*blocks.feed(stream[:at]), *blocks.feed(stream[at:])):
            blocks_met += 1
            head, (code, out) = met(block.body)
            taken += code[1] == "A"
            assert code[1] in "AR", "what is wrong with a message never gets better"
            if not out:
                continue
            assert acknowledgment(out) == (code, head.at(10).strip())
            lines = out.split(b"\r")
            assert len(lines) in (3, 4)
            assert b"\x0b" not in out
            assert b"\x1c" not in out
            own = {value for value in head.fields if value}
            body = b"".join(block.body.split(b"\r")[1:])
            for word in set(re.findall(rb"[A-Za-z]{6,}", b" ".join(lines))):
                known = any(word in value for value in own) or word.lower() in WORDS
                assert known or word not in body, "an answer holds a word of the body"
        assert blocks.size <= limit + 2
    assert taken > COUNT / 20
    assert blocks_met - taken > COUNT / 20


def test_an_answer_is_read_by_another_implementation():
    for raw in SAMPLES:
        _, (code, out) = met(raw)
        assert str(hl7.parse(out.decode("latin-1")).segment("MSA")[1]) == code
