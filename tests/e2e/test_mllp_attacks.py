"""MLLP's framing attacked on Apache Kafka: whatever comes is answered AA, AE or AR, or its
connection ends with a reason in the log, and what was answered AA is there once.
"""

from __future__ import annotations

import json
import random
import socket
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import hl7
import pytest
from mllp_parties import bodies, listener, make_topics, message, read_all

from stream_deid.config import Kafka
from stream_deid.mllp.framing import wrap
from stream_deid.rig.broker import free_port

HIDDEN = "Quillfeather"  # stands in every message, and in no log


class Wire:
    """A sender by hand: bytes out, blocks in."""

    def __init__(self, port: int) -> None:
        deadline = time.monotonic() + 60
        while True:
            try:
                self.socket = socket.create_connection(("127.0.0.1", port), 30)
                break
            except OSError:
                assert time.monotonic() < deadline
                time.sleep(0.1)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._held = b""

    def send(self, *pieces: bytes, pause: float = 0.0) -> None:
        for piece in pieces:
            self.socket.sendall(piece)
            if pause:
                time.sleep(pause)

    def answer(self) -> hl7.Message | None:
        """The next answer; None where the listener has closed."""
        while b"\x1c\r" not in self._held:
            try:
                more = self.socket.recv(65_536)
            except ConnectionError:
                more = b""
            if not more:
                return None
            self._held += more
        block, _, self._held = self._held.partition(b"\x1c\r")
        return hl7.parse(block.lstrip(b"\x0b").decode())

    def code(self) -> str:
        found = self.answer()
        return str(found.segment("MSA")[1]) if found is not None else ""

    def close(self) -> None:
        self.socket.close()


def msg(number: str, **more: str) -> bytes:
    return message(number, text=f"{HIDDEN} {number}", **more)


@contextmanager
def attacked(kafka: Kafka, tmp_path: Path, **more: str) -> Iterator[int]:
    """A listener on a port; nothing of a message is in its log afterwards."""
    make_topics(kafka)
    port, log = free_port(), tmp_path / "mllp.log"
    with listener(kafka, port, log, **more):
        yield port
    assert HIDDEN not in log.read_text()


def logged(tmp_path: Path, event: str) -> list[dict[str, object]]:
    lines = (tmp_path / "mllp.log").read_text().splitlines()
    told = [json.loads(line) for line in lines if line.startswith("{")]
    return [line for line in told if line.get("event") == event]


def test_a_frame_cut_at_every_byte_is_one_message(apache: Kafka, tmp_path: Path) -> None:
    raws = []
    with attacked(apache, tmp_path) as port:
        wire = Wire(port)
        length = len(wrap(msg("0000")))
        for at in range(length + 1):
            raw = msg(f"{at:04}")
            raws.append(raw)
            frame = wrap(raw)
            wire.send(frame[:at], frame[at:], pause=0.001)
            assert wire.code() == "AA", at
        frame = wrap(msg("all"))
        raws.append(msg("all"))
        wire.send(*(frame[i : i + 1] for i in range(len(frame))), pause=0.001)
        assert wire.code() == "AA"
        wire.close()
    assert Counter(bodies(read_all(apache, apache.topic_in))) == Counter(raws)


def test_frames_in_one_segment_are_answered_in_their_order(apache: Kafka, tmp_path: Path) -> None:
    raws = [msg(f"{n}", patient=f"{n % 5}") for n in range(40)]
    with attacked(apache, tmp_path) as port:
        wire = Wire(port)
        wire.send(b"".join(map(wrap, raws)))
        answers = [wire.answer() for _ in raws]
        numbers = [str(a.segment("MSA")[2]) for a in answers if a is not None]
        assert numbers == [f"{n}" for n in range(40)]
        wire.close()
    assert Counter(bodies(read_all(apache, apache.topic_in))) == Counter(raws)


