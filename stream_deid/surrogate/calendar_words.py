"""The words of dates in English and Spanish: months, weekdays, ordinals, holidays, seasons."""

from __future__ import annotations

from datetime import date, timedelta
from types import MappingProxyType

from stream_deid.surrogate.canonical import listed

MONTHS = MappingProxyType(
    {
        "en": listed(
            """
    january february march april may june july august september october november
            december"""
        ),
        "es": listed(
            """
    enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre
            diciembre"""
        ),
    }
)
SHORT_MONTHS = MappingProxyType(
    {
        "en": listed("jan feb mar apr may jun jul aug sep oct nov dec"),
        "es": listed("ene feb mar abr may jun jul ago sep oct nov dic"),
    }
)
_OTHER_MONTHS = {
    "en": {"sept": 9, "octo": 10, "febr": 2, "janu": 1},
    "es": {"sept": 9, "set": 9, "setiembre": 9, "sbre": 9, "novbre": 11, "dicbre": 12},
}
WEEKDAYS = MappingProxyType(
    {
        "en": listed("monday tuesday wednesday thursday friday saturday sunday"),
        "es": listed("lunes martes miércoles jueves viernes sábado domingo"),
    }
)
SHORT_WEEKDAYS = MappingProxyType(
    {
        "en": listed("mon tue wed thu fri sat sun"),
        "es": listed("lun mar mié jue vie sáb dom"),
    }
)
_OTHER_WEEKDAYS = {
    "en": {"tues": 1, "weds": 2, "thur": 3, "thurs": 3},
    "es": {"miercoles": 2, "mie": 2, "mier": 2, "mierc": 2, "sabado": 5, "sab": 5},
}
ROMAN = listed("i ii iii iv v vi vii viii ix x xi xii")
ORDINALS = MappingProxyType(
    {
        "en": listed(
            """
    first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth
            thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth
            twenty-first twenty-second twenty-third twenty-fourth twenty-fifth twenty-sixth
            twenty-seventh twenty-eighth twenty-ninth thirtieth thirty-first"""
        ),
        "es": listed(
            """
    primero dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce
            quince dieciséis diecisiete dieciocho diecinueve veinte veintiuno veintidós veintitrés
            veinticuatro veinticinco veintiséis veintisiete veintiocho veintinueve treinta
            treinta-y-uno"""
        ),
    }
)
SEASONS = MappingProxyType(
    {
        "en": (("winter",), ("spring", "springtime"), ("summer", "summertime"), ("fall", "autumn")),
        "es": (("invierno",), ("primavera",), ("verano",), ("otoño", "otono")),
    }
)
FILLER = frozenset(
    listed(
    """
    of the on at in by to from since until till through thru and or a about around approx
    approximately circa ca early late mid middle end beginning start week wk wkend weekend day
    days morning evening afternoon night noon midnight last next this past date dated year eve
    am pm hrs hr hours h hs utc gmt est edt cst cdt mst mdt pst pdt z t
    de del el la los las en al y e a desde hasta principios mediados finales fines final inicios
    comienzos primeros ultimos semana dia dias noche tarde manana madrugada mes ano pasado pasada
    proximo proxima ultimo ultima este esta hacia sobre durante horas hora fecha
    between entre first half quincena""")
)  # fmt: skip


def _easter(year: int) -> date:
    """Gregorian Easter Sunday (anonymous algorithm, Meeus 1991)."""
    a, b, c = year % 19, year // 100, year % 100
    h = (19 * a + b - b // 4 - (b - (b + 8) // 25 + 1) // 3 + 15) % 30
    k = (32 + 2 * (b % 4) + 2 * (c // 4) - h - c % 4) % 7
    m = (a + 11 * h + 22 * k) // 451
    month, day = divmod(h + k - 7 * m + 114, 31)
    return date(year, month, day + 1)


def _nth(year: int, month: int, weekday: int, n: int) -> date:
    """The n-th (1..5) or last (-1) `weekday` of a month."""
    if n > 0:
        first = date(year, month, 1)
        return first + timedelta((weekday - first.weekday()) % 7 + 7 * (n - 1))
    last = date(year + month // 12, month % 12 + 1, 1) - timedelta(1)
    return last - timedelta((last.weekday() - weekday) % 7)


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
    "groundhog day": (2, 2), "april fools": (4, 1),
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
    "día de la madre": (5, 6, 1),
}  # fmt: skip
_EASTER = {
    "easter sunday": 0, "easter monday": 1, "easter": 0, "good friday": -2, "palm sunday": -7,
    "ash wednesday": -46, "mardi gras": -47, "passover": -2, "pentecost": 49,
    "semana santa": -3, "viernes santo": -2, "jueves santo": -3, "domingo de ramos": -7,
    "domingo de resurrección": 0, "pascua": 0, "carnaval": -47, "carnavales": -47,
    "miércoles de ceniza": -46, "corpus": 60,
}  # fmt: skip
HOLIDAYS: tuple[str, ...] = tuple(
    sorted((*_FIXED, *_NTH, *_EASTER), key=lambda name: (-len(name), name))
)
SPANISH_HOLIDAYS = frozenset(
    name
    for name in HOLIDAYS
    if any(
        word in name.split()
        for word in listed(
            """
    nochebuena navidad navidades nochevieja año reyes san sant santiago la virgen
        el todos día fiestas los semana viernes jueves domingo pascua carnaval carnavales miércoles
        corpus"""
        )
    )
)


def holiday(name: str, year: int) -> date:
    """The day of a holiday of `HOLIDAYS` in a year."""
    if name in _FIXED:
        return date(year, *_FIXED[name])
    if name in _NTH:
        return _nth(year, *_NTH[name])
    return _easter(year) + timedelta(_EASTER[name])


def month_of(word: str, language: str) -> tuple[int, str, str] | None:
    """(month, language, `full` or `short`) of a folded word; the note's language first."""
    for lang in (language, "es" if language == "en" else "en"):
        if word in MONTHS[lang]:
            return MONTHS[lang].index(word) + 1, lang, "full"
        if word in SHORT_MONTHS[lang]:
            return SHORT_MONTHS[lang].index(word) + 1, lang, "short"
        if word in _OTHER_MONTHS[lang]:
            return _OTHER_MONTHS[lang][word], lang, "full" if len(word) > 6 else "short"
    return None


def weekday_of(word: str, language: str) -> tuple[int, str, str] | None:
    """(weekday from Monday = 0, language, `full` or `short`) of a folded word."""
    plain = word.rstrip("s") if word not in {"lunes", "martes", "jueves", "viernes"} else word
    for lang in (language, "es" if language == "en" else "en"):
        for form in (word, plain, word.replace("miercoles", "miércoles")):
            if form in WEEKDAYS[lang]:
                return WEEKDAYS[lang].index(form), lang, "full"
            if form in SHORT_WEEKDAYS[lang]:
                return SHORT_WEEKDAYS[lang].index(form), lang, "short"
            if form in _OTHER_WEEKDAYS[lang]:
                return _OTHER_WEEKDAYS[lang][form], lang, "full" if len(form) > 5 else "short"
    return None


def season_of(word: str) -> tuple[int, str] | None:
    """(season from winter = 0, language) of a folded word."""
    for lang, seasons in SEASONS.items():
        for index, forms in enumerate(seasons):
            if word in forms:
                return index, lang
    return None
