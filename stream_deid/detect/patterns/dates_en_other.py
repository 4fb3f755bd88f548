"""English dates without the name of a month: ordinals, holidays, seasons, spoken birth dates.

    ordinal = ("the" | weekday "the"?) nth          "the 4th", "Friday the 15th", "the twenty-second"
    holiday = "Christmas Eve" | "Labor Day" | ...   [year]
    season  = season year | quarter year            "spring 2021", "Q3 2020"
    spoken  = "born" | "date of birth" numbers      "two eleven sixty nine"

Ordinals aren't dates before toes, doses, percentiles and the like, nor as streets ("SE 15th").
"""

# Regular expressions stay on one line, beside their grammar; tables of words stay words.
# ruff: noqa: E501

from __future__ import annotations

from stream_deid.detect.patterns.base import Context, Hit, Pattern, whole
from stream_deid.detect.patterns.dates_en import NTH, WEEKDAY, WORD_NTH
from stream_deid.labels import PhiType

_D = PhiType.DATE
_NOT_NTH = Context(
    r"(?i)^[ \t-]*(?:(?:and|or|to|through)[ \t]+(?:the[ \t]+)?\S+[ \t]+|[/&,-][ \t]*(?:the[ \t]+)?\d+(?:st|nd|rd|th)[ \t]+)?(?:(?:right|left|r|l|new|same|such|ever|hepatitis|hep|whole|full|nerve|cranial|distal|proximal|dorsal|finger|straight|big|small)[ \t]+)?"
    r"(?:toes?\b|fingers?\b|digits?\b|metatarsals?|metacarpals?|mtp|mcp|pip|dip|ribs?\b|intercostal|ics\b|floors?\b|fl\b"
    r"|(?:per)?centiles?|%|times?\b|visits?\b|doses?\b|days?\b|weeks?\b|wks?\b|months?\b|mo\b|years?\b|yrs?\b|grades?\b|grader|trimesters?"
    r"|cycles?\b|degrees?\b|deg\b|opinions?|line\b|attempts?\b|stages?\b|generation|ventric\w*|cn\b|mt\b|mc\b|ray\b|costo\w*"
    r"|vertebra\w*|lumbar|thoracic|cervical|shift\b|place\b|street\b|st\b|ave\w*|av\b|rd\b|sw\b|se\b|ne\b|nw\b|party\b"
    r"|person|child\b|baby\b|pregnan\w*|infan\w*|edition|ed\b|ward\b|bed\b|bottle|case\b|round\b|session|step\b|set\b|pass\b"
    r"|half\b|quarter\b|hour\b|night\b|episode|fall\b|admission|stroke\b|mi\b|bullet|one\b|page\b|call\b|message|request"
    r"|reading|sample|specimen|tube\b|troponin|trop\b|ekg|abg|unit\b|bag\b|liter|shot\b|vaccine|booster"
    r"|injection|section|c-section|cesarean|surgery|operation|look\b|chance|cousin|wife|husband"
    r"|marriage|daughter|son\b|brother|sister|level\b|phalan\w*|web\b|space\b|nerves?\b|interspaces?|layers?\b|compartments?|post-?op\w*|bone\b|flap\b|arm\b|complex|row\b|molar|tooth|heart\b|sound"
    r"|amendment|precinct|district|circuit|battalion|division|infantry|regiment|cavalry|marine"
    r"|airborne|squadron|wing\b|army|fleet|rank|class\b|period\b|semester|century|attg|seizure"
    r"|event\b|tab\b|pill\b|drain\b|lead\b|stitch|suture|incision|port\b|swab|test\b|void|stool|bm\b|cup\b|meal|feed\b|course"
    r"|relapse|recurrence|biopsy|mass\b|lesion|node\b|nodule|cyst|screw|rod\b|implant|stent|vessel|marginal"
    r"|diagonal|branch|most\b|best\b|hand\b|thing|trip\b|week|try\b|line|notice|letter|trial|round|reminder|copy|contact"
    r"|of[ \t]+(?:\d|two|three|four|five|six|seven|eight|nine|ten|its|his|her|these|those|all)\b)"
)  # fmt: skip
_NAMED_NTH = Context(r"^[ \t]+[A-Z][a-z]")
_FUNCTION = Context(
    r"(?i)^[ \t]+(?:at|and|to|of|for|with|he|she|they|i|we|then|when|in|was|is|so|but|or|her|his|not|it|the|my|by)\b"
)
_PREPOSITION = Context(
    r"(?i)\b(?:on|since|until|till|through|by|from|before|after|to|and|of|week of|due|up)[ \t\n]+(?:um[ \t]+|uh[ \t]+|about[ \t]+)?$"
)


