"""The sex of who bears a name, where the record or the note says so.

The record's word counts first. In the note a title before the name counts (`Mr.`, `Sra.`), and a
word for a child or a relative (`Baby Girl`, `RN femenino`, `her son`). For the patient, who is
named first, so does what says sex in so many words (`Sex: F`, `67 M`, `varón de 54 años`), and last
what says it of a newborn (`female infant`), who may be the patient's child. It decides for names
that no list holds or that both sexes bear, and for the patient's own name where the record
contradicts the lists.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from stream_deid.labels import PERSONS
from stream_deid.lists.lexicon import load_census, load_names
from stream_deid.lists.sexes import FEMALE, words_said
from stream_deid.lists.titles import affixes, any_of
from stream_deid.lists.vocabulary import Vocabulary
from stream_deid.note import GIVEN, Known
from stream_deid.surrogate.names.roles import votes
from stream_deid.text.canonical import Word
from stream_deid.text.folding import fold
from stream_deid.text.linear import linear

_LISTS = Vocabulary("names_sexes", "surrogates")

_TITLE = linear(rf"(?:^|[^a-z])({any_of('sex')})\.? $")
_FEMALE = FEMALE | affixes("woman") | {w.replace("[ ]", " ") for w in _LISTS.words("female")}
_EITHER = _LISTS.words("either")
_TWO = 2
_BEFORE = 24  # characters in which a title or a word for a child or relative stands
_WORDS = {
    "en": f"{_LISTS['female']}|{_LISTS['male']}|{_LISTS['male_en']}",
    "es": f"{_LISTS['female']}|{_LISTS['male']}",
}
_CALLED = {
    code: linear(rf"(?:^|[^a-z0-9])({words})(?: (?:{_LISTS['which']}))?(?: |: ?)$")
    for code, words in _WORDS.items()
}
_STATED = linear(
    rf"\b(?:sex|gender|sexo)\s*[:=]?\s*({words_said('field')})\b"
    r"|\b\d{1,3}[ -]?(?:yo|y/o|y\.o\.|yr old|year[- ]old|y(?:rs?)?(?: \d{1,2} ?mos?)?,)?[ -]?"
    rf"({words_said('behind')})\b"
    rf"|\b\d{{1,3}}[ -]?{_LISTS['age']}[ -]?({words_said('behind')})\b"
    rf"|\b({words_said('before')}|{_LISTS['before_age']}) de \d{{1,3}}\b"
    rf"|\b(?:{_LISTS['patient']}) (?:(?:{_LISTS['between']}) )*({_LISTS['said']})\b"
)
_OF_NEWBORN = linear(
    rf"\b(?:{_LISTS['newborn']}),? (?:(?:{_LISTS['between']}),? )*({_LISTS['said']})\b"
    rf"|\b({_LISTS['said']}) (?:{_LISTS['behind']})\b|\b({_LISTS['alone']})\b"
)


def of_record(known: Known, parts: Sequence[Word], language: str) -> list[str]:
    """The canonical words, of the `parts` of a name of the record, that are given names: of them
    the record's sex is that of who bears them.
    """
    if known.role in GIVEN:
        return [word.key for word in parts]
    if known.role != "full":
        return []
    return [key for key, vote in votes(known.value, parts, language) if vote > 0]


def given_only(known: Iterable[Known], parts: Callable[[str], Sequence[Word]]) -> frozenset[str]:
    """The canonical words that fields for given names hold, and no field for surnames does."""
    held: dict[str, set[str]] = {"given": set(), "family": set()}
    for one in known:
        if one.type in PERSONS and one.role in held:
            held[one.role].update(word.key for word in parts(one.value))
    return frozenset(held["given"] - held["family"])


def titled(text: str, start: int, language: str = "en") -> str:
    """The sex that a title or a word for a relative before `start` tells, or nothing."""
    before = fold(text[max(start - _BEFORE, 0) : start])
    found = _TITLE.search(before) or _CALLED[language].search(before)
    return _sex(found[1]) if found else ""


def stated(text: str) -> str:
    """The sex of the patient as a note says it in words, or nothing."""
    said = fold(text)
    found = _STATED.search(said) or _OF_NEWBORN.search(said)
    return _sex(next(filter(None, found.groups()))) if found else ""


def undecided(key: str) -> bool:
    """Whether neither the lists nor the census tell the sex of who bears a canonical name, or both
    sexes bear it.
    """
    if load_names().base.get(key, key) in _EITHER:
        return True
    sex = load_names().sex.get(load_names().base.get(key, key), load_census().sex.get(key, ""))
    return sex not in {"F", "M"}


def behind_another(parts: Sequence[Word]) -> str:
    """`M` where the second word of a name is a given name of either sex behind a man's."""
    if len(parts) < _TWO or parts[1].key not in _EITHER:
        return ""
    label = load_names().label(parts[0].key)
    return "M" if label.startswith("given") and label.endswith("/M") else ""


def _sex(word: str) -> str:
    return "F" if word in _FEMALE else "M"
