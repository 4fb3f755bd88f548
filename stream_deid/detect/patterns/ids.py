"""Numbers behind a label, English: record, plan, account, licence, device, vehicle and case.

    labelled = label [qualifier] sep* value
    sep      = ":" | "#" | "." | "=" | "-" | blank | line break (at most one)
    value    = a token with at least one digit; groups joined by "-", "/", "." or one blank

The labels are written as people type them: with or without full stops, "no.", "#", "ID"; an
OCR'd zero or one counts as a digit. A value with too few digits, a unit behind it, or a decimal
point is none.
"""

from __future__ import annotations

from stream_deid.detect.patterns.base import Check, Context, Hit, Pattern, numbers, whole
from stream_deid.detect.patterns.social_security import SOCIAL_SECURITY
from stream_deid.labels import PhiType
from stream_deid.lists.calendar import SHORT_MONTHS
from stream_deid.lists.vocabulary import Vocabulary
from stream_deid.text import check_digits, years

_WORDS = Vocabulary("ids_en")

T = PhiType
_SEP = rf"(?:[ \t]*(?:(?i:{_WORDS['between']})\b\.?|[:#.=\->(]|\"|'))*[ \t]*\n?[ \t]*"
_WORD = r"[A-Za-z0-9]"
_TAIL = r"(?P<tail>(?:[ ](?:[0-9][0-9-]*[0-9A-Z]|[0-9]))*)"
VALUE = (
    rf"(?P<v>{_WORD}*[0-9]{_WORD}*(?:[-/._]{_WORD}+)*{_TAIL}|[A-Z]{{1,6}}[-/ ][A-Z]{{0,4}}[-/ ]?"
    rf"[0-9]{_WORD}*(?:[-/ ][A-Z]?[0-9][0-9A-Z]*)*(?:-[A-Z0-9]+)*)"
)  # fmt: skip
_UNIT = Context(rf"(?i)^[ \t]?(?:{_WORDS['units']})")
_CLOCK = Context(r"^\d{1,2}:\d\d(?::\d\d)?$")
_SLASHED = Context(r"^\d{1,2}/\d{1,2}(?:/(?:19|20)?\d\d)?(?:[ ]|$|-\d{1,2}/)")
_MEASURED = Context(
    r"^(?:\d{1,3}\.\d{1,2}(?:[-/]\d{1,3}(?:\.\d{1,2})?)*|\d{1,3}(?:/\d{1,3}){1,2}|\d{1,2}-0"
    r"|[A-TV-Z]\d\d\.\d{1,2})(?:[ ]|$)"
)
_HEAD = _WORDS.words("no_head")


def _date_like(value: str) -> bool:
    """A date or a time of day, or beginning with one."""
    if _CLOCK.match(value) or _SLASHED.match(value):
        return True
    parts = numbers(value)
    if any(c.isalpha() for c in value) or len(parts) < 2:
        return len(value) == 4 and value.isdecimal() and int(value) in years.ALONE
    year = len(parts[0]) == 4 and int(parts[0]) in years.ALONE
    if len(parts) >= 3 and year:
        return 1 <= int(parts[1]) <= 12 and 1 <= int(parts[2]) <= 31
    short = (len(parts) == 3 and max(len(p) for p in parts) <= 2) or (
        len(parts) == 3 and len(parts[2]) == 4
    )
    return bool(short) and 1 <= int(parts[0]) <= 12 and 1 <= int(parts[1]) <= 31


def labelled(least: int = 3, *, dates: bool = False) -> Check:
    """A check: whole, at least so many digits, no measure, no unit, and no date unless `dates`."""

    def check(hit: Hit) -> bool:
        value = hit.value
        after = hit.after(2)
        if not whole(hit) or sum(c.isdecimal() for c in value) < least:
            return False
        if _UNIT.match(hit.after(12)) or (
            after[:1] in (".", ",", ":", "/") and after[1:].isdecimal()
        ):
            return False
        if value.split()[0] in _HEAD or value == "911" or _MEASURED.match(value):
            return False
        if _NO_CODE.match(value):
            return False
        return not _date_like(value) or (dates and "-" in value)

    return check


def label(words: str, value: str = VALUE, sep: str = _SEP) -> str:
    """An expression of a value behind one of these words."""
    return rf"(?:^|[^A-Za-z0-9])(?i:{words}){sep}{value}"


