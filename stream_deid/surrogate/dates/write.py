"""Writing a day back into the slots of a date, each in its own form, language and capitals.

of      = "d'" before a Catalan month that has lost its vowel     "d'abril" -> "de maig", and back
article = ("del" | "el" | "de la" | "la") season                  "la primavera", "el verano"
lasting = holiday ("weekend" | "wkend" | "week")                  "Labor Day weekend"
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date

from stream_deid.lists.calendar import MONTHS, SHORT_MONTHS, SHORT_WEEKDAYS, WEEKDAYS
from stream_deid.lists.numbers import DAYS
from stream_deid.surrogate import number_words
from stream_deid.surrogate.dates import day_letters
from stream_deid.surrogate.dates.padding import NONE, Habits, padded
from stream_deid.surrogate.dates.reading import words as cal
from stream_deid.surrogate.dates.reading.partial import edge, last_part, ordinal, part_of
from stream_deid.surrogate.dates.reading.slots import DateReading, Slot
from stream_deid.text.canonical import first_like, like_case
from stream_deid.text.folding import fold, without_accents
from stream_deid.text.linear import linear

_FULL_DE = linear(
    r"(?i)\b(d)['’]((?:gener|febrer|març|maig|juny|juliol|setembre|novembre|desembre)\b)"
)
_LASTING = re.compile(r"[ ](weekend|wkend|week)\b", re.IGNORECASE)
"""The days that a holiday gives its name to: "Labor Day weekend"."""
_OF_FEAST = re.compile(r"(?i)[ \t]de[ \t]+$")
"""Before a feast that becomes a day: "domingo de Carnaval", "puente de la Constitución"."""
_THE = re.compile(r"(?i)\bthe[ ]$")
_ZEROS = ("oh", "zero", "cero")
_FEMININE = linear(r"(?i)\b(del|el)(\s+primavera)\b")
_MASCULINE = linear(r"(?i)\b(de la|la)(\s+(?:verano|oto[ñn]o|invierno))\b")
_ELIDED_DE = linear(r"(?i)\b(d)e ((?:abril|agost|octubre)\b)")


def write(
    text: str,
    reading: DateReading,
    before: date,
    *,
    days: Sequence[date],
    index: int,
    offset: int,
    habits: Habits = NONE,
) -> str:
    """`text` with the slots of one reading rewritten, last slot first.

    `before` is the day that it meant, `days[index]` the day that it becomes, `days` those of all
    dates of the span, `offset` the patient's shift in days, `habits` those of the note.
    """
    after = days[index]
    pads = padded(text, reading, habits)
    made = text
    for slot in reversed(reading.slots):
        pad = pads.get(slot.part, False)
        value = _slot(slot, reading, before, after, offset, pad=pad, text=text)
        if slot.part == "d" and "m" in reading.borrowed and _crosses(days, index):
            value = _with_month(value, after, slot, text, first=index == 0)
        end = slot.end
        if slot.part == "h" and (span := _LASTING.match(made, end)):
            value, end = f"{span[1]} of {value}", span.end()
        start = slot.start
        if slot.part == "h" and slot.language == "es" and (joint := _OF_FEAST.search(made[:start])):
            of_weekday = any(s.part == "w" and s.end == joint.start() for s in reading.slots)
            start, value = joint.start(), f" {value}" if of_weekday else f" del {value}"
        made = made[:start] + value + made[end:]
    if any(slot.language == "ca" for slot in reading.slots):
        return _elided(made)
    if any(slot.part == "s" and slot.language == "es" for slot in reading.slots):
        return _with_article(made)
    return made


def _elided(text: str) -> str:
    """Catalan months with the `de` or `d'` that they take."""
    text = _FULL_DE.sub(lambda m: ("DE " if m.group(2).isupper() else "de ") + m.group(2), text)
    return str(_ELIDED_DE.sub(lambda m: m.group(1) + "'" + m.group(2), text))


def _with_article(text: str) -> str:
    """Spanish seasons with the article that they take: `del verano`, `de la primavera`."""
    for pattern, of, the in ((_FEMININE, "de la", "la"), (_MASCULINE, "del", "el")):
        text = pattern.sub(
            lambda m, of=of, the=the: (
                like_case(m.group(1), of if len(m.group(1)) > 2 else the) + m.group(2)
            ),
            text,
        )
    return text


def _crosses(days: Sequence[date], index: int) -> bool:
    """Whether a day that borrows its month from its neighbour now lies in another month."""
    return any(d.month != days[index].month for d in days[max(index - 1, 0) : index + 2])


def _with_month(value: str, day: date, slot: Slot, text: str, *, first: bool) -> str:
    if slot.language == "es":
        return f"{value} de {MONTHS['es'][day.month - 1]}"
    name = MONTHS["en"][day.month - 1].capitalize()
    if slot.form in {"ordinal", "word"} and (first or _THE.search(text[: slot.start])):
        return f"{value} of {name}"
    return f"{value} {name}" if first else f"{name} {value}"


def _slot(  # noqa: C901, PLR0911 - one return for each kind of slot
    slot: Slot,
    reading: DateReading,
    before: date,
    after: date,
    offset: int,
    *,
    pad: bool,
    text: str,
) -> str:
    raw = text[slot.start : slot.end]
    if slot.part in "YWDJ":
        return _counted(slot, after, raw)
    if slot.name == "spelled" and slot.part in "md":
        return _cardinal(after.month if slot.part == "m" else after.day, slot, raw)
    if slot.part == "y":
        return written_year(after.year, slot, text)
    if slot.part == "m":
        return _month(after.month, slot, raw, pad=pad, text=text)
    if slot.part == "d":
        return _day_of_month(after.day, slot, raw, pad=pad)
    if slot.part == "w" and slot.form == "letters":
        return day_letters.moved(raw, slot.language, offset, before.weekday())
    if slot.part == "w":
        stated = reading.weekday
        return _weekday(after.weekday() if stated is None else (stated + offset) % 7, slot, raw)
    if slot.part == "s":
        return _like(raw, cal.SEASONS[slot.language][after.month % 12 // 3][0])
    if slot.part == "q":
        return _part(slot, reading, after, raw)
    if slot.language == "es":
        return f"{after.day} de {MONTHS['es'][after.month - 1]}"
    comma = "," if "y" in {s.part for s in reading.slots} else ""
    return _like(raw, MONTHS["en"][after.month - 1].capitalize()) + f" {after.day}{comma}"


def _counted(slot: Slot, after: date, raw: str) -> str:
    """Year, number or weekday of a day's week, or the day of its year."""
    if slot.part == "J":
        width = len(raw) if slot.name != "loose" or raw.startswith("0") else 1
        return f"{after.timetuple().tm_yday:0{width}d}"
    week = after.isocalendar()
    loose = slot.name == "loose" and not raw.startswith("0")
    number = str(week.week) if loose else f"{week.week:02d}"
    year = f"{week.year:04d}" if slot.form == "4" else f"{week.year % 100:02d}"
    return {"Y": year, "W": number, "D": str(week.weekday)}[slot.part]


