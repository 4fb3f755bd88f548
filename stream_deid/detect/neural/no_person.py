"""Words beside names that models take for names where they stand alone.

title   = TITLE ["."] Name | degree TITLE            "Sr. Toro", of which "Sr"; "Lic. Tm."
        | POST (Name | year)                         "TCAE Loli", "MIR R3", of which the capitals
day     = ("los" | "on" | ...) day | short day hour  "los domingos", "mtg Thur 1400"
        | date "(" (day | LETTER) ")"                "3/15/2024 (Friday)", "3/13 (W)"
said    = "comma" | "punto" | ...                    signs in a dictation
service = "llamo a nefro", "renal aware"             in small letters
        | "con Nefro (Dr. Seoane)"                   with a capital
little  = "el" | "del" | ...                         in small letters, alone
answer  = ":" "k" ("." | "," | end)                  in a chat
normal  = word "nl"                                  "labs nl."
dotted  = "T.O." | "P.S." | ...                      an order by telephone, a postscript
signed  = "/s/" | "/es/"                             before who signed
visit   = "cons" day | "cons"                        "cons ma 10h", in small letters
back    = "RB" "y"                                   read back: yes
misread = word in which figures stand for letters      "TRANSM1SSION", "PATHOL0GY DEPARTMENT"
level   = capitals n "." n                           "FK 7.1"
ratio   = letters "/" letters                         "V" of "Kt/V", "f" of "f/u"
role    = "(" LETTER ")"                                "Hatfield (B)", behind who has it
filler  = "uh" | "um" | ...                           in speech, beside words in small letters
spelled = ("in" | "to" | ...) letter " " letter       "in i d", a service whose letters are said
"""

from __future__ import annotations

from stream_deid.detect.quantities.number import run_around
from stream_deid.detect.words.surroundings import personal
from stream_deid.labels import ORGANIZATIONS, PERSONS, PhiType
from stream_deid.lists.calendar import WRITTEN_WEEKDAYS
from stream_deid.lists.field_labels import KINDS_OF_HOUSES
from stream_deid.lists.known_words import FILLERS, SAID
from stream_deid.lists.name_words import is_word
from stream_deid.lists.people import is_listed_name
from stream_deid.lists.terms import is_term
from stream_deid.lists.vocabulary import Vocabulary
from stream_deid.text.folding import folded
from stream_deid.text.linear import linear
from stream_deid.text.readings import as_letters

_WORDS = Vocabulary("no_person")
_TYPES = PERSONS | {PhiType.RELATIVE}
_NEARBY = 24
_SHORT = 5
_TITLES = _WORDS.words("titles")
_POSTS = _WORDS.words("posts")
_SERVICES = _WORDS.words("services")
_LITTLE = _WORDS.words("little")
_WITH = linear(r"(?i)\b(?:con|with) $")
_TITLE_AFTER = linear(r"^,? \(?(?:Dr|Dra|Dres)\b")
_ANSWERS = _WORDS.words("answers")
_NORMAL = _WORDS.words("normal")
_NAME_AFTER = linear(r"^\.?[ \t]+[A-Z]")
_DEGREE_BEFORE = linear(rf"\b(?:{_WORDS['degrees']})\.? $")
_DAY = linear(rf"(?:{WRITTEN_WEEKDAYS['en']}|{WRITTEN_WEEKDAYS['es']})s?")
_BEFORE_DAY = linear(rf"(?i)\b(?:{_WORDS['before_day']})[ ]$")
_HOUR = linear(r"^\.?,?[ ](?:at |@ ?|a las )?(?:[01]\d|2[0-3])(?:[:.]?[0-5]\d)\b")
_SAID_BEFORE = linear(r": ?$")
_CLOSED = linear(r"^[ ]?(?:[.,;!)\n]|$)")
_DOTTED = _WORDS.words("dotted")
_DATE_BEFORE = linear(r"\d[)]?[ ]?[(\[]$")
_CLOSES = linear(r"^\.?[ ]?[)\]]")
_LETTER = linear(_WORDS["day_letters"])
_LETTERS = linear(r"(?:^|[^\pL\d.])([A-Za-z](?:\.[A-Za-z]){1,2})(?:$|[^\pL\d])")
_BACK = linear(r"(?i)\brb:? (?:y|yes)(?:$|\PL)")
_LEVEL = linear(r"^ \d{1,3}\.\d(?:[^\d.]|$)")
_LOOKED_AT = linear(r"\pL{2,} $")


def no_person(text: str, start: int, end: int, phi_type: PhiType) -> bool:
    """Whether a model's span of a person is a word that stands beside names or where they do."""
    if phi_type not in _TYPES | ORGANIZATIONS or end - start > _LONGEST_SCAN:
        return False
    if _is_misread(text[start:end]):
        return True
    if end - start > _LONGEST:
        return False
    if _is_visit(text, start, end) or _in_a_ratio(text, start, end):
        return True
    return phi_type in _TYPES and _stands_beside(text, start, end)