def ordinal(hit: Hit) -> bool:
    """As in "the 4th" as a day: nothing counted follows, and no name ("the 3rd Street")."""
    if not whole(hit) or _NOT_NTH.match(hit.after(40)):
        return False
    if hit.groups.get("wd"):
        return True
    return (
        bool(hit.groups.get("the"))
        and not _NAMED_NTH.match(hit.after(4))
        and not _TISSUE.search(hit.before(14))
    )


_TISSUE = Context(r"(?i)(?:\d to|pressing|along|between|over|under|at)[ \t\n]+$")


def next_ordinal(hit: Hit) -> bool:
    """The 13th of "the 12th and 13th"."""
    return whole(hit) and not _NOT_NTH.match(hit.after(40))


def bare_ordinal(hit: Hit) -> bool:
    """As in "on 18TH": an ordinal right after "on"."""
    return whole(hit) and not _NOT_NTH.match(hit.after(40)) and not _NAMED_NTH.match(hit.after(4))


def word_ordinal(hit: Hit) -> bool:
    """As in "on the twenty-second": only after a preposition of time and not before a noun."""
    word = hit.groups["nth"]
    if not whole(hit) or _NOT_NTH.match(hit.after(40)):
        return False
    after = hit.after(2)
    ends = not after or after[0] in ".,;:)?!\n" or _FUNCTION.match(hit.after(12))
    if word == "Fourth" or (word.lower() == "fourth" and _JULY.search(hit.before(12))):
        return ends
    if word.lower() in ("first", "second", "third") and not hit.groups.get("wd"):
        return ends and _ON.search(hit.before(8))
    return ends and (bool(hit.groups.get("wd")) or _PREPOSITION.search(hit.before(14)))


_JULY = Context(r"(?i)(?:over|for|since)[ \t]+$")
_ON = Context(r"(?i)\bon[ \t]+$")
_HOLIDAYS = (
    r"(?:christmas(?:[ \t]+(?:eve|day|night|morning|week(?:end)?))?|xmas(?:[ \t]+(?:eve|day))?|boxing day|new[ \t]year[']?s?(?:[ \t]+(?:eve|day))"
    r"|new[ \t]year[']?s\b|thanksgiving(?:[ \t]+(?:day|eve|week(?:end)?|morning|night))?|halloween(?:[ \t]+night)?|hallowe[']en"
    r"|(?:labor|labour|memorial|veterans?[']?s?|presidents?[']?|columbus|indigenous peoples[']?|mother[']?s[']?"
    r"|father[']?s[']?|valentine[']?s[']?|st\.?[ \t]patrick[']?s|saint patrick[']?s|martin luther king(?:,? jr\.?)?|mlk|canada|australia|anzac"
    r"|groundhog|flag|earth|april fool[']?s?|election|remembrance|armistice|bastille|victoria|family|tax|patriot[']?s?|v-?[jej]"
    r"|may|pioneer|independence|pi|kamehameha|waitangi|republic)[ \t]+day(?:[ \t]+week(?:end)?)?"
    r"|valentine[']s|april fool[']?s|st\.?[ \t]patrick[']s|juneteenth|kwanzaa|hanukkah|chanukah|passover|yom kippur|rosh hashanah|good friday"
    r"|easter(?:[ \t]+(?:sunday|monday|morning|week(?:end)?|eve))?|ash wednesday|palm sunday|maundy thursday|mardi gras(?: day)?"
    r"|fourth of july|4th of july|july (?:4th|fourth)|cinco de mayo|super bowl(?:[ \t]+sunday)?|st\.?[ \t]paddy[']s(?:[ \t]+day)?"
    r"|black friday|cyber monday|eid(?:[ \t]al[- ](?:fitr|adha))?|diwali|ramadan|lunar new year|chinese new year|all (?:saints|souls)[']?(?:[ \t]+day)?"
    r"|pentecost|epiphany|guy fawkes(?:[ \t]+night)?|bonfire night|first day of school|may long weekend|spring break|corpus christi|columbus weekend|(?:the[ \t]+)?last day of (?:january|february|march|april|may|june|july|august|september|october|november|december))"
)  # fmt: skip
_NOT_HOLIDAY = Context(
    r"(?i)^[ \t]+(?:tree|card|cactus|rose|disease|factor|seal|lily|bunny|egg|island|carol|cookie|lights?|dinner|hospital|st\b|street|school|fast|moved|medical|tx|beach|texas)"
)


