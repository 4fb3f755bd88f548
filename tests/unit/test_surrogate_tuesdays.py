"""The Spanish `mar`: a Tuesday where one stands, else March."""

from __future__ import annotations

from datetime import date

import pytest
from surrogate_helpers import surrogates

from stream_deid.labels import PhiType
from stream_deid.note import Finding, Note, Part

DAYS = {"lun", "mar", "mié", "jue", "vie", "sáb", "dom"}
MONTHS = {
    "ene",
    "feb",
    "mar",
    "abr",
    "may",
    "jun",
    "jul",
    "ago",
    "sep",
    "sept",
    "oct",
    "nov",
    "dic",
}


def shown(before: str, core: str, after: str, patient: str) -> str:
    part = Part(before + core + after)
    note = Note("n", patient, (part,), "es", written_on=date(2024, 5, 5))
    found = Finding(len(before), len(before) + len(core), PhiType.DATE, ("test@1",))
    ((edit,),) = surrogates().edits(note, [[found]])
    return edit.replacement.lower()


@pytest.mark.parametrize("patient", "abcdef")
@pytest.mark.parametrize(
    ("before", "core", "after"),
    [("Acude el ", "mar.", " con su hija"), ("El ", "mar. 14", " revisión"),
     ("", "mar 7", " estable"), ("", "Mar. 7/5", ": TAC"), ("", "mar 14-05", ""),
     ("", "mar 7 de mayo", ""), ("", "MAR", ": bien"),
     ("desde el ", "mar", " no come"), ("", "mar, 14/05/2024", "")],
)  # fmt: skip
def test_a_tuesday_is_a_day(before, core, after, patient):
    made = shown(before, core, after, patient).replace("mie", "mié").replace("sab", "sáb")
    assert made[:3] in DAYS
    assert [c.isdecimal() for c in made if c in "/-."] == [
        c.isdecimal() for c in core if c in "/-."
    ]


@pytest.mark.parametrize("patient", "abcdef")
@pytest.mark.parametrize(
    ("before", "core", "after"),
    [("en ", "mar", " de"), ("", "7 mar", ""), ("", "mar 2024", ""), ("desde ", "mar/24", ""),
     ("", "mar 8", " x"), ("", "3 mar 2024", ""), ("", "mar-24", ""), ("", "3-mar", "")],
)  # fmt: skip
def test_march_is_a_month(before, core, after, patient):
    made = shown(before, core, after, patient)
    words = "".join(c if c.isalpha() else " " for c in made).split()
    assert len(words) == 1
    assert words[0] in MONTHS - {"mar"}
