"""Addresses: streets, post boxes, ZIP codes, rooms and beds.

    street = number [direction] Name{1,4} suffix [direction] [unit]     "722 N OLIVE RD, Apt C"
    box    = ("PO Box" | "RR n Box" | "Box") number
    zip    = state "," ? nnnnn["-"nnnn]   |  label nnnnn
    room   = ("room" | "rm" | "bed" | ...) value, only the value

Streets without a number ("lives on Maple") are the models' work, except with a suffix.
"""

# Regular expressions stay on one line, beside their grammar; tables of words stay words.
# ruff: noqa: E501

from __future__ import annotations

import re

from stream_deid.detect.patterns.base import Context, Hit, Pattern, whole
from stream_deid.labels import PhiType

T = PhiType
STATES = r"(?:A[LKZR]|C[AOT]|D[CE]|FL|GA|GU|HI|I[ADLN]|K[SY]|LA|M[ADEINOST]|N[CDEHJMVY]|O[HKR]|P[AR]|RI|S[CD]|T[NX]|UT|V[AIT]|W[AIVY]|AP[OE]|A[EP])"
_STATE_NAMES = (
    r"(?:alabama|alaska|arizona|arkansas|calif(?:ornia)?|colorado|conn(?:ecticut)?|delaware|fla|florida|georgia|hawaii|idaho|ill(?:inois)?|ind(?:iana)?|iowa"
    r"|kansas|kentucky|louisiana|maine|maryland|mass(?:achusetts)?|mich(?:igan)?|minn(?:esota)?|mississippi|missouri|mont(?:ana)?|neb(?:raska)?|nevada"
    r"|new[ \t]+hampshire|new[ \t]+jersey|new[ \t]+mexico|new[ \t]+york|north[ \t]+carolina|north[ \t]+dakota|ohio|okla(?:homa)?|ore(?:gon)?|penn(?:a|sylvania)?"
    r"|puerto[ \t]+rico|rhode[ \t]+island|south[ \t]+carolina|south[ \t]+dakota|tenn(?:essee)?|tex(?:as)?|utah|vermont|virginia|wash(?:ington)?|w(?:est)?\.?[ \t]+virginia|wis(?:c|consin)?|wyoming"
    r"|[nsw]\.[ \t]?[cdjmyv]\.|d\.c\.|n\.h\.|r\.i\.|pa\.|ga\.|va\.|md\.|tn\.|ky\.|la\.|me\.|vt\.|ct\.)"
)
_SUFFIX = (
    r"(?:Street|STREET|Str|St|ST|Avenue|AVENUE|Ave|AVE|Av|AV|Road|ROAD|Rd|RD|Drive|DRIVE|Dr|DR|Lane|LANE|Ln|LN|Court|COURT|Ct|CT|Boulevard|BOULEVARD|Blvd|BLVD|Way|WAY|Wy|Place|PLACE|Pl|PL|Plaza|PLAZA|Plz"
    r"|Terrace|TERRACE|Terr|TER|Ter|Trail|TRAIL|Trl|TRL|Tr|Trace|TRACE|Circle|CIRCLE|Cir|CIR|Crescent|Cres|Parkway|PARKWAY|Pkwy|PKWY|Highway|HIGHWAY|Hwy|HWY|Pike|PIKE|Turnpike|Tpke|Loop|LOOP|Alley|ALLEY|Square|Sq|SQUARE|Row|ROW|Run|RUN"
    r"|Path|Pass|PASS|Point|POINT|Pointe|Ridge|RIDGE|Rdg|Hill|HILL|Hills|Hollow|HOLLOW|Cove|COVE|Cv|Bend|BEND|Crossing|CROSSING|Xing|Commons?|Cmn|Green|GREEN|Grove|GROVE|Walk|WALK|Mews|Close|CLOSE|Gardens?|Gdns|Landing|LANDING|Manor|MANOR"
    r"|Quay|Rise|View|VIEW|Vista|VISTA|Expressway|Expy|Freeway|Fwy|Route|Rte|Esplanade|Parade|Causeway|Overlook|Cutoff|Broadway|Fork|Crest|Gate|Spur|Branch|Creek|Mall|Bypass)"
)
_LOW_SUFFIX = r"(?:street|st|avenue|ave|road|rd|drive|lane|ln|court|ct|boulevard|blvd|circle|terrace|highway|hwy|parkway|pkwy)"
_DIR = r"(?:(?:N|S|E|W|NE|NW|SE|SW|North|South|East|West|NORTH|SOUTH|EAST|WEST|Northeast|Northwest|Southeast|Southwest)\.?[ \t]+)"
_UNIT = r"(?:[ ]*,?[ ]*\n?[ ]*(?i:apt|apartment|unit|suite|ste|rm|room|floor|fl|lot|trlr|trailer|bldg|building|space|spc|no|\#)\.?[ \t]*\#?[ \t]*[A-Za-z0-9][A-Za-z0-9-]{0,5}\b|[ \t]*,?[ \t]*\#[ \t]?[A-Za-z0-9-]{1,6}|[ \t]*,[ \t]*\d{1,2}(?:st|nd|rd|th)[ \t]+(?i:fl(?:oor)?)\b\.?)"
_NAME = r"(?:[A-Z][A-Za-z'.]*|[A-Z]{2,}|\d{1,3}(?:st|nd|rd|th|ST|ND|RD|TH)|(?:of|the|de|la|del|los|las|el|on|y|du|des|von|van|1/4|1/2))"


