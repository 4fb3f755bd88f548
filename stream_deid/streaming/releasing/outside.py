"""What recipients get of a record, and under which ids."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import orjson

from stream_deid.config import Settings
from stream_deid.errors import Halt
from stream_deid.formats import pseudonyms
from stream_deid.formats.json import site_map
from stream_deid.streaming.releasing.batch import form_of, releasable
from stream_deid.streaming.releasing.ids import Fresh
from stream_deid.surrogate.policy import Policy


@dataclass(frozen=True, slots=True)
class Leaving:
    """A record on its way out: `key` is its patient's pseudonym; `named`: other pseudonyms in it
    that go, its own first, where the policy links no notes.
    """

    key: bytes
    value: bytes = field(repr=False)
    named: tuple[str, ...] = ()

    @property
    def own(self) -> bytes:
        """What tells its place among others: the note's id, which its audit record has too."""
        return self.named[0].encode() if self.named else self.value


class Outside:
    """What goes out under some settings. Raises `Halt("policy...", "json.map", "release.map")`."""

    def __init__(self, settings: Settings) -> None:
        policy = Policy.named(settings.policy.name, settings.policy.overrides)
        self.linked = policy.links_notes
        self._told = settings.release.audit
        self._maps = site_map.read(settings.formats.json_map_texts)
        hidden = [] if self.linked else [one.name for one in self._maps if _hides_ids(one)]
        if hidden:
            raise Halt(
                "release.map",
                f"{hidden[0]}: ids in base64 can't be drawn anew, which {policy.name} needs",
            )
        maps = [] if self.linked else sorted(settings.formats.json_map_texts.values())
        self.form = form_of(self.linked, self._told, *maps)

    def note(self, value: bytes, key: bytes) -> Leaving:
        """A clean note."""
        named = () if self.linked else pseudonyms.of_message(value, self._maps)
        return Leaving(key, value, named)

    def audit(self, value: bytes, key: bytes) -> Leaving:
        """Of an audit record what may be known; raises `ValueError` for what is none."""
        slim = releasable(value, self._told)
        named = () if self.linked else (str(orjson.loads(slim).get("note_id", "")),)
        return Leaving(key, slim, tuple(filter(pseudonyms.is_one, named)))

    def ids(self) -> Callable[[Leaving], Leaving]:
        """New ids for the records of one transaction, or of one file; the old ones where notes are
        linked by them.
        """
        if self.linked:
            return lambda one: one
        fresh = Fresh()

        def renamed(one: Leaving) -> Leaving:
            key = one.key.decode("utf-8", "replace")
            names = [*one.named, key] if pseudonyms.is_one(key) else one.named
            return Leaving(fresh.of(key).encode(), fresh.renamed(one.value, names))

        return renamed


def _hides_ids(one: site_map.Map) -> bool:
    """Whether ids stand inside of what a map decodes from base64, where they aren't found."""
    coded = [at for at, coding in one.decode.items() if coding.startswith("base64")]
    named = (one.note_id, one.patient_id, *one.messages)
    return any(coding.startswith("base64") for coding in one.messages.values()) or any(
        f"{name}/".startswith(f"{at}/") for at in coded for name in named
    )
