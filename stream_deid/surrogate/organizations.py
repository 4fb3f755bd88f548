"""Hospitals, clinics, employers, schools: another proper name, the kind of place as it was.

Words that say what a place is (hospital, pharmacy, centro de salud) and the words between them
stay; the name among them is replaced, saints by saints and cities by the patient's cities;
numbers go by pattern and acronyms by letters.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import re2

from stream_deid.surrogate.canonical import Word, fold, like_case, without_accents, words
from stream_deid.surrogate.derive import Scope
from stream_deid.surrogate.lexicon import load_list, load_places
from stream_deid.surrogate.number_words import ordinal_ending
from stream_deid.surrogate.numbers import scramble, scramble_digits
from stream_deid.surrogate.organization_kinds import KIND_WORDS, same_kind

_ARTICLES = frozenset({"el", "la", "los", "las", "del"})
_DOCTORS = frozenset({"dr", "dra", "drs", "dres"})
_ORDINAL = re.compile(r"(?ai)([0-9]+)(st|nd|rd|th)\b")
_FEAST = re2.compile(
    r"(?i)\b\d{1,2} de (?:enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre"
    r"|noviembre|diciembre)\b"
)
_JOINTS = frozenset({"de", "del", "la", "las", "los", "el", "y", "e", "of", "do", "da", "dels"})
_SAINTS = frozenset({"st", "saint", "san", "santa", "santo", "sta", "sant"})


@dataclass(slots=True)
class Organizations:
    """The organisations of one note; `city` and `person` give the surrogates of such in a name."""

    scope: Scope
    language: str
    city: Callable[[str], str]
    person: Callable[[str], str]
    taken: dict[str, str] = field(default_factory=dict, repr=False)

    def replace(self, text: str) -> str:
        """The surrogate of an organisation's name as written."""
        feast = _FEAST.search(text) if any(c.isdigit() for c in text) else None
        if feast is not None:
            made = self._dress(feast.group(), self._name(fold(feast.group()), None))
            return self.replace_around(text[: feast.start()], made, text[feast.end() :])
        tokens = [w for w in words(text) if not _ends_number(text, w)]
        cores = [i for i, w in enumerate(tokens) if w.key not in KIND_WORDS]
        if not cores:
            return self._generic(text, tokens)
        pieces: list[str] = []
        last = at = 0
        while at < len(tokens):
            if tokens[at].key in KIND_WORDS:
                at += 1
                continue
            end = at + 1
            while (reach := _reach(text, tokens, end)) > end:
                end = reach
            made = self._core(text, tokens[at:end], alone=len(cores) == len(tokens))
            start, made = self._with_article(tokens, at, made)
            pieces += [self._digits(text[last:start]), made]
            last = tokens[end - 1].end
            at = end
        return "".join([*pieces, self._digits(text[last:])])

    def replace_around(self, before: str, made: str, after: str) -> str:
        """A name whose middle is replaced already; names before and after it follow."""
        rest = [self.replace(t) if _has_core(t) else self._digits(t) for t in (before, after)]
        return rest[0] + made + rest[1]

    def _with_article(self, tokens: Sequence[Word], at: int, made: str) -> tuple[int, str]:
        """Where a name begins with the article before it (`Los Olivos`), and the new one there.

        The new name brings its own article or needs none: `del Rocío` becomes `de La Ribera`.
        """
        before = tokens[at - 1] if at else None
        if before is None or before.key not in _ARTICLES:
            return tokens[at].start, made
        if before.key == "del" and at > 1 and self.language == "es":
            return before.start, f"{before.text[:2]} {made.removeprefix('Del ')}"
        return before.start, made

    def _digits(self, text: str) -> str:
        if not any(map(str.isdecimal, text)):
            return text
        made = scramble_digits(self.scope.sub("number in name"), text)
        return _ORDINAL.sub(
            lambda m: m.group(1) + like_case(m.group(2), ordinal_ending(int(m.group(1)))), made
        )

    def _generic(self, text: str, tokens: Sequence[Word]) -> str:
        """A name of words of kind only: a name and the same kind in other words."""
        if any(c.isdecimal() for c in text):
            return self._digits(text)
        kind = same_kind(text, tokens, self.language)
        name = self._dress(text, self._name(fold(text), tokens[0] if tokens else None))
        return f"{kind} {name}" if self.language == "es" else f"{name} {kind}"

    def _core(self, text: str, run: Sequence[Word], *, alone: bool) -> str:
        raw = text[run[0].start : run[-1].end]
        first = run[0]
        if len(run) > 1 and all(len(w.key) == 1 for w in run):
            return scramble(self.scope.sub("acronym"), raw)
        if len(run) == 1 and _acronym(first, alone=alone):
            return scramble(self.scope.sub("acronym"), raw)
        if first.key in _SAINTS and len(run) > 1:
            kind = "saint" if first.key in {"st", "saint"} else "saint.es.f" if first.key in {
                "santa", "sta"} else "saint.es"  # fmt: skip
            saint = self._saint(kind, fold(run[1].text))
            tail = text[run[1].end : run[1].end + 2]
            gap = text[first.end : run[1].start]
            made = first.text + gap + self._dress(run[1].text, saint)
            return made + (tail if len(run) > 2 and tail.startswith(("'", "’")) else "")
        if first.key in _DOCTORS and len(run) > 1:
            return text[first.start : run[1].start] + self.person(text[run[1].start : run[-1].end])
        if fold(raw) in load_places().city:
            return self.city(raw)
        return self._dress(raw, self._name(first.key, first))

    def _saint(self, kind: str, key: str) -> str:
        names = load_list("words")[kind]
        at = self.scope.integer(len(names), "saint", key)
        return names[at] if fold(names[at]) != key else names[at - 1]

    def _name(self, key: str, first: Word | None) -> str:
        names = load_list("words")["core.es" if self.language == "es" else "core.en"]
        value = ""
        for step in range(24):
            value = names[self.scope.integer(len(names), "organisation", key, step)]
            folded = fold(value)
            if (first is not None and first.key in folded.split()) or key in folded:
                continue
            if self.taken.setdefault(folded, key) == key:
                break
        return value

    def _dress(self, model: str, value: str) -> str:
        if model.isascii() and (self.language == "en" or model.isupper()):
            value = without_accents(value)
        return like_case(model, value)


def _has_core(text: str) -> bool:
    return any(w.key not in KIND_WORDS for w in words(text))


def _ends_number(text: str, word: Word) -> bool:
    """Whether a word is the ending of the ordinal before it (`509th`)."""
    return word.key in {"st", "nd", "rd", "th"} and text[: word.start][-1:].isdigit()


def _reach(text: str, tokens: Sequence[Word], end: int) -> int:
    """How far a name goes on at token `end`: over `de la` too, but not to a city's name."""
    at = end
    while at < len(tokens) and tokens[at].key in _JOINTS:
        at += 1
    if at == len(tokens) or tokens[at].key in KIND_WORDS:
        return end
    if any(not _close(text, tokens[i - 1], tokens[i]) for i in range(end, at + 1)):
        return end
    rest = fold(text[tokens[at].start :]).strip()
    city = rest in load_places().city or tokens[at].key in load_places().city
    return end if at > end and city else at + 1


def _close(text: str, left: Word, right: Word) -> bool:
    between = text[left.end : right.start]
    return "\n" not in between and all(c in " -.&'’sS" for c in between)


def _acronym(word: Word, *, alone: bool) -> bool:
    if not (word.text.isupper() and 2 <= len(word.key) <= 6):
        return False
    return not set(word.key) & set("aeiou") or (alone and len(word.key) <= 5)
