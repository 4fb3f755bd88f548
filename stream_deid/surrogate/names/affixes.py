"""Titles, credentials, suffixes and particles: the words of a name that tell nobody's name.

They stay as they are written, so a name that is taken for one of them leaks. A word that people
also bear as a name ("Don", "Major", "Al", "Van", "Do", "Ma": each is in the US census) is one of
them only where its place, its capitals, the word beside it or another name of the note says so.
In doubt it is a name and is replaced: a lost title costs less than a name.

| word | stays | is replaced |
|---|---|---|
| title | Dr. Smith, Miss Kelly, don Ramón, Major John Smith | Don Smith, Major Smith, MAJOR, KIM |
| credential | Karen Huang DO, KAREN HUANG, DO | HUANG, DO, HANH DO |
| particle | de la Cruz, van Buren, Maria De Leon, Al-Amin | Al Smith, Van Nguyen, Minh Le |
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from stream_deid.lists import newborns
from stream_deid.lists.lexicon import load_census, load_names
from stream_deid.lists.titles import PARTICLES, affixes
from stream_deid.surrogate.demographics.kinship import is_kin
from stream_deid.surrogate.names import abbreviated
from stream_deid.text.canonical import Word, words
from stream_deid.text.memo import remembered

TITLES = affixes("name", "title")
CREDENTIALS = affixes("name", "credential")
SUFFIXES = affixes("name", "suffix")
_ENDINGS = CREDENTIALS | SUFFIXES
_NUMERALS = frozenset({"ii", "iii", "iv"})  # of suffixes; two are surnames too
_NEVER_NAMES = affixes("sure", "title")
_SPANISH_TITLES = affixes("spanish", "title")  # D. José, Dª Ana; in English an initial, a particle
_CITIZENS = affixes("citizen", "title")  # el C. José Soto, of Mexican letters
_ABBREVIATIONS = affixes("dotted", "title")  # titles with a full stop; else in doubt
_PEERS = affixes("peer", "title")  # stand before a given name alone
_TITLES_OR_NAMES = affixes("borne", "title")
_DON = _TITLES_OR_NAMES & affixes("given")  # and Doña
_CREDENTIALS_OR_NAMES = affixes("borne", "credential")
_SURNAMES = affixes("opens", "particle")
_NO_GIVEN_NAMES = affixes("none_given", "particle")
_OPENERS = {"en": _NO_GIVEN_NAMES, "es": affixes("open_es", "particle")}
_SAINTS = affixes("saint", "particle")
_DUTCH = affixes("dutch", "particle")
_SURNAME_OF_EUROPE = frozenset({"", "family/european"})  # or in no list
_CHAINS = frozenset(
    {("de", "la"), ("de", "las"), ("de", "los"), ("de", "el"), ("van", "der"), ("van", "den"),
     ("van", "de"), ("von", "der"), ("von", "dem"), ("da", "la"), ("e", "da")}
)  # fmt: skip
_JOINTS = affixes("both", "particle")  # Ortega y Gasset
_VIETNAMESE = affixes("vietnamese", "particle")
_BORNE = _TITLES_OR_NAMES | _CREDENTIALS_OR_NAMES | (PARTICLES - _NO_GIVEN_NAMES) | {"miss"}
_JUDGED = _BORNE | (TITLES - _NEVER_NAMES)
_AFFIXES = TITLES | _SPANISH_TITLES | _CITIZENS | _ENDINGS | PARTICLES


@dataclass(frozen=True, slots=True)
class NameEvidence:
    """What the other names of a note tell about words that may be names.

    `names`: those that stand where only a name does. `surnames`: (particle, next word) of
    surnames that stand behind a given name or before a comma.
    """

    names: frozenset[str] = field(default=frozenset(), repr=False)
    surnames: frozenset[tuple[str, str]] = field(default=frozenset(), repr=False)


NOTHING = NameEvidence()


def shown_by(texts: Iterable[str]) -> NameEvidence:
    """What the names of a note (as written) tell about each other."""
    names: set[str] = set()
    surnames: set[tuple[str, str]] = set()
    for text in texts:
        tokens = words(text)
        for i, word in enumerate(tokens):
            if word.key not in _JUDGED:
                continue
            if _surely_name(text, tokens, i):
                names.add(word.key)
            if i + 1 < len(tokens) and _in_surname(text, tokens, i):
                surnames.add((word.key, tokens[i + 1].key))
    return NameEvidence(frozenset(names), frozenset(surnames))


def _in_surname(text: str, tokens: Sequence[Word], i: int) -> bool:
    """Whether a word with another behind it opens a surname: `Maria De Leon`, `De Leon, Maria`."""
    if _comma(text, tokens[i]):
        return False
    if i:
        given = tokens[i - 1].key not in TITLES and not _comma(text, tokens[i - 1])
        return given and not _among_vietnamese(tokens, i)
    behind = tokens[2:3]
    ending = any(w.key in _ENDINGS for w in behind)
    return bool(behind) and not ending and _comma(text, tokens[1])


def _among_vietnamese(tokens: Sequence[Word], i: int) -> bool:
    """Whether `Van`, `Le` and the like stand beside a name of East Asia, as a name of its own."""
    beside = (tokens[i - 1].key, tokens[i + 1].key)
    return tokens[i].key in _VIETNAMESE and any(
        "eastasian" in load_names().label(key) for key in beside
    )


def _surely_name(text: str, tokens: Sequence[Word], i: int) -> bool:
    """Alone, alone before a comma (`MAJOR, KIM`), or alone behind one (`SMITH, DON R`).

    Of titles that few bear (`Judge`) the comma tells only.
    """
    word = tokens[i]
    if len(tokens) == 1:
        return word.key in _BORNE
    if i == 0 and _comma(text, word):
        return True
    behind = i > 0 and _comma(text, tokens[i - 1])
    alone = all(len(w.key) == 1 for w in tokens[i + 1 :])
    return behind and alone and not (word.key in CREDENTIALS and word.text.isupper())


@remembered
def parts_of(text: str, language: str = "en", shown: NameEvidence = NOTHING) -> tuple[Word, ...]:
    """The words of a name that identify, in order: no titles, credentials, suffixes, particles.

    `language` is `en` or `es`, `shown` what the other names of the note tell. Where nothing else
    is left, all words count, but for who has no name yet. Spanish short forms are read as what
    they are short for (`abbreviated`).
    """
    tokens = tuple(w for w in words(text) if w.key)
    if names_no_one_yet(text):
        return ()
    if any(w.key in newborns.WORDS for w in tokens):
        tokens = _without_newborn(text, tokens)
    if len(tokens) > 1 and _is_kin_alone(text, tokens[0]):
        tokens = tokens[1:]  # "Girlfriend Keisha", at the beginning of a sentence
    if language == "es":
        tokens = abbreviated.written_out(text, tokens)
    if all(w.key not in _AFFIXES for w in tokens):
        return tokens
    if len(tokens) == 1:
        return tokens
    kept = _without_endings(text, tokens, shown)
    kept = _without_titles(text, kept, language, shown)
    return _without_particles(text, kept, language, shown) or tokens


def _is_kin_alone(text: str, word: Word) -> bool:
    """Whether the first word of a name is a noun of kinship that nobody bears, and no title."""
    borne = bool(load_names().label(word.key)) or word.key in load_census().family
    return is_kin(word) and not borne and word.key not in _AFFIXES and not _comma(text, word)


def _without_newborn(text: str, tokens: tuple[Word, ...]) -> tuple[Word, ...]:
    """The words of a name without those that say that somebody has no given name yet, first or
    last of it: two and more, or one behind a comma.
    """
    keys = [word.key for word in tokens]
    for size in range(min(newborns.LONGEST, len(keys) - 1), 0, -1):
        if size > 1 and " ".join(keys[:size]) in newborns.NEWBORNS:
            return tokens[size:]
        behind = size > 1 or _comma(text, tokens[-2])
        if behind and " ".join(keys[-size:]) in newborns.NEWBORNS:
            return tokens[:-size]
    return tokens


def names_no_one_yet(text: str) -> bool:
    """Whether a whole name only says that somebody has none yet (`Baby Boy B`)."""
    keys = [word.key for word in words(text)]
    return len(keys) > 1 and " ".join(keys) in newborns.NEWBORNS


def _comma(text: str, word: Word) -> bool:
    return text[word.end : word.end + 1] == ","


def _capitals(word: Word) -> bool:
    return word.text.isupper()


def _without_endings(text: str, tokens: Sequence[Word], shown: NameEvidence) -> list[Word]:
    """The words that are neither suffixes nor credentials."""
    return [w for i, w in enumerate(tokens) if not _is_ending(text, tokens, i, shown)]


def _is_ending(text: str, tokens: Sequence[Word], i: int, shown: NameEvidence) -> bool:
    word = tokens[i]
    if word.key in _NUMERALS:
        return _capitals(word) and (i > 1 or (i == 1 and _comma(text, word)))
    if word.key in SUFFIXES or not i:
        return i > 0
    if text[word.start - 1] == "-" and tokens[i - 1].key in CREDENTIALS:  # PA-C, RN-BC
        return i > 1 and _is_credential(text, tokens, i - 1, shown)
    if word.key in _NEVER_NAMES:
        return _comma(text, tokens[i - 1])
    return word.key in CREDENTIALS and _is_credential(text, tokens, i, shown)


def _is_credential(text: str, tokens: Sequence[Word], i: int, shown: NameEvidence) -> bool:
    """Capitals behind a name; of a word that is also a name: capitals behind small letters, or
    behind a comma and two words of a name.
    """
    word = tokens[i]
    if not _capitals(word) or len(word.key) < 2:
        return False
    if word.key not in _CREDENTIALS_OR_NAMES or text[word.end : word.end + 2] == "-C":
        return True
    before = [
        w for w in tokens[:i]
        if len(w.key) > 1 and w.key not in TITLES and not (w.key in _ENDINGS and _capitals(w))
    ]  # fmt: skip
    if before and not all(_capitals(w) for w in before):
        return True
    behind_comma = text[tokens[i - 1].end : word.start].strip() == ","
    return behind_comma and len(before) > 1 and word.key not in shown.names


def _without_titles(
    text: str, tokens: list[Word], language: str, shown: NameEvidence
) -> list[Word]:
    """The words after the titles that open a name; what stands last or before a comma is none."""
    at = 0
    while (
        at + 1 < len(tokens)
        and not _comma(text, tokens[at])
        and (_abbreviated(text, tokens[at]) or _is_title(tokens[at:], language, shown))
    ):
        at += 1
    return tokens[at:]


def _abbreviated(text: str, word: Word) -> bool:
    return word.key in _ABBREVIATIONS and text[word.end : word.end + 1] == "."


def _is_title(rest: Sequence[Word], language: str, shown: NameEvidence) -> bool:
    """Whether the first of two or more words is a title."""
    word = rest[0]
    if language == "es" and word.key in _SPANISH_TITLES and word.text[0].isupper():
        return len(word.key) > 1 or not load_names().label(rest[1].key).startswith("family")
    if language == "es" and word.key in _CITIZENS and word.text.isupper():
        return len(rest) > 2 and load_names().label(rest[1].key).startswith("given")
    if word.key not in TITLES or word.key in shown.names:
        return False
    small = word.text.islower() and not rest[1].text.islower()
    return word.key not in _TITLES_OR_NAMES or small or _speaks_for_title(rest, language)


def _speaks_for_title(rest: Sequence[Word], language: str) -> bool:
    """Whether what follows a title that is also a name speaks for the title.

    For `Don` in Spanish all but a surname of elsewhere does, in English a Spanish given name with
    an accent or before a Spanish surname; for others a given name with more behind it.
    """
    word, kind = rest[0], load_names().label(rest[1].key)
    if word.key not in _DON:
        peer = word.key in _PEERS and language == "en"
        return kind.startswith("given") and (len(rest) > 2 or peer)
    if language == "es" or not word.text.isascii():
        return not kind.startswith("family") or kind == "family/hispanic"
    surname = load_names().label(rest[-1].key) if len(rest) > 2 else ""
    spanish = not rest[1].text.isascii() or "/hispanic" in surname
    return kind.startswith(("given/hispanic", "both/hispanic")) and spanish


def _without_particles(
    text: str, kept: Sequence[Word], language: str, shown: NameEvidence
) -> tuple[Word, ...]:
    return tuple(
        w
        for i, w in enumerate(kept)
        if w.key not in PARTICLES or not _is_particle(text, kept, i, language, shown)
    )


def _is_particle(
    text: str, kept: Sequence[Word], i: int, language: str, shown: NameEvidence
) -> bool:
    """Whether a word of `PARTICLES` is one where it stands."""
    word = kept[i]
    among_capitals = word.text.islower() and not all(w.text.islower() for w in kept)
    if i + 1 == len(kept) or _comma(text, word):
        return i > 0 and (among_capitals or (kept[i - 1].key, word.key) in _CHAINS)
    if among_capitals:
        return True
    if word.key in _JOINTS:
        return i > 0 and _is_joint(text, kept, i, language)
    if word.key in shown.names:
        return False
    if i == 0 or _comma(text, kept[i - 1]):
        return _opens_surname(text, kept, i, language, shown)
    return not _among_vietnamese(kept, i)


def _is_joint(text: str, kept: Sequence[Word], i: int, language: str) -> bool:
    """Whether `Y` or `E` joins two surnames; else it is an initial."""
    word, following = kept[i], kept[i + 1]
    full = [w for w in kept if len(w.key) > 1]
    cased_alike = all(_capitals(w) == _capitals(word) for w in full)
    if language != "es" or not cased_alike or text[word.end : word.end + 1] == ".":
        return False
    before_i = following.key.startswith(("i", "hi", "y"))
    return before_i if word.key == "e" else word.key == "y" and not before_i


def _opens_surname(
    text: str, kept: Sequence[Word], i: int, language: str, shown: NameEvidence
) -> bool:
    """Whether a particle that opens a name (`De Leon`, `Van Buren`) is no given name."""
    word, following = kept[i], kept[i + 1]
    if text[word.end : word.end + 1] == "-":
        return word.key not in _VIETNAMESE
    pair = (word.key, following.key)
    if pair in _CHAINS or pair in shown.surnames:
        return True
    if _comma(text, following) and i + 2 < len(kept):
        return word.key not in _SURNAMES
    if word.key in _SAINTS:
        return load_names().label(following.key).startswith(("given", "both"))
    if word.key in _DUTCH and load_names().label(following.key) in _SURNAME_OF_EUROPE:
        return True
    return word.key in _OPENERS[language]
