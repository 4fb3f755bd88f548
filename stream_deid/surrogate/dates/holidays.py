"""Holidays: the day of each in a year, so that a named day can move like any other.

Feasts of lunar calendars are found by the mean moon (Meeus 1991, chapter 47), Islamic ones by the
mean lunar year: a day or so off, which moves with the rest of the dates.
"""

from __future__ import annotations

from datetime import date, timedelta

from stream_deid.text.canonical import listed


def _easter(year: int) -> date:
    """Gregorian Easter Sunday (anonymous algorithm, Meeus 1991)."""
    a, b, c = year % 19, year // 100, year % 100
    h = (19 * a + b - b // 4 - (b - (b + 8) // 25 + 1) // 3 + 15) % 30
    k = (32 + 2 * (b % 4) + 2 * (c // 4) - h - c % 4) % 7
    m = (a + 11 * h + 22 * k) // 451
    month, day = divmod(h + k - 7 * m + 114, 31)
    return date(year, month, day + 1)


def _nth(year: int, month: int, weekday: int, n: int) -> date:
    """The n-th (1..5), last (-1) or last but one (-2) `weekday` of a month."""
    if n > 0:
        first = date(year, month, 1)
        return first + timedelta((weekday - first.weekday()) % 7 + 7 * (n - 1))
    last = date(year + month // 12, month % 12 + 1, 1) - timedelta(1)
    return last - timedelta((last.weekday() - weekday) % 7 + 7 * (-n - 1))


_NEW_MOON = date(2000, 1, 6)
_MONTH_DAYS = 29.530588853
_RAMADAN = date(2000, 11, 27)
_LUNAR_YEAR_DAYS = 354.36708


def _moon(year: int, month: int, day: int, after: int) -> date:
    """`after` days from the first new moon that is not before a day of a year."""
    first = date(year, month, day)
    turns = -(-(first - _NEW_MOON).days // _MONTH_DAYS)
    return _NEW_MOON + timedelta(round(turns * _MONTH_DAYS) + after)


def _lunar_year(year: int, after: int) -> date:
    """The first feast in a year that lies `after` days after the beginning of a Ramadan."""
    start = date(year, 1, 1) - timedelta(after)
    turns = -(-(start - _RAMADAN).days // _LUNAR_YEAR_DAYS)
    return _RAMADAN + timedelta(round(turns * _LUNAR_YEAR_DAYS) + after)


def _orthodox_easter(year: int) -> date:
    """Easter Sunday of the Julian calendar (Meeus 1991), on the Gregorian one, 1900 to 2099."""
    d = (19 * (year % 19) + 15) % 30
    e = (2 * (year % 4) + 4 * (year % 7) - d + 34) % 7
    month, day = divmod(d + e + 114, 31)
    return date(year, month, day + 1) + timedelta(13)


_FIXED = {
    "christmas eve": (12, 24), "xmas eve": (12, 24), "christmas day": (12, 25),
    "christmas": (12, 25), "xmas": (12, 25), "boxing day": (12, 26),
    "new year's eve": (12, 31), "new years eve": (12, 31), "new year's day": (1, 1),
    "new years day": (1, 1), "new year's": (1, 1), "new years": (1, 1), "nye": (12, 31),
    "valentine's day": (2, 14), "valentines day": (2, 14), "valentine's": (2, 14),
    "st patrick's day": (3, 17), "st. patrick's day": (3, 17), "cinco de mayo": (5, 5),
    "juneteenth": (6, 19), "fourth of july": (7, 4), "the fourth of july": (7, 4),
    "independence day": (7, 4),
    "halloween": (10, 31), "veterans day": (11, 11), "all saints day": (11, 1),
    "groundhog day": (2, 2), "april fools": (4, 1), "april fool's": (4, 1),
    "april fool's day": (4, 1), "april fools day": (4, 1), "st. patrick's": (3, 17),
    "st patrick's": (3, 17), "st patricks": (3, 17), "all saints' day": (11, 1),
    "all saints": (11, 1), "all souls day": (11, 2), "v-j day": (8, 14), "v-e day": (5, 8),
    "d-day": (6, 6), "bastille day": (7, 14), "candlemas": (2, 2), "advent": (12, 1),
    "russian christmas": (1, 7), "orthodox christmas": (1, 7), "genna": (1, 7),
    "timkat": (1, 19), "nowruz": (3, 20), "vaisakhi": (4, 13), "spring equinox": (3, 20),
    "vernal equinox": (3, 20), "fall equinox": (9, 22), "autumnal equinox": (9, 22),
    "summer solstice": (6, 21), "winter solstice": (12, 21), "ides of march": (3, 15),
    "the ides of march": (3, 15),
    "epiphany": (1, 6), "kwanzaa": (12, 26), "may day": (5, 1), "canada day": (7, 1),
    "guy fawkes": (11, 5), "bonfire night": (11, 5), "anzac day": (4, 25), "spring break": (3, 15),
    "flag day": (6, 14), "earth day": (4, 22), "pearl harbor day": (12, 7),
    "sant joan": (6, 24), "sant jaume": (7, 25), "sant josep": (3, 19), "sant marc": (4, 25),
    "sant esteve": (12, 26), "sant antoni": (1, 17), "san antón": (1, 17), "san isidro": (5, 15),
    "san pedro": (6, 29), "san miguel": (9, 29), "la candelaria": (2, 2), "el carmen": (7, 16),
    "la mercè": (9, 24), "la diada": (9, 11), "guadalupe": (12, 12), "primero de mayo": (5, 1),
    "la purísima": (12, 8), "nadal": (12, 25), "cap d'any": (1, 1),
    "nochebuena": (12, 24), "navidad": (12, 25), "navidades": (12, 25), "nochevieja": (12, 31),
    "fin de año": (12, 31), "año nuevo": (1, 1), "noche de reyes": (1, 5), "día de reyes": (1, 6),
    "reyes": (1, 6), "san valentín": (2, 14), "san josé": (3, 19), "sant jordi": (4, 23),
    "san juan": (6, 24), "santiago apóstol": (7, 25), "la asunción": (8, 15),
    "virgen de agosto": (8, 15), "día del pilar": (10, 12), "el pilar": (10, 12),
    "la hispanidad": (10, 12), "todos los santos": (11, 1), "día de los muertos": (11, 2),
    "día de muertos": (11, 2), "la constitución": (12, 6), "la inmaculada": (12, 8),
    "fiestas patrias": (9, 18), "día de la raza": (10, 12), "san fermín": (7, 7),
    "los inocentes": (12, 28),
}  # fmt: skip
_NTH = {
    "martin luther king day": (1, 0, 3), "mlk day": (1, 0, 3), "presidents day": (2, 0, 3),
    "presidents' day": (2, 0, 3), "president's day": (2, 0, 3), "mother's day": (5, 6, 2),
    "mothers day": (5, 6, 2), "memorial day": (5, 0, -1), "father's day": (6, 6, 3),
    "fathers day": (6, 6, 3), "labor day": (9, 0, 1), "columbus day": (10, 0, 2),
    "indigenous peoples day": (10, 0, 2), "thanksgiving day": (11, 3, 4),
    "thanksgiving": (11, 3, 4), "turkey day": (11, 3, 4), "black friday": (11, 4, 4),
    "día de la madre": (5, 6, 1), "indigenous peoples' day": (10, 0, 2),
    "super bowl sunday": (2, 6, 2), "super bowl": (2, 6, 2), "election day": (11, 1, 1),
    "amor y amistad": (9, 5, 3), "victoria day": (5, 0, -2), "día del padre": (6, 6, 3),
}  # fmt: skip
_EASTER = {
    "easter sunday": 0, "easter monday": 1, "easter": 0, "good friday": -2, "palm sunday": -7,
    "ash wednesday": -46, "mardi gras": -47, "passover": -2, "pentecost": 49,
    "semana santa": -3, "s. santa": -3, "s santa": -3, "sem. santa": -3, "sem santa": -3,
    "viernes santo": -2, "jueves santo": -3, "domingo de ramos": -7,
    "domingo de resurrección": 0, "pascua": 0, "carnaval": -47, "carnavales": -47,
    "miércoles de ceniza": -46, "corpus": 60, "corpus christi": 60, "lent": -46, "cuaresma": -46,
    "ascension day": 39, "fat tuesday": -47, "shrove tuesday": -47, "maundy thursday": -3,
    "holy week": -3, "resurrección": 0, "lunes de pascua": 1, "pentecostés": 49,
}  # fmt: skip
_ORTHODOX = {"orthodox easter": 0, "greek easter": 0, "russian easter": 0, "pascha": 0}
_MOON = {
    "lunar new year": (1, 21, 0), "chinese new year": (1, 21, 0), "tet": (1, 21, 0),
    "tết": (1, 21, 0), "holi": (2, 20, 15), "pesach": (3, 12, 15), "shavuos": (3, 12, 65),
    "shavuot": (3, 12, 65), "rosh hashanah": (9, 5, 1), "yom kippur": (9, 5, 10),
    "sukkot": (9, 5, 15), "diwali": (10, 15, 0), "hanukkah": (11, 2, 25), "chanukah": (11, 2, 25),
    "purim": (2, 11, 14),
}  # fmt: skip
_ISLAMIC = {
    "ramadan": 0, "ramadán": 0, "eid al-fitr": 30, "eid al-adha": 98, "eid": 30, "ashura": 128,
}  # fmt: skip
HOLIDAYS: tuple[str, ...] = tuple(
    sorted(
        (*_FIXED, *_NTH, *_EASTER, *_ORTHODOX, *_MOON, *_ISLAMIC),
        key=lambda name: (-len(name), name),
    )
)
_SPANISH = frozenset(
    name
    for name in HOLIDAYS
    if any(
        word in name.split()
        for word in listed(
            """
    nochebuena navidad navidades nochevieja año reyes san sant santiago la virgen
        el todos día fiestas los semana viernes jueves domingo pascua carnaval carnavales miércoles
        corpus cuaresma guadalupe resurrección lunes pentecostés ramadán primero nadal cap
        amistad santa"""
        )
    )
)


def language_of(name: str, language: str) -> str:
    """The language of a holiday's name; that of the note for names that both languages use."""
    if name in _MOON or name in _ISLAMIC or name == "corpus christi":
        return language
    return "es" if name in _SPANISH else "en"


def holiday(name: str, year: int) -> date:
    """The day of a holiday of `HOLIDAYS` in a year."""
    if name in _FIXED:
        return date(year, *_FIXED[name])
    if name in _NTH:
        return _nth(year, *_NTH[name])
    if name in _MOON:
        return _moon(year, *_MOON[name])
    if name in _ISLAMIC:
        return _lunar_year(year, _ISLAMIC[name])
    if name in _ORTHODOX:
        return _orthodox_easter(year)
    return _easter(year) + timedelta(_EASTER[name])
