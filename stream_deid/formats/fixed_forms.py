"""Identifiers and days that are known by their form alone, wherever they stand.

None is cut out of a longer number. The end of a sentence may follow; letters may lead where no code
is made so (`SSN123-45-6789`): what is in doubt is hidden.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from stream_deid.labels import PhiType
from stream_deid.note import Span

_LETTER = "[AC-HJKMNP-RT-Y]"
_EITHER = "[0-9AC-HJKMNP-RT-Y]"
_MEDICARE = rf"[1-9]{_LETTER}{_EITHER}[0-9]-?{_LETTER}{_EITHER}[0-9]-?{_LETTER}{{2}}[0-9]{{2}}"
"""A Medicare Beneficiary Identifier (`1EG4-TE5-MK73`): eleven signs, each of its own kind. Source:
Centers for Medicare & Medicaid Services, Understanding the MBI Format.
"""
_AREA = r"(?:\(\d{3}\) ?|\d{3}[ .-])"
_YEAR = "(?:19|20)[0-9]{2}"
_ISO = rf"{_YEAR}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])"

_NUMBER = r"(?<![\d-]){}(?![\d-])"
_DAY = r"(?<![\d-])(?<!\d\.){}(?![\d-])(?!\.\d)"
_CODE = r"(?<![A-Za-z0-9_-])(?<!\d\.){}(?![A-Za-z0-9_-])(?!\.\w)"
_IN_NO_PATH = r"(?<![A-Za-z0-9_./-]){}(?:(?![A-Za-z0-9_/-])(?!\.\w)|(?=T\d\d:))"

FORMS = (
    (PhiType.SSN, re.compile(_NUMBER.format(r"\d{3}-\d{2}-\d{4}"))),
    (PhiType.DATE, re.compile(_DAY.format(rf"\d{{1,2}}[-/.]\d{{1,2}}[-/.]{_YEAR}"))),
    (PhiType.DATE, re.compile(_IN_NO_PATH.format(_ISO))),
    (PhiType.HEALTHPLAN, re.compile(_CODE.format(_MEDICARE))),
    (PhiType.EMAIL, re.compile(r"[\w.+-]{1,64}@[\w+-]{1,64}(?:\.[\w+-]{1,64}){1,8}")),
    (PhiType.PHONE, re.compile(rf"(?<![\d.-])(?:\+1[ .-]?)?{_AREA}\d{{3}}[ .-]\d{{4}}(?![\d-])")),
)


def found(text: str) -> Iterator[Span]:
    """Where a text holds one of the forms."""
    if any(c.isdecimal() for c in text) or "@" in text:
        for phi, form in FORMS:
            yield from (Span(*match.span(), phi) for match in form.finditer(text))
