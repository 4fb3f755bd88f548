"""Addresses: streets, post boxes, ZIP codes.

    street = number [direction] Name{1,4} suffix [direction] [unit]     "722 N OLIVE RD, Apt C"
    box    = ("PO Box" | "RR n Box" | "Box") number
    zip    = state "," ? nnnnn["-"nnnn]   |  label nnnnn
Streets without a number ("lives on Maple") are the models' work, except with a suffix.
"""

from __future__ import annotations

from stream_deid.detect.patterns.base import Context, Hit, Pattern, whole
from stream_deid.labels import PhiType
from stream_deid.lists.namesakes import is_abbreviation
from stream_deid.lists.titles import any_of
from stream_deid.lists.vocabulary import Vocabulary

_WORDS = Vocabulary("places_en")

T = PhiType
STATES = rf"(?:{_WORDS['states']})"
_STATE_NAMES = rf"(?:{_WORDS['state_names']})"
_SUFFIX = rf"(?:{_WORDS['suffixes']})"
_LOW_SUFFIX = rf"(?:{_WORDS['low_suffixes']})"
_DIR = rf"(?:(?:{_WORDS['directions']})\.?[ \t]+)"
_UNIT = (
    rf"(?:[ ]*,?[ ]*\n?[ ]*(?i:{_WORDS['units']})\.?[ \t]*\#?[ \t]*[A-Za-z0-9][A-Za-z0-9-]{{0,5}}\b"
    r"|[ \t]*,?[ \t]*\#[ \t]?[A-Za-z0-9-]{1,6}|[ \t]*,[ \t]*\d{1,2}(?:st|nd|rd|th)[ \t]+"
    r"(?i:fl(?:oor)?)\b\.?)"
)
_NAME = (
    r"(?:[A-Z][A-Za-z'.]*|[A-Z]{2,}|\d{1,3}(?:st|nd|rd|th|ST|ND|RD|TH)"
    rf"|(?:{any_of('road', 'particle')}|1/4|1/2))"
)


def street(hit: Hit) -> bool:
    """A number, capitalised words and a suffix; not "2500 IU lot", "31 Cr 1.4"."""
    return (
        whole(hit)
        and hit.before(1) not in ("/", ".", "-", "$", ":")
        and not _DOSE.search(hit.value)
        and not _NO_STREET.search(hit.value)
        and not _is_shorthand(hit.value)
    )


def _is_shorthand(value: str) -> bool:
    """Whether abbreviations of the clinic stand before what a suffix looks like ("2 ORIF DR")."""
    words = [word for word in value.split() if word.isalpha()][:-1] if value.isupper() else []
    return bool(words) and all(map(is_abbreviation, words))


_NO_STREET = Context(rf"(?i){_WORDS['no_street']}|^\d+[ ]+(?:(?:{_WORDS['scanned']})[ ]+)+ct$")


_DOSE = Context(
    rf"(?i)^\d+[ ]+(?:{_WORDS['counted']})\b|\b(?:{_WORDS['who_acts']})[ ]"
    r"|\d[ ]+(?:MD|RN|DR|PA|NP)\b"
)


_NO_ROAD_BEGINS = _WORDS.words("no_road_begins")


def road(hit: Hit) -> bool:
    """A named street without a number, after a preposition; no eponym's way ("in Green")."""
    words = hit.value.split()
    if words[0] in ("First", "High", "Long") and words[-1] in ("Street", "Avenue", "Road"):
        return whole(hit)
    return whole(hit) and words[0] not in _NO_ROAD_BEGINS


