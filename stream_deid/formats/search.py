"""What stays as it came, searched for the message's own known values and for fixed forms.

A code, a unit, a display is not read by models: a short field is no note, and a changed code
falsifies. But a surname in a local code's display, a social security number in a field beside its
own, must not leave. Known values are looked for as a whole: in words of public vocabularies only
names in full (Mr Hodgkin's lymphoma is Hodgkin lymphoma), elsewhere single names that are no words.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import Protocol, TypeVar

from stream_deid.budget import check
from stream_deid.detect.record.known import KnownIdentifiers
from stream_deid.detect.record.people import NAMES
from stream_deid.detect.record.written_forms import number_key
from stream_deid.formats import fixed_forms
from stream_deid.labels import NUMBERS, PhiType
from stream_deid.lists.eponyms import EPONYMS
from stream_deid.lists.known_words import COMMON
from stream_deid.lists.titles import written
from stream_deid.note import Detection, Known, Note, Span, disjoint
from stream_deid.text import days
from stream_deid.text.linear import linear

_JOIN = "\n\n"
_ISO = len("2024-03-15")
_LEAST = 6  # letters and digits of a number that is found inside a longer value
_APART = 3  # characters between two names of one person
_LEAST_SMALL = 5  # letters of a name in small letters, as codes and addresses write it
_CERTAIN = frozenset({PhiType.DATE, PhiType.EMAIL, PhiType.URL, PhiType.USERNAME, PhiType.IPADDR})

_TITLED = linear(
    r"(?:^|[\s(,;])(?:D[Rr]a?\.?|(?:Mrs?|Ms|Sra?)\.|Do[nñ]a)\s+"
    r"((?:\p{Lu}\.\s?)?\p{Lu}\pL{2,}(?:[ -]\p{Lu}\pL+){0,2})(?:$|[^\pL])"
)
_CREDENTIALLED = linear(
    r"(?:^|[^\pL-])(\p{Lu}\p{Ll}+(?: \p{Lu}\.)?[ -]\p{Lu}\p{Ll}+),? "
    rf"(?:{written('search')})(?:$|[^\pL])"
)
"""A person by a title or a credential, whom no vocabulary names."""


class Kept(Protocol):
    """A string that stays; `public`: it is a vocabulary's own word or code."""

    @property
    def text(self) -> str: ...
    @property
    def public(self) -> bool: ...


K = TypeVar("K", bound=Kept)


def hits(
    kept: Sequence[K], known: Sequence[Known], *, dated: bool = True
) -> Iterator[tuple[K, list[Span]]]:
    """The kept strings in which something identifies, with the stretches that do, in order.

    `dated`: days that nobody states count too.
    """
    texts = [one.text for one in kept]
    starts, at = [], 0
    for text in texts:
        starts.append(at)
        at += len(text) + len(_JOIN)
    found: dict[int, list[Span]] = {}
    for detection in _known(_JOIN.join(texts), known):
        index = bisect_right(starts, detection.start) - 1
        start, end = detection.start - starts[index], detection.end - starts[index]
        if end <= len(texts[index]):
            found.setdefault(index, []).append(Span(start, end, detection.type))
    for index, (one, text) in enumerate(zip(kept, texts, strict=True)):
        check()
        spans = [
            *(span for span in fixed_forms.found(text) if dated or span.type is not PhiType.DATE),
            *_titled(text),
            *(_days(one, text) if dated else ()),
            *_counted(one, text, found.get(index, [])),
        ]
        if spans:
            yield one, disjoint(spans)


def numbers(known: Sequence[Known]) -> frozenset[str]:
    """The message's own numbers, as a JSON number may be one (`is_known`)."""
    return frozenset(number_key(one.value) for one in known if one.type in NUMBERS)


def is_known(text: str, own: frozenset[str]) -> bool:
    """Whether a JSON number is one of the message's own."""
    digits = text.lstrip("-")
    return len(digits) > _LEAST and digits in own


def _known(text: str, known: Sequence[Known]) -> list[Detection]:
    asked = Note("", "", (), "en", known=tuple(known))
    found = KnownIdentifiers().detect(text, asked) if known else []
    return [one for one in found if one.score >= 1.0]


def _titled(text: str) -> Iterator[Span]:
    """Persons who are called so by their title or credential."""
    for pattern in (_TITLED, _CREDENTIALLED):
        for match in pattern.finditer(text):
            yield Span(match.start(1), match.end(1), PhiType.DOCTOR)


def _days(one: Kept, text: str) -> Iterator[Span]:
    """Days in figures and in words, outside of public vocabularies, whose codes are figures."""
    for start, end in () if one.public else days.named(text):
        yield Span(start, end, PhiType.DATE)
    for start, end, alone in () if one.public else days.compact(text):
        yield Span(start, end, PhiType.DATE if alone or end - start == _ISO else PhiType.IDNUM)


def _counted(one: Kept, text: str, spans: Sequence[Span]) -> Iterator[Span]:
    """The hits that count in this string."""
    beside = _Beside(spans, text)
    for span in spans:
        value = text[span.start : span.end]
        if span.type in NAMES:
            if beside.another(span) or (not one.public and _is_a_name(value)):
                yield span
        elif span.type in NUMBERS or span.type is PhiType.ZIP:
            size = sum(c.isalnum() for c in value)
            whole = value == text.strip()
            if not one.public and (size >= _LEAST or (whole and span.type is not PhiType.ZIP)):
                yield span
        elif (
            span.type in _CERTAIN or span.type is PhiType.DATE or (" " in value and not one.public)
        ):
            yield span


class _Beside:
    """Names by where they begin and end."""

    def __init__(self, spans: Sequence[Span], text: str) -> None:
        self._text = text
        self._at: dict[tuple[bool, int], list[Span]] = {}
        for span in spans:
            self._at.setdefault((True, span.start), []).append(span)
            self._at.setdefault((False, span.end), []).append(span)

    def another(self, span: Span) -> bool:
        """Whether another name of the same kind stands beside this one."""
        low = self._low(span)
        return any(
            other.type is span.type and self._low(other) != low
            for apart in range(_APART + 1)
            for key in ((True, span.end + apart), (False, span.start - apart))
            for other in self._at.get(key, ())
        )

    def _low(self, span: Span) -> str:
        return self._text[span.start : span.end].casefold()


def _is_a_name(value: str) -> bool:
    low = value.casefold()
    least = 3 if value[:1].isupper() else _LEAST_SMALL
    return len(low) >= least and low not in COMMON and low not in EPONYMS
