"""docs/reference.md is what the code says, and real records are as its schemas say."""

import ast
import random
import re
from pathlib import Path

import jsonschema
import orjson
import pytest

from stream_deid import cli, config
from stream_deid.config import declare
from stream_deid.operations.reference import commands, records, source
from stream_deid.operations.reference.markdown import table
from stream_deid.operations.reference.page import page
from stream_deid.outcome import Dead, Released
from stream_deid.rig.fuzz.messages import FuzzInput
from stream_deid.rig.fuzz.subject import Subject
from stream_deid.streaming.releasing.batch import releasable

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "reference.md"
DATA = ROOT / "tests" / "data"


def test_the_page_is_what_the_code_says():
    assert page(cli._parser()) == PAGE.read_text(encoding="utf-8"), "run `make reference`"


def test_every_setting_command_and_code_is_on_the_page():
    text = PAGE.read_text(encoding="utf-8")
    for item in declare.declared(config.Settings):
        assert f"`{item.environment}`" in text
    for name, _, _ in commands.leaves(cli._parser(), "stream-deid"):
        assert f"### `{name}`" in text
    for code in ("note.failed", "triton.stub-dead", "config.invalid"):
        assert f"| `{code}` |" in text
    assert "`waiting_for_kafka`" in text


def test_every_argument_says_what_it_is_for():
    """Of commands for operators; trials and training explain theirs in their pages."""
    for name, told, command in commands.leaves(cli._parser(), "stream-deid"):
        assert told or name.split()[1] in ("models", "config"), name
        if name.split()[1] in ("config", "doctor", "trace", "top", "reference", "replay"):
            for action in commands._arguments(command):
                assert action.help or action.dest == "json", (name, action.dest)


def test_nothing_of_this_machine_is_on_the_page():
    text = PAGE.read_text(encoding="utf-8")
    assert str(Path.home()) not in text or str(Path.home()) == "/"
    assert not re.search(r"`/(?:work|home|root|tmp)\b", text)


def test_every_header_that_is_written_is_explained():
    written = {name for names in records.headers().values() for name in names}
    assert written == set(records.HEADERS)


def test_cells_hold_no_bars_and_no_line_ends():
    assert table(("a",), [("x|y\nz",)]).splitlines()[2] == "| x\\|y z |"


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ('raise Halt("a.b", "c")', [("Halt", "a.b")]),
        ('X = "c.d"\ndef f():\n    raise Unavailable(X, "")', [("Unavailable", "c.d")]),
        ('T = {"A": "e.f", "B": X}\nX = "g.h"\nModelFailed(T[1], "")',
         [("ModelFailed", "e.f"), ("ModelFailed", "g.h")]),
        ('raise KeyError("a.b")', []),
    ],
)  # fmt: skip
def test_codes_are_found_where_they_are_given(text, codes):
    assert list(source.codes_of(ast.parse(text))) == codes


def test_a_halt_says_the_status_that_it_ends_with():
    assert source.reaction("Halt", "stream.gap").endswith("status 1")
    assert source.reaction("Halt", "key.weak").endswith("status 78")


NAMED = re.compile("Quimby")
MESSAGES = [
    b'{"note_id": "n-1234", "patient_id": "p-1", "text": "Seen by Dr. Quimby on 03/04/2024."}',
    (
        b'{"note_id": "n2", "patient_id": "p-2", "text": "", "timestamp": "2024-03-04T10:00:00Z", '
        b'"language": "es", "note_type": "progress note", "author": "x", "patient": {"name": "A"}}'
    ),
    b'{"note_id": "n3", "text": "no patient"}',
    b"neither",
    *(path.read_bytes() for path in sorted(DATA.glob("hl7/*.hl7"))),
    *(path.read_bytes() for path in sorted(DATA.glob("fhir/*.json"))),
]


def valid(name, body):
    kind = jsonschema.Draft202012Validator
    kind.check_schema(records.schema(name))
    found = [error.message for error in kind(records.schema(name)).iter_errors(body)]
    assert found == [], name


@pytest.fixture(scope="module")
def results():
    subject = Subject()
    rng = random.Random(1)
    made = [
        FuzzInput(1, number, "json", "expert-determination", rng.randrange(99), raw, (), (), NAMED)
        for number, raw in enumerate(MESSAGES)
    ]
    yield [subject.take(one) for one in made]
    subject.close()


def test_records_are_as_their_schemas_say(results):
    kinds = set()
    for result, raw in zip(results, MESSAGES, strict=True):
        kinds.add(type(result.outcome))
        if isinstance(result.outcome, Dead):
            valid("dead-letter", orjson.loads(result.letter))
            continue
        assert isinstance(result.outcome, Released)
        audit = orjson.loads(result.outcome.audit)
        valid("audit", audit)
        valid("released-audit", orjson.loads(releasable(result.outcome.audit)))
        if raw.startswith(b'{"note_id"'):
            valid("note-in", orjson.loads(raw))
            valid("note-out", orjson.loads(result.outcome.note))
            assert orjson.loads(result.outcome.note)["note_id"] == audit["note_id"]
    assert kinds == {Dead, Released}


def test_every_field_of_the_audit_schema_occurs(results):
    """A field that nothing writes any more would stand in the reference for ever (`records` is
    written where there is a topic of them: test_records.py).
    """
    seen = {"records"}
    for result in results:
        if isinstance(result.outcome, Released):
            body = orjson.loads(result.outcome.audit)
            seen |= set(body) | {name for span in body["spans"] for name in span}
    schema = records.schema("audit")["properties"]
    fields = set(schema) | set(schema["spans"]["items"]["properties"])
    assert fields == seen


def test_the_command_prints_page_and_schemas(capsys):
    assert cli.main(["reference"]) == 0
    assert capsys.readouterr().out == PAGE.read_text(encoding="utf-8")
    assert cli.main(["reference", "--schema", "audit"]) == 0
    assert orjson.loads(capsys.readouterr().out) == records.schema("audit")
    assert cli.main(["reference", "--schema", "nothing"]) == 78


def test_every_line_of_the_log_is_an_event():
    """A sentence that names none stands outside of the vocabulary that operators search for."""
    handed_on = "event"  # the caller of the function named it
    sentences = [
        (module, ast.unparse(call)[:80])
        for module, tree in source.trees()
        for _, call in source.log_calls(tree)
        if source.event_of(call) is None and not module.startswith("rig/")
        and not (isinstance(call.args[0], ast.Name) and call.args[0].id == handed_on)
    ]  # fmt: skip
    assert sentences == []
    events = source.events()
    assert events["waiting_for_triton"].fields == {"url", "seconds"}
    assert "key_open_to_others" in events
    call = ast.parse('_log.info("three words here", extra={"ours": True})').body[0].value
    assert source.event_of(call) is None
