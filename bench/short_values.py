"""Short results of HL7 v2 and FHIR: clinical values that are altered, identifiers that must be.

`corpora/dev/harm/hl7_values*.tsv`, each value as the result of a message of its own, through the
served path (patterns, record, models on a Triton server that this starts):

    .venv/bin/python bench/short_values.py [--show] [--forms hl7v2 fhir] [--tables TABLE ...]

The forms of a message: `hl7v2` has the value in OBX-5, `fhir` in an Observation, `answer` in an
item of a QuestionnaireResponse. A table of six columns has language and test (OBX-3) of each value
as well. Where a value marks its identifiers, `{{Fenwick}}`, each must go and the words beside them
stay; `{{?2019}}` may do either, and so may a year alone in a field of dates (DT, TS), which moves
with the policy's `year_only`.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from stream_deid import config
from stream_deid.processor import Processor

TABLE = Path(__file__).parents[1] / "corpora/dev/harm/hl7_values.tsv"
AT_ONCE = 4
_MARK = re.compile(r"\{\{(\??)(.*?)\}\}")
_HEAD = (
    "MSH|^~\\&|LAB|MAPLE|EHR|050|20240315||ORU^R01|M1|P|2.5\rPID|1||4711^^^H^MR||Quackenbush^Zeb\r"
)
_PATIENT = {
    "resourceType": "Patient",
    "id": "p1",
    "identifier": [{"type": {"coding": [{"code": "MR"}]}, "value": "4711"}],
    "name": [{"family": "Quackenbush", "given": ["Zeb"]}],
}
_SYSTEMS = {"LN": "http://loinc.org", "SCT": "http://snomed.info/sct"}
_CODED = frozenset({"CE", "CWE", "CNE", "CF"})


@dataclass(frozen=True)
class Row:
    """A value with what it is and what was asked (OBX-3)."""

    kind: str
    data_type: str
    test: str
    marked: str

    @property
    def value(self) -> str:
        """What the message holds."""
        return _MARK.sub(r"\2", self.marked)

    @property
    def identifiers(self) -> list[str]:
        """What must go."""
        found = [text for free, text in _MARK.findall(self.marked) if not free]
        marked = self.marked != self.value
        return [self.value] if self.kind == "identifier" and not marked else found

    @property
    def is_a_year(self) -> bool:
        """Whether it is a year in a field of dates."""
        return (
            self.data_type in ("DT", "TS", "DTM") and re.fullmatch(r"\d{4}", self.value) is not None
        )

    def stays(self, shown: str) -> bool:
        """Whether all that identifies nobody stands in `shown` as it did."""
        beside = (re.escape(text) for text in _MARK.split(self.marked)[::3])
        return re.fullmatch(".*".join(beside), shown, re.DOTALL) is not None


def read(table: Path) -> list[Row]:
    """The rows of a table."""
    rows = [line.split("\t") for line in table.read_text("utf-8").splitlines()[1:]]
    return [
        Row(row[0], row[1], "T^Test^L", row[2])
        if len(row) == 3
        else Row(row[0], row[2], row[4], row[5])
        for row in rows
    ]


def hl7v2(row: Row) -> str:
    """An ORU with one OBX."""
    return f"{_HEAD}OBX|1|{row.data_type}|{row.test}||{row.value}||||||F\r"


def fhir(row: Row) -> str:
    """A Bundle of a patient and an Observation."""
    seen = {
        "resourceType": "Observation",
        "status": "final",
        "code": _concept(row.test),
        "subject": {"reference": "Patient/p1"},
    }
    if row.data_type in _CODED and "^" in row.value:
        return _bundle({**seen, "valueCodeableConcept": _concept(row.value)})
    return _bundle({**seen, "valueString": row.value})


def answer(row: Row) -> str:
    """A Bundle of a patient and a QuestionnaireResponse."""
    code, text, *_ = row.test.split("^")
    item = {"linkId": code, "text": text, "answer": [{"valueString": row.value}]}
    return _bundle(
        {
            "resourceType": "QuestionnaireResponse",
            "status": "completed",
            "subject": {"reference": "Patient/p1"},
            "item": [item],
        }
    )


def _bundle(resource: Mapping[str, Any]) -> str:
    entries = [{"resource": _PATIENT}, {"resource": resource}]
    return json.dumps({"resourceType": "Bundle", "type": "collection", "entry": entries})


def _concept(element: str) -> dict[str, Any]:
    code, text, system, *_ = [*element.split("^"), "", "", ""]
    coding = {"system": _SYSTEMS.get(system, "urn:local:lab"), "code": code, "display": text}
    return {"coding": [{name: said for name, said in coding.items() if said}], "text": text or code}


def _result(form: str, out: bytes) -> str:
    """The value of a message, as it comes out."""
    if form == "hl7v2":
        return out.decode().split("OBX|", 1)[1].split("|")[4]
    held = json.loads(out)["entry"][1]["resource"]
    if form == "answer":
        return str(held["item"][0]["answer"][0].get("valueString", ""))
    if "valueCodeableConcept" in held:
        coding = held["valueCodeableConcept"]["coding"][0]
        return f"{coding.get('code', '')}^{coding.get('display', '')}"
    return str(held.get("valueString", ""))


FORMS = {"hl7v2": hl7v2, "fhir": fhir, "answer": answer}


def in_form(row: Row, form: str) -> Row:
    """The row as a form has it: of a coded element FHIR shows one code and its display."""
    if form != "fhir" or row.data_type not in _CODED or "^" not in row.value:
        return row
    return replace(row, marked="^".join(row.marked.split("^")[:2]))


async def run(processor: Processor, form: str, rows: list[Row]) -> list[str]:
    """What comes out of each row."""
    free = asyncio.Semaphore(AT_ONCE)

    async def one(row: Row) -> str:
        async with free:
            raw = FORMS[form](row).encode()
            kind = "hl7v2" if form == "hl7v2" else "fhir"
            return _result(form, (await processor.handle(raw, {}, kind)).note)

    return await asyncio.gather(*(one(row) for row in rows))


def score(table: str, form: str, rows: list[Row], shown: list[str], *, show: bool) -> None:
    """Print the clinical values altered, identifiers replaced, words altered beside them."""
    counts: Counter[str] = Counter()
    for row, out in zip(rows, shown, strict=True):
        if row.kind == "clinical" and row.is_a_year:
            counts["years"] += 1
        elif row.kind == "clinical":
            counts["clinical"] += 1
            altered = [row.value] if not row.stays(out) else []
            counts["altered"] += len(altered)
        else:
            altered = [text for text in row.identifiers if text in out]
            counts["identifiers"] += len(row.identifiers)
            counts["missed"] += len(altered)
            beside = row.marked != row.value and not row.stays(out) and not altered
            counts["beside"] += beside
            altered += ["beside"] * beside
        if show and altered:
            print(f"  {row.kind:<11}{row.data_type:<4}{row.test}: {row.marked} -> {out}")
    clinical, identifiers = counts["clinical"], counts["identifiers"]
    found = identifiers - counts["missed"]
    print(
        f"{table:<18}{form:<8}clinical altered {counts['altered']:>3} of {clinical:<4} "
        f"({100 * counts['altered'] / max(1, clinical):.1f} %)   identifiers replaced {found:>3} "
        f"of {identifiers:<4} ({100 * found / max(1, identifiers):.1f} %)   "
        f"words beside them altered {counts['beside']}   years alone {counts['years']}",
        flush=True,
    )  # fmt: skip


async def main(tables: list[Path], forms: list[str], *, show: bool) -> None:
    """Each table in each form."""
    processor = await Processor.open(config.with_a_key(config.load(None)))
    for table in tables:
        rows = read(table)
        for form in forms:
            shown = await run(processor, form, rows)
            score(table.name, form, [in_form(row, form) for row in rows], shown, show=show)
    await processor.close()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--show", action="store_true", help="what is altered and shouldn't be")
    parser.add_argument("--tables", type=Path, nargs="+", default=[TABLE], help="other values")
    parser.add_argument("--forms", nargs="+", choices=list(FORMS), default=["hl7v2"])
    arguments = parser.parse_args()
    asyncio.run(main(arguments.tables, arguments.forms, show=arguments.show))
