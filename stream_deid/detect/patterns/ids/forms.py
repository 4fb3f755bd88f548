"""Identifiers that their own form gives away, English: no label stands before them.

dea    = LETTER (LETTER | "9") 7 digits, proved by its checksum
vin    = 17 letters and digits, proved by its check digit or a word before it
udi    = "(01)" 14 digits ["(" nn ")" value]...
tail   = "N" 2 to 5 digits | "N" 2 to 4 digits LETTER{1,2}          a registered aircraft
mail   = "7" nnn, and four groups of nnnn                           certified mail
blood  = LETTER nnnn nn nnnnnn | "W" 12 or 13 digits                a unit of blood
hashed = "#" LETTER{0,3} ["-"] digits ["-" digits]...
long   = 6 to 14 digits ["-" 1 to 3 digits]
code   = LETTERS digits ["-" digits]... | nn "-" nnnn | nnn "-" nnn "-" nnnn ...
sample = LETTER{1,3} nn "-" digits                                  of a laboratory: "S19-4471"
card   = 11 signs, as Medicare deals them, or a former one: nnn-nn-nnnn LETTER
"""

from __future__ import annotations

from stream_deid.detect.patterns.base import Context, Hit, Pattern, whole
from stream_deid.detect.patterns.ids.labelled import labelled
from stream_deid.detect.patterns.ids.values import NO_CODE, UNIT, date_like
from stream_deid.labels import PhiType
from stream_deid.lists.calendar import SHORT_MONTHS
from stream_deid.lists.vocabulary import Vocabulary
from stream_deid.text import check_digits, years

_WORDS = Vocabulary("ids_en")

T = PhiType
_COUNT = Context(rf"(?i)(?:{_WORDS['counted_codes']})[ \t:#.]*$")
_MONTHS = tuple(name.upper() for name in SHORT_MONTHS["en"])


def long_number(hit: Hit) -> bool:
    """Six digits or more by themselves: no amount, date, coordinate or catalogue number."""
    value, before, after = hit.value, hit.before(12), hit.after(2)
    if not whole(hit) or (
        before[-1:] in (".", ",", "$", "-", "/", ":", "+", "=", "_")
        and before[-1:] not in (":", "=")
    ):
        return False
    if after[:1] in ("-", "/", ".", ",", "%") and after[1:].isalnum():
        return False
    if len(value) in (8, 12, 14) and _day(value[:8]):
        return False
    if len(value) == 6 and (value.endswith("000") or hit.before(1).isalpha()):
        return False
    return (
        not _COUNT.search(before) and not UNIT.match(hit.after(12)) and not value.endswith("0000")
    )


def _day(value: str) -> bool:
    """yyyymmdd; the patterns for dates have it."""
    year, month, day = int(value[:4]), value[4:6], value[6:]
    return year in years.IN_FIGURES and "01" <= month <= "12" and "01" <= day <= "31"


def code(hit: Hit) -> bool:
    """Capitals and digits with hyphens as identifiers have them; no gene, product or ICD code."""
    before, after = hit.before(12), hit.after(2)
    if (
        not whole(hit)
        or before[-1:] in ("-", "/", ".", "_", "@")
        or (after[:1] in ("-", "/", "_") and after[1:].isalnum())
    ):
        return False
    if date_like(hit.value) or _COUNT.search(before) or UNIT.match(hit.after(12)):
        return False
    if _DRUG_AFTER.match(hit.after(40)) or _DRUG_BEFORE.search(hit.before(24)):
        return False
    if any(month in hit.value for month in _MONTHS) or _series(hit):
        return False
    return not NO_CODE.match(hit.value)


_DRUG_AFTER = Context(rf"(?i)^[ ]?(?:\([^)]{{0,24}}\)[ ]?)?(?:{_WORDS['drug_after']})|^[ ]?\(anti-")
_DRUG_BEFORE = Context(rf"(?i)\b(?:{_WORDS['drug_before']})[ :]+$")


def _series(hit: Hit) -> bool:
    """Three readings in a row ("212-187-164"): as long, none twice another (five times where all
    are rounded), behind no label.
    """
    parts = hit.value.split("-")
    alike = len(parts) == 3 and "".join(parts).isdecimal() and len({len(p) for p in parts}) == 1
    if not alike or any(p[0] == "0" for p in parts):
        return False
    readings = [int(p) for p in parts]
    most = 5 if not any(r % 5 for r in readings) else 2
    return max(readings) <= most * min(readings) and not _NUMBERED.search(hit.before(20))