def highway(hit: Hit) -> bool:
    """Not "US 20 mL" (ultrasound), "FM 55" (fine motor); "I 300" only beside words for a way."""
    value, after = hit.value, hit.after(8)
    decimal = after[:1] == "." and after[1:2].isdecimal()
    if not whole(hit) or decimal or after[:1] in ("%", "/") or _AMOUNT.match(after):
        return False
    if value in _NO_WAYS or _IMAGED_IN.match(value):
        return False
    if value[:2] == "I-" and _PEDIGREE.search(hit.before(90) + "|" + hit.after(60)):
        return False
    if value[:5].lower() == "route" and _GIVEN.search(hit.before(20)):
        return False
    bare = value[:2] == "I " or (value[:3] in ("FM ", "US ") and len(value) < 6)
    bare = bare or (value[:3] in _SHORT_WAYS and len(value) < 6)
    return not bare or _ON_WAY.search(hit.before(10)) or _HEADING.match(after)


_SHORT_WAYS = ("PA-", "SR-", "SH-", "CR-", "NM-", "FM-")
"""Views, scales, strains and serial numbers look alike."""
_NO_WAYS = frozenset(
    ("I-123", "I-124", "I-125", "I-131", "SR-89", "SR-90", "CR-51", "CR-39", "SH-60")
)
"""Isotopes, a plastic of lenses, a helicopter."""
_PEDIGREE = Context(r"(?i:pedigree|proband)|\bI{2,3}-\d{1,2}\b|\bIV-\d{1,2}\b")
"""Generations and people of a pedigree: "I-1", "II-3"."""
_IMAGED_IN = Context(r"^US (?:19|20)\d\d$")
_AMOUNT = Context(rf"(?i)^[ ]?(?:{_WORDS['amounts']})")
_GIVEN = Context(rf"(?i)\b(?:{_WORDS['given']})[ ]+$")
"""What stands before a route that a drug takes."""
_ON_WAY = Context(rf"(?i)\b(?:{_WORDS['on_way']})[ ]+$")
_LIST_OF_ZIPS = Context(
    r"(?i)\b(?:zips?(?:[ \t_]*codes?)?|postal[ _]?codes?)\b[^\d\n]{0,24}"
    r"(?:\d{5}(?:-\d{4})?(?:[ ]?[-,;/&|][ ]?|[ ]?,?[ ](?:and|or|to|then|through|y|o)[ ]))+$"
)
_LONGEST_LIST = 240
_STATES_OR_WORDS = _WORDS.words("states_or_words")
_NEXT = r"(?:,|[ ]?[/&]|,?[ ](?:and|or))[ ]?"
_HEADING = Context(rf"(?i)^[ ]+(?:{_WORDS['heading']})")


def of_town(hit: Hit) -> bool:
    """No house or ward by its name."""
    return whole(hit) and _HOUSES.isdisjoint(hit.value.lower().split())


_HOUSES = _WORDS.words("houses")


def zip_code(hit: Hit) -> bool:
    """Five digits after a state; "ID" is a state only after a comma."""
    if (
        not whole(hit)
        or hit.after(1) == "/"
        or (hit.after(1) in "-." and hit.after(2)[1:].isdecimal())
    ):
        return False
    if hit.groups.get("state") == "ID" and _STAFF_ID.search(hit.before(60)):
        return False
    return hit.groups.get("state") not in _STATES_OR_WORDS or _TOWN.search(hit.before(28))


def misread_zip(hit: Hit) -> bool:
    """Five digits behind a state, some read as letters."""
    digits = sum(c.isdecimal() for c in hit.value)
    return zip_code(hit) if digits == len(hit.value) else whole(hit) and digits > 1


def listed(hit: Hit) -> bool:
    """One more code of a list or range that begins with the word for them."""
    return whole(hit) and _LIST_OF_ZIPS.search(hit.before(_LONGEST_LIST))


def of_home(hit: Hit) -> bool:
    """Five digits behind a word for living somewhere; no house's number before its street."""
    return whole(hit) and not _STREET_AFTER.match(hit.after(12)) and hit.after(1) not in ("/", "-")


_STREET_AFTER = Context(r"^[ ](?:[NSEW]\.?[ ])?[A-Z]")


def plus4(hit: Hit) -> bool:
    """A ZIP code with its four digits more, by itself; no drug code (NDC)."""
    apart = hit.before(1) not in ("-", "#") and hit.after(1) != "-"
    return whole(hit) and apart and "ndc" not in hit.before(6).lower()


