"""`tools/outputs.py`: what goes out of two codes is compared message by message."""

import json
import shutil

import outputs
import pytest

NOTE = {"kind": "note", "form": "json"}
TEXTS = "Seen by Dr. Orla Fenwick on 3/14/2021.", "BP 120/80, room 12."


@pytest.fixture(scope="module")
def inputs():
    ids = {"note_id": "n", "patient_id": "p", "language": "en"}
    return [NOTE | {"raw": json.dumps(ids | {"text": text})} for text in TEXTS]


@pytest.fixture(scope="module")
def before(inputs):
    return outputs.alone(outputs.ROOT, inputs)


def test_the_same_code_makes_the_same_of_each_message_under_each_policy(before, inputs):
    assert len(before) == 3 * len(inputs)
    assert all("Fenwick" not in clean for _, clean, _ in before)
    assert outputs.alone(outputs.ROOT, inputs) == before


def test_another_code_is_run_where_it_lies_and_its_change_is_seen(before, inputs, tmp_path):
    skipped = shutil.ignore_patterns("__pycache__")
    shutil.copytree(outputs.ROOT / "stream_deid", tmp_path / "stream_deid", ignore=skipped)
    shift = tmp_path / "stream_deid/surrogate/dates/calendar.py"
    shift.write_text(
        shift.read_text("utf-8").replace("timedelta(self.offset", "timedelta(1 + self.offset")
    )
    after = outputs.alone(tmp_path, inputs)
    told = [list(outputs.lines(a[1], b[1])) for a, b in zip(before, after, strict=True)]
    assert [len(lines) for lines in told[:2]] == [2, 0]
    assert [line[0] for line in told[0]] == ["-", "+"]


def test_an_audit_tells_by_which_keys_it_differs():
    one = {"spans": [1], "coverage": {"chars": 3, "named": 1}}
    other = {"spans": [1], "coverage": {"chars": 3}}
    assert outputs.changed(json.dumps(one), json.dumps(other)) == ["coverage.named"]
    assert outputs.changed(json.dumps(one), json.dumps(one)) == []
    assert outputs.changed("note.empty", json.dumps(one)) == ["reject"]


def test_every_kind_of_message_is_there():
    kinds = [one["kind"] for one in outputs.messages()]
    assert {"note", "feed", "twins", "statements"} <= set(kinds)
    assert kinds.count("note") > 100