FRAMES = {
    "noise between": (b"noise" + wrap(msg("noise")) + b"\n\r\nmore", ["AA"], ["noise"]),
    "a block begun again": (b"\x0b" + msg("lost")[:60] + wrap(msg("again")), ["AA"], ["again"]),
    "FS inside": (wrap(msg("fs").replace(b"fs\r", b"f\x1cs\r")), ["AA"], ["fs"]),
    "LF line ends": (wrap(msg("lf").replace(b"\r", b"\n")), ["AA"], ["lf"]),
    "CRLF line ends": (wrap(msg("crlf").replace(b"\r", b"\r\n")), ["AA"], ["crlf"]),
    "byte order mark": (wrap(b"\xef\xbb\xbf" + msg("bom")), ["AA"], ["bom"]),
    "blank lines before": (wrap(b"\r\n\r" + msg("blank")), ["AA"], ["blank"]),
    "nothing": (wrap(b""), ["AR"], []),
    "no control id": (wrap(msg("")), ["AR"], []),
    "not HL7": (wrap(b"{'name': 'Quillfeather'}"), ["AR"], []),
    "two without a batch": (wrap(msg("t1") + msg("t2")), ["AR"], []),
    "one good, one bad": (wrap(msg("g")) + wrap(b"x") + wrap(msg("h")), ["AA", "AR", "AA"],
                          ["g", "h"]),
}  # fmt: skip
TABLE_0211 = {
    "ASCII": "AA", "8859/1": "AA", "8859/15": "AA", "UNICODE UTF-8": "AA", "ISO IR6": "AA",
    "": "AA", "ISO IR87": "AR", "GB 18030-2000": "AR", "BIG-5": "AR", "UNICODE UTF-16": "AR",
    "UNICODE": "AR", "nonsense": "AR",
}  # fmt: skip
MODES = {("", ""): "AA", ("AL", "NE"): "CA", ("AL", "AL"): "CA", ("NE", "AL"): "AA",
         ("SU", "NE"): "CA", ("ER", "AL"): "AA"}  # fmt: skip


def declaring(raw: bytes, **fields: str) -> bytes:
    """The message with fields of MSH from 13 on set: `f18="8859/1"`."""
    first, _, rest = raw.partition(b"\r")
    parts = first.split(b"|") + [b""] * 7
    for name, value in fields.items():
        parts[int(name[1:]) - 1] = value.encode()
    return b"|".join(parts).rstrip(b"|") + b"\r" + rest


def test_each_frame_is_answered_as_the_page_says(apache: Kafka, tmp_path: Path) -> None:
    taken: list[str] = []
    with attacked(apache, tmp_path) as port:
        for name, (stream, codes, numbers) in FRAMES.items():
            wire = Wire(port)
            wire.send(stream)
            assert [wire.code() for _ in codes] == codes, name
            wire.close()
            taken += numbers
        wire = Wire(port)
        for name, code in TABLE_0211.items():
            wire.send(wrap(declaring(msg(f"cs {name}"), f18=name)))
            assert wire.code() == code, name
            taken += [f"cs {name}"] if code == "AA" else []
        for (accept, application), code in MODES.items():
            number = f"mode {accept} {application}"
            wire.send(wrap(declaring(msg(number), f15=accept, f16=application)))
            assert wire.code() == code, number
            taken.append(number)
        wire.send(wrap(declaring(msg("silent"), f15="NE", f16="NE")) + wrap(msg("heard")))
        assert wire.code() == "AA"
        for text in ("one", "one", "two", "one"):  # the same MSH-10: another content is another
            wire.send(wrap(message("same", text=text)))
            assert wire.code() == "AA"
        half = Wire(port)
        half.send(wrap(msg("half closed")))
        half.socket.shutdown(socket.SHUT_WR)
        assert [half.code(), half.code()] == ["AA", ""]
        taken += ["silent", "heard", "half closed", *["same"] * 3]
    found = [str(hl7.parse(raw.decode().lstrip("\ufeff\r\n")).segment("MSH")[10])
             for raw in bodies(read_all(apache, apache.topic_in))]  # fmt: skip
    assert Counter(found) == Counter(taken)
    assert {line["code"] for line in logged(tmp_path, "not_taken")} == {
        "mllp.header", "mllp.control_id", "hl7.batch", "hl7.charset"}  # fmt: skip
    assert sum(int(str(line["blocks"])) for line in logged(tmp_path, "dropped")) == 1


