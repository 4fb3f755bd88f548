"""Linear-time patterns for identifiers of fixed form, a room a subject, a file a family.

`Patterns(language)` runs all of one language; each detection names the pattern that found it.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from stream_deid.detect.patterns.ages import old as ages_old
from stream_deid.detect.patterns.ages import plain as ages_plain
from stream_deid.detect.patterns.ages import told as ages_told
from stream_deid.detect.patterns.base import Bank, Pattern
from stream_deid.detect.patterns.contact import es as contact_es
from stream_deid.detect.patterns.contact import network, telephones
from stream_deid.detect.patterns.dates import digits as dates_digits
from stream_deid.detect.patterns.dates import en as dates_en
from stream_deid.detect.patterns.dates import en_other as dates_en_other
from stream_deid.detect.patterns.dates import es as dates_es
from stream_deid.detect.patterns.dates import lettered as dates_lettered
from stream_deid.detect.patterns.dates import moments as dates_moments
from stream_deid.detect.patterns.dates import pairs as dates_pairs
from stream_deid.detect.patterns.dates import parts as dates_parts
from stream_deid.detect.patterns.dates import weeks as dates_weeks
from stream_deid.detect.patterns.dates import years as dates_years
from stream_deid.detect.patterns.ids import es as ids_es
from stream_deid.detect.patterns.ids import forms, labelled, secrets, social_security, universal
from stream_deid.detect.patterns.names import chat as names_chat
from stream_deid.detect.patterns.names import cues as names_cues
from stream_deid.detect.patterns.names import eponyms as names_eponyms
from stream_deid.detect.patterns.names import es as names_es
from stream_deid.detect.patterns.names import initials as names_initials
from stream_deid.detect.patterns.names import sentences as names_sentences
from stream_deid.detect.patterns.names import small as names_small
from stream_deid.detect.patterns.names import spelled as names_spelled
from stream_deid.detect.patterns.names import spoken as names_spoken
from stream_deid.detect.patterns.names import titled as names_titled
from stream_deid.detect.patterns.places import (
    addresses,
    coordinates,
    crossings,
    facilities,
    licences,
    rooms,
    towns,
)
from stream_deid.errors import Halt
from stream_deid.note import Detection, Note
from stream_deid.text.view import View

PATTERNS: dict[str, tuple[Pattern, ...]] = {
    "en": (
        *dates_digits.DATES,
        *dates_years.COUNTED,
        *dates_moments.MOMENTS,
        *dates_weeks.WEEKS,
        *dates_pairs.ENGLISH,
        *dates_lettered.ENGLISH,
        *dates_en.DATES,
        *dates_en_other.DATES,
        *dates_years.YEARS,
        replace(dates_es.DATES[0], needs=(" de ",), label=""),
        *network.NETWORK,
        *universal.UNIQUE,
        *secrets.SECRETS,
        *telephones.CONTACT,
        *social_security.SOCIAL_SECURITY,
        *labelled.LABELLED,
        *forms.FORMS,
        *coordinates.COORDINATES,
        *addresses.PLACES,
        *crossings.CROSSINGS,
        *licences.LICENSING,
        *facilities.ENGLISH,
        *towns.ENGLISH,
        *rooms.ROOMS,
        *ages_plain.ENGLISH,
        *ages_old.ENGLISH,
        *ages_told.ENGLISH,
        *names_titled.ENGLISH,
        *names_initials.ENGLISH,
        *names_chat.SPEAKERS,
        *names_spelled.SPELLED,
        *names_spoken.ENGLISH,
        *names_cues.ENGLISH,
        *names_sentences.ENGLISH,
        *names_eponyms.ENGLISH,
    ),
    "es": (
        *dates_digits.DATES,
        *dates_years.COUNTED,
        *dates_moments.MOMENTS,
        *dates_weeks.WEEKS,
        *dates_pairs.SPANISH,
        *dates_lettered.SPANISH,
        *dates_es.DATES,
        *dates_parts.PARTS,
        *dates_years.SPANISH,
        *network.NETWORK,
        *universal.UNIQUE,
        *secrets.SECRETS,
        *telephones.CONTACT,
        *contact_es.CONTACT,
        *facilities.SPANISH,
        *ids_es.IDS,
        *coordinates.COORDINATES,
        *addresses.STATE_BEFORE_ZIP,
        *towns.SPANISH,
        *ages_plain.SPANISH,
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
