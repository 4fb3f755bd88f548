"""Spanish and Latin American telephone numbers, postal codes and streets.

spain   = [6789] 8 digits in groups                     "952 06 11 40", "94 4 21 70 63"
latin   = digits in groups behind a label               "(998) 206 7713", "4722 9018 int. 31"
street  = ("C/" | "calle" | "Avda." | ...) words ["," number] [floor]
postal  = ("CP" | before a town) nnnnn
"""

from __future__ import annotations

from stream_deid.detect.patterns.base import Context, Hit, Pattern, whole
from stream_deid.detect.patterns.contact.telephones import (
    breathed,
    fax_number,
    labelled,
    number,
    phone_number,
)
from stream_deid.detect.patterns.places.addresses import MASKED_ZIP
from stream_deid.labels import PhiType
from stream_deid.lists.lexicon import load_places
from stream_deid.lists.numbers import ONES_ES
from stream_deid.lists.terms import is_term
from stream_deid.lists.titles import affixes, any_of
from stream_deid.lists.vocabulary import Vocabulary
from stream_deid.text.folding import fold

_WORDS = Vocabulary("contact_es")

T = PhiType
_TEL, _FAX = "NUMERO_TELEFONO", "NUMERO_FAX"
_SPAIN = (
    r"(?:(?:\+|00)34[ .-]?)?(?:[6789]\d{2}[ .-]?\d{3}[ .-]?\d{3}|[6789]\d{2}[ .-]\d{2}[ .-]\d{2}"
    r"[ .-]\d{2}|9\d[ .-]\d{3}[ .-]\d{2}[ .-]\d{2}|9\d[ .-]?\d[ .-]?\d{2}[ .-]\d{2}[ .-]\d{2}"
    r"|9\d[ .-]\d{7}|[6789]\d{2}[ .-]\d{6}|[89]\d{2}[ ]\d{2}[ ]\d{4})"
)
_EXT = (
    r"(?:[ \t]*[,;(]?[ \t]*(?i:ext(?:ension)?|int(?:erno)?|anexo|opcion|op)\.?[ \t:]*\d{1,6}\)?)?"
)
_LABEL = rf"(?:{_WORDS['phones']})"
_DIGIT = f"(?:cero|{ONES_ES})"
_GROUPS = (
    r"(?P<v>(?:\+?\d{1,3}[ .-]?)?(?:\(\d{1,5}\)[ .-]?)?\d{2,5}(?:[ .-]\d{2,5}){1,4}\b|\d{6,11}\b)"
)


def spain(hit: Hit) -> bool:
    """Nine digits; without blanks only where no label of another number stands before them."""
    if not phone_number(hit) or breathed(hit.before(24)):
        return False
    if hit.value.isdecimal():
        return _PHONE_BEFORE.search(hit.before(40)) or not _OTHER_BEFORE.search(hit.before(24))
    return not (hit.after(1) in ".," and hit.after(2)[1:].isdecimal())


_PHONE_BEFORE = Context(r"(?i)\b" + _LABEL + r"\b[^0-9\n]{0,12}$")
_OTHER_BEFORE = Context(rf"(?i)\b(?:{_WORDS['numbered']})\b[^A-Za-z0-9\n]{{0,6}}$")


def by_label(hit: Hit) -> bool:
    digits = sum(c.isdecimal() for c in hit.value)
    if _SLIDING.search(hit.before(24)):
        return False
    return number(hit) and 6 <= digits <= 13 and not _DATE.match(hit.value)


_SLIDING = Context(r"(?i)\b(?:pauta|escala|insulina)[ ]movil\b[ :,(]*$")
_DATE = Context(
    r"^(?:\d{1,2}[-. ]\d{1,2}[-. ](?:19|20)?\d\d|(?:19|20)\d\d[-. ]\d{1,2}[-. ]\d{1,2})$"
)


def loose(hit: Hit) -> bool:
    """Groups as telephones have them, without a label of another number before them."""
    return number(hit) and not _OTHER_BEFORE.search(hit.before(24))


def bracketed(hit: Hit) -> bool:
    """A number whose area code stands in brackets; no mean pressure and its range."""
    return number(hit) and not _PRESSURE.search(hit.before(16))


_PRESSURE = Context(r"(?i)\b(?:ta|pa|t\.a\.|p\.a\.|tas|tad|pam|pas|pad|tam|fc)[ :]*(?:media)?[ ]*$")


_DECIMALS = Context(r"^\.\d")
"""Behind what is a number's first half ("Placa LCP 4.5")."""


def street(hit: Hit) -> bool | int:
    """Has a word after the kind of way that is no article ("ronda los 98 kg"), and is no clinical
    "via", no "c/" of a dose ("C/12").

    A capital at the end that something else begins with ("E-18012", "C.P.") stays outside.
    """
    words = hit.value.split()[1:] or [hit.value]
    named = any(len(w) > 2 and fold(w).lower() not in _PARTICLES for w in words)
    if not whole(hit) or _VIA.match(hit.value) or not named or _DECIMALS.match(hit.after(2)):
        return False
    if hit.value[:2] in ("C/", "C.") and is_term(fold(words[0].strip(" ,")).lower()):
        return False
    letter = _LETTER.search(hit.value[-2:]) and _CODE_AFTER.match(hit.after(6))
    return len(hit.value[:-1].rstrip(" \t,-")) if letter else True


