"""Spans that are clinical terms and nobody's name, whatever stands around them.

A title before one ("Ms. Lyrica") still makes it a name. Record matching and structured fields do
not ask: they know their reasons.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from stream_deid.detect.words.ordinary import is_auxiliary
from stream_deid.detect.words.surroundings import employs, personal, placed
from stream_deid.labels import ORGANIZATIONS, PERSONS, PhiType
from stream_deid.lists.eponyms import COMPOUNDS, EPONYMS, SCALES
from stream_deid.lists.known_words import TITLES
from stream_deid.lists.people import listed_names
from stream_deid.lists.phrases import Phrases
from stream_deid.lists.terms import is_product, is_term, is_thing, own_phrases, phrases
from stream_deid.lists.vocabulary import Vocabulary, genera
from stream_deid.text.folding import fold
from stream_deid.text.linear import linear
from stream_deid.text.memo import remembered

WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_LETTERS = re.compile(r"[^\W\d_]+")
_TYPES = PERSONS | {PhiType.COUNTRY}
_OTHERS = frozenset({PhiType.HOSPITAL, PhiType.CITY, PhiType.PROFESSION})
_TITLE = 12
_PLACES = frozenset({PhiType.CITY, PhiType.STATE, PhiType.COUNTRY, PhiType.LOCATION_OTHER})
_NAMED = PERSONS | _PLACES | ORGANIZATIONS | {PhiType.STREET, PhiType.PROFESSION}
SPECIES = linear(r"\b[A-Z]\. ?([a-z]{4,})\b")
"""An initial and a word in small letters: `B. quintana`."""
_NAMED_AFTER = linear(
    r"(?:\b(?:serovar|serotype|serogroup|hb|hgb|hemoglobin|haemoglobin|hemoglobina) |\b[ab]/)$"
)
_POINTS = linear(r"(?:^|[^\d/])\d{1,3}/(\d{1,3}),? ?\($")
_SCORED = linear(
    r"(?i)^(?:'s)?( (?:score|scale|index|grade|balance|test|coma|puntuaci[oó]n|escala))?"
    r"(?::| =|=)? ?\(?(\d{1,3})[+-]?/(\d{1,3})(?:$|[^\d/.]|[.](?:$|\D))"
)
_ACIDS = Vocabulary("quantities")["amino_acids"]
_CHANGE = linear(rf"\b(?:p\.\(?)?(?:{_ACIDS})\d{{1,5}}(?:{_ACIDS}|Ter|fs|del|dup)\b")
_SUM = linear(r"^[: ]{1,2}[1-5] ?\+ ?[1-5]\b")
_BLOOD = Vocabulary("short_values").words("blood")
_AGAINST = linear(r"(?i)\banti[- ]$")
_ANTIGEN = linear(
    r"(?i)^(?:(?: ?\([ab]\)| [ab]) ?(?:\+|-|neg|pos)| (?:antigens?|phenotype|fenotipo|typing)\b)"
)
_OTHER_AFTER = linear(r"^ ?[/&+] ?(\pL+)")
_OTHER_BEFORE = linear(r"(\pL+) ?[/&+] ?$")
_NEARBY, _SHORT, _STRETCH, _SHORT_OF = 40, 4, 256, 12
_MONTHS, _DAYS = 12, 31
_SEROVARS = "salmonella"  # its serovars bear the names of towns


def surely_a_term(text: str, start: int, end: int, phi_type: PhiType) -> bool:
    """Whether a span of this type is a clinical term.

    A person or country of nothing but clinical terms, a house, town or trade of nothing but
    products, signs and diseases; whatever lies inside a term of several words;
    an organism by its genus or its initial, and what a genus, a strain or a haemoglobin is called;
    a firm of terms alone where nobody is said to work, a relative of terms alone or that is a
    product in brackets.
    Where somebody lives or comes from is a place, whatever bears its name.
    """
    if phi_type in _PLACES and placed(text, start, end):
        return False
    if phi_type in _NAMED and (
        _is_organism(text, start, end)
        or in_a_phrase(text, start, end)
        or _in_a_compound(text, start, end)
        or _of_a_scale(text, start, end)
        or _in_a_change(text, start, end)
        or (_of_blood(text, start, end) and not personal(text, start, end))
    ):
        return True
    if phi_type in PERSONS and is_auxiliary(text, start, end) and not _titled(text, start):
        return True
    if phi_type in _TYPES | _OTHERS:
        return _of_terms(text, start, end, is_term if phi_type in _TYPES else is_thing)
    if phi_type is PhiType.ORGANIZATION:
        return _is_product_by_its_firm(text, start, end)
    return phi_type is PhiType.RELATIVE and _is_no_relative(text, start, end)


def _is_no_relative(text: str, start: int, end: int) -> bool:
    if _of_terms(text, start, end, is_term) and not personal(text, start, end):
        return True
    return text[max(0, start - 1) : start] == "(" and _of_products(text[start:end])


def _of_terms(text: str, start: int, end: int, known: Callable[[str], bool]) -> bool:
    """`Keppra, Januvia` behind no title."""
    found = [m.group().lower() for m in WORD.finditer(text[start:end])]
    named = [w for w in found if w != "s"]
    if not named or not all(known(fold(w)) for w in named):
        return False
    return not _titled(text, start)


def _titled(text: str, start: int) -> bool:
    before = text[max(0, start - _TITLE) : start].split()
    return bool(before) and before[-1].lower().strip(".,:;(") in TITLES


def _is_product_by_its_firm(text: str, start: int, end: int) -> bool:
    """`DAI Biotronik`, `MCP Medtronic Azure`: terms, or a product of several words behind what kind
    of thing it is.
    """
    written = [m.group() for m in _LETTERS.finditer(text[start:end])]
    named = [word.lower() for word in written if not (word.isupper() and len(word) <= _SHORT)]
    phrase = " ".join(named)
    listed = all(is_term(fold(word).lower()) for word in written) or (
        len(named) > 1 and in_a_phrase(phrase, 0, len(phrase))
    )
    return bool(written) and listed and not employs(text, start)


def _of_products(value: str) -> bool:
    """`(Zimmer)`."""
    words = [fold(m.group()).lower() for m in _LETTERS.finditer(value)]
    return bool(words) and all(map(is_product, words))


def _is_organism(text: str, start: int, end: int) -> bool:
    """`Salmonella Newport`, `S. viridans`, `Hb Kansas`, `A/Darwin`."""
    value, before = text[start:end], text[max(0, start - _NEARBY) : start]
    if _NAMED_AFTER.search(before.lower()):
        return True
    if _in_a_species(text, start, end):
        return True
    words = [m.group() for m in WORD.finditer(f"{_last_word(before)} {value}")]
    if not words or words[0].lower() not in genera():
        words = [m.group() for m in WORD.finditer(value)]
    genus, rest = words[0].lower() if words else "", words[1:]
    return genus in genera() and bool(rest) and (genus == _SEROVARS or rest[0].islower())


def _in_a_species(text: str, start: int, end: int) -> bool:
    """Whether a span lies in an initial and a species (`S. viridans`), whole or half; a listed name
    is none (`j. smith`).
    """
    low = max(0, start - _NEARBY)
    return any(
        low + found.start() <= start and end <= low + found.end()
        for found in SPECIES.finditer(text[low : end + _NEARBY])
        if found[1] not in listed_names()
    )


def _last_word(before: str) -> str:
    """The word that a span follows at once, or nothing."""
    word = before[:-1].rpartition(" ")[2] if before.endswith(" ") else ""
    return word if word.isalpha() else ""


def in_a_phrase(text: str, start: int, end: int) -> bool:
    """Whether `[start, end)` lies inside a term of several words ("Boston Naming")."""
    return _inside(phrases(), text, start, end)


def is_called_after(text: str, start: int, end: int) -> bool:
    """Whether a word that is a name of the record names a thing here, whoever bears it: an eponym
    in a term of several words ("Parkinson disease"), two with a hyphen ("Martin-Hopkins").
    """
    eponym = fold(text[start:end]).lower() in EPONYMS
    known = phrases() if eponym else own_phrases()
    return (
        _inside(known, text, start, end)
        or _in_a_compound(text, start, end)
        or _of_a_scale(text, start, end, known=True)
        or _of_blood(text, start, end)
    )


def _of_blood(text: str, start: int, end: int) -> bool:
    """Whether a name is a group of blood: `anti-Kell`, `Duffy a neg`, `Lewis b+`, `Duffy/Kidd`."""
    if fold(text[start:end]).lower() not in _BLOOD:
        return False
    before, after = text[max(0, start - _SHORT_OF) : start], text[end : end + _SHORT_OF]
    beside = (_OTHER_BEFORE.search(before), _OTHER_AFTER.match(after))
    paired = any(one is not None and fold(one[1]).lower() in _BLOOD for one in beside)
    return paired or _AGAINST.search(before) is not None or _ANTIGEN.match(after) is not None


def _of_a_scale(text: str, start: int, end: int, *, known: bool = False) -> bool:
    """Whether a name in brackets tells of what scale the points before it are: `7/8 (Allred)`, or
    points of it stand behind it: `Gleason 3+4`, `Ashworth 2/4`, `Norton score: 14/20`. `known`: it
    is a name of the record, whom `Ashworth 2/4` may as well have seen in February.
    """
    if fold(text[start:end]).lower() == "gleason" and _SUM.match(text[end : end + _SHORT_OF]):
        return True
    scored = _SCORED.search(text[end : end + _NEARBY])
    if scored and f"{fold(text[start:end]).lower()}/{scored[3]}" in SCALES:
        dated = not scored[1] and 0 < int(scored[2]) <= _MONTHS and int(scored[3]) <= _DAYS
        return not (known and dated) and not personal(text, start, end)
    points = _POINTS.search(text[max(0, start - _SHORT_OF) : start])
    if points is None or text[end : end + 1] != ")":
        return False
    return f"{fold(text[start:end]).lower()}/{points[1]}" in SCALES


def _in_a_change(text: str, start: int, end: int) -> bool:
    """Whether `[start, end)` lies in a change of a protein (`p.Cys282Tyr`)."""
    low = max(0, start - _SHORT_OF)
    return any(
        low + found.start() <= start and end <= low + found.end()
        for found in _CHANGE.finditer(text[low : end + _SHORT_OF])
    )


def _in_a_compound(text: str, start: int, end: int) -> bool:
    """Whether `[start, end)` lies in two names of one thing, and no title stands before them."""
    low, high = _whole_words(text, start, end)
    return "-" in text[max(0, low - 1) : high + 1] and any(
        found.start() <= start
        and end <= found.end()
        and fold(found[0]).lower() in COMPOUNDS
        and not _titled(text, found.start())
        for found in WORD.finditer(text, max(0, start - _NEARBY), end + _NEARBY)
    )


def _inside(terms: Phrases, text: str, start: int, end: int) -> bool:
    whole = slice(*_whole_words(text, start, end))
    if whole.stop - whole.start > _LONGEST_GRADE and not terms.has_a_word_of(text[whole]):
        return False
    return any(
        first <= start and end <= last + _graded(text, last)
        for first, last in _places(terms, text, start // _STRETCH)
    )


@remembered
def _places(terms: Phrases, text: str, stretch: int) -> list[tuple[int, int]]:
    """`[start, end)` of every term of several words in and around a stretch of a text: however
    many spans it holds, it is read once.
    """
    low = max(0, stretch * _STRETCH - 2 * _NEARBY)
    high = (stretch + 1) * _STRETCH + 2 * _NEARBY
    return [(low + first, low + last) for first, last in terms.within(text[low:high])]


def _whole_words(text: str, start: int, end: int) -> tuple[int, int]:
    """A span with the rest of the words that it begins and ends in."""
    while start > 0 and text[start - 1].isalnum():
        start -= 1
    while end < len(text) and text[end].isalnum():
        end += 1
    return start, end


def _graded(text: str, end: int) -> int:
    """How long the grade behind a phrase is ("Child-Pugh B")."""
    grade = _GRADE.match(text[end : end + 6])
    return len(grade[0]) if grade else 0


_LONGEST_GRADE = 3
_GRADE = linear(r"^ (?:[A-D]|I{1,3}|IV|\d{1,2})\b")
