"""What `stream-deid file` refuses before it starts, how it reads, and that outputs come whole."""

import asyncio
import gzip
import io
import os
import resource
import signal
import subprocess
import sys
from contextlib import ExitStack, contextmanager, nullcontext
from dataclasses import replace
from pathlib import Path

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from stream_deid.config import Settings, with_a_key
from stream_deid.errors import Halt
from stream_deid.files import reading
from stream_deid.files.command import Ended, FileJob, _check, _leave, run
from stream_deid.files.keyed_order import Drawn
from stream_deid.files.reading import opened
from stream_deid.files.writing import OutputFile, done, part_of
from stream_deid.outcome import Released, Stats

SETTINGS = Settings()
NOTE = {"note_id": "1", "patient_id": "p", "text": "Seen by Dr. Keller."}


def job(folder: Path, **changes: object) -> FileJob:
    paths = {"source": folder / "in.jsonl", "out": folder / "out", "audit": folder / "audit"}
    (folder / "in.jsonl").write_bytes(orjson.dumps(NOTE))
    return FileJob(**(paths | changes))


def refused(folder: Path, **changes: object) -> str:
    with pytest.raises(Halt) as caught:
        _check(SETTINGS, job(folder, **changes))
    assert str(folder) in caught.value.detail or "--" in caught.value.detail
    return caught.value.code


def test_an_output_is_never_the_input_or_another_output(tmp_path):
    _check(SETTINGS, job(tmp_path))
    source = tmp_path / "in.jsonl"
    assert refused(tmp_path, out=source, overwrite=True) == "file.paths"
    assert refused(tmp_path, audit=tmp_path / "out") == "file.paths"
    assert refused(tmp_path, dead=tmp_path / "audit") == "file.paths"
    (tmp_path / "link").symlink_to(source)
    os.link(source, tmp_path / "hard")
    for other in ("link", "hard"):
        assert refused(tmp_path, out=tmp_path / other, overwrite=True) == "file.paths"
    assert source.read_bytes() == orjson.dumps(NOTE)


@pytest.mark.parametrize("option", ["out", "audit", "dead"])
def test_where_an_output_grows_is_not_the_input_another_output_nor_what_is_needed(tmp_path, option):
    paths = {name: tmp_path / name for name in ("out", "audit", "dead")}
    part = part_of(paths[option])
    part.write_bytes(orjson.dumps(NOTE))
    for changes in ({"source": part}, {"config": part}):
        assert refused(tmp_path, **(paths | changes)) == "file.paths"
    for other in {"out", "audit", "dead"} - {option}:
        assert refused(tmp_path, overwrite=True, **(paths | {other: part})) == "file.paths"
    assert part.read_bytes() == orjson.dumps(NOTE)


@pytest.mark.parametrize(
    ("words", "stdin", "stdout"),
    [
        ("- --out in.jsonl", "in.jsonl", None),  # file - --out X < X
        ("in.jsonl --out -", None, "in.jsonl"),  # file X --out - >> X
        ("- --out -", "in.jsonl", "in.jsonl"),
        ("other.jsonl --out - --audit in.jsonl", None, "in.jsonl"),
        ("- --out out --audit in.jsonl", "in.jsonl", None),
    ],
)
def test_standard_input_and_output_are_the_files_that_they_are(tmp_path, words, stdin, stdout):
    note = orjson.dumps(NOTE)
    for name in ("in.jsonl", "other.jsonl"):
        (tmp_path / name).write_bytes(note)
    command = [sys.executable, "-m", "stream_deid.cli", "file", "--overwrite", "--audit", "audit"]
    with ExitStack() as stack:
        read = stack.enter_context((tmp_path / stdin).open("rb")) if stdin else subprocess.DEVNULL
        write = stack.enter_context((tmp_path / stdout).open("ab")) if stdout else subprocess.PIPE
        run = subprocess.run(
            [*command, *words.split()], cwd=tmp_path, stdin=read, stdout=write, stderr=-1,
            check=False,
        )  # fmt: skip
    assert (run.returncode, run.stderr[:24]) == (78, b"stream-deid: file.paths:")
    assert (tmp_path / "in.jsonl").read_bytes() == note
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in.jsonl", "other.jsonl"]


