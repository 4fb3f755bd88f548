"""Telephone, fax and pager numbers.

    nanp      = ["+"? "1"] [area] exchange line [extension]   "(478) 946-0225 ext 22"
    local     = exchange "-" line                               "968-3327", by its shape or a label
    labelled  = label number                                    "pgr 2260", "call back at 0178"
    foreign   = "+" country groups | trunk groups               "+234 803 991 0457", "07814 418226"
    groups    = digits "-" digits "-" ...                       "cell 617-555-01-43"
    spanish   = 9 digits in groups | Latin American groups      "952 06 11 40", "5561184203"

A fax is a number after a word for fax; a pager counts as a phone.
"""

from __future__ import annotations

from collections.abc import Sequence

from stream_deid.detect.patterns.base import Context, Hit, Pattern, whole
from stream_deid.detect.patterns.contact.extensions import (
    NO_EXTENSION,
    extension,
    spelled_extension,
)
from stream_deid.detect.patterns.dates.digits import alone
from stream_deid.detect.patterns.ids.values import last_figures
from stream_deid.labels import PhiType
from stream_deid.lists.numbers import ONES, TEENS, TENS_EN
from stream_deid.lists.vocabulary import Vocabulary

_WORDS = Vocabulary("contact")

_P, _F = PhiType.PHONE, PhiType.FAX
_N = "[0-9OolI]"
_EXT = (
    r"(?:[ \t]*[,;]?[ \t]*(?:\(?(?:(?i:extension|extn?|xt?|opt(?:ion)?|press|int(?:erno)?|anexo"
    r"|dial|then))\.?[ \t:#]*\d{1,6}\)?|#[ \t]?\d{1,6}))"
)
_NANP = (
    rf"(?:(?:\+?1|001)[-. \t/]?)?(?:\([ \t]?{_N}{{3}}[ \t]?\)|{_N}{{3}})[ \t]?[-./ \t]?[ \t]?"
    rf"{_N}{{3}}[ \t]?[-. \t][ \t]?{_N}{{4}}"
)
_FAX_WORD = Context(
    r"(?i)(?:\bfa?xe?d?|telefax|facsimile|facs|\bfx|\btelecop\w*|\bf(?:ax)?)[ \t]*"
    rf"(?:{_WORDS['between_fax']})?[ \t]*[:.=#)]*[ \t]*[-]?[ \t]*\n?[ \t]*$"
)
_TO = Context(r"(?i)\b(?:to|from)[ \t]*:?[ \t]*$")
_TEL_WORD = Context(
    rf"(?i)\b(?:{_WORDS['telephones']})\b[\x22']?[ \t]*[:.#=)>]*[ \t]*[\x22']?"
    r"(?:no\.?|n[o]\.?|is|es(?: el)?|at|al|on)?[ \t]*[:.#(]*[ \t]*$"
)


def _fax(hit: Hit) -> bool:
    return _FAX_WORD.search(hit.before(28))


def fax_number(hit: Hit) -> bool:
    return number(hit) and _fax(hit)


def phone_number(hit: Hit) -> bool:
    return number(hit) and not _fax(hit)


def number(hit: Hit) -> bool:
    """Digits enough, no longer chain, no date or decimal."""
    value = hit.value
    digits = sum(c.isdecimal() for c in value)
    if not whole(hit) or digits < 6 or digits < sum(c in "OolI" for c in value) * 2:
        return False
    if "\t" in value or ("  " in value and hit.before(1) == "-"):
        return False
    text, start, end = hit.text, hit.start, hit.end
    if start and text[start - 1] in "-.#" and text[start - 2 : start - 1].isalnum():
        return text[start - 1] == "." and text[start - 2].isalpha()
    return not (end + 1 < len(text) and text[end] in "-." and text[end + 1].isdecimal())


def plain_ten(hit: Hit) -> bool:
    """Ten digits without separators: only after a word for a telephone."""
    return number(hit) and not _fax(hit) and _TEL_WORD.search(hit.before(28))


def plain_fax(hit: Hit) -> bool:
    """Digits without separators after a word for fax, or ten of them in a fax machine's header."""
    header = len(hit.value) in (10, 11) and _TO.search(hit.before(10)) and "fax" in hit.view.lower
    return number(hit) and bool(_fax(hit) or header)