def numbered(hit: Hit) -> bool:
    """Three digits and more behind "badge", "site": no time behind "protocol", no readings."""
    clock = len(hit.value) == 4 and hit.value < "2400" and hit.value.isdecimal()
    before = hit.before(10).lower().rstrip()
    timed = clock and before.endswith(("protocol", "band", "log"))
    ranged = before.endswith("log") and "-" in hit.value[:4]
    return bool(labelled(3)(hit)) and not (timed or ranged or _READINGS.match(hit.value))


_READINGS = Context(
    r"^(?:(?:[A-Za-z]{1,2}[ ])?\d{2,3}/\d{2,3}|\d{1,3}(?:[.,]\d{1,2})?[xX×].*|(?:19|20)\d\d-\d\d)$"
)
"""The first of a column ("Glucose log: M 112/145"), a size ("amp site 3.0x2.2"), years."""


def visited(hit: Hit) -> bool:
    """A number of five digits or more behind "acct", "visit"; no day with its hours."""
    return bool(labelled(5)(hit)) and not _DAY_AND_HOURS.match(hit.value)


_DAY_AND_HOURS = Context(r"^\d{1,2}-\d{1,2}[ ](?:[01]\d|2[0-3])[0-5]\d(?:-|$)")


def machine(hit: Hit) -> bool:
    """A number of four digits or more behind a machine; "2008K" is a model for dialysis."""
    return bool(labelled(4)(hit)) and not _MODEL.match(hit.value)


_MODEL = Context(r"^(?:2008[A-Z]\b|4008|5008|[A-Z]{2,3}-?[A-Z]{0,2}\d{3}[A-Z]{0,2}$)")


_MRN = rf"{_WORDS['records']}"  # fmt: skip
_PLAN = (
    rf"(?:{_WORDS['plans']})(?:[ \t]*(?:id(?:entification)?|no|num(?:ber)?|#|policy|group|contract"
    r"|claim)\b\.?){0,2}"
)  # fmt: skip
_ACCT = rf"{_WORDS['accounts']}"  # fmt: skip
_LICENCE = rf"{_WORDS['licences']}"  # fmt: skip
_DEVICE = rf"{_WORDS['devices']}"  # fmt: skip
_MACHINE = _WORDS["machines"]
"""Things that a number stands behind, a serial or not: it needs more digits than after a label."""
_VEHICLE = rf"{_WORDS['vehicles']}"
_CASE = rf"{_WORDS['cases']}"  # fmt: skip
_SCAN_KEPT = rf"(?:[ ](?:{_WORDS['scans_kept']}))?"
_BIOMETRIC = (
    rf"(?:{_WORDS['bodies']})[ -]?(?:vein[ ])?(?:{_WORDS['scans']}){_SCAN_KEPT}"
    rf"|(?:{_WORDS['prints']})prints?{_SCAN_KEPT}"
    rf"|biometrics?(?:[ ](?:{_WORDS['biometrics_kept']}))?"
    r"|(?:dna|genetic)[ ](?:profile|fingerprint)"
)
_NUMBERED_THING = rf"{_WORDS['short']}"
"""What a short number identifies, too."""
_MUST = r"[ \t]*(?:no\.?|nos\.?|nbr\.?|num(?:ber)?s?|n[o]|id|\#|:|=|[ \t]-[ \t])"


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
        not _COUNT.search(before) and not _UNIT.match(hit.after(12)) and not value.endswith("0000")
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
    if _date_like(hit.value) or _COUNT.search(before) or _UNIT.match(hit.after(12)):
        return False
    if _DRUG_AFTER.match(hit.after(40)) or _DRUG_BEFORE.search(hit.before(24)):
        return False
    if any(month in hit.value for month in _MONTHS) or _series(hit):
        return False
    return not _NO_CODE.match(hit.value)