def test_names_that_are_none_and_circles_of_links_are_told(tmp_path):
    (tmp_path / "a").symlink_to(tmp_path / "b")
    (tmp_path / "b").symlink_to(tmp_path / "a")
    for path in (Path(""), Path("/"), tmp_path):  # noqa: PTH201 - what `--out ""` becomes
        assert refused(tmp_path, out=path, overwrite=True) == "file.paths"
    with pytest.raises(Halt, match=r"file\.unreadable"), opened(tmp_path / "a", "auto"):
        pass
    _check(SETTINGS, job(tmp_path, out=tmp_path / "a", overwrite=True))  # replaced as a link


def test_an_output_is_never_a_device_a_pipe_or_what_the_settings_need(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    key, config = tmp_path / "key", tmp_path / "config.toml"
    key.write_text("k" * 64)
    config.touch()
    for path in (Path(os.devnull), tmp_path / "pipe"):
        assert refused(tmp_path, out=path, overwrite=True) == "file.paths"
    settings = replace(SETTINGS, keys=replace(SETTINGS.keys, file=str(key)))
    for path in (key, config):
        with pytest.raises(Halt, match=r"file\.paths"):
            _check(settings, job(tmp_path, out=path, overwrite=True, config=config))


def test_what_others_laid_where_an_output_grows_is_not_followed(tmp_path):
    (tmp_path / "theirs").write_text("theirs")
    (tmp_path / ".out.part").symlink_to(tmp_path / "theirs")
    with OutputFile(tmp_path / "out") as out:
        out.write(b"mine")
        done([out])
    assert (tmp_path / "theirs").read_text() == "theirs"
    assert (tmp_path / "out").read_bytes() == b"mine"
    assert not (tmp_path / "out").is_symlink()


def test_a_pipe_that_others_laid_there_holds_nothing_up_and_hears_nothing(tmp_path):
    os.mkfifo(tmp_path / ".out.part")
    reader = os.open(tmp_path / ".out.part", os.O_RDONLY | os.O_NONBLOCK)
    with OutputFile(tmp_path / "out") as out:
        out.write(b"mine")
        done([out])
    assert (tmp_path / "out").read_bytes() == b"mine"
    assert os.read(reader, 9) == b""
    os.close(reader)


def test_two_runs_never_write_one_output(tmp_path):
    with OutputFile(tmp_path / "out") as first:
        first.write(b"first")
        with pytest.raises(Halt, match=r"file\.busy"), OutputFile(tmp_path / "out"):
            pass
        done([first])
    assert (tmp_path / "out").read_bytes() == b"first"
    with OutputFile(tmp_path / "out") as second:
        second.write(b"second")
    assert (tmp_path / "out").read_bytes() == b"first"
    assert list(tmp_path.glob(".*")) == []


def test_what_a_killed_run_left_is_taken_over_and_no_hard_link_of_it(tmp_path):
    (tmp_path / ".out.part").write_bytes(b"left by a run that was killed")
    (tmp_path / "theirs").write_bytes(b"theirs")
    os.link(tmp_path / "theirs", tmp_path / ".linked.part")
    for name in ("out", "linked"):
        with OutputFile(tmp_path / name) as out:
            out.write(b"new")
            done([out])
        assert (tmp_path / name).read_bytes() == b"new"
        assert (tmp_path / name).stat().st_mode & 0o777 == 0o600
    assert (tmp_path / "theirs").read_bytes() == b"theirs"


DEEP = b'{"a":' * 50_000 + b"1" + b"}" * 50_000


@pytest.mark.parametrize("between", [b"\n", b" \n\n", b",\n"])
def test_a_message_too_deep_or_broken_concerns_no_other(between, tmp_path):
    good = orjson.dumps(NOTE, option=orjson.OPT_INDENT_2)
    messages = [DEEP, good, b'{"a": }', good, b'{"text": "a } in \\" a string"}']
    joined = between.join(messages)
    path = tmp_path / "in"
    path.write_bytes(b"[" + joined + b"]" if b"," in between else joined)
    with opened(path, "json") as source:
        assert list(source.messages()) == messages


def test_old_outputs_are_replaced_only_when_told(tmp_path):
    (tmp_path / "out").write_text("old")
    assert refused(tmp_path) == "file.exists"
    _check(SETTINGS, job(tmp_path, overwrite=True))


@pytest.mark.parametrize("aim", ["nowhere", "link"])  # dangling, and of itself
@pytest.mark.parametrize("option", ["out", "audit", "dead"])
def test_a_link_to_nowhere_is_an_old_output_too(tmp_path, option, aim):
    (tmp_path / "link").symlink_to(tmp_path / aim)
    assert refused(tmp_path, **{option: tmp_path / "link"}) == "file.exists"
    assert (tmp_path / "link").is_symlink()


def test_the_rejects_of_two_outputs_are_two_files(tmp_path):
    rejects = {job(tmp_path, out=tmp_path / name).rejects for name in ("o.en", "o.es", "o")}
    assert {path.name for path in rejects} == {f"o{x}.dead.jsonl" for x in (".en", ".es", "")}


def test_where_nothing_can_be_written_is_told_before_anything_is_read(tmp_path):
    assert refused(tmp_path, out=Path("/proc/x")) == "file.unwritable"


@pytest.mark.parametrize(
    "encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le", "utf-32-be"]
)
@pytest.mark.parametrize("form", ["auto", "json", "hl7v2"])
def test_text_of_another_width_is_told_with_how_to_convert_it(tmp_path, encoding, form):
    (tmp_path / "in.jsonl").write_bytes('{"note_id": "1"}\n'.encode(encoding))
    name = encoding.upper().removesuffix("-LE").removesuffix("-BE")
    told = pytest.raises(Halt, match=f"iconv -f {name}.* -t UTF-8")
    with told, opened(tmp_path / "in.jsonl", form):
        pass


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_a_signal_is_answered_by_a_line(number, capsys):
    with pytest.raises(SystemExit) as ended:
        _leave(number)
    assert ended.value.code == 128 + number
    said = capsys.readouterr().err
    assert said == (
        f"stream-deid: ended by {number.name}: nothing is written, no file was replaced\n"
    )
    with pytest.raises(SystemExit):
        _leave(number, partly=True)
    assert "not the whole" in capsys.readouterr().err


