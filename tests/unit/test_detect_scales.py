"""A pair behind the name of a scale is a score; behind another word it is a day."""

from pathlib import Path

import pytest
from fhir_helpers import released

_FILE = Path(__file__).parents[1] / "data" / "scales.tsv"
CASES = [line.split("\t") for line in _FILE.read_text("utf-8").splitlines()[1:]]


@pytest.mark.parametrize(("text", "kind"), CASES)
def test_a_pair_behind_a_scale(text, kind):
    seen = {"resourceType": "ClinicalImpression", "status": "completed", "summary": f"{text} today"}
    assert (released(seen)["summary"] == f"{text} today") == (kind == "score")


@pytest.mark.parametrize("kind", ["Questionnaire", "QuestionnaireResponse"])
@pytest.mark.parametrize("text", ["Gravida/Para", "G/P", "Barthel", "Pain today (0-10)", "Last BP"])
def test_the_text_of_an_item_stays_where_it_is_a_question(kind, text):
    form = {"resourceType": kind, "status": "active", "item": [{"linkId": "1", "text": text}]}
    assert released(form)["item"][0]["text"] == text
