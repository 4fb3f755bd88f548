"""`Surrogates`: from the findings of a note to its edits.

Steps for one note: collect what its parts share (names, field order of dates, which state stands
beside which city), replace each finding by its type under the policy's strategy, and check every
replacement: never empty, never holding the value it replaces, never out of all proportion. What
fails the check after a few more draws is tagged `[TYPE]`.

Strategies. `consistent`: keyed by patient. `markov(p)`: at each mention the surrogate changes
with probability p and stays as it was before otherwise (Osborne et al. 2025); `random`: a new
one for each mention. The coins and the new keys come from the note's id and the mention's place,
so that a replay gives the same.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import zip_longest

from stream_deid.budget import check
from stream_deid.errors import Halt
from stream_deid.labels import NUMBERS, ORGANIZATIONS, PhiType
from stream_deid.lists import lexicon
from stream_deid.note import WEEKDAY, Edit, Finding, Note, Part
from stream_deid.surrogate import checks, may_stay
from stream_deid.surrogate.by_type import MAKERS
from stream_deid.surrogate.context import NoteContext, by_subject, language_of
from stream_deid.surrogate.dates import day_letters, short_days, weekdays, zones
from stream_deid.surrogate.dates.calendar import Calendar
from stream_deid.surrogate.demographics import professions
from stream_deid.surrogate.keys import Scope, root, token
from stream_deid.surrogate.mention import Mention
from stream_deid.surrogate.names import practices
from stream_deid.surrogate.names.choosing import sound, stock, unlisted, unlisted_given
from stream_deid.surrogate.places import states
from stream_deid.surrogate.policy import Policy
from stream_deid.surrogate.rewrite import place
from stream_deid.text.canonical import canonical
from stream_deid.text.days import time_behind
from stream_deid.text.memo import for_one_note
from stream_deid.text.readings import as_read, written_as

T = PhiType
_WHOLE = frozenset({T.DATE, T.AGE})
_ADDRESSES = frozenset({T.EMAIL, T.URL, T.USERNAME})
_CHANGING = frozenset({"random", "markov"})  # strategies with surrogates beside the patient's own
_TRIES = 8
_SHORTEST_KEY = 16
_ZONE, _WEEKDAY = "zone@1", "weekday@1"


class Surrogates:
    """Keyed surrogates under one policy. Holds no state about notes or patients.

    `key`: at least 16 bytes. A new `epoch` breaks all links to surrogates of the former one;
    different `tenant`s, or policies of different names, never share one. Raises
    `Halt("surrogate.key")` for a short key and `Halt("surrogate.data")` for broken word lists.
    """

    def __init__(self, policy: Policy, key: bytes, epoch: str = "1", tenant: str = "") -> None:
        if len(key) < _SHORTEST_KEY:
            raise Halt("surrogate.key", f"the key must have at least {_SHORTEST_KEY} bytes")
        self.policy = policy
        self._root = root(key, tenant, epoch, policy.name)
        lexicon.load_names()
        lexicon.load_places()
        lexicon.load_census()
        for country in ("US", "ES", "MX"):
            lexicon.area_codes(country)
        for name in ("words", "streets_es", "organizations_es", "organizations_en"):
            lexicon.load_list(name)
        sound.load()
        stock.shelves()
        unlisted.names()
        unlisted_given.names()
        professions.english()
        states.provinces()
        states.province_codes()

    def __repr__(self) -> str:
        return f"Surrogates(policy={self.policy.name!r})"

    def pseudonym(self, domain: str, value: str) -> str:
        """A stable, keyed name for an id (`domain`: patient, note, ...): 20 letters and digits."""
        return token(self._root.sub("pseudonym", domain), value)

    def patient(self, note: Note) -> str:
        """The pseudonym of a note's patient; for this note alone where notes aren't linked."""
        if self.policy.links_notes:
            return self.pseudonym("patient", note.subject)
        return token(self._root.sub("pseudonym", "patient", note.note_id), note.subject)

    def edits(
        self, note: Note, findings: Sequence[Sequence[Finding]]
    ) -> tuple[tuple[Edit, ...], ...]:
        """The edits of each part; `findings[i]` are those of `note.parts[i]`, disjoint, in order.

        Raises `Halt("surrogate.parts")` where lengths differ and `Halt("edit.order")` where
        findings overlap.
        """
        if len(findings) != len(note.parts):
            raise Halt("surrogate.parts", "findings must answer the note's parts one to one")
        language, names = language_of(note), short_days.borne(note, findings)
        findings = practices.as_persons(note, findings, language)
        named = {} if self._hides(T.CITY) else may_stay.stated(note.known)
        findings = [
            [
                self._decided(one, part.text[one.start : one.end], named if part.examine else {})
                for one in short_days.retyped(part, found, language, names)
            ]
            for part, found in zip(note.parts, findings, strict=True)
        ]
        with for_one_note():
            contexts = by_subject(note, findings, self.policy, self._root)
            return tuple(
                place(self._all_pieces(contexts[part.subject], part, found))
                for part, found in zip(note.parts, findings, strict=True)
            )

    def _decided(self, finding: Finding, text: str, named: dict[str, PhiType]) -> Finding:
        """One vote is enough to hide: what would stay as it is, but is something else for somebody
        (a name taken for a state), what the record states as something else (`named`: a street
        taken for a town or a state), or what no list of its kind holds (a name in the field for
        states), is that.
        """
        if self._hides(finding.type):
            return finding
        rival = next((one.type for one in finding.rivals if self._hides(one.type)), None)
        if rival is None and finding.type in may_stay.LISTED_PLACES:
            rival = may_stay.as_stated(named, text)
            rival = rival if rival and self._hides(rival) else None
        if rival is None:
            rival = may_stay.otherwise(finding.type, text)
            if rival is T.CITY and not self._hides(rival):
                rival = None if may_stay.is_city(text) else T.OTHER
        return finding if rival is None else replace(finding, type=rival, label="")

    def _hides(self, phi: PhiType) -> bool:
        return self.policy.strategy(phi).kind != "keep"

    def _all_pieces(
        self, context: NoteContext, part: Part, found: Sequence[Finding]
    ) -> Iterator[tuple[Finding, str, str]]:
        """The edits of a part; what stands in a time of day that goes with its date is gone."""
        beside = deque(self._beside(context, part, found))
        gone = 0
        for finding, following in zip_longest(found, found[1:]):
            while beside and beside[0][0].start < finding.start:
                if (one := beside.popleft())[0].start >= gone:
                    yield one
            if finding.start >= gone:
                end = self._end(part, finding, following)
                gone = end if end > finding.end else gone
                yield from self._pieces(context, part, finding, end)
        yield from (one for one in beside if one[0].start >= gone)

    def _beside(
        self, context: NoteContext, part: Part, found: Sequence[Finding]
    ) -> Iterator[tuple[Finding, str, str]]:
        """The edits of zones of time and days of the week outside of all findings, in order."""
        kind = self.policy.strategy_kind_of_date
        if kind == "keep":
            return
        made = dict(zones.names(part.text)) if part.examine else {}
        days = dict(_weekdays(context.calendar, part.text, found)) if part.examine else {}
        if part.role == WEEKDAY and kind == "consistent":
            days = {(0, len(part.text)): context.calendar.moved_weekday(part.text)}
        elif part.examine and not part.coded and kind == "consistent":
            alone = weekdays.alone(part.text, context.calendar.language)
            moved = {at: context.calendar.replace(part.text[slice(*at)])[0] for at in alone}
            days = moved | days
        if kind == "generalise":
            days = dict.fromkeys(days, "")
        for one in found:
            place = zones.behind(part.text, one.end) if one.type is T.DATE else None
            if place is not None:
                date = part.text[one.start : one.end].strip()
                made[place] = context.calendar.zone(date, part.text[slice(*place)])
        taken = [(one.start, one.end) for one in found]
        how = "generalise" if kind == "generalise" else "shift"
        for (start, end), shown in sorted((made | days).items()):
            at = bisect_left(taken, (end, end)) - 1
            if (at < 0 or taken[at][1] <= start) and part.text[start:end] != shown:
                detector = _WEEKDAY if (start, end) in days else _ZONE
                yield Finding(start, end, T.DATE, (detector,)), shown, how

    def _pieces(
        self, context: NoteContext, part: Part, finding: Finding, until: int
    ) -> list[tuple[Finding, str, str]]:
        """The edits of one finding, and of what goes with it up to `until`: more than one where it
        crosses seams of the part.
        """
        if until > finding.end:
            made, how = self._replace(
                context, part, finding, part.text[finding.start : finding.end]
            )
            return [(replace(finding, end=until), made, how)]
        seams = [s for s in part.seams if finding.start <= s < finding.end] if part.seams else ()
        text = part.text[finding.start : finding.end]
        made, strategy = self._replace(context, part, finding, text)
        if not seams:
            return [(finding, made, strategy)]
        marks = [part.text[s] for s in seams]
        cut = _cut(made, marks)
        bounds = [finding.start, *(b for s in seams for b in (s, s + 1)), finding.end]
        pieces: list[tuple[Finding, str, str]] = []
        for i, (start, end) in enumerate(zip(bounds[::2], bounds[1::2], strict=True)):
            if start >= end:
                continue
            own = replace(finding, start=start, end=end)
            if cut is not None and cut[i]:
                pieces.append((own, cut[i], strategy))
            else:
                pieces.append((own, *self._replace(context, part, own, part.text[start:end])))
        return pieces

    def _end(self, part: Part, finding: Finding, following: Finding | None) -> int:
        """Where what is replaced with a finding ends. Under a policy that leaves of a date the year
        alone, the time of day of a stamp goes with it: behind a year it would read as another date
        (`2025093000`).
        """
        if finding.type is not T.DATE or self.policy.strategy_kind_of_date != "generalise":
            return finding.end
        if not part.examine:
            return len(part.text)
        end = time_behind(part.text, finding.end)
        cut = following is not None and following.start < end < following.end
        crossed = any(finding.start <= seam < end for seam in part.seams)
        return finding.end if cut or crossed else end

    def _replace(
        self, context: NoteContext, part: Part, finding: Finding, text: str
    ) -> tuple[str, str]:
        """(replacement, strategy) of a span, checked."""
        core = text.strip()
        if not core:
            return text, "keep"
        strategy = self.policy.strategy(finding.type)
        context.so_far.count += 1
        if strategy.kind == "keep":
            return text, "keep"
        lead, tail = text[: len(text) - len(text.lstrip())], text[len(text.rstrip()) :]
        written, core = core, as_read(core)
        if finding.type in NUMBERS | ORGANIZATIONS:
            context = context.others.get(canonical(core), context)
        scope = self._era(context, finding.type, core) if strategy.kind in _CHANGING else None
        mention = Mention(core, part, finding, context, self.policy, scope)
        for step in range(_TRIES):
            check()
            again = (
                mention if step == 0 else replace(mention, drawn=mention.scope.sub("again", step))
            )
            made, how = MAKERS[finding.type](again)
            if finding.type in _ADDRESSES and checks.betrays(context, made):
                continue
            if finding.rivals and checks.leaves_a_name(part, finding, made):
                continue
            if how == "keep" or checks.sound(core, made, whole=finding.type in _WHOLE):
                made = made if written == core else written_as(written, made)
                return lead + made + tail, how or str(strategy)
        tag = f"[{finding.type}]"
        return lead + (tag if checks.sound(core, tag) else "[***]") + tail, "tag"

    def _era(self, context: NoteContext, phi: PhiType, core: str) -> Scope | None:
        """The scope of a mention that is not (or no longer) the patient's own; None for it."""
        strategy = self.policy.strategy(phi)
        if strategy.kind == "random":
            return context.scope.sub("mention", context.note.note_id, context.so_far.count)
        coins = self._root.sub("coin", context.note.note_id)
        entity = (phi, canonical(core))
        if coins.coin(strategy.p, context.so_far.count):
            context.so_far.renew(entity)
        era = context.so_far.since(entity)
        return None if era is None else context.scope.sub("era", context.note.note_id, era)