def test_what_never_ends_loses_its_connection_and_the_log_says_why(
    apache: Kafka, tmp_path: Path
) -> None:
    limits = {"STREAM_DEID_MLLP__FRAME_S": "1", "STREAM_DEID_MLLP__MAX_MESSAGE_BYTES": "200000"}
    raw = msg("open")
    giant = msg("giant") + b"NTE|2||" + b"x" * 300_000
    with attacked(apache, tmp_path, **limits) as port:
        for stream in (
            wrap(raw)[:-1],  # FS without CR
            wrap(raw)[:-1] + b"\n",
            wrap(raw)[:-2],  # no FS
            b"GET / HTTP/1.1\r\nHost: x\r\n" * 300,
        ):
            wire = Wire(port)
            wire.send(stream)
            assert wire.code() == "", stream[:9]
        slow = Wire(port)
        with pytest.raises(OSError):  # noqa: PT011 - reset or broken pipe
            slow.send(*(wrap(raw)[i : i + 1] for i in range(len(raw))), pause=0.05)
        wire = Wire(port)
        wire.send(wrap(giant) + wrap(msg("after")))
        assert [wire.code(), wire.code()] == ["AR", "AA"]
        wire.send(wrap(declaring(msg(""), f15="NE", f16="NE")))
        assert wire.code() == ""
    assert bodies(read_all(apache, apache.topic_in)) == [msg("after")]
    ended = [(e["reason"], e["only_return_missing"]) for e in logged(tmp_path, "connection_ended")]
    assert ended == [("slow", True), ("slow", True), ("slow", False), ("noise", False),
                     ("slow", False), ("unanswered", False)]  # fmt: skip


def batch(*raws: bytes, count: int | None = None, file: bool = False) -> bytes:
    lines = [b"BHS|^~\\&|LAB|SITE|DEID|HUB|20260101||||B7\r", *raws,
             b"BTS|%d\r" % (len(raws) if count is None else count)]  # fmt: skip
    if file:
        lines = [b"FHS|^~\\&|LAB|SITE|DEID|HUB|20260101||||F3\r", *lines, b"FTS|1\r"]
    return b"".join(lines)


def test_a_batch_is_taken_message_by_message_or_not_at_all(apache: Kafka, tmp_path: Path) -> None:
    raws = [msg(f"b{n}", patient=f"{n % 3 + 1}") for n in range(450)]
    with attacked(apache, tmp_path) as port:
        wire = Wire(port)
        for _ in range(2):  # the second time each is known
            wire.send(wrap(batch(*raws, file=True)))
            answer = wire.answer()
            assert answer is not None
            assert [str(s[1]) for s in answer.segments("MSA")] == ["AA"] * 450
            assert [str(s[2]) for s in answer.segments("MSA")] == [f"b{n}" for n in range(450)]
            assert str(answer.segment("BHS")[12]) == "B7"
            assert str(answer.segment("FHS")[12]) == "F3"
            assert (str(answer.segment("BTS")[1]), str(answer.segment("FTS")[1])) == ("450", "1")
        torn = msg("c2").replace(b"NTE|1||", b"NTE|1||\xff\xc3\xa9")
        for wrong in (
            batch(msg("c1"), msg(""), msg("c2")),
            batch(msg("c1"), count=2),
            batch(msg("c1"), torn),
        ):
            wire.send(wrap(wrong))
            answer = wire.answer()
            assert answer is not None
            assert {str(s[1]) for s in answer.segments("MSA")} == {"AR"}
    records = read_all(apache, apache.topic_in)
    assert Counter(bodies(records)) == Counter(raws)
    assert {r.key() for r in records} == {b"1@HOSP", b"2@HOSP", b"3@HOSP"}
    for key in (b"1@HOSP", b"2@HOSP", b"3@HOSP"):
        own = [r.value() for r in records if r.key() == key]
        assert own == [raw for raw in raws if b"|%s^^^HOSP" % key[:1] in raw]


def test_batches_under_kills_are_there_once(apache: Kafka, tmp_path: Path) -> None:
    """Killed between broker and ACK, or anywhere: who gets no whole AA sends the batch again."""
    make_topics(apache)
    port, dice = free_port(), random.Random(7)
    sets = [[msg(f"k{n}-{m}", patient=f"{m}") for m in range(30)] for n in range(12)]
    with listener(apache, port, tmp_path / "mllp.log") as running:
        for one in sets:
            first = Wire(port)
            first.send(wrap(batch(*one)))
            time.sleep(dice.random() * 0.2)
            running.kill()
            first.close()
            while True:
                wire = Wire(port)
                wire.send(wrap(batch(*one)))
                answer = wire.answer()
                wire.close()
                if answer and {str(s[1]) for s in answer.segments("MSA")} == {"AA"}:
                    break
    assert Counter(bodies(read_all(apache, apache.topic_in))) == Counter(
        raw for one in sets for raw in one
    )
