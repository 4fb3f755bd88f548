"""What searches ask for stays where a vocabulary says so; what names somebody does not."""

import pytest
from fhir_helpers import released

from stream_deid.formats.vocabulary_codes import proves_itself
from stream_deid.text.days import is_stamp


def link(query: str) -> str:
    """The query of a link after de-identification."""
    bundle = {
        "resourceType": "Bundle",
        "type": "searchset",
        "link": [{"relation": "self", "url": f"https://h.example/R4/Condition?{query}"}],
    }
    return released(bundle)["link"][0]["url"].partition("?")[2]


@pytest.mark.parametrize("code", ["44054006", "840539006", "1119302008", "2339-0", "14749-6"])
def test_a_code_with_its_check_digit(code):
    assert proves_itself(code)
    wrong = code[:-1] + str((int(code[-1]) + 1) % 10)
    assert not proves_itself(wrong)


@pytest.mark.parametrize(
    "query",
    [
        "code=44054006",
        "combo-code=http://loinc.org|8480-6",
        "code=http://www.nlm.nih.gov/research/umls/rxnorm|197361",
        "code=2339-0,718-7",
    ],
)
def test_a_code_stays(query):
    assert link(query) == query


@pytest.mark.parametrize(
    "query",
    [
        "identifier=44054006",
        "patient=44054006",
        "subject:identifier=http://hl7.org/fhir/sid/us-ssn|521-64-9083",
        "code=http://loinc.org|521-64-9083",
    ],
)
def test_a_number_of_a_person_does_not(query):
    assert query.rpartition("=")[2].rpartition("|")[2] not in link(query)


@pytest.mark.parametrize("title", ["msg.html", "scan.PDF", "letter.rtf"])
def test_the_ending_of_a_file_stays(title):
    made = _titled(title)
    assert made == title


def test_a_name_in_a_file_does_not():
    made = _titled("Okonjo_Wilhelmina.html")
    assert made.endswith(".html")
    assert "Okonjo" not in made


def _titled(title: str) -> str:
    one = {
        "resourceType": "DocumentReference",
        "status": "current",
        "subject": {"reference": "Patient/1", "display": "Wilhelmina Okonjo"},
        "content": [{"attachment": {"title": title}}],
    }
    return released(one)["content"][0]["attachment"]["title"]


def test_a_patient_of_a_search_is_the_patient_of_the_bundle():
    bundle = {
        "resourceType": "Bundle",
        "type": "searchset",
        "link": [{"relation": "next", "url": "https://h.example/R4/Condition?patient=pt-8812"}],
        "entry": [{"resource": {"resourceType": "Patient", "id": "pt-8812"}}],
    }
    made = released(bundle)
    assert made["link"][0]["url"].endswith(f"?patient={made['entry'][0]['resource']['id']}")


def test_a_day_alone_in_words_is_a_day():
    answer = {
        "linkId": "1",
        "text": "Last menstrual period",
        "answer": [{"valueString": "20260501"}],
    }
    form = {"resourceType": "QuestionnaireResponse", "status": "completed", "item": [answer]}
    made = released(form)["item"][0]["answer"][0]["valueString"]
    assert made != "20260501"
    assert is_stamp(made)