_PARTICLES = affixes("prose", "particle")
_LETTER = Context(r"^[ ,][A-Z]$")
_CODE_AFTER = Context(r"^(?:-\d{4}|\.[ ]?[A-Z]\.)")


_VIA = Context(
    rf"(?i)^(?:via[ \t]+(?:{_WORDS['via']})|paseo[ \t]+(?:diario|por)"
    r"|grupo[ \t]+(?:de[ \t]|[a-d]\d?\b)|c/(?:litro|dia|mf|hora)|c/[ ]?\d{1,2}$"
    rf"|c/[ ]?\d{{1,3}}(?:[ ]?[-a][ ]?\d{{1,3}})?[ ]?(?:{_WORDS['every']})\b)"
)
_KIND = (
    rf"(?:C/\.?[ ]?|C\.[ ]?/[ ]?|(?i:{_WORDS['ways']})[ ]+"
    rf"|(?:{_WORDS['ways_cased']})\.?[ ]+)"
)
_WORD = rf"(?:[A-Z][A-Za-z0-9'.`-]*|\d{{1,3}}|(?:{any_of('way', 'particle')}|d'|l'|DE|DEL|LA))"
_TAIL = (
    r"(?:[ \t]*,?[ \t]*(?:(?i:n\.?[o]?\.?|num\.?|nro\.?|\#)[ \t]*)?"
    r"(?:\d{1,5}[A-Za-z]?\b(?:[ \t]*-[ \t]*\d{1,4})?|s/n|(?i:sin numero)))"
)
_FLOOR = (
    rf"(?:[ \t]*[,-]?[ \t]*(?:(?i:{_WORDS['floors']})\.?[ \t]*(?:[A-Z]?\d{{0,4}}[A-Za-z]?\b"
    r"|[A-Z]\b)?|\d{1,2}[.]?[ ]?[oa`]\.?"
    r"(?:[ \t]*-?[ \t]*(?:[A-Z]\b|(?i:dcha|izda|izq|der|iz|dch|d|c|ctro)\b\.?))?|\d{1,2}[ ]?[A-Z]\b"
    r"|\d{1,2}-\d{1,2}\b|[A-Z]\b))"
)


def _listed(hit: Hit) -> bool:
    """One more code of a list that begins with the word for them."""
    return whole(hit) and _LIST_OF_CODES.search(hit.before(_LONGEST_LIST))


def postal(hit: Hit) -> bool:
    return (
        (whole(hit) and 1 <= int(hit.value[:2]) <= 52)
        or "cp" in hit.before(8).lower()
        or "." in hit.before(4)
    )


_LIST_OF_CODES = Context(
    r"(?i)\b(?:c\.?[ ]?p\.?|codigos? postal(?:es)?|cod\.? postal)[^\d\n]{0,16}"
    r"(?:\d{5}(?:[ ]?[-,;/|][ ]?|[ ](?:y|e|o|u|a|al|hasta)[ ]))+$"
)
_LONGEST_LIST = 160
_LIVES = rf"(?i:{_WORDS['living']})(?:[ ](?i:en|de|del|desde|a)|:)[ ]+"
_LIVES_IN = Context(rf"(?:^|\n|\b{_LIVES}|\()$")
_TOWN_BEFORE = Context(r"(?:[,.;-]|\n|\t|[ ]{2}|\d|[|]|[oa])[ \t]*$")


def _before_town(hit: Hit) -> bool:
    """Five digits of a Spanish province before a capitalised word, after the end of an address."""
    if not whole(hit) or not 1 <= int(hit.value[:2]) <= 52:
        return False
    if hit.before(1) == "-" and hit.before(2)[:1].isalnum():
        return False
    begins = _TOWN_BEFORE.search(hit.before(6)) or _LIVES_IN.search(hit.before(32)) or _of_town(hit)
    return begins and not _OTHER_BEFORE.search(hit.before(24))


def _of_town(hit: Hit) -> bool:
    """The town behind is a listed one, and the code one of its province."""
    towns = load_places().named.get(fold(hit.groups["town"]), ())
    return any(one.country == "ES" and hit.value.startswith(one.prefix) for one in towns)


def _behind_town(hit: Hit) -> bool:
    return whole(hit) and _of_town(hit)


def _behind_street(hit: Hit) -> bool:
    """Five digits of a Spanish province behind a street and its number."""
    return whole(hit) and 1 <= int(hit.value[:2]) <= 52 and hit.before(3)[:1].isalnum()


