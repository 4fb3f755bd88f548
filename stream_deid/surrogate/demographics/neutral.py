"""Neutral words, for a sex and for what has no kind of its own."""

from __future__ import annotations

from types import MappingProxyType

from stream_deid.lists.sexes import NEUTRAL
from stream_deid.lists.vocabulary import Vocabulary
from stream_deid.text.canonical import first_like, like_case, words
from stream_deid.text.folding import fold
from stream_deid.text.linear import linear


def is_sex(text: str) -> bool:
    """Whether a value is a word or letter for a sex."""
    return fold(text).strip().rstrip(".") in NEUTRAL


_OTHER_NEUTRAL = MappingProxyType({"paciente": "persona", "patient": "person"})


def sex(text: str, language: str, before: str = "", after: str = "") -> str:
    """A neutral word of the same form, and none that stands right before it."""
    core = text.strip()
    made = NEUTRAL.get(fold(core).rstrip("."))
    if made is None:
        made = "person" if language == "en" else "paciente"
        if fold(core) == made:
            made = "patient" if language == "en" else "individuo"
    said = words(before)
    if language == "es" and len(core) > 1 and _FIELD.search(fold(before)) is not None:
        made = NEUTRAL["masculino"]  # "Sexo: Mujer" becomes "Sexo: No consta"
    if language == "es" and len(core) > 1 and (fits := _beside(core, made, before, after)):
        return text.replace(core, like_case(core, first_like(core, fits)))
    if said and said[-1].key == made:
        made = _OTHER_NEUTRAL.get(made, made)
    return text.replace(core, like_case(core, first_like(core, made)) if len(core) > 1 else made)


def _beside(core: str, made: str, before: str, after: str) -> str:
    """What reads on in a Spanish sentence: behind who somebody is ("lactante masculino") and behind
    "sexo", or at its beginning; nothing in a field and where `made` does.
    """
    last = _LAST_WORD.search(fold(before).lower())
    if last is not None and last[1] in _PERSONS:
        return "de sexo no indicado"
    if made != NEUTRAL["masculino"]:
        return ""
    if last is not None and last[1] in _SEX_WORDS:
        return "no indicado"
    begins = core[:1].isupper() and not core.isupper() and _BEGINS.search(before) is not None
    begins = begins and _GOES_ON.match(after) is not None
    return "paciente" if begins else ""


_LISTS = Vocabulary("demographics_neutral", "surrogates")
_PERSONS, _SEX_WORDS = _LISTS.words("persons"), _LISTS.words("sex_words")
_FIELD = linear(rf"\b(?:{_LISTS['sex_words']}): ?$")
_LAST_WORD = linear(r"([a-z]+) $")
_GOES_ON = linear(r"^,? \p{Ll}")
_BEGINS = linear(r"(?:^|[.;!?\n] ?)$")


def other(language: str, text: str) -> str:
    """A neutral phrase for what has no kind of its own."""
    value = "otro dato" if language == "es" else "other detail"
    if value in fold(text):
        value = "dato reservado" if language == "es" else "withheld detail"
    return like_case(text.strip(), value)