def street(hit: Hit) -> bool:
    """A number, capitalised words and a suffix; not "2500 IU lot", "31 Cr 1.4"."""
    return (
        whole(hit)
        and hit.before(1) not in ("/", ".", "-", "$", ":")
        and not _DOSE.search(hit.value)
    )


_DOSE = Context(
    r"(?i)^\d+[ ]+(?:mg|ml|mcg|iu|hz|units?|rbcs?|wbcs?|cells|chamber|views?|vessel|lead|person|way|point|french|fr|liters?|l|days?|weeks?|year|yr|pack|tabs?|puffs?|beats|pm|am|hours?|hr|min|cc|called|noted|patched|h|x|pt|pts|patients?|rounds|via ed|more|of|yo|y/o|msd|neg|pos|on|in|off|near|or|to|from)\b|\b(?:He|She|This|Pt|Patient|Per|Dr\.|MSD|GSK|noted|paged|called|lot|on pro\w+)[ ]|\d[ ]+(?:MD|RN|DR|PA|NP)\b"
)


def road(hit: Hit) -> bool:
    """A named street without a number, after a preposition; no eponym's way ("in Green")."""
    return whole(hit) and hit.value.split()[0] not in (
        "The",
        "Her",
        "His",
        "This",
        "Dr",
        "St",
        "Right",
        "Left",
        "Upper",
        "Lower",
        "Normal",
        "No",
        "Long",
        "First",
        "High",
        "Other",
        "Mr",
        "Mrs",
    )


def highway(hit: Hit) -> bool:
    """Not "US 20 mL" (ultrasound), "FM 55" (fine motor); "I 300" only beside words for a way."""
    value, after = hit.value, hit.after(8)
    decimal = after[:1] == "." and after[1:2].isdecimal()
    if not whole(hit) or decimal or after[:1] in ("%", "/") or _AMOUNT.match(after):
        return False
    if value in _NO_WAYS or _IMAGED_IN.match(value):
        return False
    if value[:5].lower() == "route" and _GIVEN.search(hit.before(20)):
        return False
    bare = value[:2] == "I " or (value[:3] in ("FM ", "US ") and len(value) < 6)
    return not bare or _ON_WAY.search(hit.before(10)) or _HEADING.match(after)


