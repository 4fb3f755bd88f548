"""The core keeps no state: when a note is done, no word of it is left in the process."""

import ast
import functools
import gc
import random
import re
from inspect import signature
from pathlib import Path

import orjson
import pytest

import stream_deid.cli
from stream_deid.detect.examination import Language
from stream_deid.detect.patterns import Patterns
from stream_deid.detect.record.known import KnownIdentifiers
from stream_deid.formats import sniff
from stream_deid.formats.fhir import message as fhir
from stream_deid.formats.hl7 import message as hl7v2
from stream_deid.formats.json import note as json_note
from stream_deid.lists.lexicon import load_census
from stream_deid.lists.name_words import is_nothing_else
from stream_deid.pipeline import Pipeline
from stream_deid.rig.fuzz.drawn_scores import drawn, tagger
from stream_deid.surrogate.engine import Surrogates
from stream_deid.surrogate.policy import Policy

OVER_LISTS = re.compile(
    r"surrogate\.places\.(towns|states)\._?(alike|by_likeness|states_by_prefix)$"  # codes of states
    r"|\.(values|years|_month_table|_weekday_table|_ordinals|_only_filler|_number_words|_listed)$"
)
"""Caches whose keys are languages, kinds of names, codes of countries and states."""
CLOSED = {
    "language", "codes", "spanish", "country", "state", "first", "size", "words", "home", "sex",
    "who", "kind", "name", "group", "low", "high", "char", "profile", "site", "origin",
}  # fmt: skip
"""What a cached function may be asked for: languages, places of lists, kinds, single characters."""
OF_DATA = {
    ("detect/patterns/base.py", "compiled"): "a detector's own grammar, as it is made",
    ("text/linear.py", "__init__"): "what `linear` is given, which this list is of",
    ("detect/settle/filtering/foreign_months.py", "_foreign"): "the words of a language, once",
    ("formats/payers.py", "_programme"): "the names of public payers, once",
    ("formats/hl7/maps/field_map.py", "read"): "a site's map, as it is read",
    ("formats/hl7/er7/syntax.py", "_decode"): "one character that separates fields",
    ("surrogate/numbers/checked.py", "_kind"): "the forms of thirteen kinds of numbers, once",
}
"""Expressions that a function makes, and what they are made of: nothing of a note."""
EXPRESSION = re.compile(
    r"re2?\.(compile|search|match|fullmatch|subn?|split|findall|finditer)|linear(\.linear)?"
)
PACKAGE = Path(stream_deid.cli.__file__).parents[1]
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


@functools.cache
def only_names() -> list[str]:
    return sorted(filter(is_nothing_else, load_census().family))


def listed(seed: int) -> str:
    """A surname of the lists in small letters, another for each seed."""
    return only_names()[100 + seed]


def messages(seed: int) -> list[bytes]:
    """Notes in JSON, HL7 and FHIR that hold the secrets in many ways."""
    name, other, place, kin, third, number, day = secrets(seed)
    text = (
        f"{name.upper()}, {other} Ñ{third.lower()} seen on {day} by Dr. {kin}y "
        f"at {place} Hospital, {number[:5]} {third} Street, {place}ville, MRN {number}.\n"
        f"Wife {other}a called {number[:3]}-555-{number[3:7]}, {name}.{kin}@{place}.org. "
        f"Born the third of marzo de {day[-4:]}. \u0410{other.lower()} \u738b{kin}. "
        f"Septembr {day[-4:]}. Seen in {place} {kin} {other} Hospital "
        f"({place[0]}{kin[0]}{other[0]}H), then at {place[0]}{kin[0]}{other[0]}H by "
        f"{listed(seed)} {listed(seed + 1)}.\n"
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
    """How much each cache holds; what takes no parameter is made once, of no note."""
    found = {
        f"{cache.__module__}.{cache.__qualname__}": cache.cache_info().currsize
        for cache in gc.get_objects()
        if isinstance(cache, functools._lru_cache_wrapper) and signature(cache).parameters
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


def expressions() -> set[object]:
    return {one.pattern for one in gc.get_objects() if isinstance(one, re.Pattern)}


def test_no_expression_is_made_of_a_note(warm):
    before = expressions()
    for seed in range(400, 405):
        process_all(warm, seed)
    assert expressions() <= before


def functions():
    for path in sorted(PACKAGE.rglob("*.py")):
        name = str(path.relative_to(PACKAGE))
        if not name.startswith(("rig/", "training/")):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                    yield name, node


def test_nothing_is_cached_by_what_a_note_can_hold():
    cached = [
        (name, function.name, argument.arg)
        for name, function in functions()
        if any("cache" in ast.unparse(one) for one in function.decorator_list)
        for argument in (*function.args.args, *function.args.kwonlyargs)
        if argument.arg != "self"
    ]
    assert len(cached) > 20
    assert [one for one in cached if one[2] not in CLOSED] == []


def test_expressions_are_made_of_constants():
    """`re` keeps what it has compiled, and `re2` as well."""
    made = {
        (name, function.name)
        for name, function in functions()
        for call in ast.walk(function)
        if isinstance(call, ast.Call) and call.args
        if EXPRESSION.fullmatch(ast.unparse(call.func))
        if any(isinstance(n, ast.Name) and n.id.upper() != n.id for n in ast.walk(call.args[0]))
    }
    assert made == set(OF_DATA)


def test_the_search_finds_what_is_kept():
    kept = {"a": [(secrets(300)[0],)]}
    assert held((secrets(300)[0][::-1].lower(),))
    assert kept