def holiday(hit: Hit) -> bool:
    """A holiday, except as part of another name ("Christmas tree", "Easter seals")."""
    if not whole(hit) or _NOT_HOLIDAY.match(hit.after(14)) or hit.before(1) in ("@", "_"):
        return False
    if hit.value == "EID":
        return False
    return hit.value.lower() not in ("corpus christi", "ramadan") or _HOLIDAY_AT.search(
        hit.before(16)
    )


_HOLIDAY_AT = Context(
    r"(?i)\b(?:at|since|on|before|after|over|for|until|by|of|during|around|last|this|next|every)[ \t\n]+$"
)
_NUM = (
    r"(?:(?:oh|zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen"
    r"|(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)(?:[- ](?:one|two|three|four|five|six|seven|eight|nine))?|hundred|thousand)\b)"
)
_MONTHS = (
    r"(?:january|february|march|april|may|june|july|august|september|october|november|december)"
)

DATES = (
    Pattern("date-ordinal", 1, _D, r"(?i)(?P<v>(?P<wd>" + WEEKDAY + r"\.?,?[ \t]+)?(?P<the>the[ \t]+)?" + NTH + ")", ordinal, ("th", "st", "nd", "rd"), 0.8),
    Pattern("date-ordinal", 1, _D, r"(?i)\bon[ \t]+(?P<v>" + NTH + ")", bare_ordinal, ("on ",), 0.7),
    Pattern("date-ordinal", 1, _D, r"(?i)the[ \t]+" + NTH + r"[ \t]?(?:,|and\b|or\b|&|-|to\b|through\b)[ \t]*(?:the[ \t]+)?(?P<v>" + NTH + ")", next_ordinal, ("the ",), 0.8),
    Pattern("date-ordinal", 1, _D, r"(?i)(?P<v>(?P<wd>" + WEEKDAY + r",?[ \t]+)?the[ \t]+(?P<nth>" + WORD_NTH + "))", word_ordinal, ("the ",), 0.7),
    Pattern("date-holiday", 1, _D, r"(?i)(?P<v>" + _HOLIDAYS + r"(?:,?[ \t]+(?:of[ \t]+)?(?:(?:19|20)\d\d|[']\d\d))?)", holiday, (), 0.8),
    Pattern(
        "date-season", 1, _D,
        r"(?i)(?P<v>(?:(?:early|mid|late)[- ])?(?:spring|summer|fall|autumn|winter)(?:[ \t]+of)?(?:[ \t]+|[ \t]*,[ \t]*)(?:(?:19|20)\d\d|[']\d\d)"
        r"|(?:(?-i:Q[1-4]|[1-4]Q)|(?:first|second|third|fourth) quarter(?: of)?)[ \t'-]*(?:(?:20|19)\d\d|\d\d\b))", whole,
    ),
    Pattern(
        "date-spoken", 1, _D,
        r"(?i)(?:birth(?:day|date)?|born|d\.?o\.?b\.?|date is|dictated(?: not read)?|admission|discharge|injury on)[ \t]*(?:is|um|on|was|caller|[:?.,\n])*(?:[ \t\n]*(?:INT|caller|patient|agent|\d{3}[ \t]+caller)[ \t]*:?)?[ \t\n]*(?P<v>(?:" + _NUM + r"|" + WORD_NTH + r"|" + _MONTHS + r")(?:,?[ \t-]+(?:comma[ \t]+)?(?:" + _NUM + r"|" + WORD_NTH + r"|" + _MONTHS + r")){2,8})", whole,
        ("birth", "born", "dob", "date", "dict", "injury"), 0.9,
    ),
    Pattern(
        "date-birth-year", 1, _D,
        r"(?i)\b(?:born|year[ \t]+of[ \t]+birth|birth[ \t]?year|yob|class[ \t]+of|graduated)[ \t]*(?:in|:|=|was|is|on|about|around|circa|c\.|high[ \t]+school|college|school|[ \t])*(?P<v>18\d\d|19[0-5]\d|['’][0-5]\d)\b", whole,
        ("born", "birth", "yob", "class", "graduated"),
    ),
)  # fmt: skip
