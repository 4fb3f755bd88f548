"""Under which ids records go out: the old ones, or such as nothing leads to."""

from dataclasses import replace
from pathlib import Path

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stream_deid import audit
from stream_deid.config import Formats, PolicySettings, Settings
from stream_deid.detect.patterns import Patterns
from stream_deid.detect.record.known import KnownIdentifiers
from stream_deid.errors import Halt
from stream_deid.formats import made, sniff
from stream_deid.outcome import Released
from stream_deid.pipeline import Language, Pipeline
from stream_deid.streaming.releasing.ids import Fresh
from stream_deid.streaming.releasing.outside import Leaving, Outside
from stream_deid.surrogate.engine import Surrogates
from stream_deid.surrogate.keys import Scope, token
from stream_deid.surrogate.policy import Policy

KEY = b"0123456789abcdef"
NOTE = {"note_id": "n1", "patient_id": "p1", "language": "en", "text": "Mr. Whitcombe came."}
HL7 = (
    b"MSH|^~\\&|A|B|C|D|20250314||ORU^R01|{}|P|2.5\r"
    b"MSA|AA|X1\rPID|1||123^^^A^MR||Doe^Jo\rOBX|1|TX|X^X^L||seen 3/14/2025||||||F\r"
)


def settings(policy: str, **formats: object) -> Settings:
    given = replace(Formats(), **formats)  # type: ignore[arg-type]
    return Settings(policy=PolicySettings(policy), formats=given)


def released(raw: bytes, one: Settings) -> Released:
    """What a worker makes of a message under these settings, without models."""
    language = Language((Patterns("en"), KnownIdentifiers()), ())
    maker = Surrogates(Policy.named(one.policy.name), KEY)
    pipeline = Pipeline({"en": language}, maker, "test")
    wire = made(one.formats)[sniff(raw)]
    pending = pipeline.begin(wire.parse(raw))
    clean, record = pipeline.finish(pending, ())
    out = wire.render(pending.note, clean)
    return Released(out, clean.patient_id.encode(), audit.render(record, {}, KEY, raw, out))


def outside(one: Settings, *notes: Released) -> list[tuple[Leaving, Leaving]]:
    """Notes and audits of one transaction as recipients get them."""
    out = Outside(one)
    ids = out.ids()
    return [(ids(out.note(n.note, n.key)), ids(out.audit(n.audit, n.key))) for n in notes]


def test_under_safe_harbor_a_note_its_audit_and_its_patient_get_ids_of_this_transaction() -> None:
    harbor = settings("safe-harbor")
    inner = released(orjson.dumps(NOTE), harbor)
    was = orjson.loads(inner.note)
    seen = set()
    for _ in range(2):
        ((note, record),) = outside(harbor, inner)
        now = orjson.loads(note.value)
        assert now["note_id"] == orjson.loads(record.value)["note_id"]
        assert now["patient_id"].encode() == note.key == record.key
        assert now | {"note_id": "", "patient_id": ""} == was | {"note_id": "", "patient_id": ""}
        seen |= {now["note_id"], now["patient_id"]}
    assert len(seen | {was["note_id"], was["patient_id"]}) == 6


@pytest.mark.parametrize("policy", ["expert-determination", "limited-data-set"])
def test_other_policies_keep_the_ids_by_which_notes_are_linked(policy: str) -> None:
    inner = released(orjson.dumps(NOTE), settings(policy))
    ((note, _),) = outside(settings(policy), inner)
    assert (note.value, note.key) == (inner.note, inner.key)


def test_an_answer_in_hl7_finds_its_message_within_a_transaction() -> None:
    harbor = settings("safe-harbor")
    raws = [HL7.replace(b"{}", b"X1"), HL7.replace(b"{}", b"X2")]
    inner = [released(raw, harbor) for raw in raws]
    out = [note.value.split(b"\r") for (note, _) in outside(harbor, *inner)]
    first, answered = out[0][0].split(b"|")[9], out[1][1].split(b"|")[2]
    assert first == answered
    was = inner[0].note.split(b"\r")
    assert first != was[0].split(b"|")[9]
    assert out[0][2:] == was[2:]


MAP = """
note_id = "/data/id"
patient_id = "/data/who"
texts = ["/data/text"]
[decode]
"/data" = "{coding}"
"""
MAPPED = orjson.dumps({"data": orjson.dumps({"id": "n", "who": "p", "text": "Came."}).decode()})


def test_ids_in_a_sites_own_json_are_found_by_its_map(tmp_path: Path) -> None:
    path = tmp_path / "map.toml"
    path.write_text(MAP.format(coding="json"))
    harbor = settings("safe-harbor", json_maps=(str(path),))
    inner = released(MAPPED, harbor)
    ((note, record),) = outside(harbor, inner)
    was, now = (orjson.loads(orjson.loads(one)["data"]) for one in (inner.note, note.value))
    assert now["id"] == orjson.loads(record.value)["note_id"] != was["id"]
    assert now["who"].encode() == note.key != inner.key


@pytest.mark.parametrize("end", [b"\r", b"\n"])
def test_numbers_of_an_hl7_message_inside_of_json_are_drawn_too(tmp_path: Path, end: bytes) -> None:
    path = tmp_path / "map.toml"
    path.write_text('[messages]\n"/raw" = "hl7v2"\n')
    harbor = settings("safe-harbor", json_maps=(str(path),))
    raw = HL7.replace(b"{}", b"X1").replace(b"\r", end).decode()
    inner = released(orjson.dumps({"raw": raw}), harbor)
    ((note, _),) = outside(harbor, inner)
    was, now = (orjson.loads(one)["raw"].split("|") for one in (inner.note, note.value))
    changed = [(a, b) for a, b in zip(was, now, strict=True) if a != b]
    assert len(changed) == 2, "MSH-10 and MSA-2"
    path.write_text('[messages]\n"/raw" = "base64+hl7v2"\n')
    with pytest.raises(Halt, match=r"release\.map"):
        Outside(harbor)


def test_ids_that_can_not_be_found_are_refused_at_start(tmp_path: Path) -> None:
    path = tmp_path / "map.toml"
    path.write_text(MAP.format(coding="base64+json"))
    with pytest.raises(Halt, match=r"release\.map"):
        Outside(settings("safe-harbor", json_maps=(str(path),)))
    Outside(settings("expert-determination", json_maps=(str(path),)))


@given(st.text(min_size=1), st.text(max_size=40))
def test_new_ids_are_in_the_letters_of_the_old_and_nothing_else_changes(
    value: str, text: str
) -> None:
    old = token(Scope(KEY), value)
    fresh = Fresh()
    assert fresh.renamed(f"{text} {old}".encode(), [old]) == f"{text} {fresh.of(old)}".encode()
    assert fresh.of(old) != old
    assert fresh.of(old.upper()).isupper()
    assert Fresh().of(old) != fresh.of(old)