def eircode(hit: Hit) -> bool:
    """An Irish routing key and identifier ("F93 H2K7"): letters and digits in its second half."""
    second = hit.value[-4:]
    return whole(hit) and not second.isdecimal() and not second.isalpha()


def canadian(hit: Hit) -> bool:
    """A Canadian postal code; no coma score ("E3V4M6"), no stage of a tumour ("T2N0M0")."""
    return whole(hit) and not _SCORE.match(hit.value)


_SCORE = Context(r"^(?:[EO][1-4]V[1-5]M[1-6]|T\dN[0-3]M[01])$")
_STAFF_ID = Context(r"(?i)interp|badge|agent|employee|phone")
_TOWN = Context(r"(?:,|[A-Z][A-Za-z.]{2,})[ \t]+(?:ID|ME|OR|IN|OK|HI|PA|MD)\.?,?[ \t\n]*$")
_ADDRESS = Context(
    r"(?:\b\d+[A-Z]?[ ]+(?:[NSEWnsew]\.?[ ]+)?[A-Z][a-z][^\n]{2,50},[ ]*[A-Z]?[A-Za-z ]*"
    rf"|(?i:\bbox[ \t]+\d+)[^\n]{{0,40}}|\b(?:{_WORDS['address_ends']})\b[^\n]{{0,40}})$"
)
_NO_ADDRESS = Context(rf"(?i)\b(?:{_WORDS['numbered']})[:#. \t]*$")


def after_address(hit: Hit) -> bool:
    """Five digits after a town or a comma, on a line that holds an address before them."""
    if not whole(hit) or (hit.after(1) in ("/", "-", ".") and hit.after(2)[1:].isdecimal()):
        return False
    word = hit.before(24).split()[-1:] or [""]
    if word[0].isupper() and len(word[0]) < 4 and word[0].isalpha():
        return False
    return _ADDRESS.search(hit.before(70)) and not _NO_ADDRESS.search(hit.before(16))


STATE_BEFORE_ZIP = (
    Pattern(
        "state-zip", 1, T.STATE,
        rf"(?:[A-Za-z][a-z.'-]+,[ ]|\b[A-Z][a-z.'-]+[ ])(?P<v>{STATES})\.?,?[ ]"
        r"\d{5}(?:-\d{4})?\b",
        whole, (), 0.8,
    ),
)  # fmt: skip
"""Beside a town and its code, in whatever language ("Vive en Duluth, MN 55802")."""
MASKED_ZIP = r"\d{3}(?:[xX]{2}|\*\*|__)"
"""A postal code whose end nobody shall read."""

