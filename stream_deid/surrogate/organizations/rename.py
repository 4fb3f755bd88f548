"""Hospitals, clinics, employers, schools: another proper name, the kind of place as it was.

Words that say what a place is (hospital, pharmacy, centro de salud) and the words between them
stay; the name among them is replaced, saints by saints and places by the patient's places;
numbers go by pattern and acronyms by letters. Other Spanish names: `proper_names`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from stream_deid.lists.kinds_of_organizations import HOUSE_WORDS, KINDS
from stream_deid.lists.lexicon import load_list, load_places
from stream_deid.lists.titles import affixes
from stream_deid.surrogate.keys import Scope
from stream_deid.surrogate.names.choosing.spelling import invent
from stream_deid.surrogate.names.distinctive import LADIES, LADY_TITLES, SAINTS
from stream_deid.surrogate.number_words import ordinal_ending
from stream_deid.surrogate.organizations import (
    acronyms,
    english,
    forms,
    letters,
    proper_names,
    seams,
)
from stream_deid.surrogate.organizations.kinds import JOINTS, opening_phrase, same_kind, town_at
from stream_deid.surrogate.organizations.proper_names import Asked
from stream_deid.surrogate.organizations.saints import Saints, is_short
from stream_deid.surrogate.places.rename import Places
from stream_deid.surrogate.places.street_names import FEAST, PARTICLES
from stream_deid.surrogate.scramble import scramble_digits
from stream_deid.surrogate.taken import Taken
from stream_deid.text.canonical import Word, like_case, like_written, words
from stream_deid.text.folding import fold

_DOCTORS = affixes("place", "title")
_ORDINAL = re.compile(r"(?ai)([0-9]+)(st|nd|rd|th)\b")
_LONGEST_PLACE = 5  # words
_SAID = 4  # letters from which on an acronym with vowels is said as a word
_VAGUE = 2  # telling words of kind that are no name yet
_MOST_INSIDE = 8  # dates and towns in one name
_SHORT_KINDS = KINDS.words("english_house_letters")
_LEAST_OF_FIRM = 3  # letters; shorter is a bed, a ward or a lane


@dataclass(frozen=True, slots=True)
class Organizations:
    """The organisations of one note; `places` and `person` give surrogates of such in a name.

    `facilities`: the first words of the names that houses bear, which are called by them; None
    where no name says that somebody works there. `spelled`: the acronyms that their names spell.
    """

    scope: Scope
    language: str
    places: Places
    person: Callable[[str], str]
    taken: Taken = field(default_factory=Taken, repr=False)
    facilities: frozenset[str] | None = field(default=None, repr=False)
    spelled: acronyms.Spelled = field(default_factory=dict, repr=False)

    def _is_kind(self, word: Word, *, last: bool = False) -> bool:
        """Whether a word names nobody: one of kind, or (in Spanish) a small letter (`s/n`).

        Letters that say it (`ED`, `PSC`, `RL`) do in capitals and `last` of many: `Ed` is a name
        too.
        """
        letter = self.language == "es" and len(word.key) == 1 and word.text.islower()
        short = forms.SHORT if self.language == "es" else _SHORT_KINDS
        if word.key in short and word.key not in HOUSE_WORDS[self.language]:
            return last and word.text.isupper()
        return letter or word.key in HOUSE_WORDS[self.language]

    def employer(self, text: str) -> str:
        """The surrogate of an organisation's name; a firm's in English, where no word says what it
        is, says so: a town alone would be no employer.
        """
        made, found = self.replace(text), words(text)
        if self.language == "es" or self.facilities is None:
            return made
        if max((len(word.key) for word in found), default=0) < _LEAST_OF_FIRM:
            return made
        numbered = any(map(str.isdecimal, text))
        lettered = letters.are(found[0], alone=True) or text.islower() or numbered
        if lettered or found[0].key in self.facilities or english.is_told(found):
            return made
        if any(self._is_kind(w, last=w is not found[0] and w is found[-1]) for w in found):
            return made
        nouns = load_list("words")["firm.en"]
        noun = nouns[self.scope.integer(len(nouns), "firm", fold(text))]
        return f"{english.plain(made)} {like_written(text, noun, self.language)}"

    def anew(self, text: str) -> str:
        """A house's name without any word of `text`, where those may be somebody's."""
        made = english.feature(self.scope, self._name(fold(text), None))
        return like_written(text, made, self.language)

    def replace(self, text: str, deep: int = 0) -> str:
        """The surrogate of an organisation's name as written, which is what stands beside `deep`
        dates and towns of a longer one. Beside a few of them they are words like others.
        """
        tokens = [w for w in words(text) if not letters.ends_number(text, w)]
        if deep < _MOST_INSIDE:
            made = self._around_inner(text, tokens, deep + 1)
            if made is not None:
                return made
        named = [not self._is_kind(w, last=w is not tokens[0] and w is tokens[-1]) for w in tokens]
        if self.language != "es" and english.names_landscape(tokens):
            named[0] = True
        if not any(named):
            return self._generic(text, tokens)
        return self._renamed(text, tokens, named)

    def _around_inner(self, text: str, tokens: Sequence[Word], deep: int) -> str | None:
        """The surrogate of a name that holds a feast, a form of firms or a town, which have their
        own, beside what the rest of it is; None where it holds none.
        """
        feast = FEAST.search(text) if any(c.isdecimal() for c in text) else None
        if feast is not None:
            made = like_written(feast.group(), self._feast(fold(feast.group())), self.language)
            return self.replace_around(text[: feast.start()], made, text[feast.end() :], deep)
        form = forms.at_end(text) if self.language == "es" else None
        if form is not None and all(map(self._is_kind, words(text[: form.start()]))):
            return self.replace(text[: form.start()], deep) + form[0]
        town = town_at(text, tokens, self.places.real, self.language)
        if town is None:
            return None
        start, end = town
        made = self.places.city(text[start:end])
        return self.replace_around(text[:start], made, text[end:], deep)

    def _renamed(self, text: str, tokens: Sequence[Word], named: Sequence[bool]) -> str:
        """Every run of words that are `named` replaced, the words of kind between them kept."""
        alone = all(own or w.key in JOINTS for own, w in zip(named, tokens, strict=True))
        pieces: list[str] = []
        last = at = 0
        while at < len(tokens):
            if not named[at]:
                at += 1
                continue
            end = self._end(text, tokens, at)
            if self.language == "es":
                start, made = self._spanish(text, tokens, at, end, alone=alone)
            else:
                made = self._core(text, tokens[at:end], alone=alone)
                start = seams.before_article(tokens, at)
            pieces += [self._digits(text[last:start]), made]
            last = tokens[end - 1].end
            at = end
        return "".join([*pieces, self._digits(text[last:])])

    def replace_around(self, before: str, made: str, after: str, deep: int = 0) -> str:
        """A name whose middle is replaced already; names before and after it follow."""
        rest = [
            self._digits(t) if all(map(self._is_kind, words(t))) else self.replace(t, deep)
            for t in (before, after)
        ]
        return rest[0] + made + rest[1]

    def _feast(self, key: str) -> str:
        """Another name for a date that is one (`12 de Octubre`)."""
        if self.language != "es":
            return self._name(key, None)
        dates = load_list("organizations_es")["feast"]
        at = self.scope.integer(len(dates), "feast", key)
        return dates[at] if fold(dates[at]) != key else dates[at - 1]

    def _digits(self, text: str) -> str:
        if not any(map(str.isdecimal, text)):
            return text
        made = scramble_digits(self.scope.sub("number in name"), text)
        return _ORDINAL.sub(
            lambda m: m.group(1) + like_case(m.group(2), ordinal_ending(int(m.group(1)))), made
        )

    def _generic(self, text: str, tokens: Sequence[Word]) -> str:
        """A name of words of kind only: the same kind in other words, with a name in English.

        In Spanish another name of the same noun, and a name only where many words are left.
        """
        if any(c.isdecimal() for c in text):
            return self._digits(text)
        first = tokens[0] if tokens else None
        if self.language != "es":
            name = like_written(text, self._name(fold(text), first), self.language)
            return f"{name} {same_kind(text, tokens, self.language)}"
        phrase = opening_phrase(tokens, self.language)
        if phrase:
            name = like_written(text, self._name(fold(text), first), self.language)
            return f"{text[: tokens[phrase - 1].end]} {name}"
        other = proper_names.generic(self.scope, text, tokens, self.taken)
        if other:
            return like_written(text, other, self.language)
        kind = same_kind(text, tokens, self.language)
        if tokens and sum(word.key not in PARTICLES for word in tokens) <= _VAGUE:
            return kind
        return f"{kind} {like_written(text, self._name(fold(text), first), self.language)}"

    def _spanish(
        self, text: str, tokens: Sequence[Word], at: int, end: int, *, alone: bool
    ) -> tuple[int, str]:
        """(where the replaced name begins, its surrogate): with the particles before it."""
        run = tokens[at:end]
        raw = text[run[0].start : run[-1].end]
        start = seams.lead(text, tokens, at)
        lead = text[start : run[0].start].strip()
        stays, goes = proper_names.split_lead(lead)
        placed = f"{goes} {raw}".strip()
        # `San Juan` and `La Paz` are cities too; `de La Paz` means one
        saint = run[0].key in SAINTS and len(run) == len(("San", "Juan"))
        titled = saint or all(map(seams.one_letter, run)) or (bool(goes) and not stays)
        if not titled and self.places.holds(placed):
            return start, " ".join(filter(None, (stays, self.places.city(placed))))
        simple = self._simple(text, run, alone=alone)
        if simple:
            return run[0].start, simple
        asked = Asked(run, raw, lead, alone)
        kept, made = proper_names.proper(
            self.scope, asked, self.places.city, self.places.names, self.taken
        )
        return start, " ".join(filter(None, (kept, like_written(raw, made, self.language))))

    def _simple(self, text: str, run: Sequence[Word], *, alone: bool) -> str:
        """The surrogate of an acronym, a saint or a doctor, or nothing."""
        first, written = run[0], text[run[0].start : run[-1].end]
        single = all(len(w.key) == 1 for w in run) and (len(run) > 1 or first.text.isupper())
        if single and "".join(w.key for w in run) in forms.SHORT:
            return written
        if single or (len(run) == 1 and letters.are(first, alone=alone)):
            return self._letters(written)
        if self.language == "es" and len(run) == 1:
            firm = acronyms.of_firm(self.scope, first, alone=alone)
            if firm or letters.is_spanish(text, first):
                return firm or self._said(first)
        if len(run) > 1 and (first.key in SAINTS or is_short(first, run[1], self.language)):
            return Saints(self.scope, self.language, self.places, self.taken).another(text, run)
        if first.key in _DOCTORS and len(run) > 1:
            return text[first.start : run[1].start] + self.person(text[run[1].start : run[-1].end])
        return ""

    def _letters(self, text: str) -> str:
        """Another acronym, that of the note's own name where one spells it."""
        key = acronyms.letters_of(text)
        if full := self.spelled.get(key):
            made = acronyms.spelled_out(text, full, replace(self, spelled={}).replace)
            if made and self.taken.take(fold(made), key):
                return made
        scope = self.scope.sub("acronym")
        return acronyms.drawn(scope, text, self.language, lambda made: self.taken.take(made, key))

    def _said(self, word: Word) -> str:
        """Another acronym: letters, or a word where it is long enough to be said as one."""
        plain = word.text.isascii() and word.text.isalpha() and len(word.key) >= _SAID
        if not plain or word.key in self.spelled or acronyms.is_public(word.text):
            return self._letters(word.text)
        return invent(self.scope.sub("acronym"), word.key).upper()

    def _core(self, text: str, run: Sequence[Word], *, alone: bool) -> str:
        raw = text[run[0].start : run[-1].end]
        simple = self._simple(text, run, alone=alone)
        if simple:
            return simple
        if fold(raw) in load_places().named or fold(raw) in self.places.real:
            return self.places.city(raw)
        kept, parish = english.parish(self.scope, run)
        if kept:
            lead = text[run[0].start : run[kept].start]
            return lead + like_written(raw, parish, self.language)
        made = self._name(run[0].key, run[0])
        if sum(len(word.key) > 1 for word in run) > 1:
            made = english.feature(self.scope, made)
        return like_written(raw, made, self.language)

    def _name(self, key: str, first: Word | None) -> str:
        value = ""
        for step in range(24):
            drawn = self.scope.sub("organisation", key, step)
            if self.language == "es":
                names = load_list("organizations_es")["article"]
                value = names[drawn.integer(len(names))]
            else:
                value = english.english_name(drawn)
            folded = fold(value)
            if (first is not None and first.key in folded.split()) or key in folded:
                continue
            if self.taken.take(folded, key):
                break
        return value

    def _end(self, text: str, tokens: Sequence[Word], at: int) -> int:
        """Where the name at token `at` ends: at the longest place after `de`, else at a kind."""
        if self.language == "es":
            lead = seams.lead(text, tokens, at)
            after_of = fold(text[lead : tokens[at].start]).startswith("de ")
            least = 1 if after_of else 3 if tokens[at].key in SAINTS else 2
            for end in range(min(at + _LONGEST_PLACE, len(tokens)), at + least - 1, -1):
                if self.places.holds(text[tokens[at].start : tokens[end - 1].end]):
                    return end
        if at + 1 < len(tokens) and is_short(tokens[at], tokens[at + 1], self.language):
            return at + 2
        end = at + 1
        if tokens[at].key in LADIES:
            while end < len(tokens) and tokens[end].key in JOINTS | LADY_TITLES:
                end += 1
            end = min(end + 1, len(tokens))
        while (reach := self._reach(text, tokens, end)) > end:
            end = reach
        return end

    def _reach(self, text: str, tokens: Sequence[Word], end: int) -> int:
        """How far a name goes on at token `end`: over `de la` too, but not to a city's name."""
        at = end
        while at < len(tokens) and tokens[at].key in JOINTS:
            at += 1
        if at == len(tokens) or self._is_kind(tokens[at], last=at + 1 == len(tokens)):
            return end
        if self.language == "es" and seams.one_letter(tokens[at]) != seams.one_letter(
            tokens[end - 1]
        ):
            return end
        if any(not seams.close(text, tokens[i - 1], tokens[i]) for i in range(end, at + 1)):
            return end
        rest = fold(text[tokens[at].start :]).strip()
        cities = load_places().named
        city = rest in cities or tokens[at].key in cities
        after_of = [word.key for word in tokens[end:at]] == ["de"] or self.language != "es"
        return end if at > end and city and after_of else at + 1