def _weekdays(
    calendar: Calendar, text: str, found: Sequence[Finding]
) -> Iterator[tuple[tuple[int, int], str]]:
    """Days of the week beside dates, moved with them."""
    dates = []
    for one in found:
        if one.type is T.DATE:
            shown = text[one.start : one.end]
            weekday, place = calendar.weekday(shown), (one.start, one.end)
            if weekdays.is_marked(text, one.end):
                dates.append((place, calendar.number(shown), weekday))
            for at in weekdays.beside(text, place, calendar.language, weekday):
                yield at, calendar.replace(text[slice(*at)])[0]
            for at in weekdays.letters(text, place, calendar.language, weekday):
                shown = text[slice(*at)]
                yield at, day_letters.moved(shown, calendar.language, calendar.offset, weekday)
    for at, day in weekdays.following(text, dates, calendar.language):
        yield at, day_letters.moved(text[slice(*at)], calendar.language, calendar.offset, day)


def _cut(made: str, marks: Sequence[str]) -> list[str] | None:
    """`made` cut at `marks`, or None where it does not hold exactly these."""
    pieces: list[str] = []
    rest = made
    for mark in marks:
        head, found, rest = rest.partition(mark)
        if not found:
            return None
        pieces.append(head)
    return None if any(mark in rest for mark in marks) else [*pieces, rest]