_NUMBERED = Context(rf"(?i)(?:#|\b(?:{_WORDS['numbered']})\b\.?)[ \t:#.]*$")


def registered(hit: Hit) -> bool:
    """A registration of an aircraft; with three figures alone it may be a code ("RARC N130"), with
    one letter behind them a change of an amino acid ("GBA N370S"), unless a word for what flies
    stands before it.
    """
    open_ = _VARIANT.match(hit.value) or (len(hit.value) <= _FEW and hit.value[1:].isdecimal())
    return whole(hit) and not (open_ and not _FLYING.search(hit.before(40)))


_FEW = 4
_VARIANT = Context(r"^N\d{2,4}[ACDEFGHIKLMPQRSTVWY]$")
_FLYING = Context(rf"(?i)\b(?:{_WORDS['flying']})\b")


def dea(hit: Hit) -> bool:
    """Two letters, seven digits and their checksum (21 CFR 1301, the DEA's published rule)."""
    if not whole(hit):
        return False
    return check_digits.dea(hit.value)


def vin(hit: Hit) -> bool:
    """17 letters and digits, both present, with ISO 3779's check digit or a word before it."""
    value = hit.value
    if not whole(hit) or value.isdecimal() or sum(c.isdecimal() for c in value) < 5:
        return False
    return check_digits.vin(value) == value or "vin" in hit.before(12).lower()


FORMS = (
    Pattern("dea", 1, T.LICENSE, r"(?P<v>[ABFGMPR][A-Z9]\d{7})", dea),
    Pattern("udi", 1, T.DEVICE, r"(?P<v>\(01\)\d{14}(?:\(\d{2}\)[A-Za-z0-9]+)*)", whole, ("(01)",)),
    Pattern("vin", 1, T.VEHICLE, r"(?P<v>[A-HJ-NPR-Z0-9]{17})", vin),
    Pattern(
        "tail-number", 1, T.VEHICLE,
        r"(?P<v>N[1-9]\d{1,3}[A-HJ-NP-Z]{1,2}|N[1-9]\d{2,4})",
        registered, ("n",), 0.4,
    ),
    Pattern("certified-mail", 1, T.IDNUM, r"(?P<v>7\d{3}(?:[ ]\d{4}){4})", whole, (), 1.0),
    Pattern(
        "blood-unit", 1, T.IDNUM,
        r"(?P<v>[A-Z]\d{4}[ ]\d{2}[ ]\d{6}|W\d{12,13})",
        whole, (), 0.9,
    ),
    Pattern(
        "hash-number", 1, T.IDNUM,
        r"(?:^|[^A-Za-z0-9&])\#[ \t]?(?P<v>[A-Z]{0,3}-?[0-9][0-9-]{3,}[0-9A-Z](?:-[0-9A-Z]+)*)",
        labelled(5, dates=True), ("#",), 0.6,
    ),
    Pattern("long-number", 1, T.IDNUM, r"(?P<v>\d{6,14}(?:-\d{1,3})?)", long_number, (), 0.4),
    Pattern(
        "code", 1, T.IDNUM,
        r"(?P<v>[A-Z]{1,5}\d{5,12}|[A-Z]{1,5}-\d{4,10}(?:-[A-Z0-9]{1,4})?"
        r"|[A-Z]{1,5}\d{0,2}-\d{2,4}-\d{3,7}(?:-[A-Z0-9]{1,4})?|\d{2}-\d{4,7}|\d{2,4}-[A-Z]{1,3}"
        r"-\d{3,6}|\d{2,3}-\d{2,3}-\d{2,4})",
        code, (), 0.4,
    ),
    Pattern(
        "specimen", 1, T.IDNUM,
        r"(?P<v>[A-Z]{1,3}\d{2}-\d{3,8}(?:-\d{1,3})?)",
        whole, ("-",), 0.6,
    ),
    Pattern(
        "medicare", 1, T.HEALTHPLAN,
        r"(?P<v>[1-9][AC-HJKMNP-RT-Y][AC-HJKMNP-RT-Y0-9]\d-?"
        r"[AC-HJKMNP-RT-Y][AC-HJKMNP-RT-Y0-9]\d-?[AC-HJKMNP-RT-Y]{2}\d{2})",
        whole, (), 0.9,
    ),
    Pattern("medicare", 1, T.HEALTHPLAN, r"(?P<v>\d{3}-\d{2}-\d{4}[A-DTM]\d?)", whole, ("-",), 0.9),
)  # fmt: skip