_SEVEN_NOT = Context(
    rf"(?i)(?:{_WORDS['numbered']})\.?[ \t]*(?:no\.?|num|n[o]|#)?[ \t]*[:.#=]*[ \t]*$"
)


def local(hit: Hit) -> bool:
    """As in "968-3327": seven digits, not after a label of another number, nor a range of years."""
    if not number(hit) or _fax(hit):
        return False
    before = hit.before(24)
    if NO_EXTENSION.match(hit.after(6)):
        return False
    if _OWN.search(before):
        return True
    if _is_round(hit.value) and not _TEL_WORD.search(before):
        return False
    return not _SEVEN_NOT.search(before) or _TEL_WORD.search(before)


def _is_round(value: str) -> bool:
    """Whether a number is two amounts, the smaller one first ("IS 750-1000", "UOP 250-1500")."""
    low, _, high = value.partition("-")
    if not (low.isdecimal() and high.isdecimal()):
        return False
    return int(low) < int(high) <= _MOST and int(low) % _STEP == int(high) % _STEP == 0


_STEP, _MOST = 50, 5000
_OWN = Context(
    rf"(?i)\b(?:{_WORDS['own']})[ \t]+(?:\#|no\.?|number|nbr)[ \t]*(?:is)?[ \t]*:?[ \t]*$"
)


def trunk(hit: Hit) -> bool:
    """As in "020 8966 4100", "0803 412 7756": nine to eleven digits from a zero on."""
    digits = sum(c.isdecimal() for c in hit.value)
    return (
        9 <= digits <= 11
        and number(hit)
        and not _fax(hit)
        and not _SEVEN_NOT.search(hit.before(24))
    )


def trunk_fax(hit: Hit) -> bool:
    return number(hit) and _fax(hit)


def house(hit: Hit) -> bool:
    """As in "4-7719": a number of the house exchange, in brackets or after a word."""
    before, after = hit.before(12), hit.after(2)
    if not whole(hit) or not alone(hit) or _SEVEN_NOT.search(hit.before(24)):
        return False
    return (
        _HOUSE_BEFORE.search(before)
        and after[:1] in ("", " ", ".", ",", ";", ")", "\n")
        and not NO_EXTENSION.match(hit.after(10))
    )


_HOUSE_BEFORE = Context(
    r"(?i)(?:\(|\b(?:at|to|on|call|phone|ext|x|desk|cb|pgr|pager|page|beep|is|or)[ \t]+"
    r"|[A-Za-z]{3,}[ \t]{1,3}|,[ \t])$"
)


def spoken(hit: Hit) -> bool:
    """Digits in words: at least seven, so no count and no time."""
    return whole(hit) and not hit.before(12).lower().rstrip().endswith(
        ("born", "birthday", "birth", "dob")
    )


def breathed(before: str) -> bool:
    """Whether figures in groups are settings of a ventilator, or sizes of a mesh."""
    return _BREATHED.search(before)


_BREATHED = Context(
    r"(?i)\b(?:vent(?:ila\w+)?(?:[ ]settings?)?|vm|simv|peep|ac/?vc|mesh|malla)[ :,(=]*$"
)


def dialled(groups: Sequence[str], before: str) -> bool:
    """Whether figures in groups are a telephone's and no row of readings ("88-176-151-99"): behind
    a word for one, with a zero before a digit ("93-555-01-17"), or as Spanish mobiles are written.
    """
    form = tuple(map(len, groups))
    if form not in _GROUPS or not all(map(str.isdecimal, groups)) or breathed(before):
        return False
    if _TOLD.search(before):
        return True
    if form == (2, 2, 2, 2):
        return False
    spanish = form == (3, 2, 2, 2) and groups[0] >= "6"
    return spanish or any(group[0] == "0" for group in groups[1:])


_GROUPS = frozenset(
    (
        *((3, 2, 2, 2), (2, 3, 2, 2), (3, 3, 2, 2), (3, 3, 3), (2, 4, 4), (2, 2, 2, 2, 2)),
        *((2, 2, 2, 2), (3, 2, 1, 2, 2), (2, 3, 1, 2, 2), (2, 1, 3, 2, 2)),
    )
)
_TOLD = Context(rf"(?i)\b(?:{_WORDS['told']})\b[^0-9\n]{{0,24}}$")