_NO_WAYS = frozenset(
    ("I-123", "I-124", "I-125", "I-131", "SR-89", "SR-90", "CR-51", "CR-39", "SH-60")
)
"""Isotopes, a plastic of lenses, a helicopter."""
_IMAGED_IN = Context(r"^US (?:19|20)\d\d$")
_AMOUNT = Context(
    r"(?i)^[ ]?(?:ml|cc|mg|mcg|cm|mm|units?|puffs?|tabs?|caps?|drops?|gtts?|sprays?|x\b|weeks?|wks?|days?|times?\b|doses?\b|per\b|daily\b|hours?\b|hrs?\b|h\b|min(?:utes?)?\b|months?\b|applications?\b|inhalations?\b|injections?\b|vials?\b|amp(?:oule|ule)?s?\b|patch(?:es)?\b|suppositor|grams?\b|g\b|iu\b|meq\b|mmol\b|mu\b|a[ ]day\b|every\b|q\d)"
)
_GIVEN = Context(
    r"(?i)\b(?:oral|mouth|po|iv|im|sc|sq|subq|intra\w+|sub(?:cutaneous|lingual)|(?:trans)?dermal|topical|nasal|rectal|vaginal|buccal|ophthalmic|otic|inhal\w+|ng|peg|g-tube|enteral|parenteral|epidural|injection|medication|administration|administered|given)[ ]+$"
)
"""What stands before a route that a drug takes."""
_ON_WAY = Context(
    r"(?i)\b(?:on|off|onto|near|via|along|from|at|by|down|up|take|under|crossing|of)[ ]+$"
)
_LIST_OF_ZIPS = Context(
    r"(?i)\b(?:zips?(?:[ \t_]*codes?)?|postal[ _]?codes?)\b[^\d\n]{0,24}"
    r"(?:\d{5}(?:-\d{4})?(?:[ ]?[-,;/&|][ ]?|[ ]?,?[ ](?:and|or|to|then|through|y|o)[ ]))+$"
)
_LONGEST_LIST = 240
_NEXT = r"(?:,|[ ]?[/&]|,?[ ](?:and|or))[ ]?"
_HEADING = Context(r"(?i)^[ ]+(?:[NSEW]B?\b|exit|mile|mm\b|north|south|east|west|at\b|near|to\b)")


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
    return hit.groups.get("state") not in (
        "ID",
        "ME",
        "OR",
        "IN",
        "OK",
        "HI",
        "PA",
        "MD",
    ) or _TOWN.search(hit.before(28))


def listed(hit: Hit) -> bool:
    """One more code of a list or range that begins with the word for them."""
    return whole(hit) and _LIST_OF_ZIPS.search(hit.before(_LONGEST_LIST))


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
    r"(?:\b\d+[A-Z]?[ ]+(?:[NSEWnsew]\.?[ ]+)?[A-Z][a-z][^\n]{2,50},[ ]*[A-Z]?[A-Za-z ]*|(?i:\bbox[ \t]+\d+)[^\n]{0,40}|\b(?:St|Ave|Rd|Dr|Ln|Blvd|Road|Street|Avenue|Lane|Drive|Apt|Ste|Suite|ST|AVE|RD|DR)\b[^\n]{0,40})$"
)
_NO_ADDRESS = Context(
    r"(?i)\b(?:id|no|number|acct|account|order|case|ref|claim|mrn|cpt|code|codes|lot|serial|ext|badge|npi|phone|fax|employee|job|plan|interp\w*|dose|level|units?|mg|plt|wbc|box|room|bed|hgb|platelets|count|policy|group|file|track\w*|spec\w*|acc\w*|rx|req|visit)[:#. \t]*$"
)


def after_address(hit: Hit) -> bool:
    """Five digits after a town or a comma, on a line that holds an address before them."""
    if not whole(hit) or (hit.after(1) in ("/", "-", ".") and hit.after(2)[1:].isdecimal()):
        return False
    word = hit.before(24).split()[-1:] or [""]
    if word[0].isupper() and len(word[0]) < 4 and word[0].isalpha():
        return False
    return _ADDRESS.search(hit.before(70)) and not _NO_ADDRESS.search(hit.before(16))


def room(hit: Hit) -> bool:
    """The value after "room", "bed": with a digit or a single capital, and no unit behind it."""
    value, after = hit.value, hit.after(12)
    if (
        not whole(hit)
        or _ROOM_NOT.match(after)
        or (after[:1] in (":", "/", ",", "-") and after[1:2].isdecimal())
    ):
        return False
    label = hit.groups["label"]
    low = label.lower()
    if _no_room(hit, low):
        return False
    if not any(c.isdecimal() for c in value):
        return (
            len(value) == 1
            and value.isupper()
            and after[:1] not in ("'", "&", "-")
            and low in _LETTERED
            and not (value in "IA" and after[:2].strip()[:1].islower())
        )
    if (
        low in ("bed", "chair", "bay", "crib", "cell")
        and low == label
        and len(value) > 3
        and value.isdecimal()
    ):
        return False
    if low == "cell":
        return not _CALLING.match(after) and not (len(value) == 3 and value.isdecimal())
    return label[0].isupper() or low not in (
        "or",
        "floor",
        "fl",
        "loc",
        "suite",
        "theatre",
        "theater",
    )


