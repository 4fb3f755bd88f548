"""Saints that organisations are named after: another one, by the same title."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from stream_deid.lists.lexicon import load_census, load_list, load_names
from stream_deid.surrogate.keys import Scope
from stream_deid.surrogate.names.distinctive import first_free
from stream_deid.surrogate.places.rename import Places
from stream_deid.surrogate.taken import Taken
from stream_deid.text.canonical import Word, like_written
from stream_deid.text.folding import fold


@dataclass(frozen=True, slots=True)
class Saints:
    """The saints of one note's organisations."""

    scope: Scope
    language: str
    places: Places
    taken: Taken

    def another(self, text: str, run: Sequence[Word]) -> str:
        """Another saint of the same title; a possessive stays."""
        first, named = run[0], run[1]
        kind = "saint" if first.key in {"st", "saint"} else "saint.es.f" if first.key in {
            "santa", "sta"} else "saint.es"  # fmt: skip
        names = load_list("words")[kind]
        key = fold(named.text)
        if self.language != "es" and _is_borne(key.removesuffix("s")):
            key = key.removesuffix("s")
        if self.language == "es":
            own = self.scope.sub("saint", key)
            drawn = first_free(
                lambda n: names[own.integer(len(names), n)], key, (self.places.names,), self.taken
            )
        else:
            at = self.scope.integer(len(names), "saint", key)
            drawn = names[at] if fold(names[at]) != key else names[at - 1]
        tail = text[named.end : named.end + 2]
        made = text[first.start : named.start] + like_written(named.text, drawn, self.language)
        if key != fold(named.text) and not made.endswith(("s", "S")):
            made += "S" if named.text.isupper() else "s"
        return made + (tail if len(run) > 2 and tail.startswith(("'", "’")) else "")


def is_short(first: Word, named: Word, language: str) -> bool:
    """Whether two words are "S. Juan", who is San Juan."""
    saints = load_list("words")["saint.es"] if language == "es" else ()
    return first.key == "s" and named.key in map(fold, saints)


def _is_borne(key: str) -> bool:
    return bool(load_names().label(key)) or key in load_census().sex
