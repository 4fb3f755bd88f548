"""What opens an account: words that let in, account numbers of banks, cards.

password = label [":" | "is"] word              'password tractor', 'pw "pickle"'
iban     = country check groups                 "ES91 2100 0418 4502 0005 1332", proved by its check
code     = "CVV" | "security code" ... three or four figures
card     = 13 to 19 figures in groups of four, proved by Luhn's check
         | name of a card [words] "ending in" four figures        "Visa ending in 4471"
encoded  = 40 signs of base64 and more | 48 figures of base 16 and more: what they say, nobody reads
         | what is left of them on the next line: fours of signs, as no word has them
"""

from __future__ import annotations

import re
from itertools import pairwise

from stream_deid.detect.patterns.base import Context, Hit, Pattern, whole
from stream_deid.labels import PhiType
from stream_deid.lists.vocabulary import Vocabulary
from stream_deid.text import check_digits

_WORDS = Vocabulary("secrets")
_NO_VALUE = _WORDS.words("no_secret")
_QUOTES = "\"'`"
_LEAST_CARD = 13
_ISSUERS = frozenset(
    (*range(2221, 2721), *range(3000, 7000))
)  # of cards, by four figures (ISO/IEC 7812)


def password(hit: Hit) -> bool:
    """What stands behind the label and isn't said of it ("password reset")."""
    word = hit.value.lower().strip(".")
    if not whole(hit) or word in _NO_VALUE:
        return False
    return not word.isdecimal() or len(word) > 3


def card_code(hit: Hit) -> bool:
    """The whole figures behind "CVV", and no measure."""
    after = hit.after(2)
    if not whole(hit) or (after[:1] in (".", ",", "/", "-") and after[1:].isdecimal()):
        return False
    return not _MEASURED.match(hit.after(_UNIT_REACH))


_MEASURED = Context(r"(?i)^[ ]?(?:m[gl]\b|mcg|mm|cm|%|ml|/)")
_UNIT_REACH = 6


def short_label(hit: Hit) -> bool:
    """Behind "pw" only what is quoted or stands behind a colon: it is the posterior wall too."""
    marked = hit.before(1) in _QUOTES or hit.before(2).rstrip()[-1:] in (":", "=")
    measured = hit.value[:1].isdecimal() and _MEASURE.match(hit.value + hit.after(6))
    return marked and not measured and password(hit)


_MEASURE = Context(
    r"(?i)^\d{1,3}(?:[.,]\d{1,2})?[ ]?(?:mm|cm|m/s)?$|^\d{1,3}[.,]\d|^\d{1,3}[ ]?(?:mm|cm)"
)


def iban(hit: Hit) -> bool:
    """Its figures and letters leave 1 modulo 97 (ISO 13616)."""
    shown = "".join(c for c in hit.value.upper() if c.isalnum())
    return whole(hit) and check_digits.mod_97(shown[4:] + shown[:4]) == 1


def card(hit: Hit) -> bool:
    """An issuer of cards begins it and its figures satisfy Luhn's check (ISO/IEC 7812): a moment
    ("20240405101500") may satisfy the check alone.
    """
    digits = "".join(filter(str.isdecimal, hit.value))
    return (
        whole(hit)
        and len(digits) >= _LEAST_CARD
        and int(hit.value[:4]) in _ISSUERS
        and hit.before(1) not in ("-", ".")
        and check_digits.luhn(digits)
    )


def encoded(hit: Hit) -> bool:
    """Signs that say something, as no word and no path has them."""
    return _says(hit.value)


def encoded_end(hit: Hit) -> bool:
    """The last line of what is encoded, alone on it: padded, or fours of signs of several kinds."""
    before = hit.before(_LOOK_BACK).split()
    if not before or not _says(before[-1]):
        return False
    if hit.value.endswith("="):
        return True
    several = any(a.islower() and not b.islower() for a, b in pairwise(hit.value))
    figures = any(map(str.isdecimal, hit.value)) and not hit.value.isdecimal()
    return len(hit.value) % 4 == 0 and (several or figures)


def _says(value: str) -> bool:
    """Capitals, small letters and figures by turns; or all of it figures of base 16."""
    kinds = [(c.isupper(), c.islower(), c.isdecimal()) for c in value]
    turns = sum(a != b for a, b in pairwise(kinds))
    figures = sum(c.isdecimal() for c in value)
    mixed = any(map(str.isupper, value)) and any(map(str.islower, value))
    based = not _NO_FIGURE.search(value) and len(value) >= _LEAST_FIGURES
    return 0 < figures < len(value) and turns * 4 > len(value) and (mixed or based)


_LOOK_BACK = 96

_NO_FIGURE = re.compile(r"[^0-9a-f]", re.IGNORECASE)
_LEAST_FIGURES = 48
_IS = r"[ \t]*(?:[:=]|(?i:is|was|are|es|era)\b)?[ \t]*[\x22'`]?"
_VALUE = r"(?P<v>[A-Za-z0-9@!#$%&*_.+-]{2,30}[A-Za-z0-9!#$*])"

SECRETS = (
    Pattern(
        "password", 1, PhiType.USERNAME,
        rf"(?i)\b(?:{_WORDS['labels']}){_IS}{_VALUE}",
        password, ("pass", "pwd", "contras", "clave", "code", "word", "palabra"), 0.9,
    ),
    Pattern(
        "password", 1, PhiType.USERNAME,
        rf"(?i)\b(?:{_WORDS['short_labels']})[ \t]*[:=]?[ \t]*[\x22'`]?{_VALUE}",
        short_label, ("pw", "clave", "pin"), 0.9,
    ),
    Pattern(
        "iban", 1, PhiType.ACCOUNT,
        r"(?P<v>[A-Z]{2}\d{2}(?:[ -]?[A-Z0-9]{4}){2,7}(?:[ -]?[A-Z0-9]{1,3})?)",
        iban,
    ),
    Pattern(
        "card", 1, PhiType.ACCOUNT,
        r"(?P<v>\d{4}(?:[ -]?\d{4}){2,3}(?:[ -]?\d{1,3})?|3[47]\d\d[ -]?\d{6}[ -]?\d{5})",
        card,
    ),
    Pattern("encoded", 1, PhiType.IDNUM, r"(?P<v>[A-Za-z0-9+/]{40,}={0,2})", encoded),
    Pattern(
        "encoded-end", 1, PhiType.IDNUM,
        r"[A-Za-z0-9+/]{40}[ \t]*\r?\n[ \t]*(?P<v>[A-Za-z0-9+/]{2,39}={0,2})[ \t]*"
        r"(?:[\r\n\x22'<]|$)",
        encoded_end,
    ),
    Pattern(
        "card-code", 1, PhiType.ACCOUNT,
        rf"(?i)\b(?:{_WORDS['card_codes']})(?:[ ](?:code|is|es|no\.?)|[ :#=.-])*(?P<v>\d{{3,4}})",
        card_code, (), 0.9,
    ),
    Pattern(
        "card-ends", 1, PhiType.ACCOUNT,
        rf"(?i)\b(?:{_WORDS['cards']})\b[^.\n0-9]{{0,16}}\b(?:{_WORDS['ending']})[ ]*"
        r"(?P<v>\d{4})\b",
        whole, (), 0.9,
    ),
)  # fmt: skip