def _no_room(hit: Hit, label: str) -> bool:
    """What the label means besides a place: the day after surgery, a chair to move to, a tissue."""
    value, before = hit.value, hit.before(40)
    sentence = before[-1:] == " " and before.rstrip()[-1:] == "."
    if _TISSUE.search(before) or (sentence and (value.isalpha() or label in _CARE)):
        return True
    if label == "pod":
        return value[:1].isdecimal()
    if label in _CARE:
        return len(value) == 4 and value.isdecimal() and value < "2400"
    if label in ("bed", "chair", "cell"):
        side = value in ("L", "R") or hit.after(1) == "+"
        return side or _SUTURE.match(value) or _MOVED.search(before)
    return label in ("room", "warmer", "isolette") and _WARM.match(value)


_CARE = frozenset(("or", "pacu", "icu", "micu", "sicu", "ccu", "nicu", "picu"))
_WARM = Context(r"^(?:1[5-9]|[23]\d)[ ]?C$|^(?:[6-9]\d|1[0-4]\d)[ ]?F$")
_TISSUE = Context(
    r"(?i)\b(?:(?:nail|tumou?r|wound|capillary|vascular|gallbladder|liver|graft|ulcer|flap)[ -]bed"
    r"|(?:stem|t|b|plasma|mast|red|white|sickle|giant|nk|air|fuel|germ|hair|squamous|basal|small|large|clear|spindle|islet|onodi|haller)[ -]cell"
    r"|(?:joint|dis[ck]|clear|medial|lateral|intercostal|epidural|subdural|pleural|web|dead|third)[ -]space"
    r"|pelvic[ -]floor|cooling[ -]tower|(?:formulary|copay)[ -]tier)[^A-Za-z]*$"
)
_SUTURE = Context(r"^\d-0$")
_MOVED = Context(r"(?i)(?:\bbed|sit|sup|stand|mat|w/?c)[ ]?(?:>|-|to|<->|/)[ ]?chair[^A-Za-z]*$")
_LETTERED = frozenset(
    (
        "room",
        "rm",
        "bed",
        "bay",
        "pod",
        "bldg",
        "building",
        "trauma bay",
        "trauma room",
        "tower",
        "door",
        "gate",
        "cell",
        "crib",
        "safe room",
    )
)
_CALLING = Context(r"^[ -]\d{3}")
_ROOM_NOT = Context(
    r"(?i)^[ \t]*(?:x\b|x\d|of[ ]\d|d(?:[^/A-Za-z]|$)|days?|nights?|person|assist|weeks?|wks?\b|hrs?\b|hours?|h\b|min|mg|ml|%|times|/\d|mm\b|cm\b|kg\b|o\b|degrees|in\.|inch|feet|ft\b|beds?\b|liters?|l\b|o'clock|\.\d|am\b|pm\b|air\b|patients?|relatives|rooms|people|visits?|alarm|rest\b|bound|hp\b|bath)"
)
_ROOMS = r"(?P<label>rooms?|rms?|beds?|bay|chair|stall|pod|cubicle|cube|isolette|crib|bassinet|trauma[ \t]+(?:bay|room)|resus|exam[ \t]+room|safe[ \t]+room|hold[ \t]+room|cell|berth|bunk|gate|stretcher|slot|spot|hallway|hall[ \t]?bed|OR|op(?:erating)?[ \t]+(?:room|rm|suite|theat(?:re|er))|theatre|theater|cath[ \t]+lab|triage[ \t]+(?:rm|room|bay)|fast[ \t]+track|floor|bldg|building|tower|warmer|locker[ \t]+room|infusion[ \t]+chair|EP[ \t]+lab|LDR|PACU|MICU|SICU|CCU|ICU|NICU|PICU|procedure[ \t]+room|conf(?:erence)?[ \t]+room|dorm|tier|space|lot|unit[ \t]+bed|hd[ \t]+chair|dialysis[ \t]+chair|treatment[ \t]+room)"


def coordinates(hit: Hit) -> bool:
    """Degrees of latitude and longitude, to ten metres or less."""
    found = [abs(float(part)) for part in _DECIMAL.findall(hit.value)]
    values = max(found) < 1  # p-values, optical densities
    return (
        whole(hit)
        and hit.before(1) not in ".-"
        and found[0] <= 90
        and found[1] <= 180
        and not values
    )


