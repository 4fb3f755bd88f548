"""Words of a language are data: no module holds a list of more than six, nor an expression with
more than nine side by side.

What a module holds all the same is in `KEPT`, by its first words, with the reason.
"""

import ast
import re
from pathlib import Path

import pytest

import stream_deid

PACKAGE = Path(stream_deid.__file__).parent
MOST_LISTED, MOST_SIDE_BY_SIDE = 6, 9
KEYS = "keys and steps of what this program itself reads or writes"
STANDARD = "elements, codes or control words of a standard"
SOUGHT = "letters that an expression beside them needs: they are looked for before it runs"
BELOW = "`text` imports no lists"
GRAMMAR = "pieces of words, which code puts together with numbers"
KEPT = {
    "assembly.py": {"code models": KEYS},
    "attack/command.py": {"consistency parrot": KEYS},
    "audit.py": {"start end": KEYS},
    "detect/patterns/ids/values.py": {"DD SF": STANDARD},
    "detect/patterns/places/addresses.py": {"nsw vic": SOUGHT},
    "detect/patterns/ids/secrets.py": {"pass pwd": SOUGHT},
    "detect/pairs/evidence.py": {"score drug": KEYS},
    "detect/quantities/anatomy.py": {"Tc Ga": STANDARD},
    "formats/content/markup.py": {
        "abbr acronym": STANDARD,
        "script style": STANDARD,
        "align valign": STANDARD,
        "code codesystem": STANDARD,
        "alt title": STANDARD,
        "given family": STANDARD,
    },
    "formats/content/rtf.py": {"par line": STANDARD, "info pict": STANDARD},
    "formats/fhir/message.py": {"date issued": STANDARD},
    "formats/fhir/definitions/rules.py": {"keep code": KEYS},
    "formats/fhir/resources/subjects.py": {"SS SSN": STANDARD},
    "formats/fhir/walk/data_types.py": {
        "patient subject": STANDARD,
        "Identifier Reference": STANDARD,
    },
    "formats/fhir/walk/element_walk.py": {"string markdown": STANDARD},
    "formats/hl7/texts/documents.py": {"AP APPLICATION": STANDARD, "BASIC CCD": STANDARD},
    "formats/hl7/maps/field_map.py": {"keep code": KEYS},
    "formats/hl7/maps/interfaces.py": {"match segments": KEYS},
    "formats/hl7/kept/last_look.py": {"OBX RXA": STANDARD},
    "formats/hl7/values/lone_codes.py": {"MSA ERR": STANDARD},
    "formats/hl7/values/numeric_values.py": {"NM SN": STANDARD},
    "formats/json/site_map.py": {"match headers": KEYS},
    "labels.py": {"FECHAS PROFESION": STANDARD},
    "operations/reference/fields.py": {"keep code": STANDARD},
    "operations/top/figures.py": {"queue parse": KEYS},
    "operations/trace/events.py": {"release language": KEYS},
    "rig/chaos/report.py": {"published released": KEYS},
    "rig/fuzz/fhir_inputs.py": {"status text": STANDARD, "resourceType id": STANDARD},
    "rig/fuzz/hl7_inputs.py": {"PID OBX": STANDARD, "TX FT": STANDARD},
    "rig/fuzz/json_inputs.py": {"name names": KEYS},
    "rig/fuzz/map_inputs.py": {"noteId patient": KEYS},
    "rig/synthetic/feed.py": {"json json": KEYS},
    "rig/synthetic/layouts.py": {"he his": KEYS, "title sex": KEYS},
    "rig/synthetic/people.py": {"account accession": KEYS},
    "rig/synthetic/poison.py": {"json one megabyte json empty note": KEYS},
    "surrogate/numbers/checked.py": {"iban curp": STANDARD},
    "surrogate/dates/reading/items.py": {"utc gmt": GRAMMAR},
    "surrogate/dates/reading/partial.py": {"quarter trimestre": GRAMMAR, "first second": GRAMMAR},
    "surrogate/names/choosing/unlisted.py": {"spanish basque": GRAMMAR, "nk nd": GRAMMAR},
    "surrogate/number_words.py": {"ro do": GRAMMAR},
    "surrogate/places/street_names.py": {"listed listed": GRAMMAR},
    "surrogate/places/streets.py": {"er ro": GRAMMAR},
    "text/days.py": {"jan feb": BELOW},
    "text/readings.py": {"em strong": STANDARD},
    "training/data/corpora.py": {"ptname ptnameinitial": STANDARD},
    "training/evaluate/leaks.py": {"dates names": KEYS},
    "training/export/bert.py": {"name version": KEYS, "weights embeddings": KEYS},
    "training/export/heads.py": {"name version": KEYS},
    "training/export/tagger.py": {"buckets inputs": KEYS},
    "training/bert_recipe.py": {"system name": KEYS},
    "training/run/tagger.py": {"name version": KEYS},
}
_WORDS = re.compile(r"[^\W\d_]{2,}(?:[ '-][^\W\d_]+)*")
_SIGNS = re.compile(r"\(\?P<\w+>|\(\?[a-zA-Z-]*[:)]|\\[bstn]|[()?:^$\[\]\\+*.-]")
_LONGEST_PIECE, _MOST_IN_PIECE = 40, 3


