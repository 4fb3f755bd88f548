"""The words and numbers of a date, each with what it can be.

item  = number | ordinal | month | roman month | day of the week | season | holiday | "'" yy
time  = ["at" | "a las" | "@"] hh (":" | "h") mm [":" ss] ["am" | "pm"] [zone | "h" | "hrs"]
      | n ("am" | "pm" | "h" | "hrs" | "horas") | ("at" | "@" | "a las") hhmm
      | hhmm, behind a day in figures                "6/8 2104"
stamp = yyyy-mm-dd "T" hh [":" mm [":" ss]] [zone]     of which the day alone is read
group = dd hhmm LETTER                                 "141530Z", of which dd is read

Times of day are blanked before the items are read (`hidden`).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from stream_deid.lists.numbers import DAYS
from stream_deid.lists.vocabulary import Vocabulary
from stream_deid.surrogate.dates import day_letters, holidays
from stream_deid.surrogate.dates.reading import words as cal
from stream_deid.surrogate.number_words import ENDINGS
from stream_deid.text.canonical import words
from stream_deid.text.folding import fold
from stream_deid.text.memo import remembered

_TIME = re.compile(
    r"(?ai)(?:\b(?:at|a las|@)\s*)?\b\d{1,2}(?::|h)\d{2}(?:[:.]\d{2}(?:[.,]\d+)?)?"
    r"\s?(?:[ap]\.?\s?m\b\.?)?"
    r"(?:\s?(?:z\b|[+-]\d{2}:?\d{2}\b|utc\b|gmt\b|hrs?\b\.?|hs?\b\.?|horas\b))?"
    r"|\b\d{1,4}\s?(?:[ap]\.?m\b\.?|hrs?\b\.?|hs?\b\.?|hours\b|horas\b)"
    r"|(?:\bat|@|\ba las)\s*\d{3,4}\b"
)
_BEHIND_A_DAY = re.compile(
    r"(?a)(?<![/.-])\b(?:\d{1,2}/\d{1,2}|\d{1,4}(?:[/.-]\d{1,4}){2})[ ]{1,2}"
    r"((?:[01]\d|2[0-4])[0-5]\d)(?![\d/.-])"
)
_ISO_T = re.compile(
    r"(?a)(\d{4}-\d{2}-\d{2})[Tt]\d{2}(?::?\d{2}(?::?\d{2}(?:[.,]\d+)?)?)?(?:[Zz]|[+-]\d{2}:?\d{2})?"
)
_TIME_GROUP = re.compile(r"(?a)\b\d{2}(\d{4}[A-Z])\b")  # day and time of the military: 141530Z
_COMMON_WORDS = Vocabulary("dates_words", "surrogates").words("in_holidays")
_FEAST_WORDS = frozenset(
    key
    for name in holidays.HOLIDAYS
    for keys in [{word.key for word in words(name)}]
    for key in keys - _COMMON_WORDS or {max(keys, key=len)}
)
_FOLDED_HOLIDAYS = tuple((name, fold(name)) for name in holidays.HOLIDAYS)
_ORDINALS = {lang: {fold(o): i for i, o in reversed(list(enumerate(DAYS[lang], 1)))}
             for lang in ("en", "es")}  # fmt: skip
_ASCII_TOKEN = re.compile(r"[0-9]+|[A-Za-z]+(?:'s(?![A-Za-z]))?|[ \t-\r\x1c-\x1f]+|.", re.DOTALL)
_NUMERIC = re.compile(r"[0-9]+(?:[/.-][0-9]+)*")
_DIGITS = re.compile("[0-9]+")
_PAIR_BEHIND = re.compile(
    r"(?i)[., ]{0,3}[0-9]{1,2}(?:[/.-][0-9]{1,2}(?![/.-]?[0-9])|(?: de | )[a-z]{3})"
)
_FORMS = {1: "1", 2: "2", 4: "4"}
_ES_ENDS = ("o", "ro", "er", "º", "ª", "°")

Tokens = list[tuple[str, int, int]]
"""The pieces of a text, each with its start and end."""


@dataclass(slots=True)
class DateItem:
    """A word or number of a date, `[start, end)`, with its kind, value and form."""

    kind: str  # N number, O ordinal, M month, R roman, W weekday, S season, H holiday, A 'yy
    value: int
    start: int
    end: int
    form: str
    language: str
    name: str = ""
    before: str = ""  # the text between the item before and this one


def hidden(text: str) -> str:
    """`text` with times of day (and `&nbsp;`) blanked, offsets unchanged."""
    text = text.replace("&nbsp;", " " * 6)
    group = _TIME_GROUP.search(text)
    if group:
        text = text[: group.start(1)] + " " * (group.end(1) - group.start(1)) + text[group.end(1) :]
    iso = _ISO_T.search(text)
    if iso:
        end = iso.end(1)
        text = text[:end] + " " * (iso.end() - end) + text[iso.end() :]
    pieces: list[str] = []
    last = 0
    times = [match.span() for match in _TIME.finditer(text)]
    for start, end in times or [match.span(1) for match in _BEHIND_A_DAY.finditer(text)]:
        pieces += [text[last:start], " " * (end - start)]
        last = end
    return "".join([*pieces, text[last:]])


def _holiday(shown: str) -> tuple[int, int, str] | None:
    if not any(word.key in _FEAST_WORDS for word in words(shown)):
        return None
    folded = shown.lower().replace("’", "'")
    plain = fold(folded) if len(fold(folded)) == len(folded) else folded
    for name, bare in _FOLDED_HOLIDAYS:
        for text, sought in ((folded, name), (plain, bare)):
            at = text.find(sought)
            if at < 0:
                continue
            end = at + len(sought)
            if not (at and text[at - 1].isalnum()) and not text[end : end + 1].isalnum():
                return at, end, name
    return None


def _kind(char: str) -> int:
    return 1 if char.isdecimal() else 2 if char.isalpha() else 3 if char.isspace() else 0


def _tokens(text: str) -> Tokens:
    """Runs of digits, of letters (with a following 's) and of space; all else one by one."""
    if text.isascii():
        return [(m.group(), m.start(), m.end()) for m in _ASCII_TOKEN.finditer(text)]
    tokens: Tokens = []
    start = 0
    while start < len(text):
        kind = _kind(text[start])
        end = start + 1
        while kind and end < len(text) and _kind(text[end]) == kind:
            end += 1
        if (
            kind == 2
            and text[end : end + 2] in {"'s", "’s"}
            and not text[end + 2 : end + 3].isalpha()
        ):
            end += 2
        tokens.append((text[start:end], start, end))
        start = end
    return tokens


@remembered
def items_of(text: str, language: str) -> list[DateItem] | None:
    """The items of a text in order, or None where it holds what a date never does.

    The list is shared between calls: not to be changed.
    """
    if _NUMERIC.fullmatch(text):
        return _numeric(text, language)
    shown = hidden(text)
    items: list[DateItem] = []
    feast = _holiday(shown)
    if feast:
        at, end, name = feast
        lang = holidays.language_of(name, language)
        items.append(DateItem("H", 0, at, end, "holiday", lang, name))
        shown = shown[:at] + " " * (end - at) + shown[end:]
    tokens = _tokens(shown)
    skip = -1
    for i, (raw, start, end) in enumerate(tokens):
        if start < skip or not (raw[0].isalpha() or raw[0].isdecimal()):
            continue
        item = _item(tokens, i, language)
        if item is None:
            return None
        skip = max(item.end, end)
        if item.kind:
            items.append(item)
    items.sort(key=lambda item: item.start)
    for prior, item in pairwise(items):
        item.before = shown[prior.end : item.start]
    return items or None


def _numeric(text: str, language: str) -> list[DateItem] | None:
    """The items of numbers with marks between them."""
    items: list[DateItem] = []
    last = 0
    for match in _DIGITS.finditer(text):
        start, end = match.span()
        form = _FORMS.get(end - start)
        if form is None:
            return None
        before = text[last:start] if items else ""
        items.append(DateItem("N", int(match.group()), start, end, form, language, before=before))
        last = end
    return items


def _item(tokens: Tokens, i: int, language: str) -> DateItem | None:
    """What one token is: the surest reading of it first."""
    raw, start, end = tokens[i]
    if raw[0].isdecimal():
        return _number(tokens, i, language)
    word = fold(raw)
    if word in _only_filler(language):
        return DateItem("", 0, start, end, "", language)
    return (
        _long_word(tokens, i)
        or _letters_of_weekday(tokens, i, language)
        or _calendar_word(tokens, i, word, language)
        or _roman(tokens, i, word, language)
        or _ordinal(tokens, i, word, language)
        or _inexact(tokens, i, word, language)
    )


def _calendar_word(tokens: Tokens, i: int, word: str, language: str) -> DateItem | None:
    """A month, a day of the week or a season."""
    _, start, end = tokens[i]
    if stem := cal.basque_month(word):
        return DateItem("M", stem[0], start, start + stem[1], "stem", "eu")
    month = cal.month_of(word, language)
    weekday = cal.weekday_of(word, language)
    if month and (not weekday or _near_month(tokens, i)):
        return DateItem("M", month[0], start, end, month[2], _month_language(tokens, i, month))
    if weekday:
        return DateItem("W", weekday[0], start, end, weekday[2], weekday[1])
    season = cal.season_of(word)
    return DateItem("S", season[0], start, end, "season", season[1]) if season else None


def _roman(tokens: Tokens, i: int, word: str, language: str) -> DateItem | None:
    """A month in Roman figures; in small ones between two marks."""
    raw, start, end = tokens[i]
    after = _behind(tokens, i)
    lower = raw.islower() and i > 0 and tokens[i - 1][0] in "./-" and after in {".", "/", "-"}
    if word in cal.ROMAN and (raw.isupper() or lower) and (word not in {"i", "v"} or after != " "):
        return DateItem("R", cal.ROMAN.index(word) + 1, start, end, "roman", language)
    return None


def _ordinal(tokens: Tokens, i: int, word: str, language: str) -> DateItem | None:
    """A day in words; no half of a month ("first half of May")."""
    _, start, end = tokens[i]
    for lang in (language, "es" if language == "en" else "en"):
        ordinal = _ORDINALS[lang].get(word)
        if ordinal and not (word == "first" and "half" in _behind(tokens, i)):
            return DateItem("O", ordinal, start, end, "word", lang)
    return None


def _inexact(tokens: Tokens, i: int, word: str, language: str) -> DateItem | None:
    """A misspelt month, a word around dates, or one that is broken off."""
    _, start, end = tokens[i]
    if fuzzy := cal.misspelt_month(word, language):
        return DateItem("M", fuzzy[0], start, end, "full", fuzzy[1])
    if word in cal.FILLER or word.rstrip("s") in cal.FILLER:
        return DateItem("", 0, start, end, "", language)
    begun = cal.broken_off(word, language)
    return DateItem(begun[0], begun[1], start, end, "short", begun[2]) if begun else None


def _behind(tokens: Tokens, i: int) -> str:
    """The next token, or nothing."""
    return tokens[i + 1][0] if i + 1 < len(tokens) else ""


@cache
def _only_filler(language: str) -> frozenset[str]:
    """Words around dates that can be nothing else in one."""
    return frozenset(
        word
        for word in cal.FILLER
        if not (
            cal.basque_month(word) or cal.month_of(word, language) or cal.season_of(word)
            or cal.weekday_of(word, language) or cal.misspelt_month(word, language)
            or word in cal.ROMAN or day_letters.days_of(word.capitalize(), language)
            or any(word in ordinals for ordinals in _ORDINALS.values())
        )
    )  # fmt: skip


def _month_language(tokens: Tokens, i: int, month: tuple[int, str, str]) -> str:
    """The language of a month; Catalan for a Spanish name after `d'`."""
    elided = i > 1 and tokens[i - 1][0] in {"'", "’"} and tokens[i - 2][0] in {"d", "D"}
    return "ca" if elided and month[2] == "full" else month[1]


def _letters_of_weekday(tokens: Tokens, i: int, language: str) -> DateItem | None:
    """`Th 4/12`, `4/12 (Th)`: one or two letters with a capital, before the first number or in
    brackets behind the last.
    """
    raw, start, end = tokens[i]
    days = day_letters.days_of(raw, language)
    if not days:
        return None
    after = tokens[i + 1][0] if i + 1 < len(tokens) else ""
    closed = i > 0 and tokens[i - 1][0] in {"(", "["} and after in {")", "]"}
    numbers = [at for at, token in enumerate(tokens) if token[0].isdecimal()]
    if not (closed and numbers and numbers[-1] < i):
        between = {"", " ", ",", ".", ":", "\t"}.issuperset
        if not numbers or numbers[0] < i or not between(t[0] for t in tokens[i + 1 : numbers[0]]):
            return None
        if len(raw) == 1 and not (after.isspace() or after in {",", "."}):
            return None
    return DateItem("W", days[0], start, end, "letters", language)


def _near_month(tokens: Tokens, i: int) -> bool:
    """Whether the Spanish `mar` beside a number is the month: a number before it, or no month and
    no day and month in figures behind it (`mar. 7/5`).
    """
    if _PAIR_BEHIND.match("".join(token[0] for token in tokens[i + 1 : i + 9])):
        return False
    around = [t for t in tokens[max(i - 4, 0) : i + 5] if t[0][0].isalnum() and t is not tokens[i]]
    if sum(t[0].isdecimal() for t in tokens) >= 3:
        return False
    return not any(cal.month_of(fold(t[0]), "es") for t in around)


def _long_word(tokens: Tokens, i: int) -> DateItem | None:
    """Ordinals of several tokens: `twenty-first`, `treinta y uno`."""
    raws = [fold(t[0]) for t in tokens[i : i + 5]]
    if len(raws) >= 3 and raws[0] in {"twenty", "thirty"} and raws[1].strip(" -") == "":
        name = f"{raws[0]}-{raws[2]}"
        if name in DAYS["en"]:
            value = DAYS["en"].index(name) + 1
            return DateItem("O", value, tokens[i][1], tokens[i + 2][2], "word", "en")
    if raws[:1] == ["treinta"] and raws[2:3] == ["y"] and raws[4:5] in (["uno"], ["un"]):
        return DateItem("O", 31, tokens[i][1], tokens[i + 4][2], "word", "es")
    if raws[:1] == ["uno"]:
        return DateItem("O", 1, tokens[i][1], tokens[i][2], "word", "es")
    return None


def _number(tokens: Tokens, i: int, language: str) -> DateItem | None:
    raw, start, end = tokens[i]
    form = _FORMS.get(len(raw))
    if form is None or not raw.isdecimal():
        return None
    before = tokens[i - 1][0] if i else ""
    if before and before[-1] in "'’" and len(raw) == 2:
        return DateItem("A", int(raw), start, end, "2", language)
    if i + 1 < len(tokens):
        after = tokens[i + 1][0].lower()
        apart = after.isspace() and i + 2 < len(tokens) and tokens[i + 2][0].lower() in ENDINGS
        if after in ENDINGS or apart:
            return DateItem("O", int(raw), start, tokens[i + 1 + apart][2], "ordinal", "en")
        if after in _ES_ENDS and not (after == "o" and len(raw) > 2):
            return DateItem("O", int(raw), start, tokens[i + 1][2], "ordinal", "es")
        if after == "." and i + 2 < len(tokens) and tokens[i + 2][0] in {"º", "ª", "o"}:
            return DateItem("O", int(raw), start, tokens[i + 2][2], "ordinal", "es")
    return DateItem("N", int(raw), start, end, form, language)
