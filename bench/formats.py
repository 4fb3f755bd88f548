"""One note in every format: what a format costs beside plain JSON, in one run.

    .venv/bin/python bench/formats.py [--rounds 40]

The worker's path of one message without broker and models (parsing, patterns, record matching,
settling, surrogates, rendering, audit), formats by turns, so that whatever else the machine does
falls on all alike. What the models take is the same for the same text.
"""

from __future__ import annotations

import argparse
import asyncio
import base64
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from statistics import median
from typing import Any, cast

import orjson

from stream_deid.config import Formats, Settings
from stream_deid.outcome import Source
from stream_deid.processor import Processor
from stream_deid.rig.fuzz.subject import KEY, Votes, assemble
from stream_deid.serving.batcher import Scorer

TEXT = " ".join(
    f"Day {n}: Mr. Quackenbush (MRN 88123471) seen by Dr. Feathergill on 03/{n:02}/2024. "
    "BP 120/80, Hgb 11.2, lisinopril 10 mg daily; call 617-555-0142 if worse."
    for n in range(1, 20)
)
MAP = """
note_id = "/id"
patient_id = "/who/mrn"
texts = ["/sections/*/text"]
dates = ["/time"]
facts = "/who"
[match]
"/kind" = "mapped"
"""
INSIDE = '[match]\n"/kind" = "hl7"\n[messages]\n"/raw" = "hl7v2"\n'


def messages() -> dict[str, bytes]:
    """The same note and patient in every format."""
    name = {"family": "Quackenbush", "given": "Zebulon"}
    who = {"mrn": "88123471", "name": name, "birth_date": "1943-06-12"}
    hl7 = (
        "MSH|^~\\&|EHR|MAPLE|DEID|R|20240315||MDM^T02|M1|P|2.5\r"
        "PID|1||88123471^^^MAPLE^MR||Quackenbush^Zebulon||19430612|M\r"
        f"OBX|1|TX|11506-3^Note^LN||{TEXT.replace('&', ' ')}||||||F\r"
    )
    patient = {
        "resourceType": "Patient", "id": "p1", "birthDate": "1943-06-12",
        "name": [{"family": "Quackenbush", "given": ["Zebulon"]}],
        "identifier": [{"value": "88123471"}],
    }  # fmt: skip
    data = base64.b64encode(TEXT.encode()).decode()
    document = {
        "resourceType": "DocumentReference", "status": "current",
        "subject": {"reference": "Patient/p1"},
        "content": [{"attachment": {"contentType": "text/plain", "data": data}}],
    }  # fmt: skip
    entries = [{"resource": patient}, {"resource": document}]
    bodies: dict[str, Any] = {
        "json": {"note_id": "n1", "patient_id": "88123471", "text": TEXT, "patient": who},
        "json, mapped": {
            "kind": "mapped", "id": "n1", "who": who, "time": "2024-03-15T10:00:00Z",
            "sections": [{"text": TEXT}],
        },
        "fhir": {"resourceType": "Bundle", "type": "collection", "entry": entries},
        "hl7 in json": {"kind": "hl7", "raw": hl7},
    }  # fmt: skip
    return {"hl7v2": hl7.encode(), **{form: orjson.dumps(body) for form, body in bodies.items()}}


async def main(rounds: int) -> None:
    """Print milliseconds a note and what they are beside plain JSON."""
    with tempfile.TemporaryDirectory() as folder:
        maps = [Path(folder) / f"{number}.toml" for number in range(2)]
        for path, text in zip(maps, (MAP, INSIDE), strict=True):
            path.write_text(text)
        formats = Formats(json_maps=tuple(map(str, maps)), language="en")
        scorer = cast(Scorer, None)  # without models nothing is scored
        pipeline = assemble("expert-determination", Votes())
        english = replace(pipeline.languages["en"], models=())
        plain = replace(pipeline, languages={"en": english})
        processor = Processor(plain, scorer, replace(Settings(), formats=formats), KEY)
        taken: dict[str, list[float]] = {form: [] for form in messages()}
        for number in range(rounds):
            for form, raw in messages().items():
                began = time.process_time()
                await processor.process(raw, Source("bench", 0, number))
                taken[form].append(time.process_time() - began)
    base = median(taken["json"])
    for form, seconds in taken.items():
        print(f"{form:<14}{median(seconds) * 1000:7.1f} ms{median(seconds) / base:6.2f}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=40)
    asyncio.run(main(parser.parse_args().rounds))
