"""Which language a note is in; a message that names its language is believed.

By lingua (n-grams of one to five letters), held to the configured languages; another than the
first must be likely. On pieces of the hand-written notes English is known in 98, 99 and 99.7 % of
cases at 30, 60 and 120 characters, Spanish in 84, 94 and 98 %, both in 99.9 % at 1,000; counting
function words, which stood here before, took every thirtieth English note of 1,000 characters
for Spanish. Words do tell that a text is in neither: of 4,124 hand-written notes, texts that
suffered and bilingual ones among them, none has more than two words of another language.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection, Mapping
from functools import cache
from importlib.resources import files
from unicodedata import normalize

from lingua import IsoCode639_1, Language, LanguageDetector, LanguageDetectorBuilder

_SAMPLE_CHARS = 3_000
_LIKELY = 0.65
_WORD = re.compile(r"[^\W\d_]+")
_LEAST_FOREIGN = 4
"""Different words of another language, as many as there are of ours: it is in that one."""
_LATIN_ENDS, _STRANGE_SHARE = "\u024f", 0.3


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


def foreign(text: str, languages: Collection[str]) -> str:
    """The language that a text is in where it is surely none of `languages`; "" otherwise.

    ISO 639-1, or `und` for letters of another script.
    """
    words = [word.lower() for word in _WORD.findall(normalize("NFKC", text[:_SAMPLE_CHARS]))]
    letters = sum(map(len, words))
    strange = sum(char > _LATIN_ENDS for word in words for char in word)
    if strange > _STRANGE_SHARE * letters:
        return "und"
    table = _function_words()
    own = sum(word in table["own"] for word in words)
    for code, theirs in table.items():
        if code in languages or code == "own":
            continue
        found = [word for word in words if word in theirs]
        if len(set(found)) >= _LEAST_FOREIGN and len(found) >= own:
            return code
    return ""


@cache
def _function_words() -> Mapping[str, frozenset[str]]:
    source = files(__package__).joinpath("foreign.toml").read_text("utf-8")
    return {code: frozenset(words.split()) for code, words in tomllib.loads(source).items()}


@cache
def _detector(codes: tuple[str, ...]) -> LanguageDetector:
    known = [Language.from_iso_code_639_1(getattr(IsoCode639_1, code.upper())) for code in codes]
    return LanguageDetectorBuilder.from_languages(*known).with_preloaded_language_models().build()
