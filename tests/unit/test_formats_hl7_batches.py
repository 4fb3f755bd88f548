"""Batches of HL7 v2 keep what lies around their messages, with counts of those that came out."""

import asyncio
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from stream_deid.config import Settings
from stream_deid.errors import NoteRejected
from stream_deid.files.command import Ended, FileJob, OutputFiles, run
from stream_deid.files.keyed_order import Drawn
from stream_deid.files.reading import opened
from stream_deid.files.recipients import inner
from stream_deid.files.writing import OutputFile
from stream_deid.formats.hl7 import message as hl7v2
from stream_deid.formats.hl7.er7.batches import BatchOutput, miscounted
from stream_deid.outcome import Released, Stats

ONE = b"MSH|^~\\&|LAB|H|X|Y|20240102||ORU^R01|1|P|2.5\rOBX|1|TX|N||one\r"
TWO = ONE.replace(b"one", b"two")
THREE = ONE.replace(b"one", b"three")
HEADS = b"FHS|^~\\&|LAB|St Mary||| 20240102||whitcombe.hl7\r", b"BHS|^~\\&|LAB|St Mary|||20240102\r"


def put(raw, rejected=()):
    """What comes out of a file whose messages pass as they are, but for those `rejected`."""
    out = BatchOutput(hl7v2.around(raw))
    messages = enumerate(hl7v2.split(raw), start=1)
    written = b"".join(out.message(n, None if n in rejected else m) for n, m in messages)
    return written + out.rest()


def test_headers_keep_their_separators_and_trailers_count_what_came_out():
    raw = HEADS[0] + HEADS[1] + ONE + TWO + b"BTS|2|by Whitcombe\r" + HEADS[1] + THREE
    raw += b"BTS|1\rFTS|2\r"
    head, batch = b"FHS|^~\\&\r", b"BHS|^~\\&\r"
    assert put(raw) == head + batch + ONE + TWO + b"BTS|2\r" + batch + THREE + b"BTS|1\rFTS|2\r"
    assert put(raw, {2, 3}) == head + batch + ONE + b"BTS|1\r" + batch + b"BTS|0\rFTS|2\r"
    assert hl7v2.split(put(raw)) == hl7v2.split(raw) == [ONE, TWO, THREE]


def test_a_file_without_batches_is_what_it_was():
    assert put(ONE + TWO) == ONE + TWO
    framed = b"\x0b" + ONE[:-1] + b"\x1c\r\x0b" + TWO[:-1] + b"\x1c\r"
    assert put(framed) == ONE + TWO[:-1]  # they had been written into one another
    assert put(ONE[:-1]) == ONE[:-1]


def test_own_separators_and_line_ends():
    own = ONE.replace(b"|", b"#").replace(b"^~\\&", b"*~\\&")
    raw = b"\xef\xbb\xbfBHS#*~\\&#LAB\r\n" + own + b"\nBTS#1\r\n"
    assert put(raw) == b"BHS#*~\\&\r" + own + b"\nBTS#1\r"


@pytest.mark.parametrize("line", [b"BTS was given", b"BTS|9 mg", b"BTS", b"FHS|^~\\&|x", b"FTS|1"])
@pytest.mark.parametrize("end", [b"\r", b"\n", b"\r\n"])
def test_a_line_of_a_text_is_no_segment_of_a_batch(line, end):
    """The rest of such a message had been left out."""
    broken = ONE[:-1] + end + line + end + b"and Whitcombe was told" + end
    assert hl7v2.split(broken + TWO) == [broken, TWO]
    assert hl7v2.around(broken + TWO) == []


LINES = st.sampled_from([ONE, TWO, *HEADS, b"BTS|1\r", b"FTS|1\r", b"BTS\r", b"NTE|1||x\r", b"\r"])


@given(st.lists(LINES, max_size=8))
def test_no_byte_of_a_message_is_lost_between_batches(lines):
    raw = b"".join(lines)
    messages = hl7v2.split(raw)
    if b"MSH" not in raw:
        return
    first = raw.index(b"MSH")
    around = sum(line != b"\r" and line[:3] in (b"FHS", b"BHS", b"BTS", b"FTS") for line in lines)
    assert len(hl7v2.around(raw)) <= around
    said = b"".join(messages)
    assert said.count(b"NTE") == raw[first:].count(b"NTE")
    assert [m[:3] for m in messages] == [b"MSH"] * raw.count(b"MSH")
    assert hl7v2.split(put(raw)) == messages


def told(raw):
    return list(miscounted(hl7v2.around(raw), len(hl7v2.split(raw))))


def test_trailers_that_say_otherwise_are_told():
    assert told(HEADS[0] + HEADS[1] + ONE + TWO + b"BTS|2\rFTS|1\r") == []
    assert told(HEADS[1] + ONE + b"BTS\r") == []
    assert told(HEADS[1] + ONE + b"BTS|12\r") == ["BTS-1 says 12 where 1 are"]
    assert told(HEADS[0] + HEADS[1] + ONE) == ["FHS without FTS behind 1 messages"]


class Passing:
    """A processor that lets everything pass but `two`."""

    release = "r"

    @classmethod
    async def open(cls, _settings, **_):
        return cls()

    async def handle(self, raw, _source, _form):
        if b"two" in raw:
            raise NoteRejected("hl7.msh", "")
        return Released(note=raw, key=b"p", audit=b"{}", stats=Stats(seconds={}, phi={}, words=1))

    async def close(self):
        pass

    def mac(self, _raw):
        return "m"


@pytest.mark.parametrize("outer", [False, True])
def test_file_writes_a_batch_and_recipients_get_none(tmp_path, monkeypatch, outer):
    monkeypatch.setattr("stream_deid.files.command.Processor", Passing)
    source, out, audit = (tmp_path / name for name in ("in", "out", "audit"))
    source.write_bytes(HEADS[1] + ONE + TWO + THREE[:-1] + b"\nBTS|3\r")
    one = FileJob(source, out, audit, progress=False, outer=False)
    with opened(source, "auto") as file:
        if outer:
            monkeypatch.setattr("stream_deid.files.command._outputs", lambda job, _: drawn(job))
            one = replace(one, outer=True)
        asyncio.run(run(Settings(), one, file, Console(stderr=True), Ended()))
    if outer:
        assert b"BHS" not in out.read_bytes()
        assert sorted(hl7v2.split(out.read_bytes())) == sorted([ONE, THREE[:-1] + b"\n"])
    else:
        assert out.read_bytes() == b"BHS|^~\\&\r" + ONE + THREE[:-1] + b"\nBTS|2\r"


def drawn(job):
    out, audit = (Drawn(OutputFile(path), b"k" * 32) for path in (job.out, job.audit))
    return OutputFiles(out, audit, OutputFile(job.rejects, lazy=True), inner)
