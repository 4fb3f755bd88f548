"""Names as exports and scans write them, read as people do: the surrogate of one is a plain name.

joined = word{2,} without blanks, each with a capital      RicardoLuisVazquezOtero  DraPilarSouto
ranked  = name [","] rank | rank name                      Lucía R2  "G. Mas, R3"
aged    = kin ... name age                                 "kids Zion 7", of which the age stays
misread = a word in which digits stand for letters         Gonzá1ez  Be1én  MART1NEZ

Joined words are joined again; of misread ones nothing is misread again, for a digit that stayed in
its place would tell how long what stands before it is.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from stream_deid.lists.people import is_listed_name
from stream_deid.lists.vocabulary import Vocabulary
from stream_deid.text.folding import fold
from stream_deid.text.readings import as_letters

_WORDS = Vocabulary("names_written", "surrogates")
_PREFIXES = _WORDS.words("prefixes")
_HUMP = re.compile(r"[A-ZÀ-ÖØ-Þ][a-zß-öø-ÿ'’]+")
_JOINED = re.compile(r"(?:[A-ZÀ-ÖØ-Þ][a-zß-öø-ÿ]+){2,8}")
_MISREAD = re.compile(r"(?<![\w@./-])(?=[^\W\d_]+\d)\w{4,40}(?![\w@/])")
_INSIDE = re.compile(r"[^\W\d_]\d{1,2}[^\W\d_]")
_SCANNED = str.maketrans("01358", "olesb")
_LEAST_LETTERS = 3
_RANK = re.compile(r"(?:R[1-6]N?|MIR[1-6]?|EIR|BIR|MIP)")
_RANKED = re.compile(rf"{_RANK.pattern}\.?[ ]|[,]?[ ]\(?{_RANK.pattern}\)?$")
_LABEL = re.compile(r"[.,;]?[ ]F$")
_BIRTH = re.compile(r"(?i)\.?[ ]?nac")
_AGED = re.compile(r"([^\d]*[^\W\d_])[ ](?:1?\d)")
_KIDS = re.compile(rf"\b(?:{_WORDS['kids']})\b[^.;\n]*$")


def rendered(text: str, render: Callable[[str], str]) -> str:
    """`render` of a name, which may be joined or misread as exports and scans do."""
    humps = _HUMP.findall(text) if _JOINED.fullmatch(text) else []
    if len(humps) > 2 or (len(humps) == 2 and fold(humps[0]).lower() not in _PREFIXES):
        made = render(" ".join(humps))
        return "".join(word[0].upper() + word[1:] for word in made.split())
    return render(plain(text))


def before_age(text: str, before: str) -> tuple[int, int] | None:
    """Where a child's name stands before its age, behind words for such ("kids Zion 7")."""
    found = _AGED.fullmatch(text) if _KIDS.search(fold(before)) else None
    return found.span(1) if found else None


def without_rank(text: str) -> tuple[int, int] | None:
    """Where a name stands beside the year of a resident ("Lucía R2", "R5 Zuriel"), which stays."""
    found = _RANKED.search(text)
    if found is None or (found.start() and found.end() < len(text)):
        return None
    start, end = (found.end(), len(text)) if found.start() == 0 else (0, found.start())
    return (start, end) if any(map(str.isalpha, text[start:end])) else None


def before_label(text: str, after: str) -> tuple[int, int] | None:
    """Where a name stands before the letter of the next label ("RUIZ, ANA. F" before ". Nac.")."""
    found = _LABEL.search(text) if _BIRTH.match(after) else None
    return (0, found.start()) if found is not None and found.start() else None


def plain(text: str) -> str:
    """A name with letters for the digits that a scan made of them."""
    if not any(map(str.isdecimal, text)):
        return text
    return _MISREAD.sub(lambda match: _as_letters(match[0]), text)


def _as_letters(token: str) -> str:
    """A token with letters for the digits inside of it, and at its end where that makes a name."""
    letters = sum(map(str.isalpha, token))
    if letters < _LEAST_LETTERS or letters < 2 * (len(token) - letters):
        return token
    known = next((one for one in as_letters(token) if is_listed_name(fold(one))), "")
    if not known and not (_INSIDE.search(token) and token[-1].isalpha()):
        return token
    read = known or token.lower().translate(_SCANNED)
    if any(map(str.isdecimal, read)):
        return token
    upper = sum(map(str.isupper, token)) > letters // 2
    return read.upper() if upper else read.capitalize() if token[0].isupper() else read
