"""Linear-time patterns for identifiers of fixed form, one file a family.

`Patterns(language)` runs all of one language; each detection names the pattern that found it.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from stream_deid.detect.patterns import (
    ages,
    ages_old,
    ages_told,
    contact,
    contact_es,
    coordinates,
    dates,
    dates_en,
    dates_en_other,
    dates_es,
    dates_lettered,
    dates_pairs,
    dates_years,
    facilities,
    ids_es,
    ids_forms,
    ids_labelled,
    moments,
    names,
    names_chat,
    names_cues,
    names_eponyms,
    names_es,
    names_initials,
    names_sentences,
    names_small,
    names_spelled,
    names_spoken,
    network,
    places,
    places_crossings,
    rooms,
    secrets,
    social_security,
    towns,
    universal_ids,
)
from stream_deid.detect.patterns.base import Bank, Pattern
from stream_deid.errors import Halt
from stream_deid.note import Detection, Note
from stream_deid.text.view import View

PATTERNS: dict[str, tuple[Pattern, ...]] = {
    "en": (
        *dates.DATES,
        *dates_years.COUNTED,
        *moments.MOMENTS,
        *dates_pairs.ENGLISH,
        *dates_lettered.ENGLISH,
        *dates_en.DATES,
        *dates_en_other.DATES,
        *dates_years.YEARS,
        replace(dates_es.DATES[0], needs=(" de ",), label=""),
        *network.NETWORK,
        *universal_ids.UNIQUE,
        *secrets.SECRETS,
        *contact.CONTACT,
        *social_security.SOCIAL_SECURITY,
        *ids_labelled.LABELLED,
        *ids_forms.FORMS,
        *coordinates.COORDINATES,
        *places.PLACES,
        *places_crossings.CROSSINGS,
        *towns.ENGLISH,
        *rooms.ROOMS,
        *ages.ENGLISH,
        *ages_old.ENGLISH,
        *ages_told.ENGLISH,
        *names.ENGLISH,
        *names_initials.ENGLISH,
        *names_chat.SPEAKERS,
        *names_spelled.SPELLED,
        *names_spoken.ENGLISH,
        *names_cues.ENGLISH,
        *names_sentences.ENGLISH,
        *names_eponyms.ENGLISH,
    ),
    "es": (
        *dates.DATES,
        *dates_years.COUNTED,
        *moments.MOMENTS,
        *dates_pairs.SPANISH,
        *dates_lettered.SPANISH,
        *dates_es.DATES,
        *dates_years.SPANISH,
        *network.NETWORK,
        *universal_ids.UNIQUE,
        *secrets.SECRETS,
        *contact.CONTACT,
        *contact_es.CONTACT,
        *facilities.SPANISH,
        *ids_es.IDS,
        *coordinates.COORDINATES,
        *places.STATE_BEFORE_ZIP,
        *towns.SPANISH,
        *ages.SPANISH,
        *ages_old.SPANISH,
        *ages_told.SPANISH,
        *names_chat.SPEAKERS,
        *names_spelled.SPELLED,
        *names_spelled.TOLD,
        *names_es.NAMES,
        *names_initials.SPANISH,
        *names_cues.SPANISH,
        *names_eponyms.SPANISH,
    ),
}

_NAMES = frozenset(
    (names_small.NAME, *(pattern.name for patterns in PATTERNS.values() for pattern in patterns))
)


def is_pattern(detector: str) -> bool:
    """Whether `detector` (`name@version`) is one of the patterns of any language."""
    return detector.partition("@")[0] in _NAMES


@cache
def _bank(language: str) -> Bank:
    """The patterns of a language, made ready once: what a search found out about their automata
    serves all pipelines of a process.
    """
    return Bank(PATTERNS[language])


class Patterns:
    """All patterns of one language ("en", "es"; "es-MX" counts as "es")."""

    name = "patterns"
    version = "1"

    def __init__(self, language: str) -> None:
        key = language.split("-", maxsplit=1)[0].split("_", maxsplit=1)[0].lower()
        if key not in PATTERNS:
            raise Halt("patterns.language", f"no patterns for language {language!r}")
        self.language = key
        self.patterns = PATTERNS[key]
        self._bank = _bank(key)

    def detect(self, text: str, note: Note | None = None) -> list[Detection]:  # noqa: ARG002 (the protocol)
        """Every value that a pattern finds in `text`, overlaps included."""
        if not text:
            return []
        view = View(text)
        return [*self._bank.run(view), *names_small.in_small_letters(view)]
