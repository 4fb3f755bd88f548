"""One note in every format: what a format costs beside plain JSON, in one run.

    .venv/bin/python bench/formats.py [--rounds 40] [--stream NOTES]

The worker's path of one message without broker and models (parsing, patterns, record matching,
settling, surrogates, rendering, audit), formats by turns, so that whatever else the machine does
falls on all alike. What the models take is the same for the same text. `--stream`: the same
through a whole worker without models and a broker (Apache Kafka where KAFKA_HOME names one); the
worker's own CPU time beside notes a second, since a busy machine doesn't change it much.
"""

from __future__ import annotations

import argparse
import asyncio
import base64
import json
import sys
import tempfile
import time
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from statistics import median
from typing import Any, cast

import orjson
import psutil

from stream_deid import config
from stream_deid.config import Formats, Kafka, Settings
from stream_deid.outcome import Contact, Source
from stream_deid.processor import Processor
from stream_deid.rig.broker import open_broker
from stream_deid.rig.fuzz.subject import KEY, Votes, assemble
from stream_deid.rig.reconciliation import LedgerReader, environment, named_after, publish
from stream_deid.rig.supervised import Supervised
from stream_deid.serving.batcher import Scorer
from stream_deid.streaming import worker
from stream_deid.streaming.kafka.clients import create_topics

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


class Unheard(Processor):
    """A processor without models, which has nobody to ask whether they answer."""

    async def answers(self) -> bool:
        """It needs nobody."""
        return True

    async def contact(self) -> Contact:
        """It needs nobody."""
        return Contact()


def unheard(settings: Settings) -> Unheard:
    """The processor of the settings, patterns and record only."""
    scorer = cast(Scorer, None)  # without models nothing is scored
    pipeline = assemble("expert-determination", Votes())
    english = replace(pipeline.languages["en"], models=())
    plain = replace(pipeline, languages={"en": english})
    return Unheard(plain, scorer, settings, KEY)


def mapped(folder: Path) -> Formats:
    """Settings for all of `messages`."""
    maps = [folder / f"{number}.toml" for number in range(2)]
    for path, text in zip(maps, (MAP, INSIDE), strict=True):
        path.write_text(text)
    return Formats(json_maps=tuple(map(str, maps)), language="en")


async def main(rounds: int) -> None:
    """Print milliseconds a note and what they are beside plain JSON."""
    with tempfile.TemporaryDirectory() as folder:
        processor = unheard(replace(Settings(), formats=mapped(Path(folder))))
        taken: dict[str, list[float]] = {form: [] for form in messages()}
        for number in range(rounds):
            for form, raw in messages().items():
                began = time.process_time()
                await processor.process(raw, Source("bench", 0, number))
                taken[form].append(time.process_time() - began)
    base = median(taken["json"])
    for form, seconds in taken.items():
        print(f"{form:<14}{median(seconds) * 1000:7.1f} ms{median(seconds) / base:6.2f}")


def busy() -> float:
    """The CPU seconds that the worker has taken."""
    workers = [one for one in psutil.Process().children() if "--worker" in one.cmdline()]
    return sum(one.cpu_times().user + one.cpu_times().system for one in workers)


def stream(notes: int, rounds: int = 3) -> None:
    """Print notes a second through a worker and a broker, and its CPU time, formats by turns."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        broker = stack.enter_context(open_broker(kafka_home=config.local_broker()[1]))
        kafka = named_after(Kafka(bootstrap=broker), "formats")
        create_topics(kafka, dict.fromkeys(kafka.topics, 1))
        maps = json.dumps(mapped(folder).json_maps)
        env = environment(
            kafka, STREAM_DEID_FORMATS__JSON_MAPS=maps, STREAM_DEID_FORMATS__LANGUAGE="en"
        )
        log = folder / "worker.log"
        stack.enter_context(Supervised((sys.executable, __file__, "--worker"), env=env, log=log))
        reader = LedgerReader(kafka, 1)
        stack.callback(reader.close)
        rates: dict[str, list[float]] = {form: [] for form in messages()}
        taken: dict[str, list[float]] = {form: [] for form in messages()}
        due = publish(kafka, [messages()["json"]] * 20, 1)
        reader.until(lambda seen: seen.done >= due, 120)
        for form, raw in list(messages().items()) * rounds:
            began, worked = time.monotonic(), busy()
            due += publish(kafka, [raw] * notes, 1)
            reader.until(lambda seen, due=due: seen.done >= due, 600)  # type: ignore[misc]
            rates[form].append(notes / (time.monotonic() - began))
            taken[form].append((busy() - worked) / notes)
    base, spent = median(rates["json"]), median(taken["json"])
    for form, rate in rates.items():
        cpu = median(taken[form])
        print(f"{form:<14}{median(rate):7.1f} notes/s{median(rate) / base:6.2f}"
              f"{cpu * 1000:8.1f} ms CPU{cpu / spent:6.2f}")  # fmt: skip


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=40)
    parser.add_argument("--stream", type=int, metavar="NOTES", help="through a worker and a broker")
    parser.add_argument("--worker", action="store_true", help="be that worker")
    chosen = parser.parse_args()
    if chosen.worker:
        sys.exit(worker.run(config.load(), unheard))
    elif chosen.stream:
        stream(chosen.stream)
    else:
        asyncio.run(main(chosen.rounds))
