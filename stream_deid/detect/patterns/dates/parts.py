r"""Spanish parts of a year, months by their numbers and days of the month at hand.

part   = ordinal ("trimestre" | "semestre" | ...) [of] year | n "T" year | season [of] yy
                                            "2º trimestre de 2021", "2T 2021", "verano del 21"
number = [day ("del" | "de" ["l"] "mes")] n "de" year     "el 15 del 3 de 2021", "3 de 2021"
       | ("el" | "dia") day "del" n                       "el 15 del 3"
roman  = roman "/" year                                   "III/2021"
event  = examination ["x" n] "del" day                    "HC x 2 del 23", "TAC del 5"
hand   = day "del" ("corriente" | "presente" | "mes pasado" | ...)
                                            only the day is the value: "15 del corriente"
"""

from __future__ import annotations

from stream_deid.detect.patterns.base import Context, Hit, Pattern, whole
from stream_deid.detect.patterns.dates.digits import DAY, alone
from stream_deid.labels import PhiType
from stream_deid.lists.vocabulary import Vocabulary

_WORDS = Vocabulary("dates_es")
_D, _L = PhiType.DATE, "FECHAS"
_OF = r"(?:,|[ \t]+)?[ \t]*(?:de(?:l)?[ \t]+)?(?:ano[ \t]+)?"
_YEAR = r"(?:19|20)\d\d"
_MONTH = r"(?:1[0-2]|0?[1-9])"


def _part(hit: Hit) -> bool:
    return whole(hit) and not hit.after(1).isalnum()


def _of_event(hit: Hit) -> bool:
    """The day of an examination; no number that something goes on behind ("control del 20 %")."""
    return whole(hit) and not _GOES_ON.match(hit.after(12))


_GOES_ON = Context(
    r"(?i)^(?:[ ]?(?:[%/+-]|:\d)|[.,]?\d|[ ](?:por|de|y)\b|[ ]?(?:mg|ml|cc|mm|cm|g|ui|h)\b)"
)


PARTS = (
    Pattern(
        "fecha-dia", 1, _D,
        rf"(?i)\b(?:{_WORDS['of_a_day']})(?:[ ]x[ ]?\d)?[ ]del[ ](?P<v>{DAY})",
        _of_event, (" del ",), 0.7, _L,
    ),
    Pattern(
        "fecha-parte", 1, _D,
        rf"(?i)(?P<v>(?:{_WORDS['ordinals']})\.?[ \t]+(?:{_WORDS['parts']}){_OF}{_YEAR})",
        _part, ("tri", "sem", "mestre", "mitad"), label=_L,
    ),
    Pattern(
        "fecha-parte", 1, _D,
        rf"(?P<v>[1-4]T[ \t/'-]?(?:{_YEAR}|\d\d)|(?:Q[1-4]|[1-4]Q)[ \t/'-]{{0,2}}(?:{_YEAR}|\d\d)"
        rf"|[1-4]T{_OF}{_YEAR}|{_YEAR}[ \t/-]?(?:Q[1-4]|[1-4]T))",
        _part, label=_L,
    ),
    Pattern(
        "fecha-parte", 1, _D,
        r"(?i)(?P<v>(?:primavera|verano|otono|invierno)[ \t]+(?:de(?:l)?[ \t]+)?(?:ano[ \t]+)?"
        r"'?\d\d)",
        _part, label=_L,
    ),
    Pattern(
        "fecha-numero", 1, _D,
        rf"(?i)(?P<v>{DAY}[ ]de(?:l)?(?:[ ]mes)?[ ]{_MONTH}[ ]de(?:l)?[ ](?:ano[ ])?{_YEAR})",
        alone, (" de",), label=_L,
    ),
    Pattern(
        "fecha-numero", 1, _D,
        rf"(?i)\b(?:el|dia|del|al|desde)[ ](?P<v>{DAY}[ ]del[ ]{_MONTH})",
        alone, (" del ",), 0.8, _L,
    ),
    Pattern(
        "fecha-numero", 1, _D,
        rf"(?P<v>(?:I{{1,3}}|IV|VI{{0,3}}|IX|XI{{0,2}})[/-]{_YEAR})", alone, label=_L,
    ),
    Pattern(
        "fecha-dia", 1, _D,
        rf"(?i)\b(?:{_WORDS['told_days']})[ ]"
        rf"(?:dia[ ](?P<v1>{DAY})|\((?:dia[ ]|el[ ])?(?P<v2>{DAY})\))",
        whole, (), 0.8, _L,
    ),
    Pattern(
        "fecha-dia", 1, _D,
        rf"(?i)(?P<v>{DAY})[ ]de(?:l[ ](?:{_WORDS['at_hand']})|[ ]este[ ]mes"
        r"|[ ]los[ ]corrientes)\b",
        whole, (" de",), 0.8, _L,
    ),
)  # fmt: skip
