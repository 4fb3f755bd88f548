"""Hostile text: any Unicode, digits and separators, impossible dates, sentinels, long lines."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence

_RANGES = (
    (0x20, 0x7F), (0x00, 0x20), (0xA0, 0x250), (0x300, 0x370), (0x370, 0x530), (0x590, 0x700),
    (0x900, 0x980), (0x1E00, 0x2000), (0x2000, 0x2070), (0x2100, 0x2200), (0x2460, 0x2500),
    (0x3040, 0x3100), (0x4E00, 0x4F00), (0xAC00, 0xAD00), (0xE000, 0xE010), (0xF900, 0xFB50),
    (0xFE00, 0x10000), (0x1D400, 0x1D800), (0x1F300, 0x1F700), (0xE0000, 0xE0080),
    (0x10FFF0, 0x110000),
)  # fmt: skip
_CONTROLS = (
    "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
    "\u200b\u200c\u200d\u200e\u200f\u2028\u2029\ufeff\u00ad\x00\x07\x08\x0b\x0c\x1b\x1c\x85\x9f\x7f\ufffd\ufffe"
)
_DIGITS = "0123456789 /.-:,'|OlI٣७²½"
_SENTINELS = (
    "9999-12-31", "12/31/9999", "99991231", "0001-01-01", "01/01/0001", "00000000", "1900-01-01",
    "20230229", "31/02/2021", "MRN 20210431", "2019-02-30", "1970-01-01T00:00:00Z", "0000-00-00",
    "99/99/9999", "2021-13-45", "29 February 1900", "30 de febrero de 2021", "Easter 9999",
    "navidad 1", "year 0", "24:60:61", "-1", "NaN", "Infinity", "null", "None", "N/A", "unknown",
    "999-99-9999", "000-00-0000", "0" * 40, "9" * 40, "\\X0D\\", "\\.br\\", "\\E\\", "\\", '""',
    "%s%n", "{0}", "${x}", "<b>", "&amp;", "[**2101-3-4**]", "XXXX", "?", "---", "90+",
)  # fmt: skip
_WORDS = re.split(
    r"\s+",
    "march marzo 31 febrero 30 feb 0 00 99999 2021 '21 1st 3rd segundo half quarter Q5 late early "
    "christmas navidad easter pascua summer invierno lunes friday twenty dos mil de of del the el "
    "- / . , º ª th 12th noon O1/l2/2O21 Dr. Dra. Mrs. Sr. MRN DOB DNI SSN tel. fax age edad years "
    "años old hospital clinic calle street avenue Apt @ www. http:// .com x ext +1 (555) 34 room "
    "bed wife husband hijo madre daughter born nacido de la van der O' Mc St. San MD Jr. III"
)  # fmt: skip
_FORMS = (
    "{y}-{m:02}-{d:02}", "{m}/{d}/{y}", "{d}/{m}/{y}", "{d}.{m}.{y}", "{y}{m:02}{d:02}",
    "{m}-{d}-{y}",
    "{d} de marzo de {y}", "March {d}, {y}", "{m}/{y}", "{y}", "{y}-{z}", "{m}/{d}-{d}/{m}/{y}",
    "{d}th of May {y}", "{y:04}{m:02}{d:02}{d:02}{m:02}", "{y}/{m}/{d} {d}:{m}", "{m}{d}{y}",
)  # fmt: skip
_TITLES = ("Dr. {}.", "Seen by Dr. {}.", "Atendido por Dr. {}.", "- Dr. {},")
"""Understood in both languages, whichever a note is taken for."""


def anything(rng: random.Random) -> str:
    """Up to 40 characters out of a few blocks of Unicode, none of them lone surrogates."""
    blocks = rng.sample(_RANGES, rng.randint(1, 3))
    return "".join(chr(rng.randrange(*rng.choice(blocks))) for _ in range(rng.randint(1, 40)))


def digits(rng: random.Random) -> str:
    return "".join(rng.choice(_DIGITS) for _ in range(rng.randint(1, 30)))


def day(rng: random.Random) -> str:
    """A date of the years 0 to 99999, months and days that may not be."""
    year = rng.choice((rng.randrange(100_000), rng.randrange(1850, 2060), rng.randrange(100)))
    month, number = rng.choice((rng.randrange(14), rng.randrange(100))), rng.randrange(33)
    return rng.choice(_FORMS).format(y=year, m=month, d=number, z=year + rng.randrange(9))


def sentinel(rng: random.Random) -> str:
    return rng.choice(_SENTINELS)


def words(rng: random.Random) -> str:
    return " ".join(rng.choice(_WORDS) for _ in range(rng.randint(1, 9)))


def long(rng: random.Random) -> str:
    """A line of one thing over and over: mostly short, now and then tens of thousands long."""
    unit = rng.choice((day, digits, words, sentinel, anything, _one))(rng)
    size = rng.choice((100, 100, 300, 300, 300, 1000, 1000, 3000, 3000, 20_000))
    separator = rng.choice(("", "", " ", ", ", "\n", "."))
    return separator.join([unit] * (size // max(1, len(unit + separator))))


def _one(rng: random.Random) -> str:
    return rng.choice(_CONTROLS + "a1. -/@(\u0301\n\t'\"")


def titled(rng: random.Random, name: str) -> str:
    """A name where a title or a label tells that it is one."""
    return f"\n{rng.choice(_TITLES).format(name)} "


def mixed(rng: random.Random, lines: Sequence[str], planted: Sequence[str]) -> str:
    """A few pieces of all kinds one after the other, with `planted` whole among them."""
    makers: tuple[Callable[[random.Random], str], ...] = (anything, digits, day, sentinel, words)
    pieces = [rng.choice(makers)(rng) for _ in range(rng.randint(0, 4))]
    if rng.random() < 0.6:
        pieces += [mutated(rng, rng.choice(lines)[:300]) for _ in range(rng.randint(1, 2))]
    if rng.random() < 0.02:
        pieces.append(long(rng))
    rng.shuffle(pieces)
    for piece in planted:
        pieces.insert(rng.randint(0, len(pieces)), piece)
    return rng.choice((" ", " ", "\n", "\n", "\t", "\r\n", " \u200b ")).join(pieces)


def mutated(rng: random.Random, text: str) -> str:
    """The text with a few small wounds, or as it is."""
    for _ in range(rng.choice((0, 0, 1, 2, 5))):
        at = rng.randint(0, len(text))
        cut = rng.choice((0, 0, 1, 2, 9))
        new = rng.choice((_one, _one, sentinel, day, digits, anything))(rng)
        text = f"{text[:at]}{new}{text[at + cut :]}"
    return text
