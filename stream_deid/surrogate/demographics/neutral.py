"""Neutral words, for a sex and for what has no kind of its own."""

from __future__ import annotations

from types import MappingProxyType

from stream_deid.lists.sexes import NEUTRAL
from stream_deid.text.canonical import first_like, like_case, words
from stream_deid.text.folding import fold


def is_sex(text: str) -> bool:
    """Whether a value is a word or letter for a sex."""
    return fold(text).strip().rstrip(".") in NEUTRAL


_OTHER_NEUTRAL = MappingProxyType({"paciente": "persona", "patient": "person"})


def sex(text: str, language: str, before: str = "") -> str:
    """A neutral word of the same form, and none that stands right before it."""
    core = text.strip()
    made = NEUTRAL.get(fold(core).rstrip("."))
    if made is None:
        made = "person" if language == "en" else "paciente"
        if fold(core) == made:
            made = "patient" if language == "en" else "individuo"
    said = words(before)
    if said and said[-1].key == made:
        made = _OTHER_NEUTRAL.get(made, made)
    return text.replace(core, like_case(core, first_like(core, made)) if len(core) > 1 else made)


def other(language: str, text: str) -> str:
    """A neutral phrase for what has no kind of its own."""
    value = "otro dato" if language == "es" else "other detail"
    if value in fold(text):
        value = "dato reservado" if language == "es" else "withheld detail"
    return like_case(text.strip(), value)