def _stands_beside(text: str, start: int, end: int) -> bool:
    """Whether a word is a title, a day, a mark or an answer and no person."""
    written = folded(text[start:end]).strip(".")
    word = written.lower()
    before, after = folded(text[max(0, start - _NEARBY) : start]), folded(text[end : end + _NEARBY])
    if word in _TITLES or (word in _POSTS and written.isupper()):
        return bool(_NAME_AFTER.match(after) or _DEGREE_BEFORE.search(before))
    if _DAY.fullmatch(word):
        return _of_a_date(word, before, after) or _is_day(written, before, after)
    if (
        _is_role(written, before, after)
        or _of_a_date(word, before, after)
        or _read_back(written, before, after)
        or _is_mark(text, start, end)
    ):
        return True
    if written.istitle() and word in _SERVICES:
        asked = _WITH.search(before) and not is_listed_name(word)
        return bool(asked or _TITLE_AFTER.match(after)) or not personal(text, start, end)
    if not written.islower():
        level = written.isupper() and len(written) <= _SHORT and _LEVEL.match(after)
        return bool(level) or _is_dotted(text, start, end)
    return (
        word in SAID
        or word in FILLERS
        or word in _LITTLE
        or word in _SERVICES
        or (word.replace(" ", "") in _SPELLED and bool(_SPELLED_BEFORE.search(before)))
        or (word in _ANSWERS and bool(_SAID_BEFORE.search(before) and _CLOSED.match(after)))
        or (word in _NORMAL and bool(_LOOKED_AT.search(before) and _CLOSED.match(after)))
    )


_ROLE = linear(r"\pL[ ]\($")


def _is_role(written: str, before: str, after: str) -> bool:
    """Whether one letter stands in brackets behind a word: a post, a side, a sign."""
    return len(written) == 1 and bool(_ROLE.search(before)) and after[:1] == ")"


_LONGEST, _LONGEST_SCAN = 16, 60
_RATIOS = _WORDS.words("ratios")
_SPELLED = _WORDS.words("spelled_services")
_SPELLED_BEFORE = linear(rf"(?:^|[^a-z])(?:{_WORDS['spelled_before']}) $")


def _in_a_ratio(text: str, start: int, end: int) -> bool:
    """Whether a span is one side of a ratio or of an abbreviation with a stroke, or all of it."""
    run = run_around(text, start, end)
    return run is not None and "/" in run[2] and run[2].lower().strip(".,;:") in _RATIOS


def _is_misread(value: str) -> bool:
    """Whether a scan made figures of letters of words that are nobody's ("PATHOL0GY", "y0u")."""
    words = [word for word in value.split() if any(map(str.isalnum, word))]
    read = [list(as_letters(word)) for word in words]
    if not any(read):
        return False
    return all(
        any(map(_is_no_name, forms or [word.lower()]))
        for word, forms in zip(words, read, strict=True)
    )


def _is_no_name(word: str) -> bool:
    known = is_word(word) or is_term(word) or word in KINDS_OF_HOUSES
    return known and not is_listed_name(word)


def _is_visit(text: str, start: int, end: int) -> bool:
    """Whether a span is a visit, its day, or both."""
    low = max(0, start - _NEARBY)
    return any(
        low + hit.start(1) <= start and end <= low + hit.end(1)
        for hit in _VISIT.finditer(folded(text[low : end + _SHORT]))
    )


_VISIT = linear(rf"(?:^|[^\pL])((?:{_WORDS['visits']})\.? (?:{_WORDS['visit_days']}))(?:[^\pL.]|$)")


def _read_back(written: str, before: str, after: str) -> bool:
    """Whether a word is one of those by which a result is confirmed: "RB y"."""
    around = before[-_SHORT:] + written + after[:_SHORT]
    return written.lower() in _CONFIRMED and _BACK.search(around) is not None


_CONFIRMED = frozenset({"rb", "rb y", "rb yes", "y", "yes"})


def _is_mark(text: str, start: int, end: int) -> bool:
    """The sign before a signature ("/es/")."""
    slashes = text[start - 1 : start] == "/" == text[end : end + 1]
    return slashes and text[start:end].lower() in ("s", "es")


def _is_dotted(text: str, start: int, end: int) -> bool:
    """An abbreviation of letters and full stops, or a part of one."""
    low = max(0, start - _SHORT)
    around = folded(text[low : end + _SHORT])
    return any(
        low + hit.start(1) <= start and end <= low + hit.end(1) + 1 and hit[1].lower() in _DOTTED
        for hit in _LETTERS.finditer(around)
    ) and not personal(text, start, end)


def _of_a_date(word: str, before: str, after: str) -> bool:
    """The day of the week in brackets behind a date: "3/15/2024 (Friday)", "3/13 (W)"."""
    if not (_DATE_BEFORE.search(before) and _CLOSES.match(after)):
        return False
    letter = _LETTER.fullmatch(word) is not None and _PAIRED.search(before) is not None
    return letter or _DAY.fullmatch(word) is not None


_PAIRED = linear(r"\d{1,2}[/.-]\d{1,2}(?:[/.-]\d{2,4})?[ ]?[(\[]$")


def _is_day(written: str, before: str, after: str) -> bool:
    """A day of the week: in small letters or short behind a word of time, short before an hour."""
    short = len(written.strip(".")) <= _SHORT
    if short and _HOUR.match(after):
        return True
    return (short or written.islower()) and _BEFORE_DAY.search(before) is not None