def listed(node):
    """The words of a literal list: a set, a tuple, the keys of a table, or a text that is split."""
    match node:
        case ast.Set(elts=items) | ast.Tuple(elts=items) | ast.List(elts=items):
            values = [item.value for item in items if isinstance(item, ast.Constant)]
        case ast.Dict(keys=keys):
            values = [key.value for key in keys if isinstance(key, ast.Constant)]
        case ast.Call(func=ast.Attribute(value=ast.Constant(value=text), attr="split")):
            values = str(text).split()
        case ast.Call(func=ast.Name(id="listed"), args=[ast.Constant(value=text)]):
            values = str(text).split()
        case _:
            values = []
    return [value for value in values if isinstance(value, str) and _WORDS.fullmatch(value)]


def side_by_side(node):
    """The first words of the longest run of alternatives that are words, in an expression."""
    match node:
        case ast.Constant(value=str(text)):
            pass
        case ast.JoinedStr(values=values):
            text = "".join(v.value if isinstance(v, ast.Constant) else "\0" for v in values)
        case _:
            return []
    best, run = [], []
    for piece in text.split("|"):
        words = re.findall(r"[^\W\d_]{2,}", _SIGNS.sub(" ", piece))
        fits = 0 < len(words) <= _MOST_IN_PIECE and len(piece) < _LONGEST_PIECE
        run = [*run, words[0]] if fits else []
        best = max(best, run, key=len)
    return best


def too_many(source):
    """The first words of every literal of a module that holds too many."""
    tree = ast.parse(source)
    shown = (n for n in ast.walk(tree) if isinstance(n, ast.Assign) and _exported(n))
    skipped = {id(node) for assign in shown for node in ast.walk(assign)}
    skipped |= {
        id(part)
        for node in ast.walk(tree)
        if isinstance(node, ast.JoinedStr)
        for part in node.values
    }
    for node in ast.walk(tree):
        if id(node) in skipped:
            continue
        if len(words := listed(node)) > MOST_LISTED:
            yield " ".join(words[:2])
        if len(words := side_by_side(node)) > MOST_SIDE_BY_SIDE:
            yield " ".join(words[:2])


def _exported(node):
    return any(isinstance(name, ast.Name) and name.id == "__all__" for name in node.targets)


@pytest.mark.parametrize(
    "path", sorted(PACKAGE.rglob("*.py")), ids=lambda path: path.relative_to(PACKAGE).as_posix()
)
def test_words_of_a_language_are_data(path):
    module = path.relative_to(PACKAGE).as_posix()
    found = list(too_many(path.read_text("utf-8")))
    assert sorted(found) == sorted(KEPT.get(module, {})), module


def test_every_exception_is_of_a_module_and_says_why():
    assert all((PACKAGE / module).is_file() for module in KEPT)
    assert all(reason for kept in KEPT.values() for reason in kept.values())


def test_words_in_code_are_seen():
    assert list(too_many(f"A = '{'word ' * 7}'.split()")) == ["word word"]
    assert list(too_many(f"A = {tuple(['word'] * 7)}")) == ["word word"]
    assert list(too_many(f"A = {{{', '.join(repr(f'w{c}') + ': 1' for c in 'abcdefg')}}}")) == [
        "wa wb"
    ]
    assert list(too_many(f"A = rf'(?:{'|'.join(['words?'] * 10)})'")) == ["words words"]
    assert list(too_many(f"A = {tuple(['word'] * 6)}, '{'|'.join(['word'] * 9)}'")) == []