def written_year(year: int, slot: Slot, text: str) -> str:
    """`year` in the form of a slot of `text`: four digits, two, one, or words."""
    if slot.name == "spelled":
        raw = text[slot.start : slot.end]
        thousand = "thousand" in raw.lower()
        return _in_words(
            raw,
            number_words.spell_year(year, slot.language, thousand=thousand)
            if slot.form == "4"
            else number_words.spell_short_year(year % 100, slot.language),
        )
    if slot.form == "1":
        return str(year % 10)
    return f"{year:04d}" if slot.form == "4" else f"{year % 100:02d}"


def _in_words(raw: str, value: str) -> str:
    """A spelled number in the case of `raw`, with a hyphen where `raw` has one or is one word."""
    hyphen = "-" in raw or " " not in raw.strip()
    return _like(raw, value if hyphen else value.replace("-", " "))


def _cardinal(value: int, slot: Slot, raw: str) -> str:
    made = number_words.spell(value, slot.language)
    if value < 10 and (zero := next((z for z in _ZEROS if raw.lower().startswith(z + " ")), "")):
        return _in_words(raw, f"{zero} {'uno' if made == 'un' else made}")
    return _in_words(raw, "uno" if made == "un" else made.replace("veintiún", "veintiuno"))


def _month(month: int, slot: Slot, raw: str, *, pad: bool, text: str) -> str:
    if slot.form in {"1", "2"}:
        return f"{month:02d}" if pad else str(month)
    if slot.form == "roman":
        return cal.ROMAN[month - 1].upper()
    if slot.form == "stem":
        return _like(raw, MONTHS["eu"][month - 1])
    short = SHORT_MONTHS[slot.language][month - 1]
    if slot.form == "short" or (fold(raw) in SHORT_MONTHS[slot.language] and _glued(text, slot)):
        return _like(raw, "sept" if month == 9 and len(raw) == 4 else short)
    return _like(raw, MONTHS[slot.language][month - 1])


def _glued(text: str, slot: Slot) -> bool:
    """Whether digits, a dash or a full stop touch a word that is month and abbreviation at once."""
    around = text[max(slot.start - 1, 0) : slot.start] + text[slot.end : slot.end + 1]
    return any(c.isdecimal() or c in "-./" for c in around)


def _day_of_month(day: int, slot: Slot, raw: str, *, pad: bool) -> str:
    if slot.form == "word":
        return _like(raw, DAYS[slot.language][day - 1].replace("-y-", " y "))
    if slot.form == "ordinal":
        tail = raw[sum(c.isdecimal() for c in raw) :]
        if slot.language == "en":
            tail = like_case(tail, number_words.ordinal_ending(day))
        elif day != 1:
            tail = ""
        return (f"{day:02d}" if raw[0] == "0" else str(day)) + tail
    return f"{day:02d}" if pad else str(day)


def _part(slot: Slot, reading: DateReading, after: date, raw: str) -> str:
    """The number of the part of a year or month in which a day lies."""
    assert reading.part is not None
    which = part_of(after, reading.part[1], month=reading.month is not None)
    if slot.form == "edge":
        return _like(raw, edge(raw, which))
    if slot.form == "last" and which == last_part(reading.part[1]):
        return raw
    if slot.form in {"last", "word"}:
        return _like(raw, ordinal(raw, which, slot.language))
    if slot.form == "roman":
        return like_case(raw, cal.ROMAN[which - 1].upper())
    tail = raw[1:]
    if slot.language == "en" and tail:
        return f"{which}{number_words.ordinal_ending(which)}"
    return f"{which}{number_words.ordinal_mark(which, tail)}"


def _weekday(weekday: int, slot: Slot, raw: str) -> str:
    table = WEEKDAYS if slot.form == "full" else SHORT_WEEKDAYS
    value = table[slot.language][weekday]
    plural = slot.language == "en" and fold(raw).endswith("s") and slot.form == "full"
    return _like(raw, value + "s" if plural else value)


def _like(raw: str, value: str) -> str:
    """A word in the case of `raw`; accents only where the text around is not plain capitals."""
    if raw.isupper():
        return without_accents(value).upper() if raw.isascii() else value.upper()
    return first_like(raw, value)
