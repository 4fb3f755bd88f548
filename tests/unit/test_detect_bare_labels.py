"""Labels of fields are nobody's names, whoever votes for them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from marked_spans import vote_for

from stream_deid.detect.examination import FIELD_DETECTOR
from stream_deid.detect.record.known import KnownIdentifiers
from stream_deid.detect.record.stated import states
from stream_deid.detect.settle.filtering.bare_labels import bare_label
from stream_deid.detect.settle.fusion.voting import vote
from stream_deid.labels import PhiType as T
from stream_deid.lists.field_labels import is_label

LABELS = [
    ("M.D., Deputy Coroner", "Coroner"), ("Doula: Sage", "Doula"), ("Dep 0639 Dest 0651", "Dest"),
    ("MBI on file", "MBI"), ("CIPA 1234567890", "CIPA"), ("CIP: GOMA123", "CIP"),
    ("BIBA from home", "BIBA"), ("IBAN provided", "IBAN"), ("UC: G tube fed", "UC"),
    ("CP: 28013", "CP"), ("SN 12345AB", "SN"), ("Verified SSN last 4", "SSN"),
    ("exp 04/27 CVV 123", "CVV"), ("Ref MD notified", "Ref"), ("Bay: 3", "Bay"),
    ("Bay 2 bed 3", "Bay"), ("PASILLO 1 GOMEZ R 45", "PASILLO"), ("HAB PASILLO", "PASILLO"),
    ("cc Warden's office, PCP", "Warden"), ("to the Sheriff's office", "Sheriff"),
    ("Anest.: raquidea", "Anest"), ("Ayud.: MIR", "Ayud"), ("Proc.: lap", "Proc"),
    ("Date   Regimen   Wt   CrCl   ANC\n1/2  AC  7", "Regimen"), ("Time|HR|BP|Init\n", "Init"),
    ("Chart # 4471", "Chart"), ("seen M 3/5 by NP.", "NP"), ("d/w RN, stable", "RN"),
]  # fmt: skip
HOUSES = [
    ("Isapre: Colmena", "Isapre", T.CITY), ("Cía: Sanitas", "Cía", T.DOCTOR),
    ("control en el poli el martes", "poli", T.HOSPITAL),
    ("Obra Social: IOSPER", "Obra Social", T.ORGANIZATION),
    ("trabaja en la maquila", "maquila", T.ORGANIZATION), ("por su UMF", "UMF", T.ORGANIZATION),
]  # fmt: skip
NAMED = [
    ("Dra. Mina llama", "Mina", T.DOCTOR), ("Colegio San José", "Colegio San José", T.ORGANIZATION),
    ("Isapre Colmena", "Colmena", T.ORGANIZATION), ("UMF 33", "UMF 33", T.ORGANIZATION),
]  # fmt: skip
NAMES = [
    ("Deputy Marsh called", "Marsh"), ("Coroner called", "Coroner"),
    ("Dr. Case: agreed", "Case"), ("Dr. Warden's office called", "Warden"),
    ("Warden called", "Warden"), ("seen by MBI", "MBI"), ("stable. MBI", "MBI"),
    ("SN will call", "SN"), ("CP agreed", "CP"), ("Kit called", "Kit"), ("Ms. Page: no", "Page"),
    ("Smith   Pain   BP   HR", "Smith"), ("Wt   12   BP   HR", "Wt"), ("Drug came   HR", "Drug"),
    ("stable. NP", "NP"), ("NP called", "NP"),
    ("TX\t0915\tCASH, JUNE", "TX"), ("TX 0930 VU, AN", "TX"),
    ("HALL B 45 SI", "HALL"), ("Molina MD", "Molina"), ("per CIP today", "CIP"),
]  # fmt: skip
PLAIN = ["mrn", "npi", "dea", "csn", "mbi", "udi", "imei", "cipa", "nhc", "nuhsa", "iban", "ssn"]


def asked(text, marked, kind=T.DOCTOR, detector="model@1"):
    return bare_label(text, vote_for(text, marked, kind, detector=detector))


@pytest.mark.parametrize(("text", "marked"), LABELS)
def test_a_label_is_no_name(text, marked):
    assert asked(text, marked)


@pytest.mark.parametrize(("text", "marked"), NAMES)
def test_somebody_who_is_called_like_a_label(text, marked):
    assert not asked(text, marked)


def test_what_the_record_states_and_fields_declare_stays():
    said = [name for name in ("known", "field", "fields", "bert_en@9", "") if states(name)]
    assert said == [KnownIdentifiers.name, FIELD_DETECTOR.partition("@")[0]]
    assert not asked("MBI on file", "MBI", detector="known@1")
    assert not asked("MBI on file", "MBI", detector=FIELD_DETECTOR)


def test_only_people_and_houses_are_asked():
    assert not asked("MBI on file", "MBI", kind=T.IDNUM)
    assert not asked("MBI on file", "MBI", kind=T.HOSPITAL)
    assert asked("CC: Warden's Office", "Warden", kind=T.HOSPITAL)
    assert asked("Bay 7 bed 5", "Bay", kind=T.HOSPITAL)
    assert asked("Ward 5E called", "Ward", kind=T.HOSPITAL)
    assert asked("6 Tower   Pt Bishop, Carol", "Pt", kind=T.HOSPITAL)
    assert not asked("Ward Clinic", "Ward", kind=T.HOSPITAL)
    assert not asked("Bay Clinic", "Bay", kind=T.HOSPITAL)


@given(
    st.sampled_from(PLAIN),
    st.sampled_from(["{} on file", "no {} given", "{}: see card", "the {} was sent"]),
    st.sampled_from(["name-cue@1", "model@1", "name-label@1"]),
)
def test_no_label_in_capitals_is_replaced_and_none_is_lost_beside_a_title(label, form, detector):
    word = label.upper()
    assert is_label(word)
    text = form.format(word)
    assert vote(text, [vote_for(text, word, T.PATIENT, detector=detector)]) == ()
    titled = f"Dr. {text}"
    moved = vote_for(titled, word, T.DOCTOR, detector=detector)
    assert form[0] != "{" or len(vote(titled, [moved])) == 1


@pytest.mark.parametrize(("text", "marked", "kind"), HOUSES)
def test_a_kind_of_house_or_payer_is_nobodys(text, marked, kind):
    assert asked(text, marked, kind)


@pytest.mark.parametrize(("text", "marked", "kind"), NAMED)
def test_a_house_with_a_name_is_one(text, marked, kind):
    assert not asked(text, marked, kind)