def grouped(hit: Hit) -> bool:
    """A number in groups between hyphens that no other form of telephone has."""
    return number(hit) and not _fax(hit) and dialled(hit.value.split("-"), hit.before(40))


def local_fax(hit: Hit) -> bool:
    return whole(hit) and _fax(hit)


def labelled(hit: Hit) -> bool:
    """Figures behind a label; no place in a gene ("c.1274_1277dup")."""
    return (
        hit.before(2) != "c."
        and whole(hit)
        and not NO_EXTENSION.match(hit.after(10))
        and alone(hit)
    )


def attached(hit: Hit) -> bool:
    """The digits of "p4417", "pgy3 p2217"."""
    return (not hit.after(1).isalnum() and hit.after(1) not in ("-", "/", ".")) or hit.after(2) in (
        ". ",
        ".\n",
        ".",
    )


def _clock(value: str) -> bool:
    return len(value) == 4 and value.isdecimal() and value[:2] < "24" and value[2:] < "60"


def no_clock(hit: Hit) -> bool:
    """A short number that can't be a time of day ("cb 0950") or, without a colon, a year."""
    year = _YEAR.match(hit.value) and ":" not in hit.before(3)
    return labelled(hit) and not year and not _clock(hit.value)


_YEAR = Context(r"^(?:19\d\d|20[0-3]\d)$")


def paged(hit: Hit) -> bool:
    """A pager's number; after "p" and "paged" only if it can't be a time of day."""
    sure = hit.groups.get("sure") is not None or hit.before(1) in ("p", "#")
    before = hit.before(24)
    if _AFTER.search(before) or (
        len(hit.value) < 4 and before.lower().rstrip(" #:.").endswith("page")
    ):
        return False
    return labelled(hit) and (sure or not _clock(hit.value)) and hit.after(1) != ":"


_AFTER = Context(r"(?i)/p[ \t]+[a-z]+[ \t#:.=]*$")
"""The "s/p DCCV" of "s/p DCCV 100 J"."""
_FAXES = ("fax", "fx", "facs", "telecop")
_DIGIT = rf"(?:(?:oh|o|zero|{ONES}|{TEENS}|double|triple|hundred|(?:{TENS_EN})(?:-(?:{ONES}))?)\b)"


