"""Numbers, addresses and days of fixed form: one reading of each for every message format."""

import importlib
import pkgutil
import re

import pytest

from stream_deid import formats
from stream_deid.formats import fixed_forms
from stream_deid.text.linear import Expression

EXAMPLES = {
    "521-64-9083": "SSN",
    "03/04/1950": "DATE",
    "3-4-1950": "DATE",
    "1950-04-03": "DATE",
    "1EG4-TE5-MK73": "HEALTHPLAN",
    "w.okonjo@mail.example.org": "EMAIL",
    "josé@example.es": "EMAIL",
    "617-555-0148": "PHONE",
    "(617)555-0148": "PHONE",
    "617 555 0148": "PHONE",
    "+1 617.555.0148": "PHONE",
}
NEIGHBOURS = [
    "{}",
    "code {}",
    "{} and",
    "is {}.",
    "({})",
    "{}, {}",
    "{} {}",
    "{};x",
    "é {}",
    "@ {}",
]


def found(text):
    return [(text[span.start : span.end], span.type.value) for span in fixed_forms.found(text)]


@pytest.mark.parametrize("around", NEIGHBOURS)
@pytest.mark.parametrize(("form", "kind"), EXAMPLES.items())
def test_a_form_is_found_whatever_stands_beside_it(form, kind, around):
    assert found(around.format(form, form)).count((form, kind)) == around.count("{}")


@pytest.mark.parametrize("text", ["SSN521-64-9083", "521-64-9083x", "DOB.521-64-9083"])
def test_letters_do_not_hide_a_number(text):
    assert found(text) == [("521-64-9083", "SSN")]


@pytest.mark.parametrize(
    "text",
    [
        "1521-64-9083",
        "521-64-90831",
        "10-521-64-9083",
        "2.16.840.1.113883.6.96",  # an OID
        "http://hl7.org/fhir/1950-04-03/x",
        "1.03.04.1950.2",
        "A1EG4TE5MK73",
        "118602004",
        "120/80",
        "1:1024",
        "2345-7",  # LOINC
    ],
)
def test_no_form_is_cut_out_of_a_longer_number(text):
    assert found(text) == []


def expressions(value):
    """The compiled expressions of a module's value."""
    if isinstance(value, re.Pattern | Expression):
        yield from () if isinstance(value.pattern, bytes) else (value,)
    elif isinstance(value, tuple | list):
        for one in value:
            yield from expressions(one)


def modules():
    for module in pkgutil.walk_packages(formats.__path__, formats.__name__ + "."):
        yield importlib.import_module(module.name)


def no_longer(form):
    """The form with a digit more behind its last one, an address without its sign."""
    return re.sub(r"(\d)(?!.*\d)", r"\g<1>0", form).replace("@", "")


def test_no_other_expression_of_the_formats_spells_a_form():
    """Days by ISO 8601 are each standard's own: fields that hold nothing else are read by it."""
    forms = EXAMPLES.keys() - {"1950-04-03"}
    twice = [
        (module.__name__, name, form)
        for module in modules()
        if module is not fixed_forms
        for name, value in vars(module).items()
        for one in expressions(value)
        for form in forms
        if one.fullmatch(form) and not one.fullmatch(no_longer(form))
    ]
    assert twice == []