def test_paths_that_can_not_work_are_told_at_once(tmp_path):
    assert refused(tmp_path, out=tmp_path / "no" / "out") == "file.paths"
    assert refused(tmp_path, out=tmp_path) == "file.paths"
    assert refused(tmp_path, audit=Path("-")) == "file.paths"
    assert refused(tmp_path, concurrency=0) == "file.concurrency"
    assert refused(tmp_path, language="fr") == "file.language"
    assert job(tmp_path, out=Path("-")).rejects == tmp_path / "audit.dead.jsonl"


@pytest.mark.parametrize(
    ("content", "code", "told"),
    [
        (b"", "file.empty", "empty"),
        (b" \n\n", "file.empty", "empty"),
        (gzip.compress(b"{}", mtime=0), "file.compressed", "zcat"),
        (b"note_id,text\n1,hello\n", "file.format", "CSV"),
        (b"\x00\x01\x02", "file.format", "--format"),
    ],
)
def test_what_is_no_file_of_messages_is_told_apart(tmp_path, content, code, told):
    path = tmp_path / "in"
    path.write_bytes(content)
    with pytest.raises(Halt) as caught, opened(path, "auto"):
        pass
    assert caught.value.code == code
    assert told in caught.value.detail


def test_a_missing_file_and_a_folder_are_told(tmp_path):
    for path in (tmp_path / "none", tmp_path):
        with pytest.raises(Halt, match=r"file\.unreadable"), opened(path, "auto"):
            pass


def test_an_error_of_the_run_is_not_told_of_the_input(tmp_path):
    source = job(tmp_path).source
    with pytest.raises(FileNotFoundError, match="weights"), opened(source, "auto"):
        raise FileNotFoundError(2, "No such file or directory", "weights")


