"""The language that a message names is the same in every format, configured or not."""

import orjson
import pytest

from stream_deid import config, formats
from stream_deid.formats.language import language

WIRES = formats.made(config.Formats())


def in_json(stated):
    body = {"note_id": "1", "patient_id": "p", "text": "bonjour", "language": stated}
    return WIRES["json"].parse(orjson.dumps(body))


def in_hl7(stated):
    raw = f"MSH|^~\\&|A|B|C|D|20210304||ORU^R01|1|P|2.5||||||UNICODE UTF-8|{stated}^x\rPID|1||1\r"
    return WIRES["hl7v2"].parse(raw.encode())


def in_fhir(stated):
    return WIRES["fhir"].parse(orjson.dumps({"resourceType": "Patient", "language": stated}))


@pytest.mark.parametrize("parse", [in_json, in_hl7, in_fhir])
@pytest.mark.parametrize(
    ("stated", "code"),
    [("en", "en"), ("es-MX", "es"), ("SPA", "es"), ("fr", "fr"), ("pt-BR", "pt"), ("deu", "de"),
     ("est", "et"), ("Smith", ""), ("es-Smith", ""), ("", "")],
)  # fmt: skip
def test_a_language_is_told_by_its_code_whether_there_are_models_for_it_or_not(parse, stated, code):
    """An unknown one is decided by the text; one that is known is never examined as another."""
    assert parse(stated).language == code


def test_a_bundle_is_in_the_language_of_its_first_resource_that_names_one():
    held = [
        {"resource": {"resourceType": "Patient", **stated}} for stated in ({}, {"language": "fr"})
    ]
    bundle = {"resourceType": "Bundle", "type": "collection", "entry": held}
    assert WIRES["fhir"].parse(orjson.dumps(bundle)).language == "fr"


def test_languages_have_names_too():
    assert [language(name) for name in ("English", "español", "Englisch")] == ["en", "es", ""]
