"""Numbers behind a label, English: record, plan, account, licence, device, vehicle and case.

    labelled = label [qualifier] sep* value
    sep      = ":" | "#" | "." | "=" | "-" | blank | line break (at most one)
    value    = a token with at least one digit; groups joined by "-", "/", "." or one blank

The labels are written as people type them: with or without full stops, "no.", "#", "ID"; an
OCR'd zero or one counts as a digit. A value with too few digits, a unit behind it, or a decimal
point is none.
"""

from __future__ import annotations

from stream_deid.detect.patterns.base import Check, Context, Hit, Pattern, whole
from stream_deid.detect.patterns.ids.values import NO_CODE, UNIT, date_like, last_figures
from stream_deid.labels import PhiType
from stream_deid.lists.vocabulary import Vocabulary

_WORDS = Vocabulary("ids_en")

T = PhiType
_SEP = rf"(?:[ \t]*(?:(?i:{_WORDS['between']})\b\.?|[:#.=\->(]|\"|'))*[ \t]*\n?[ \t]*"
_WORD = r"[A-Za-z0-9]"
_TAIL = r"(?P<tail>(?:[ ](?:[0-9][0-9-]*[0-9A-Z]|[0-9]))*)"
VALUE = (
    rf"(?P<v>{_WORD}*[0-9]{_WORD}*(?:[-/._]{_WORD}+)*{_TAIL}|[A-Z]{{1,6}}[-/ ][A-Z]{{0,4}}[-/ ]?"
    rf"[0-9]{_WORD}*(?:[-/ ][A-Z]?[0-9][0-9A-Z]*)*(?:-[A-Z0-9]+)*)"
)  # fmt: skip
_MEASURED = Context(
    r"^(?:(?:[A-Z]{2,6} )?\d{1,3}(?:/\d{1,3}){1,2}"
    r"|\d{1,3}\.\d{1,2}(?:[-/]\d{1,3}(?:\.\d{1,2})?)*|\d{1,2}-0"
    r"|[A-TV-Z]\d\d\.\d{1,2}|\d{1,3}\.\d{1,2}/[A-Za-z]{2,5})(?:[ ]|$)"
)
_PLAN_ALONE = Context(r"(?i)(?:^|[^A-Za-z ])[ ]*plan[ \t:]*\n?[ \t]*$")
_DRUG = Context(r"[a-z]{4}|^[A-Z]/[A-Z][ ]")
_HEAD = _WORDS.words("no_head")


def labelled(least: int = 3, *, dates: bool = False) -> Check:
    """A check: whole, at least so many digits, no measure, no unit, and no date unless `dates`."""

    def check(hit: Hit) -> bool:
        value = hit.value
        after = hit.after(2)
        if not whole(hit) or sum(c.isdecimal() for c in value) < least:
            return False
        if UNIT.match(hit.after(12)) or (
            after[:1] in (".", ",", ":", "/") and after[1:].isdecimal()
        ):
            return False
        if value.split()[0] in _HEAD or value == "911" or _MEASURED.match(value):
            return False
        if NO_CODE.match(value):
            return False
        return not date_like(value) or (dates and "-" in value)

    return check


def label(words: str, value: str = VALUE, sep: str = _SEP) -> str:
    """An expression of a value behind one of these words."""
    return rf"(?:^|[^A-Za-z0-9])(?i:{words}){sep}{value}"


def planned(hit: Hit) -> bool:
    """What stands behind the label of a plan; behind "Plan" alone, what is to be done, too: a drug
    ("Plan:Naproxen500BID", "Plan G/P 100/40").
    """
    treated = _PLAN_ALONE.search(hit.before(12)) and _DRUG.search(hit.value)
    return bool(labelled(5)(hit)) and not treated


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

LOT = (
    r"(?i)\b(?:lotes?|lots?|batch)[ .:#]{1,3}"
    r"(?-i:(?P<v>[A-Z]{1,6}\d[A-Z0-9]*(?:-[A-Z0-9]{2,})?|\d{1,4}[A-Z]{1,3}\d?[A-Z0-9]{1,}"
    r"(?:-[A-Z0-9]{2,})?|[A-Z]{2,6}-[A-Z]?\d[A-Z0-9]*))\b"
)
"""A lot or batch, however few its digits ("UP023AB")."""

LABELLED = (
    Pattern("mrn", 1, T.MEDICALRECORD, label(_MRN), labelled(4, dates=True)),
    Pattern("plan-id", 1, T.HEALTHPLAN, label(_PLAN), planned),
    Pattern("account", 1, T.ACCOUNT, label(_ACCT), visited),
    Pattern("licence", 1, T.LICENSE, label(_LICENCE), labelled(4)),
    Pattern("npi", 1, T.LICENSE, r"(?i)\bnpi[ \t:#]*(?P<v>\d{10})", whole, ("npi",)),
    Pattern(
        "device", 1, T.DEVICE,
        rf"(?:^|[^A-Za-z0-9-])(?i:{_DEVICE}){_SEP}{VALUE}",
        labelled(3),
    ),
    Pattern("device", 1, T.DEVICE, label(_MACHINE), machine),
    Pattern("lot", 1, T.DEVICE, LOT, whole, ("lot", "batch")),
    Pattern("vehicle", 1, T.VEHICLE, label(_VEHICLE), labelled(3)),
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
        rf"(?i)\b(?P<of>{_WORDS['ending']})"
        r"\b[^.\n0-9]{0,14}\bend(?:s|ing)\b(?:[ ](?:in|with))?[ ]+(?P<v>\d{2,5})\b",
        last_figures, (" end",), 0.9,
    ),
    Pattern(
        "number-ends", 1, T.IDNUM,
        rf"(?i)\b(?:{_WORDS['last_figures']})(?:[ ]of[ ](?:[a-z]{{1,8}}[ ]){{0,2}}[a-z]{{2,12}})?"
        r"(?:[ ](?:is|are))?[ :#]{1,3}(?P<v>\d{2,6})\b",
        last_figures, ("last ",), 0.9,
    ),
    Pattern(
        "number-ends", 1, T.IDNUM, r"(?i)\bend(?:s|ing)[ ](?:in|with)[ :]{1,2}(?P<v>\d{3,6})\b",
        last_figures, (" in ", " with "), 0.9,
    ),
)  # fmt: skip
