"""The words of dates in English and Spanish: months, weekdays, ordinals, holidays, seasons."""

from __future__ import annotations

from functools import cache
from types import MappingProxyType

from rapidfuzz.distance import OSA

from stream_deid.text.canonical import listed
from stream_deid.text.folding import fold
from stream_deid.text.memo import remembered

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
        "ca": listed(
            """
    gener febrer març abril maig juny juliol agost setembre octubre novembre desembre"""
        ),
        "gl": listed(
            """
    xaneiro febreiro marzo abril maio xuño xullo agosto setembro outubro novembro decembro"""
        ),
        "eu": listed(
            """
    urtarril otsail martxo apiril maiatz ekain uztail abuztu irail urri azaro abendu"""
        ),
    }
)
SHORT_MONTHS = MappingProxyType(
    {
        "en": listed("jan feb mar apr may jun jul aug sep oct nov dec"),
        "es": listed("ene feb mar abr may jun jul ago sep oct nov dic"),
        "ca": listed("gen feb març abr maig juny jul ag set oct nov des"),
        "gl": listed("xan feb mar abr mai xuñ xul ago set out nov dec"),
    }
)
_OTHER_MONTHS = {
    "en": {"sept": 9, "octo": 10, "febr": 2, "janu": 1},
    "es": {"sept": 9, "set": 9, "setiembre": 9, "sbre": 9, "novbre": 11, "dicbre": 12},
    "ca": {}, "gl": {},
}  # fmt: skip
WEEKDAYS = MappingProxyType(
    {
        "en": listed("monday tuesday wednesday thursday friday saturday sunday"),
        "es": listed("lunes martes miércoles jueves viernes sábado domingo"),
        "ca": listed("dilluns dimarts dimecres dijous divendres dissabte diumenge"),
        "gl": listed("luns martes mércores xoves venres sábado domingo"),
        "eu": listed("astelehena asteartea asteazkena osteguna ostirala larunbata igandea"),
    }
)
SHORT_WEEKDAYS = MappingProxyType(
    {
        "en": listed("mon tue wed thu fri sat sun"),
        "es": listed("lun mar mié jue vie sáb dom"),
        "ca": listed("dl dt dc dj dv ds dg"),
    }
)
_OTHER_WEEKDAYS = {
    "en": {"tues": 1, "weds": 2, "thur": 3, "thurs": 3, "shabbat": 5, "shabbos": 5, "sabbath": 5},
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
_SEASONS = {
    form: (index, lang)
    for lang, seasons in SEASONS.items()
    for index, forms in enumerate(seasons)
    for form in forms
}
_SHORTEST_MISSPELT = 5
_BASQUE_CASES = ("", "a", "ak", "aren", "an", "ko", "eko", "ean", "rako", "ra")
_BASQUE = {
    stem + case: (month, len(stem))
    for month, stem in enumerate(MONTHS["eu"], 1)
    for case in _BASQUE_CASES
}
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
    between entre first half quincena before after following long season nite feria feira puente
    do da d s les els ko an ean urtean urteko""")
)  # fmt: skip


def month_of(word: str, language: str) -> tuple[int, str, str] | None:
    """(month, language, `full` or `short`) of a folded word; the note's language first."""
    return _month_table(language).get(word)


@cache
def _month_table(language: str) -> dict[str, tuple[int, str, str]]:
    found: dict[str, tuple[int, str, str]] = {}
    for lang in (language, "es" if language == "en" else "en", "ca", "gl"):
        for forms, form in ((MONTHS, "full"), (SHORT_MONTHS, "short")):
            for month, name in enumerate(forms[lang], 1):
                found.setdefault(fold(name), (month, lang, form))
        for name, month in _OTHER_MONTHS[lang].items():
            found.setdefault(name, (month, lang, "full" if len(name) > 6 else "short"))
    return found


@remembered
def misspelt_month(word: str, language: str) -> tuple[int, str] | None:
    """(month, language) of a folded word that is one slip away from a month of five letters."""
    if len(word) < _SHORTEST_MISSPELT:
        return None
    for name, (month, lang, form) in _month_table(language).items():
        if form == "full" and len(name) >= _SHORTEST_MISSPELT and (
            OSA.distance(word, name, score_cutoff=1) <= 1
        ):  # fmt: skip
            return month, lang
    return None


def basque_month(word: str) -> tuple[int, int] | None:
    """(month, length of its stem) of a folded Basque month in any case: `urriaren`, `azaroak`."""
    return _BASQUE.get(word)


def weekday_of(word: str, language: str) -> tuple[int, str, str] | None:
    """(weekday from Monday = 0, language, `full` or `short`) of a folded word."""
    table = _weekday_table(language)
    return table.get(word) or table.get(word.removesuffix("s"))


@cache
def _weekday_table(language: str) -> dict[str, tuple[int, str, str]]:
    found: dict[str, tuple[int, str, str]] = {}
    for lang in (language, "es" if language == "en" else "en", "ca", "gl", "eu"):
        for forms, form in ((WEEKDAYS, "full"), (SHORT_WEEKDAYS, "short")):
            for weekday, name in enumerate(forms.get(lang, ())):
                found.setdefault(fold(name), (weekday, lang, form))
        for name, weekday in _OTHER_WEEKDAYS.get(lang, {}).items():
            found.setdefault(name, (weekday, lang, "full" if len(name) > 5 else "short"))
    return found


def season_of(word: str) -> tuple[int, str] | None:
    """(season from winter = 0, language) of a folded word."""
    return _SEASONS.get(word)