@pytest.mark.parametrize("url", ["auto", "127.0.0.1:1"])
def test_a_model_that_is_not_there_is_told_with_those_that_are(tmp_path, url):
    changed = replace(SETTINGS, models={"en": ("no_such_model",)})
    settings = with_a_key(replace(changed, triton=replace(SETTINGS.triton, url=url)))
    one = job(tmp_path, progress=False)
    with pytest.raises(Halt, match="bert_en") as caught, opened(one.source, "auto") as source:
        asyncio.run(run(settings, one, source, Console(stderr=True), Ended()))
    assert caught.value.code == "manifest.missing"
    assert not (tmp_path / "out").exists()


@given(
    st.lists(
        st.fixed_dictionaries({"text": st.text(), "n": st.integers(-9, 9)}), min_size=1, max_size=5
    ),
    st.sampled_from(["lines", "pretty", "array", "pretty array"]),
)
def test_every_layout_of_json_gives_the_same_messages(tmp_path_factory, notes, layout):
    path = tmp_path_factory.mktemp("in") / "notes"
    pretty = orjson.OPT_INDENT_2 if layout.startswith("pretty") else 0
    if layout.endswith("array"):
        path.write_bytes(orjson.dumps(notes, option=pretty))
    else:
        path.write_bytes(b"\n".join(orjson.dumps(note, option=pretty) for note in notes))
    with opened(path, "auto") as source:
        assert source.count == len(notes)
        assert [orjson.loads(raw) for raw in source.messages()] == notes


def test_a_broken_line_is_a_message_of_its_own(tmp_path):
    path = tmp_path / "in"
    path.write_bytes(b'{"text": "a"}\n{"text": \n{"text": "b"}\n')
    with opened(path, "auto") as source:
        assert (source.layout, source.count) == ("lines", 3)
    path.write_bytes(b'{"text": \n{"text": "b"}\n')
    with opened(path, "auto") as source:
        assert (source.layout, source.count) == ("lines", 2)


