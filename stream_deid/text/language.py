"""Which language a note is in; a message that names its language is believed.

By lingua (n-grams of one to five letters), held to the configured languages; another than the
first must be likely. On pieces of the hand-written notes English is known in 98, 99 and 99.7 % of
cases at 30, 60 and 120 characters, Spanish in 84, 94 and 98 %, both in 99.9 % at 1,000; counting
function words, which stood here before, took every thirtieth English note of 1,000 characters
for Spanish.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import cache

from lingua import IsoCode639_1, Language, LanguageDetector, LanguageDetectorBuilder

_SAMPLE_CHARS = 3_000
_LIKELY = 0.65


def guess(text: str, languages: Collection[str]) -> str:
    """The likeliest of `languages`; the first where the text says too little (numbers, few words).

    `languages`: ISO 639-1 codes in order of preference, at least one.
    """
    ordered = tuple(languages)
    if len(ordered) == 1:
        return ordered[0]
    likely = _detector(ordered).compute_language_confidence_values(text[:_SAMPLE_CHARS])[0]
    if likely.value < _LIKELY:
        return ordered[0]
    return likely.language.iso_code_639_1.name.lower()


@cache
def _detector(codes: tuple[str, ...]) -> LanguageDetector:
    known = [Language.from_iso_code_639_1(getattr(IsoCode639_1, code.upper())) for code in codes]
    return LanguageDetectorBuilder.from_languages(*known).with_preloaded_language_models().build()