PLACES = (
    Pattern(
        "street", 1, T.STREET,
        rf"(?P<v>(?:[NWE][ ]?)?\d{{1,6}}(?:-\d{{1,4}}|-[A-Z])?[A-Z]?(?:[ ]+1/2)?[ ]+{_DIR}?"
        rf"(?:{_NAME}[ ]+){{1,4}}?{_SUFFIX}\b\.?"
        rf"(?:[ ]+(?:N|S|E|W|NE|NW|SE|SW|North|South|East|West)\b\.?)?{_UNIT}?)",
        street,
    ),
    Pattern(
        "street", 1, T.STREET,
        rf"(?P<v>\d{{2,5}}[ ](?:[nsew][ ])?[a-z]{{3,}}(?:[ ][a-z]{{3,}}){{0,2}}[ ]{_LOW_SUFFIX}\b"
        r"(?:[ ](?:apt|unit|\#)[ ]?[0-9a-z]{1,4})?)",
        street, (), 0.8,
    ),
    Pattern(
        "street", 1, T.STREET,
        r"(?P<v>\d{1,6}[ ]+(?:[NSEW]|North|South|East|West)\.?[ ]+\d{1,5}[ ]+"
        rf"(?:[NSEW]|North|South|East|West)\b\.?{_UNIT}?)",
        whole,
    ),
    Pattern(
        "street", 1, T.STREET,
        rf"(?P<v>\d{{2,6}}[ ]+(?i:{_WORDS['ways']})\.?[ ]+[A-Z0-9][A-Za-z0-9]*"
        rf"(?:[ ]+[A-Z][A-Za-z]+)?{_UNIT}?)",
        street,
    ),
    Pattern(
        "street-named", 1, T.STREET,
        rf"\b(?i:{_WORDS['road_before']})[ ]"
        r"(?:the[ ])?(?P<v>(?:[NSEW]\.?[ ])?(?:[A-Z][A-Za-z'.]+[ ]){1,3}?"
        rf"(?:{_WORDS['named_suffixes']})\b)",
        road, (), 0.7,
    ),
    Pattern(
        "highway", 1, T.STREET,
        rf"(?P<v>(?:(?i:{_WORDS['highways']})\.?[ ]?\d{{1,4}}[A-Z]?"
        r"|(?:I|US|FM|SR|CR|NM|PA|SH)-\d{1,4}"
        r"|(?:US|FM|I|SH)[ ]\d{2,4})(?:[ ](?i:exit|mm|mile)[ ]\d{1,3})?)",
        highway, (), 0.7,
    ),
    Pattern(
        "po-box", 1, T.STREET,
        r"(?i)(?P<v>(?:p\.?[ \t]?[o0]\.?[ \t]*(?:b[o0]x|bx)|r\.?d\.?[ ]*\#?\d+,?[ ]*box"
        r"|post office box|r\.?r\.?[ \t]*\#?\d+,?[ \t]*b[o0]x"
        r"|(?:rt|rte|route|hc|star route|rural route)\.?[ \t]*\#?\d+,?[ \t]*(?:box|bx)"
        r"|apartado(?: postal)?)\.?[ \t]*\#?[ \t]*\d+(?:-?[A-Z])?)",
        whole, ("box", "bx", "b0x", "apartado"),
    ),
    Pattern(
        "po-drawer", 1, T.LOCATION_OTHER,
        r"(?i)\b(?:p\.?[ ]?o\.?[ ]?drawer|p\.?o\.?b\.?|pmb)[ ]{0,2}\#?[ ]?"
        r"(?P<v>\d{1,6}(?:-?[A-Z])?)",
        whole, ("drawer", "pob", "p.ob", "p.o.b", "pmb"), 0.8,
    ),
    *STATE_BEFORE_ZIP,
    Pattern(
        "zip", 1, T.ZIP,
        rf"\b(?P<state>{STATES})\.?,?[ \t]*\n?[ \t]*(?P<v>\d{{5}}(?:[-][ \t]?\d{{4}})?)",
        zip_code,
    ),
    Pattern(
        "zip", 1, T.ZIP,
        rf"(?i)\b{_STATE_NAMES},?[ \t]*\n?[ \t]+(?P<v>\d{{5}}(?:[-]\d{{4}})?)",
        zip_code,
    ),
    Pattern(
        "zip", 1, T.ZIP,
        rf"(?i)\b(?:{_WORDS['short_states']})\.,?[ \t]*\n?[ \t]+(?P<v>\d{{5}}(?:-\d{{4}})?)",
        zip_code,
    ),
    Pattern(
        "zip", 1, T.ZIP,
        rf"\b(?P<state>{STATES}|[lI]L)[ .,;^]{{1,4}}(?P<v>[0-9OlI]{{5}})\b",
        misread_zip,
    ),
    Pattern(
        "zip", 1, T.ZIP,
        r"\b(?:NSW[ ,]+(?P<v1>[12]\d{3})|VIC[ ,]+(?P<v2>[38]\d{3})|QLD[ ,]+(?P<v3>[49]\d{3})"
        r"|SA[ ,]+(?P<v4>5\d{3})|WA[ ,]+(?P<v5>6\d{3})|TAS[ ,]+(?P<v6>7\d{3})"
        r"|ACT[ ,]+(?P<v7>02\d\d|26\d\d|29\d\d)|NT[ ,]+(?P<v8>0[89]\d\d))\b",
        whole, ("nsw", "vic", "qld", "sa", "wa", "tas", "act", "nt"),
    ),
    Pattern(
        "zip-address", 1, T.ZIP,
        r"(?:[A-Z][A-Za-z.]+,?[ \t]{1,4}|,[ \t]{1,2}|(?i:\#[ ]?\d+|apt[ ]\w+),[ ])"
        r"(?P<v>\d{5}(?:-\d{4})?)",
        after_address, (), 0.8,
    ),
    Pattern(
        "zip-label", 1, T.ZIP,
        r"(?i)\b(?:zips?(?:[ \t_]*codes?)?|postal[ _]?codes?)(?:[ ](?:range|list|area))?[\"']?"
        r"[ \t]*[:#=.]*[ \t]*[\"']?"
        rf"(?P<v>\d{{5}}(?:-\d{{4}}\b)?|{MASKED_ZIP})",
        whole, ("zip", "postal"),
    ),
    Pattern("zip-list", 1, T.ZIP, r"(?P<v>\d{5}(?:-\d{4}\b)?)", listed, ("zip", "postal"), 0.9),
    Pattern(
        "zip-list", 1, T.ZIP,
        rf"\b(?P<state>{STATES}),?[ ]\d{{5}}(?:-\d{{4}})?{_NEXT}(?P<v1>\d{{5}}(?:-\d{{4}}\b)?)"
        rf"(?:{_NEXT}(?P<v2>\d{{5}}(?:-\d{{4}}\b)?))?(?:{_NEXT}(?P<v3>\d{{5}}(?:-\d{{4}}\b)?))?",
        zip_code, (), 0.8,
    ),
    Pattern(
        "zip-home", 1, T.ZIP,
        rf"(?i)\b(?:{_WORDS['living']})[ ](?:{_WORDS['where']})[ ]"
        r"(?-i:(?:[A-Z][A-Za-z.']+,?[ ]){0,3})(?P<v>\d{5}(?:-\d{4}\b)?)",
        of_home, (), 0.8,
    ),
    Pattern(
        "zip-label", 1, T.ZIP,
        r"(?i)\bzip[ ]?\+[ ]?4[ \t]*[:#=.]*[ \t]*(?P<v>\d{5}[- ]?\d{4})",
        whole, ("zip",),
    ),
    Pattern(
        "town-of-transfer", 1, T.CITY,
        rf"\b(?i:{_WORDS['brought']})(?:[ ](?:in|here|over|down|up))?[ ]from[ ]"
        r"(?P<v>[A-Z][a-z]{2,}(?:[ ][A-Z][a-z]{2,}){0,2})[ ](?:by|via)[ ]"
        rf"(?i:{_WORDS['conveyed']})\b",
        of_town, ("from",), 0.7,
    ),
    Pattern("zip-plus4", 1, T.ZIP, r"(?P<v>\d{5}-\d{4})", plus4, ("-",), 0.4),
    Pattern(
        "postcode", 1, T.ZIP,
        r"(?P<v>[ABCEGHJKLMNPRSTVXY]\d[ABCEGHJ-NPRSTV-Z][ \t]?\d[ABCEGHJ-NPRSTV-Z]\d)",
        canadian, (), 0.9,
    ),
    Pattern(
        "postcode", 1, T.ZIP,
        r"(?P<v>(?:[A-PR-UWYZ][A-HK-Y]?\d[\dA-HJKPSTUW]?)[ ]\d[ABD-HJLNP-UW-Z]{2})",
        whole, (), 0.9,
    ),
    Pattern(
        "postcode", 1, T.ZIP,
        r"(?P<v>[AC-FHKNPRTV-Y](?:\d\d|6W)[ ][0-9AC-FHKNPRTV-Y]{4})",
        eircode, (), 0.9,
    ),
)  # fmt: skip
