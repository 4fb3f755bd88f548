"""Kin of a patient: nouns of kinship become neutral, names change, ages as the policy says
(MEDDOCAN's FAMILIARES_SUJETO_ASISTENCIA holds all three).
"""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass, field

from stream_deid.lists.kinds_of_organizations import SPANISH_KIND_WORDS
from stream_deid.lists.lexicon import load_census, load_names, reads_as_word
from stream_deid.lists.titles import PARTICLES, affixes
from stream_deid.lists.vocabulary import Vocabulary
from stream_deid.surrogate import number_words
from stream_deid.surrogate.demographics import ages, neutral
from stream_deid.surrogate.demographics.kinship import is_kin, is_kin_phrase, kin_noun
from stream_deid.surrogate.keys import Scope
from stream_deid.text.canonical import Word, words
from stream_deid.text.folding import fold

_LISTS = Vocabulary("demographics_relatives", "surrogates")

_UNITS = _LISTS.words("units")
_SPANISH_TITLES = affixes("spanish", "title")  # D. Ginés


def is_age(text: str, language: str) -> bool:
    """Whether a RELATIVE span is an age: a number, in figures or words, with or without a unit."""
    tokens = words(text)
    if any(c.isdecimal() for c in text):
        return all(w.key in _UNITS for w in tokens)
    plain = " ".join(w.key for w in tokens if w.key not in _UNITS - {"y"})
    with_unit = tokens and tokens[-1].key in _UNITS
    return bool(with_unit) and fold(plain).strip(" y") in number_words.values(language)


@dataclass(frozen=True, slots=True)
class Relatives:
    """How a note's relatives are replaced.

    `render` gives the surrogate of a name, `parts` the words of one that identify, `scope` the
    surrogate of an age; `kinship` and `under` (its `age_under_90`: a child of four is no child of
    two) as in `Policy`; `persons`: the words (canonical) of the note's persons, of which none stays
    as kinship.
    """

    language: str
    scope: Scope
    render: Callable[[str], str]
    parts: Callable[[str], Sequence[Word]]
    kinship: str
    under: str
    persons: Container[str] = field(default=(), repr=False)

    def relative(self, text: str, *, called: bool = False) -> tuple[str, str]:
        """(surrogate, strategy or nothing) of a RELATIVE span; `called`: whether a word in small
        letters that no list has is a name here.
        """
        if is_age(text, self.language):
            return ages.age(
                text, self.scope, language=self.language, over="generalise", under=self.under
            )
        tokens = words(text)
        keep = self.kinship == "keep" and not any(map(self._may_be_a_name, tokens))
        if keep and is_kin_phrase(text):
            return text, "keep"
        made = self._renamed(text, tokens, keep=keep, called=called)
        if keep and self.language == "es" and made == text and all(map(_only_a_word, tokens)):
            return text, "keep"
        return (made if made != text else neutral.other(self.language, text)), ""

    def _may_be_a_name(self, word: Word) -> bool:
        """Whether a noun of kinship may be somebody's name here (`Nieto`)."""
        if not is_kin(word):
            return False
        return word.key in self.persons or (not word.text.islower() and word.key in load_names())

    def _renamed(self, text: str, tokens: Sequence[Word], *, keep: bool, called: bool) -> str:
        """The text with each word replaced that is one of kinship or of a name."""
        if len(tokens) > 1 and all(map(_is_of_a_name, tokens)):
            return self.render(text)
        pieces: list[str] = []
        last = 0
        telling = {word.start for word in self.parts(text)}
        for word in tokens:
            title = word.key in _SPANISH_TITLES and self.language == "es"
            if title and word.start not in telling:
                continue
            made = self._word(word, keep=keep, called=called, alone=len(tokens) == 1)
            pieces += [text[last : word.start], made]
            last = word.end
        return "".join([*pieces, text[last:]])

    def _word(self, word: Word, *, keep: bool, called: bool, alone: bool) -> str:
        text = word.text
        if is_kin(word):
            return text if keep else kin_noun(word, self.language)
        if word.key in PARTICLES:
            return self.render(text) if alone else text  # "Baby Girl Von"
        if is_kin_phrase(f"madre {text}"):
            return text
        if keep and self.language == "es" and _only_a_word(word):
            return text
        strange = called and not reads_as_word(word.key)
        if text.islower() and not strange and not _is_named(word.key):
            return "familiar" if self.language == "es" else "relative"
        return self.render(text)


def _is_of_a_name(word: Word) -> bool:
    """Whether a word can be one of a name that is written as one, and is no noun of kinship."""
    return word.key in PARTICLES or not (word.text.islower() or is_kin(word))


def _only_a_word(word: Word) -> bool:
    """Whether a word in small letters is one of the language and nobody's name."""
    if word.text.islower() and word.key in SPANISH_KIND_WORDS:
        return True  # "la mutua"
    return word.text.islower() and reads_as_word(word.key) and not _is_named(word.key)


def _is_named(key: str) -> bool:
    """Whether somebody is called so, and it is no word that stands in small letters often."""
    census = load_census()
    listed = key in census.sex or key in census.family
    return key in load_names() or (listed and not reads_as_word(key))