CONTACT = (
    Pattern("phone", 1, _P, r"(?P<v>" + _NANP + _EXT + "?)", phone_number),
    Pattern("fax", 1, _F, r"(?P<v>" + _NANP + _EXT + "?)", fax_number, _FAXES),
    Pattern("phone", 1, _P, r"(?P<v>1?\d{10}" + _EXT + "?)", plain_ten),
    Pattern("fax", 1, _F, r"(?P<v>\d{9,13})", plain_fax, _FAXES),
    Pattern(
        "phone-local", 1, _P,
        rf"(?P<v>[2-9]{_N}{{2}}[-.][0-9OlI]{{4}}{_EXT}?)",
        local, (), 0.8,
    ),
    Pattern(
        "fax", 1, _F,
        r"(?i)f(?:a?x|acsimile)[^0-9\n]{0,12}[ \t\n]*(?P<v>[2-9xX]?\d{1,2}[- .]\d{4}"
        rf"|\d{{3}}[ .-]{_N}{{4}}|-\d{{4}}|\d{{3}}[-. ]\d{{3}}-\d\d[ ]\d\d)",
        local_fax, _FAXES,
    ),
    Pattern(
        "phone-international", 1, _P,
        r"(?P<v>\+\d{1,3}[-. ]?(?:\(0?\d{0,4}\)[-. ]?)?\d{1,5}(?:[-. ]?\d{2,5}){1,5}\b"
        rf"{_EXT}?)",
        lambda h: not h.before(1).isalnum() and number(h), ("+",),
    ),
    Pattern(
        "phone-international", 1, _P,
        r"(?P<v>00[1-9]\d{0,2}[-. ]\d{1,4}(?:[-. ]\d{2,5}){1,4})",
        lambda h: number(h) and len(h.value) > 12 and "ndc" not in h.before(8).lower(),
        ("00",),
        0.8,
    ),
    Pattern(
        "phone-trunk", 1, _P,
        r"(?P<v>\(?0[1-9]\d{0,3}\)?[ -]\d{2,4}[ -]?\d{3,6}(?:[ -]\d{2,4})?|0[1-9]\d{2,3}[ -]\d{6})",
        trunk, (), 0.45,
    ),
    Pattern(
        "fax", 1, _F,
        r"(?P<v>0[1-9]\d{0,3}[ -]\d{2,4}[ -]?\d{3,6}(?:[ -]\d{2,4})?)",
        trunk_fax, _FAXES,
    ),
    Pattern("phone-groups", 1, _P, r"(?P<v>\d{2,3}(?:-\d{1,4}){2,4})", grouped, ("-",), 0.8),
    Pattern("phone-house", 1, _P, r"(?P<v>[2-9]-\d{4})", house, ("-",), 0.7),
    Pattern(
        "phone-spoken", 1, _P,
        rf"(?i)(?P<v>{_DIGIT}(?:(?:,|\.{{3}})?[ -]+(?:{_DIGIT}|\d{{1,4}})){{6,14}})",
        spoken, ("one", "two", "oh", "five", "six"), 0.7,
    ),
    Pattern(
        "phone-extension", 1, _P,
        r"(?P<v>(?P<x>[xX])(?:[ \t]?[#:]?[ \t]?(?:\d-\d{4}|\d{4,5})|[ \t]?\d{2,3}))",
        extension, ("x",), 0.8,
    ),
    Pattern(
        "phone-extension", 1, _P,
        r"(?P<lead>(?i:(?P<x>ext(?:ension|n)?|extensi[oó]n|anexo|interno|xtn|xt))\.?[ \t:#]*)"
        r"(?P<v>\d-\d{4}|\d{1,6})",
        spelled_extension, ("ext", "anexo", "interno", "xt"), 0.9,
    ),
    Pattern(
        "pager", 1, _P,
        rf"(?i)\b(?:(?P<sure>{_WORDS['pagers']})|paged?|pg|pgd|beeped|(?:paged?|pgd|(?-i:p))[ \t]+"
        r"(?:dr\.?[ \t]+)?[a-z]+)[ \t]*(?:no\.?|num(?:ber)?|n[º°]|is|\#|id|at|stat)?[ \t]*[:#.=]*"
        r"[ \t]*(?P<v>(?:\d{3}[-. ])?\d{1,4}-\d{2,4}|[0-9O]\d{2,6})",
        paged, ("pag", "pg", "b", "vocera", "ascom", "p "), 0.9,
    ),
    Pattern("pager", 1, _P, r"\bp(?:\.|[#:])?(?P<v>\d{4,5})\b", attached, ("p",), 0.8),
    Pattern("pager", 1, _P, r"\bp[ ](?P<v>\d{4,5})\b", no_clock, ("p ",), 0.7),
    Pattern(
        "phone-ends", 1, _P,
        r"(?i)\b(?P<of>cell|phone|ph|tel|mob(?:ile)?)\b[^.\n0-9]{0,14}\bend(?:s|ing)\b"
        r"(?:[ ](?:in|with))?[ ]+(?P<v>\d{2,4})\b",
        last_figures, (" end",), 0.9,
    ),
    Pattern(
        "phone-labelled", 1, _P,
        rf"(?i)\b(?:(?:{_WORDS['calls']})[ \t]+"
        rf"(?:{_WORDS['reached']})?(?:at|on|@)?|(?:{_WORDS['phones']})[ \t]*(?:no\.?|#|is|phone)?)"
        r"[ \t]*[:#.=@,]*[ \t]*(?P<v>\d{5}|\d{4}|\d-\d{4}|\d{2}-\d{4}|[2-9]\d{2}[ .-]?\d{4}"
        r"|88\d{2}[ ]\d{3,4}[ ]\d{4,5})",
        no_clock, (), 0.8,
    ),
)  # fmt: skip
"""Both languages. Those only for Spanish are in `es`."""
