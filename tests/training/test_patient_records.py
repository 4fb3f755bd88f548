"""Training notes with patients of a hospital's own records in them."""

import bert_parts as parts
import pytest

from stream_deid.errors import Halt
from stream_deid.labels import PhiType
from stream_deid.training.data import corpora, patient_records
from stream_deid.training.data.augment import Augmenter, Augmenting
from stream_deid.training.data.corpora import AnnotatedNote
from stream_deid.training.data.gazetteers import Gazetteers

TEXT, SPANS = corpora.unmark(
    "[[PATIENT|DELGADO, Rosa M.]], seen by Dr. [[DOCTOR|Okafor]] for K 3.4.\n"
    "Ms. [[PATIENT|Delgado]] of [[STREET|12 Oak Street]], [[CITY|Salem]], [[STATE|MA]] "
    "[[ZIP|02139]]; once in [[CITY|Dover]]. [[PATIENT|RD]]. Son [[PATIENT|Luis Delgado]]."
)
NOTE = AnnotatedNote("n", TEXT, tuple(SPANS), "en")
OBJECT = (
    '{"name": {"family": "Zubizarreta", "given": "Itziar"}, "birth_date": "1951-03-04", '
    '"address": {"street": "7 Elm Road", "city": "Quincy", "state": "IL", "zip": "62301"}}'
)
ENVELOPE = '{"note_id": "1", "text": "x", "patient": {"name": "Itziar Zubizarreta"}}'
FHIR = (
    '{"resourceType": "Patient", "id": "p", "name": [{"family": "Zubizarreta", '
    '"given": ["Itziar"]}], "address": [{"line": ["7 Elm Road"], "city": "Quincy", '
    '"state": "IL", "postalCode": "62301"}]}'
)


@pytest.fixture(scope="module")
def lists(tmp_path_factory):
    return Gazetteers(parts.gazetteers(tmp_path_factory.mktemp("data") / "gazetteers"))


def drawn(lists, file, seed, **settings):
    changes = {"keep": 0.0, "keep_value": 0.0, "noisy": False, "record_share": 1.0} | settings
    found = Augmenter([NOTE], lists, Augmenting(records=file, **changes), seed).draw(NOTE, 0)
    return [found.text[a:b] for a, b, _ in found.spans], found


@pytest.mark.parametrize("record", [OBJECT, FHIR])
def test_the_patient_of_a_record_stands_in_for_that_of_the_note(lists, tmp_path, record):
    (tmp_path / "patients.jsonl").write_text(f"{record}\n\n", "utf-8")
    for seed in range(20):
        values, note = drawn(lists, str(tmp_path / "patients.jsonl"), seed)
        assert values[0].startswith("ZUBIZARRETA, Itziar ")
        assert values[2:5] == ["Zubizarreta", "7 Elm Road", "Quincy"]
        assert values[6] == "62301"
        assert values[7] != "Quincy"
        assert values[8] == "IZ"
        assert values[9].endswith(" Zubizarreta")
        assert "Itziar" not in values[9]
        assert values[1] not in ("Itziar", "Zubizarreta")
        assert [label for _, _, label in note.spans] == [label for _, _, label in NOTE.spans]
        assert " for K 3.4.\nMs. " in note.text


def test_a_share_of_the_notes_has_them_and_the_rest_is_as_without(lists, tmp_path):
    (tmp_path / "patients.jsonl").write_text(f"{ENVELOPE}\n{OBJECT}\n", "utf-8")
    file = str(tmp_path / "patients.jsonl")
    texts = [drawn(lists, file, seed, record_share=0.5)[1].text for seed in range(60)]
    having = sum("ZUBIZARRETA" in text for text in texts)
    assert 15 < having < 45
    assert drawn(lists, "", 3)[1] == drawn(lists, "", 3, record_share=0.1)[1]


def test_records_are_read_by_the_folder_of_data_as_well(lists):
    (lists.data / "patients.jsonl").write_text(ENVELOPE, "utf-8")
    (one,) = patient_records.of("patients.jsonl", lists.data)
    assert (one.given, one.family, dict(one.places)) == (("Itziar",), ("Zubizarreta",), {})
    assert "Itziar" not in repr(one)


def test_words_that_a_record_has_nothing_for_are_drawn():
    one = patient_records.OwnPatient(("Ada",), ("Okonjo",), {})
    assert one.name("Anna Maria de la Cruz", frozenset({"de", "la"})) == {
        "anna": "Ada", "cruz": "Okonjo",
    }  # fmt: skip
    assert one.name("Cruz", frozenset()) == {"cruz": "Okonjo"}
    assert one.place("PHONE", "555-0187") is None


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (f"{OBJECT}\nSecret Name", "line 2"),
        ('{"birth_date": "1951-03-04"}', "no record"),
        ("", "no record"),
        (None, "No such file"),
    ],
)
def test_what_is_no_file_of_records_is_told_without_its_words(tmp_path, text, told):
    path = tmp_path / "patients.jsonl"
    if text is not None:
        path.write_text(text, "utf-8")
    with pytest.raises(Halt, match=rf"recipe\.records.*{told}") as caught:
        patient_records.read(path)
    assert "Secret" not in str(caught.value)


def test_spanish_postcodes_under_the_label_of_towns_are_the_records():

    places = {PhiType.CITY: "Lugo", PhiType.ZIP: "27001"}
    one = patient_records.OwnPatient(("Ana",), ("Sanz",), places)
    assert one.place("TERRITORIO", "28040") == "27001"
    assert one.place("TERRITORIO", "Madrid") == "Lugo"
