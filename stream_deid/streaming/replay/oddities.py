"""What stands among the outputs, and no worker and no replay writes there.

Each output names the message that it was made of. So a record that somebody added, put back from
an old copy or moved shows: it names no message, one that has an output already, or one before that
of the record in front of it. What a replay writes says so by its header, and may do the last two.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from confluent_kafka import Message

from stream_deid.outcome import Source
from stream_deid.streaming.kafka.clients import known
from stream_deid.streaming.kafka.headers import headers_in
from stream_deid.streaming.replay.reading import Place
from stream_deid.streaming.replay.sending import HEADER


def is_replayed(message: Message) -> bool:
    """Whether a replay wrote it."""
    return HEADER in dict(headers_in(message) or ())


@dataclass(slots=True)
class Oddities:
    """Looked at record by record, each partition in its order.

    `topic_in`: of the messages; `end`: of one of its partitions, None where there is none such.
    """

    topic_in: str
    end: Callable[[Place], int | None]
    strays: int = 0
    others: int = 0
    again: Counter[str] = field(default_factory=Counter)
    behind: int = 0
    _ends: dict[Place, int] = field(default_factory=dict)
    _last: dict[tuple[Place, Place], int] = field(default_factory=dict)

    def look(self, message: Message, source: Source | None, *, again: bool, kind: str) -> None:
        """One output of a `kind`; `again`: its message has one of that kind already."""
        if source is not None and source.topic != self.topic_in:
            self.others += 1
            return
        if source is None or not self._is_there(source):
            self.strays += 1
            return
        if is_replayed(message):
            return
        self.again[kind] += again
        here = str(message.topic()), known(message.partition())
        line = here, (source.topic, source.partition)
        self.behind += source.offset < self._last.get(line, -1)
        self._last[line] = max(source.offset, self._last.get(line, -1))

    @property
    def any(self) -> bool:
        """Whether an output stands there that nobody of ours wrote, or wrote there."""
        return bool(self.strays or self.again.total() or self.behind)

    def told(self) -> Iterator[str]:
        """Each in a line."""
        if self.strays:
            yield f"{self.strays} outputs name no message that was ever there"
        for kind, count in sorted(self.again.items()):
            if count:
                yield f"{count} outputs ({kind}) are there again without a replay"
        if self.behind:
            yield f"{self.behind} outputs stand behind one of a later message"
        if self.others:
            yield f"{self.others} outputs are of messages of another topic, and were not looked at"

    def _is_there(self, source: Source) -> bool:
        place = source.topic, source.partition
        if source.offset >= self._ends.get(place, 0):
            self._ends[place] = self.end(place) or 0  # it may have grown
        return 0 <= source.offset < self._ends[place]
