"""Social security numbers, English: whole, behind their name, masked, or their last four digits.

labelled = name said* [mask] value         "SSN ending in: 4471", "soc. sec. # xxx-xx-4471"
last     = "last 4" ["of"] ["the"] name* value    "last four of social: 4471"
value    = three digits, two and four, joined by hyphens or blanks; nine digits; four digits
"""

from __future__ import annotations

from stream_deid.detect.patterns.base import Hit, Pattern, whole
from stream_deid.labels import PhiType
from stream_deid.lists.numbers import ONES

T = PhiType
_LAST = r"last[ \t]*(?:4|four)"
_SECURITY = r"soc(?:ial)?(?:[ \t]*\.?[ \t]*sec(?:urity)?)?\.?|social[ \t]+security"
_NAME = rf"(?:ss[ \t]?[n#]|s\.s\.n?\.?|ssn|ss|{_SECURITY})"
_ENDS = r"ends(?:[ \t]+in)?|ending(?:[ \t]+in)?|card[ \t]+ending"
_SAID = rf"(?:no\.?|num(?:ber)?|\#|card|is|{_ENDS}|{_LAST}|\(?{_LAST}\)?|l4|[:#.=*])"
"""What stands between its name and it."""
_MASK = r"(?:[x*#.*_-]{3}[-/ ]?[x*#.*_-]{2}[-/ ]?|[x*#.*-]{1,9})"
_READ = r"[0-9OlI]{3}[- ]?[0-9OlI]{2}[- ]?[0-9OlI]{4}"
"""A scan reads letters for some figures."""
_VALUE = rf"{_READ}|\d(?:[ ]?[- ]?[ ]?\d){{8}}|\d{{4}}"
_OF = r"(?:ssn?|social(?:'s)?|soc|sec|\#|is|are|vrfd|verified|of)"


def ssn(hit: Hit) -> bool:
    """AAA-GG-SSSS with separators: no area 000, 666 or 9xx, no zero group."""
    area, group, serial = (hit.value[:3], hit.value[4:6], hit.value[7:])
    if not whole(hit) or hit.before(1) in ("-", "/", "#", ".") or hit.after(1) in ("-", "/"):
        return False
    return area not in ("000", "666") and area[0] != "9" and group != "00" and serial != "0000"


SOCIAL_SECURITY = (
    Pattern("ssn", 1, T.SSN, r"(?P<v>\d{3}-\d{2}-\d{4}|\d{3} \d{2} \d{4})", ssn),
    Pattern(
        "ssn-label", 1, T.SSN,
        rf"(?i)(?:^|[^A-Za-z0-9]){_NAME}[ \t]*{_SAID}*[ \t]*{_MASK}?[ \t]*(?P<v>{_VALUE})",
        whole, ("ss", "soc"),
    ),
    Pattern(
        "ssn-masked", 1, T.SSN,
        r"(?i)(?:[x*#*]{3}[-/]?[x*#*]{2}[-/]?|[x*#*]{4,9}-?)(?P<v>\d{4})",
        whole, ("xx", "**", "##"), 0.9,
    ),
    Pattern(
        "ssn-last4", 1, T.SSN,
        rf"(?i){_LAST}(?:[ \t]*(?:of)?[ \t]*(?:the[ \t]+)?{_OF})*[ \t]*[:#=,]*[ \t]*"
        rf"(?P<v>\d{{4}}|(?:(?:oh|zero|{ONES})[ ]?){{4}})",
        whole, ("last 4", "last four", "last4"), 0.8,
    ),
)  # fmt: skip