_DECIMAL = re.compile(r"\d{1,3}\.\d{4,8}")

COORDINATES = (
    Pattern("coordinates", 1, T.LOCATION_OTHER, r"(?P<v>-?\d{1,2}\.\d{4,8}[ \t]?o?[ \t]?[NS]?[ \t]?[,;/ ][ \t]?-?\d{1,3}\.\d{4,8}(?:[ \t]?o?[ \t]?[EWO]\b)?)", coordinates),
)  # fmt: skip
PLACES = (
    *COORDINATES,
    Pattern(
        "street", 1, T.STREET,
        r"(?P<v>(?:[NWE][ ]?)?\d{1,6}(?:-\d{1,4}|-[A-Z])?[A-Z]?(?:[ ]+1/2)?[ ]+" + _DIR + r"?(?:" + _NAME + r"[ ]+){1,4}?" + _SUFFIX + r"\b\.?(?:[ ]+(?:N|S|E|W|NE|NW|SE|SW|North|South|East|West)\b\.?)?" + _UNIT + r"?)", street,
    ),
    Pattern("street", 1, T.STREET, r"(?P<v>\d{2,5}[ ](?:[nsew][ ])?[a-z]{3,}(?:[ ][a-z]{3,}){0,2}[ ]" + _LOW_SUFFIX + r"\b(?:[ ](?:apt|unit|\#)[ ]?[0-9a-z]{1,4})?)", street, (), 0.8),
    Pattern("street", 1, T.STREET, r"(?P<v>\d{1,6}[ ]+(?:[NSEW]|North|South|East|West)\.?[ ]+\d{1,5}[ ]+(?:[NSEW]|North|South|East|West)\b\.?" + _UNIT + "?)", whole),
    Pattern("street", 1, T.STREET, r"(?P<v>\d{2,6}[ ]+(?i:highway|hwy|route|rte|rt|county[ ]+road|county[ ]+rd|co[ ]+rd|state[ ]+(?:road|route|hwy)|us|fm|avenue|calle|camino|avenida|rue|paseo)\.?[ ]+[A-Z0-9][A-Za-z0-9]*(?:[ ]+[A-Z][A-Za-z]+)?" + _UNIT + "?)", street),
    Pattern("street-named", 1, T.STREET, r"\b(?i:on|off|at|near|from|behind|to|lives|of|in|and|with|walgreens on|cvs on|address)[ ](?:the[ ])?(?P<v>(?:[NSEW]\.?[ ])?(?:[A-Z][A-Za-z'.]+[ ]){1,3}?(?:Street|St|Avenue|Ave|Av|Road|Rd|Drive|Lane|Ln|Court|Ct|Boulevard|Blvd|Hwy|Highway|Pkwy|Parkway|Circle|Cir|Terrace|Trail|Turnpike|Pike|Loop)\b)", road, (), 0.7),
    Pattern("highway", 1, T.STREET, r"(?P<v>(?:(?i:hwy|highway|rte|route|county[ ](?:rd|road)|co[ ]rd|state[ ](?:rd|road|route|hwy))\.?[ ]?\d{1,4}[A-Z]?|(?:I|US|FM|SR|CR|NM|PA|SH)-\d{1,4}|(?:US|FM|I|SH)[ ]\d{2,4})(?:[ ](?i:exit|mm|mile)[ ]\d{1,3})?)", highway, (), 0.7),
    Pattern("po-box", 1, T.STREET, r"(?i)(?P<v>(?:p\.?[ \t]?[o0]\.?[ \t]*(?:b[o0]x|bx)|r\.?d\.?[ ]*\#?\d+,?[ ]*box|post office box|r\.?r\.?[ \t]*\#?\d+,?[ \t]*b[o0]x|(?:rt|rte|route|hc|star route|rural route)\.?[ \t]*\#?\d+,?[ \t]*(?:box|bx)|apartado(?: postal)?)\.?[ \t]*\#?[ \t]*\d+(?:-?[A-Z])?)", whole, ("box", "bx", "b0x", "apartado")),
    Pattern("zip", 1, T.ZIP, r"\b(?P<state>" + STATES + r")\.?,?[ \t]*\n?[ \t]*(?P<v>\d{5}(?:[-][ \t]?\d{4})?)", zip_code),
    Pattern("zip", 1, T.ZIP, r"(?i)\b" + _STATE_NAMES + r",?[ \t]*\n?[ \t]+(?P<v>\d{5}(?:[-]\d{4})?)", zip_code),
    Pattern("zip", 1, T.ZIP, r"(?i)\b(?:ala|ariz|ark|calif|colo|conn|del|fla|ill|ind|kans|mass|mich|minn|miss|mo|mont|neb|nebr|nev|okla|ore|oreg|penna|penn|tenn|tex|va|vt|wash|wis|wisc|wyo|[nsw]\.[ ]?[cdehjmvy])\.,?[ \t]*\n?[ \t]+(?P<v>\d{5}(?:-\d{4})?)", zip_code),
    Pattern("zip", 1, T.ZIP, r"\b(?:" + STATES + r"|[lI]L)[ .,;^]{1,4}(?P<v>[0-9OlI]{5})\b", lambda h: whole(h) and sum(c.isdecimal() for c in h.value) > 1 and not h.value.isalpha()),
    Pattern("zip", 1, T.ZIP, r"\b(?:NSW|VIC|QLD|SA|WA|TAS|ACT|NT)[ ,]+(?P<v>\d{4})\b", whole, ("nsw", "vic", "qld", "sa", "wa", "tas", "act", "nt")),
    Pattern("zip-address", 1, T.ZIP, r"(?:[A-Z][A-Za-z.]+,?[ \t]{1,4}|,[ \t]{1,2}|(?i:\#[ ]?\d+|apt[ ]\w+),[ ])(?P<v>\d{5}(?:-\d{4})?)", after_address, (), 0.8),
    Pattern("zip-label", 1, T.ZIP, r"(?i)\b(?:zips?(?:[ \t_]*codes?)?|postal[ _]?codes?)(?:[ ](?:range|list|area))?[\"']?[ \t]*[:#=.]*[ \t]*[\"']?(?P<v>\d{5}(?:-\d{4}\b)?)", whole, ("zip", "postal")),
    Pattern("zip-list", 1, T.ZIP, r"(?P<v>\d{5}(?:-\d{4}\b)?)", listed, ("zip", "postal"), 0.9),
    Pattern("zip-list", 1, T.ZIP, r"\b(?P<state>" + STATES + r"),?[ ]\d{5}(?:-\d{4})?" + _NEXT + r"(?P<v1>\d{5}(?:-\d{4}\b)?)(?:" + _NEXT + r"(?P<v2>\d{5}(?:-\d{4}\b)?))?(?:" + _NEXT + r"(?P<v3>\d{5}(?:-\d{4}\b)?))?", zip_code, (), 0.8),
    Pattern("zip-plus4", 1, T.ZIP, r"(?P<v>\d{5}-\d{4})", plus4, ("-",), 0.4),
    Pattern("postcode", 1, T.ZIP, r"(?P<v>[ABCEGHJKLMNPRSTVXY]\d[ABCEGHJ-NPRSTV-Z][ \t]?\d[ABCEGHJ-NPRSTV-Z]\d)", canadian, (), 0.9),
    Pattern("postcode", 1, T.ZIP, r"(?P<v>(?:[A-PR-UWYZ][A-HK-Y]?\d[\dA-HJKPSTUW]?)[ ]\d[A-Z]{2})", whole, (), 0.9),
    Pattern("postcode", 1, T.ZIP, r"(?P<v>[AC-FHKNPRTV-Y](?:\d\d|6W)[ ][0-9AC-FHKNPRTV-Y]{4})", eircode, (), 0.9),
    Pattern("room", 1, T.LOCATION_OTHER, r"(?:^|[^A-Za-z0-9])(?i:" + _ROOMS + r")(?:[ \t]*(?:no\.?|num(?:ber)?|\#|[:#.=]))*[ \t]*(?P<v>(?:[A-Z]{1,3}-?)?\d{1,5}(?:[-/ ]?[A-Z]\b(?:-?\d{1,2})?|[-]\d{1,3}[A-Z]?|[a-d]\b|-[a-z]\b)?|[A-Z])\b", room, (), 0.8),
)  # fmt: skip
