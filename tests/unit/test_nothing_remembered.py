"""The core keeps no state: when a note is done, no word of it is left in the process."""

import functools
import gc
import random
import re

import orjson
import pytest

import stream_deid.cli  # noqa: F401 - whatever the command line loads may have a cache
from stream_deid.detect.examination import Language
from stream_deid.detect.patterns import Patterns
from stream_deid.detect.record.known import KnownIdentifiers
from stream_deid.formats import sniff
from stream_deid.formats.fhir import message as fhir
from stream_deid.formats.hl7 import message as hl7v2
from stream_deid.formats.json import note as json_note
from stream_deid.pipeline import Pipeline
from stream_deid.rig.fuzz.tagger import drawn, tagger
from stream_deid.surrogate.engine import Surrogates
from stream_deid.surrogate.policy import Policy

OVER_LISTS = re.compile(
    r"surrogate\.places\.(towns|states)\._?(alike|by_likeness|states_by_prefix)$"  # codes of states
    r"|\.(values|years|_month_table|_weekday_table|_ordinals|_only_filler|_number_words|_listed)$"
)
"""Caches whose keys are languages, kinds of names, codes of countries and states."""
NO_NAME = re.compile(r"(?!)")
WIRES = {"json": json_note, "hl7v2": hl7v2, "fhir": fhir}


def pipeline() -> Pipeline:
    setups = {
        code: Language((Patterns(code), KnownIdentifiers()), (tagger(code),))
        for code in ("en", "es")
    }
    return Pipeline(setups, Surrogates(Policy.named(), b"0123456789abcdef"), "test")


def invented_word(rng: random.Random) -> str:
    return "".join(rng.choice("bdfgklmnprtvz") + rng.choice("aeiou") for _ in range(5)).title()


def secrets(seed: int) -> tuple[str, ...]:
    """Five names, a number and a date that stand nowhere but in the notes of this seed."""
    rng = random.Random(seed)
    names = tuple(invented_word(rng) for _ in range(5))
    return (*names, str(rng.randrange(10**9, 10**10)), f"3/4/18{rng.randrange(10, 99)}")


def messages(seed: int) -> list[bytes]:
    """Notes in JSON, HL7 and FHIR that hold the secrets in many ways."""
    name, other, place, kin, third, number, day = secrets(seed)
    text = (
        f"{name.upper()}, {other} Ñ{third.lower()} seen on {day} by Dr. {kin}y "
        f"at {place} Hospital, {number[:5]} {third} Street, {place}ville, MRN {number}.\n"
        f"Wife {other}a called {number[:3]}-555-{number[3:7]}, {name}.{kin}@{place}.org. "
        f"Born the third of marzo de {day[-4:]}. \u0410{other.lower()} \u738b{kin}. "
        f"Septembr {day[-4:]}."
    )
    patient = {"name": {"family": name, "given": other}, "ids": [{"value": number}]}
    body = {"note_id": number[::-1], "patient_id": f"{third}{number}", "text": text}
    wire = (
        f"MSH|^~\\&|A|B|C|D|20210304||ORU^R01|{number[:8]}|P|2.5\r"
        f"PID|1||{number}^^^H^MR||{name}^{other}\rOBX|1|TX|X^Note||{text}\r"
    )
    resource = {
        "resourceType": "Patient",
        "id": number[:8],
        "name": [{"family": name, "given": [other]}],
        "identifier": [{"system": f"urn:{place}", "value": number}],
        "address": [{"line": [f"{number[:5]} {third} Street"], "city": f"{place}ville"}],
        "contact": [{"name": {"text": kin}}],
        "text": {"status": "generated", "div": f"<div>{text}</div>"},
    }
    return [
        orjson.dumps({**body, "patient": patient}),
        orjson.dumps({**body, "language": "es"}),
        wire.encode(),
        orjson.dumps(resource),
        orjson.dumps({**resource, "language": "es"}),
    ]


def process(made: Pipeline, raw: bytes, rng: random.Random) -> None:
    wire = WIRES[sniff(raw)]
    note = wire.parse(raw)
    for known in NO_NAME, re.compile(r"\w+"):
        pending = made.begin(note)
        heard = []
        for chunk in pending.chunks:
            windows = made.windows(pending, chunk)
            scores = drawn(windows, pending.texts, pending.note.language, rng, known)
            heard.append(made.hear(pending, chunk, windows, scores))
        clean, _ = made.finish(pending, heard)
        wire.render(pending.note, clean)


def caches() -> dict[str, int]:
    found = {
        f"{cache.__module__}.{cache.__qualname__}": cache.cache_info().currsize
        for cache in gc.get_objects()
        if isinstance(cache, functools._lru_cache_wrapper)
    }
    return {
        name: size
        for name, size in found.items()
        if name.startswith("stream_deid.") and not OVER_LISTS.search(name)
    }


def held(pieces: tuple[str, ...]) -> list[str]:
    """The types of the objects of this process that hold a string with one of `pieces`.

    `pieces` are given backwards, so that this search does not find itself.
    """
    gc.collect()
    stack = [o for o in gc.get_objects() if o is not pieces]
    seen = {id(stack), id(pieces)}
    found = []
    while stack:
        owner = stack.pop()
        for value in gc.get_referents(owner):
            if isinstance(value, (str, bytes)):
                shown = (value if isinstance(value, str) else value.decode("latin-1")).lower()
                if any(piece in shown[::-1] for piece in pieces):
                    found.append(f"{type(owner).__name__} of {shown[:60]!r}")
            elif not gc.is_tracked(value) and id(value) not in seen:
                seen.add(id(value))
                stack.append(value)
    return found


def process_all(made: Pipeline, seed: int) -> None:
    for raw in messages(seed):
        process(made, raw, random.Random(seed))


@pytest.fixture(scope="module")
def warm() -> Pipeline:
    made = pipeline()
    for seed in range(8):
        process_all(made, seed)
    return made


def test_no_cache_grows_by_a_note(warm):
    before = caches()
    assert before
    for seed in range(100, 105):
        process_all(warm, seed)
    assert caches() == before


def test_no_word_of_a_note_is_left_on_the_heap(warm):
    process_all(warm, 200)
    assert held(tuple(secret[::-1].lower() for secret in secrets(200))) == []


def test_the_search_finds_what_is_kept():
    kept = {"a": [(secrets(300)[0],)]}
    assert held((secrets(300)[0][::-1].lower(),))
    assert kept