def test_a_pipe_is_read_once_and_served_twice(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    child = os.fork()
    if not child:
        pipe.write_bytes(b'{"text": "a"}\n{"text": "b"}\n')
        os._exit(0)
    with opened(pipe, "auto") as source:
        assert source.count == len(list(source.messages())) == 2
    os.waitpid(child, 0)


class Counted(io.BytesIO):
    """A file that counts the bytes that are read of it."""

    taken = 0

    def read(self, size=-1):
        piece = super().read(size)
        self.taken += len(piece)
        return piece


def test_a_file_of_hl7_is_read_once(tmp_path, monkeypatch):
    path = tmp_path / "batch.hl7"
    body = b"BHS|^~\\&\r" + b"MSH|^~\\&|A|B\rPID|1\r" * 500 + b"BTS|500\r"
    path.write_bytes(body)
    file = Counted(body)
    monkeypatch.setattr(reading, "_seekable", lambda *_: nullcontext(file))
    with opened(path, "auto") as source:
        assert (source.format, source.layout, source.count) == ("hl7v2", "messages", 500)
        assert [one.name for one in source.around] == ["BHS", "BTS"]
        for _ in range(2):
            assert set(source.messages()) == {b"MSH|^~\\&|A|B\rPID|1\r"}
    assert file.taken <= len(body) + reading._SNIFF_BYTES


@pytest.mark.parametrize("device", ["/dev/zero", "/dev/urandom", "/dev/null"])
def test_a_device_without_an_end_is_refused(device):
    with pytest.raises(Halt) as caught, opened(Path(device), "auto"):
        pass
    assert (caught.value.code, "is a device" in caught.value.detail) == ("file.unreadable", True)


def test_outputs_appear_whole_or_not_at_all(tmp_path):
    path = tmp_path / "out"
    with OutputFile(path) as out:
        out.write(b"half")
    assert list(tmp_path.iterdir()) == []
    with OutputFile(path) as out:
        out.write(b"whole")
        assert not path.exists()
        done([out])
    assert path.read_bytes() == b"whole"
    assert path.stat().st_mode & 0o077 == 0


@contextmanager
def files_of_at_most(size):
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.mark.parametrize("outer", [False, True])
def test_a_disk_too_full_for_the_audit_leaves_no_clean_note(tmp_path, outer):
    made = [OutputFile(tmp_path / name) for name in ("audit", "out")]
    outputs = [Drawn(one, b"key") for one in made] if outer else made
    with ExitStack() as stack:
        for one, data in zip(outputs, (b"a record", b"ok"), strict=True):
            stack.enter_context(one).write(data)
        if outer:
            for one in outputs:
                one._spool.flush()
        with files_of_at_most(4), pytest.raises(Halt, match=r"file\.unwritable"):
            done(outputs)
    assert list(tmp_path.iterdir()) == []


class Releasing:
    """A processor that lets everything pass."""

    @classmethod
    async def open(cls, _settings, **_):
        return cls()

    async def handle(self, raw, _source, _form):
        return Released(note=raw, key=b"p", audit=b"{}", stats=Stats(seconds={}, phi={}, words=1))

    async def close(self):
        pass


def test_clean_notes_get_their_name_when_their_records_have_theirs(tmp_path, monkeypatch):
    named, rename = [], Path.replace
    monkeypatch.setattr(Path, "replace", lambda a, b: (named.append(b.name), rename(a, b))[1])
    monkeypatch.setattr("stream_deid.files.command.Processor", Releasing)
    one = job(tmp_path, progress=False)
    with opened(one.source, "auto") as source:
        tally = asyncio.run(run(SETTINGS, one, source, Console(stderr=True), Ended()))
    assert (tally.released, named) == (1, ["audit", "out"])


def test_no_rejects_no_file_of_them(tmp_path):
    old = tmp_path / "dead"
    old.write_text("of another run")
    with OutputFile(old, lazy=True) as out:
        done([out])
    assert not old.exists()


RESOURCE = b'{"resourceType": "Basic", "code": {"text": "x"}, "created": "2024-01-02"}'


@pytest.mark.parametrize(
    ("content", "layout", "count"),
    [
        (RESOURCE + b"\n" + RESOURCE + b"\n", "lines", 2),
        (orjson.dumps(orjson.loads(RESOURCE), option=orjson.OPT_INDENT_2), "documents", 1),
        (b"[" + RESOURCE + b",\n" + RESOURCE + b"]", "documents", 2),
        (b"\xef\xbb\xbf" + RESOURCE, "lines", 1),
    ],
)
def test_resources_are_told_from_notes_however_they_lie(tmp_path, content, layout, count):
    path = tmp_path / "in"
    path.write_bytes(content)
    with opened(path, "auto") as source:
        if content[:1] != b"\xef":
            assert (source.layout, source.count) == (layout, count)
        assert source.format == "fhir"


def test_documents_keep_the_text_of_their_numbers(tmp_path):
    path = tmp_path / "in"
    path.write_bytes(b'[{"note_id": "1",\n "x": 1.0}, {"note_id": "2", "x": 1.10}]')
    with opened(path, "json") as source:
        assert list(source.messages()) == [
            b'{"note_id": "1",\n "x": 1.0}', b'{"note_id": "2", "x": 1.10}'
        ]  # fmt: skip


def test_an_array_that_breaks_off_is_no_list_of_documents(tmp_path):
    path = tmp_path / "in"
    path.write_bytes(b'[{"a": 1}\n {"b": 2}]')
    with opened(path, "json") as source:
        assert source.layout == "lines"


@pytest.mark.parametrize("at", [0, 1, 4095, 4096, 4097, 999_999, 1_000_000, 1_400_000])
def test_a_line_may_be_as_long_as_it_may_be_and_no_longer(tmp_path, monkeypatch, at):
    """Wherever it begins in the pieces that a file is read in, with either line end."""
    monkeypatch.setattr(reading, "MOST_OF_A_LINE", 1_500_000)
    for end in (b"\n", b"\r"):
        for size, fits in ((1_500_000, True), (1_500_001, False)):
            before = (b" " * (at - 1) + end) if at else b""
            file = tmp_path / "in"
            file.write_bytes(before + b"a" * size + end + b"x")
            with file.open("rb") as stream:
                if fits:
                    assert b"".join(reading._bounded("in", stream)) == file.read_bytes()
                    continue
                with pytest.raises(Halt, match=r"file\.too_long"):
                    list(reading._bounded("in", stream))
