"""The seal of inner records: it differs with all that it is of, and no other key makes it."""

import hashlib
import hmac

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from stream_deid import audit
from stream_deid.config import Keys, Release, Settings, examine
from stream_deid.config.places import NamedRecords
from stream_deid.errors import Halt
from stream_deid.outcome import Released, Source
from stream_deid.processor import Processor
from stream_deid.rig.hashing_worker import Hashing
from stream_deid.seal import AUDIT, HEADER, NOTE, holds, seal, seal_key
from stream_deid.streaming.delivery import Parcel, records
from stream_deid.streaming.releasing.gate import Gate
from stream_deid.streaming.releasing.inner import InnerRecord
from stream_deid.streaming.releasing.outside import Outside

SECRET, OTHER = b"0123456789abcdef", b"fedcba9876543210"
KEY = seal_key(SECRET, "")
RECORDS = st.tuples(
    st.sampled_from([NOTE, AUDIT]), st.none() | st.binary(max_size=9), st.binary(max_size=40)
)


def test_it_is_hmac_sha_256_of_what_each_is_with_its_length():
    framed = b"\0\0\0\0\0\0\0\x04note" + b"\0\0\0\0\0\0\0\x02\x01k" + b"\0\0\0\0\0\0\0\x02no"
    assert seal(KEY, NOTE, b"k", b"no") == hmac.new(KEY, framed, hashlib.sha256).digest()


@given(RECORDS, RECORDS)
def test_two_records_have_two_seals_and_one_has_one(one, other):
    assert (seal(KEY, *one) == seal(KEY, *other)) == (one == other)
    assert holds([KEY], seal(KEY, *one), *one)
    assert holds([KEY], seal(KEY, *one), *other) == (one == other)


@given(RECORDS, st.binary(min_size=16, max_size=64), st.text(max_size=4))
def test_no_other_key_and_no_other_tenant_makes_it(record, secret, tenant):
    assume((secret, tenant) != (SECRET, ""))
    strange = seal_key(secret, tenant)
    assert not holds([KEY], seal(strange, *record), *record)
    assert holds([KEY, strange], seal(strange, *record), *record)


@given(RECORDS, st.binary(max_size=40))
def test_no_other_bytes_are_it(record, found):
    assert not holds([KEY], found, *record)
    assert not holds([], seal(KEY, *record), *record)


@pytest.mark.parametrize("tenant", ["", "b"])
def test_readers_of_the_audit_see_no_seal_and_none_of_its_keys(tenant):
    """What `keyed_mac` gives for messages that somebody chose."""
    mac_key, key = audit.mac_key(SECRET, tenant), seal_key(SECRET, tenant)
    labelled = b"inner-seal\0" + tenant.encode()
    framed = b"".join(len(x).to_bytes(8) + x for x in (b"note", b"\0", b"a"))
    for chosen in (b"", b"a", labelled, framed):
        told = bytes.fromhex(audit.keyed_mac(mac_key, chosen))
        assert told not in {key, seal(key, NOTE, None, b"a"), seal(key, NOTE, None, chosen)}


def test_a_worker_seals_note_and_audit_alike_each_time():
    parcel = Parcel(Source("notes.raw", 0, 7), Released(b"n", b"k", b"a"), b"raw")
    key = seal_key(SECRET, "t")
    processor = Processor(None, None, Settings(keys=Keys(tenant="t")), SECRET)
    processor._pipeline = Hashing()
    for _ in range(2):
        note, entry = records(0, parcel, Settings().kafka, processor)
        assert dict(note.headers)[HEADER] == seal(key, NOTE, b"k", b"n")
        assert dict(entry.headers)[HEADER] == seal(key, AUDIT, b"k", b"a")


def gate(**release):
    settings = Settings(release=Release(**release))
    return Gate(settings, SECRET, Outside(settings))


def record(kind=NOTE, value=b"v", mark=None, offset=5):
    topic = "notes.deid" if kind == NOTE else "notes.audit"
    mark = seal(KEY, kind, b"k", value) if mark is None else mark
    return InnerRecord(topic, 0, offset, b"k", value, mark)


def test_what_no_worker_sealed_does_not_leave_and_is_named_without_its_text():
    for mark, told in ((b"", "bears no seal"), (b"x" * 32, "another's seal")):
        with pytest.raises(Halt, match=rf"release\.seal: notes\.deid/0/5 .*{told}") as halted:
            gate().leaving(record(value=b"Ingrid", mark=mark))
        assert "Ingrid" not in str(halted.value)
    with pytest.raises(Halt, match=r"release\.audit: no audit record at notes\.audit/0/5"):
        gate().leaving(record(AUDIT, b"[]"))


def test_what_is_passed_over_is_only_what_can_not_leave():
    named = gate(passed_over=("notes.deid/0/4-6", "notes.audit/0/5"))
    assert named.leaving(record(mark=b"")) is None
    assert named.leaving(record(AUDIT, b"[]")) is None
    assert named.leaving(record()).value == b"v"
    for other in (record(mark=b"", offset=7), record(AUDIT, b"[]", offset=4)):
        with pytest.raises(Halt):
            named.leaving(other)


def test_a_key_that_served_before_is_accepted_where_it_is_named(tmp_path):
    former = tmp_path / "former"
    former.write_bytes(OTHER + b"\n")
    old = record(mark=seal(seal_key(OTHER, ""), NOTE, b"k", b"v"))
    assert gate(former_keys=(str(former),)).leaving(old).value == b"v"
    with pytest.raises(Halt, match=r"release\.seal"):
        gate().leaving(old)
    former.write_bytes(b"short")
    with pytest.raises(Halt, match=r"key\.weak: release\.former_keys: the key in .* has 5 bytes"):
        gate(former_keys=(str(former),))
    with pytest.raises(Halt, match=r"key\.unreadable: release\.former_keys"):
        gate(former_keys=(str(tmp_path / "none"),))


@pytest.mark.parametrize(
    ("text", "records"),
    [
        ("notes.deid/0/7", NamedRecords("notes.deid", 0, 7, 7)),
        ("notes.deid/12/7-90", NamedRecords("notes.deid", 12, 7, 90)),
        *((one, None) for one in ("7", "t/7", "t/0/", "t/0/-7", "t/0/9-7", "t/a/7", "/0/7", "t/0/²",
                                  "t/0/7-", "t/-1/7", "t/0/1-2-3", "")),
    ],
)  # fmt: skip
def test_records_are_named_by_their_place(tmp_path, text, records):
    file = tmp_path / "settings.toml"
    file.write_text(f'[release]\npassed_over = ["{text}"]\n', encoding="utf-8")
    found = [problem.path for problem in examine(file, {}).problems]
    if records is None:
        assert found == ["release.passed_over"]
        with pytest.raises(ValueError, match="no"):
            NamedRecords.of(text)
    else:
        assert found == []
        assert NamedRecords.of(text) == records
