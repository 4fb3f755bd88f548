"""Words that say what an organisation is, and name nobody."""

from __future__ import annotations

from stream_deid.lists.vocabulary import Vocabulary

KINDS = Vocabulary("organizations_kinds", "surrogates")

KIND_WORDS = KINDS.words("kind_words")
"""Folded words of an organisation's name that name nobody."""

SPANISH_KIND_WORDS = KIND_WORDS | KINDS.words("spanish_kind_words")
"""The same for Spanish names, with subjects, offices and words of law that English may hold."""

HOUSE_WORDS = {
    "en": KIND_WORDS | KINDS.words("english_house_words"),
    "es": SPANISH_KIND_WORDS | KINDS.words("spanish_house_words"),
}
"""By language, these and more that only surrogates take for words of kind."""

ABBREVIATED = KINDS.words("abbreviated")
"""Those that Spanish writes short, before a full stop and the name."""