_DRUG_AFTER = Context(rf"(?i)^[ ]?(?:\([^)]{{0,24}}\)[ ]?)?(?:{_WORDS['drug_after']})|^[ ]?\(anti-")
_DRUG_BEFORE = Context(rf"(?i)\b(?:{_WORDS['drug_before']})[ :]+$")
_NO_CODE = Context(
    r"^(?i:covid|cyp\d|hla-(?:[abc]|d[rpq]b?1?)-?\d{1,5}$|nrs-?2002"
    rf"|(?:{_WORDS['trials']})-?[a-z]{{0,3}}\d"
    rf"|(?:{_WORDS['standards']})-?\d)"
    r"|^(?:DD|SF|OF|DS|DOH|SSA|OSHA|WH|OWCP|NAVMED|DWC)-\d{3,4}(?:-[A-Z0-9]{1,2})?$"
    r"|^(?:RBC|WBC|PLT|HGB|TSH|BNP|LDH|CPK|HCG|PSA|AFP|CEA)\d"
)
"""Tests, genes, registries of trials, forms and standards; a reading behind its name."""


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
    """A registration of an aircraft; with one letter behind its figures it may be a change of an
    amino acid ("GBA N370S"), unless a word for what flies stands before it.
    """
    variant = _VARIANT.match(hit.value) and not _FLYING.search(hit.before(40))
    return whole(hit) and not variant


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


LOT = (
    r"(?i)\b(?:lotes?|lots?|batch)[ .:#]{1,3}"
    r"(?-i:(?P<v>[A-Z]{1,6}\d[A-Z0-9]*(?:-[A-Z0-9]{2,})?|\d{1,4}[A-Z]{1,3}\d?[A-Z0-9]{1,}"
    r"(?:-[A-Z0-9]{2,})?|[A-Z]{2,6}-[A-Z]?\d[A-Z0-9]*))\b"
)
"""A lot or batch, however few its digits ("UP023AB")."""

IDS = (
    *SOCIAL_SECURITY,
    Pattern("mrn", 1, T.MEDICALRECORD, label(_MRN), labelled(4, dates=True)),
    Pattern("plan-id", 1, T.HEALTHPLAN, label(_PLAN), labelled(5)),
    Pattern("account", 1, T.ACCOUNT, label(_ACCT), visited),
    Pattern("licence", 1, T.LICENSE, label(_LICENCE), labelled(4)),
    Pattern("npi", 1, T.LICENSE, r"(?i)\bnpi[ \t:#]*(?P<v>\d{10})", whole, ("npi",)),
    Pattern("dea", 1, T.LICENSE, r"(?P<v>[ABFGMPR][A-Z9]\d{7})", dea),
    Pattern(
        "device", 1, T.DEVICE,
        rf"(?:^|[^A-Za-z0-9-])(?i:{_DEVICE}){_SEP}{VALUE}",
        labelled(3),
    ),
    Pattern("device", 1, T.DEVICE, label(_MACHINE), machine),
    Pattern("lot", 1, T.DEVICE, LOT, whole, ("lot", "batch")),
    Pattern("udi", 1, T.DEVICE, r"(?P<v>\(01\)\d{14}(?:\(\d{2}\)[A-Za-z0-9]+)*)", whole, ("(01)",)),
    Pattern("vehicle", 1, T.VEHICLE, label(_VEHICLE), labelled(3)),
    Pattern("vin", 1, T.VEHICLE, r"(?P<v>[A-HJ-NPR-Z0-9]{17})", vin),
    Pattern(
        "tail-number", 1, T.VEHICLE,
        r"(?P<v>N[1-9]\d{1,3}[A-HJ-NP-Z]{1,2}|N[1-9]\d{2,4})",
        registered, ("n",), 0.4,
    ),
    Pattern("biometric", 1, T.BIOID, label(_BIOMETRIC), labelled(3)),
    Pattern("case-number", 1, T.IDNUM, label(_CASE), labelled(5)),
    Pattern(
        "case-number", 1, T.IDNUM,
        rf"(?:^|[^A-Za-z0-9])(?i:{_CASE}){_MUST}[ \t:#.=]*\n?[ \t]*{VALUE}",
        labelled(3),
    ),
    Pattern("case-number", 1, T.IDNUM, label(_NUMBERED_THING), numbered),
    Pattern(
        "number-ends", 1, T.IDNUM,
        rf"(?i)\b(?:{_WORDS['ending']})"
        r"\b[^.\n0-9]{0,14}\bend(?:s|ing)\b(?:[ ](?:in|with))?[ ]+(?P<v>\d{3,5})\b",
        whole, (" end",), 0.9,
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