CONTACT = (
    Pattern("telefono", 1, T.PHONE, r"(?P<v>" + _SPAIN + _EXT + ")", spain, label=_TEL),
    Pattern("fax-es", 1, T.FAX, r"(?P<v>" + _SPAIN + _EXT + ")", fax_number, ("f",), label=_FAX),
    Pattern(
        "telefono", 1, T.PHONE,
        rf"(?i)\b{_LABEL}[ \t]*(?:{_WORDS['between']})?[ \t]*[:.=\-|)]*[ \t]*{_GROUPS}{_EXT}",
        by_label, (), 0.9, _TEL,
    ),
    Pattern(
        "fax-es", 1, T.FAX,
        rf"(?i)\bfax(?:es)?[ \t]*(?:no\.?|num\.?|al|a|de)?[ \t]*[:.=\-|)]*[ \t]*{_GROUPS}",
        by_label, ("fax",), 0.9, _FAX,
    ),
    Pattern(
        "telefono", 1, T.PHONE,
        r"(?P<v>\d{3}[ -]\d{3}[ -]\d{2}[ -]\d{2}|3\d{2}[ -]\d{7}|\d{3,4}[ ]\d{2,3}-\d{4}"
        r"|\d{4}-15\d{6}|0\d{3,4}[ ]15-\d{3}-\d{3,4}|\d{3}[ ]\d{3}[ ]\d{2}-?\d{4}"
        r"|\d{3}[-]\d{3}[ ]\d{2}[ ]\d{2}|\d{3}-\d{2}-\d-\d{2}-\d{2}|\d{3}[/.]\d{2}\.\d{2}\.\d{2})",
        loose, (), 0.8, _TEL,
    ),
    Pattern(
        "telefono", 1, T.PHONE,
        r"(?P<v>[2-9]\d{3}-\d{4})",
        lambda h: loose(h) and not h.value.startswith("20"), ("-",), 0.6, _TEL,
    ),
    Pattern(
        "telefono", 1, T.PHONE,
        r"(?i)\b(?:al|a la|el)[ ](?P<v>\d{2,3}[ ]\d{3}[ ]\d{3,4}|\d{8,10})",
        number, ("al ", "el ", "a la "), 0.6, _TEL,
    ),
    Pattern(
        "telefono", 1, T.PHONE,
        r"(?P<v>\(\d{2,5}\)[ ]?\d{2,4}[ -]?\d{2,4}(?:[ -]?\d{2,4})?)",
        bracketed, ("(",), 0.8, _TEL,
    ),
    Pattern(
        "telefono-ext", 1, T.PHONE,
        r"(?i)(?:ext(?:ension)?|anexo|interno|int|busca|bip)\.?[ \t:#]*(?P<v>\d{3,6})",
        labelled, ("ext", "anexo", "int", "busca", "bip"), 0.8, _TEL,
    ),
    Pattern(
        "telefono-ext", 1, T.PHONE,
        r"\d{4}[ ,]{1,2}(?i:int(?:erno)?|anexo|ext)\.?[ ]?(?P<v>\d{2})",
        whole, ("int", "anexo", "ext"), 0.8, _TEL,
    ),
    Pattern(
        "telefono-hablado", 1, T.PHONE,
        rf"(?i)\b(?P<v>{_DIGIT}(?:[ ,]{{1,3}}{_DIGIT}){{6,13}})\b",
        whole, (), 0.7, _TEL,
    ),
    Pattern(
        "calle", 1, T.STREET,
        rf"(?:^|[^A-Za-z0-9])(?P<v>{_KIND}(?:{_WORD}[ ]*){{1,6}}?{_TAIL}{_FLOOR}{{0,4}})",
        street, label="CALLE",
    ),
    Pattern(
        "codigo-postal", 1, T.ZIP,
        r"(?i)\b(?:c\.?[ ]?p\.?|codigos? postal(?:es)?|cod\.? postal)[ \t]*[:.]*[ \t]*"
        rf"(?P<v>\d{{4,5}}|{MASKED_ZIP})",
        whole, ("c", "postal"), label="TERRITORIO",
    ),
    Pattern(
        "codigos-postales", 1, T.ZIP,
        r"(?P<v>\d{5})",
        _listed, ("c", "postal"), 0.9, "TERRITORIO",
    ),
    Pattern(
        "codigo-postal", 1, T.ZIP,
        r"(?P<v>\d{5})[ \t]*[-,|(]?[ \t]*\(?(?P<town>[A-Z][A-Za-z]{2,})",
        _before_town, (), 0.7, "TERRITORIO",
    ),
    Pattern(
        "codigo-postal", 1, T.ZIP,
        r"(?P<town>[A-Z][A-Za-z]{2,})[ ,]{1,2}\(?(?P<v>\d{5})",
        _behind_town, (), 0.7, "TERRITORIO",
    ),
    Pattern(
        "codigo-postal", 1, T.ZIP,
        rf"\b(?i:{_KIND})[^\n]{{2,40}},[ ](?P<v>\d{{5}})",
        _behind_street, (), 0.7, "TERRITORIO",
    ),
    Pattern("codigo-postal", 1, T.ZIP, rf"\b{_LIVES}(?P<v>\d{{5}})", postal, (), 0.7, "TERRITORIO"),
)  # fmt: skip
