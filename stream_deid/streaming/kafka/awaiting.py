"""The wait before anything may start: for a broker that answers, and for the topics that it has."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from confluent_kafka import KafkaError, KafkaException
from confluent_kafka.admin import AdminClient

from stream_deid.config import Kafka
from stream_deid.errors import Halt, Unavailable
from stream_deid.streaming.kafka import rights
from stream_deid.streaming.kafka.clients import base_options, client
from stream_deid.streaming.kafka.security import token_problem

_MAKE_IT = "make it (`stream-deid doctor` has the command), or name another one in [kafka]"
_UNREACHED = (
    "kafka.bootstrap; names, firewalls and network policies between here and the brokers; "
    "security.protocol, as the listener wants it"
)
_REFUSED = "kafka.security: protocol, mechanism, user, certificates, as the listener wants them"
_TOKENLESS = "kafka.security: sasl.oauthbearer.*, and the endpoint that gives tokens"
_FIRST_PAUSE_S, _LONGEST_PAUSE_S = 0.2, 3.0

Tell = Callable[[str, Mapping[str, Any]], None]


@dataclass(frozen=True, slots=True)
class Patience:
    """How topics are waited for.

    `deadline_s`: how long for a broker that answers; `missing_s`: how long for a topic that such a
    broker doesn't have, if that is shorter. `tell(event, fields)` hears of each try in vain; once
    it has `ended`, nothing is waited for any more.
    """

    deadline_s: float
    tell: Tell = lambda *_: None
    missing_s: float = math.inf
    ended: Callable[[], bool] = lambda: False


@dataclass(frozen=True, slots=True)
class _Hindrance:
    """Why nothing can start yet, what to look at, and for how long that is waited for."""

    error: Unavailable
    remedy: str
    waits_s: float


def await_topics(kafka: Kafka, topics: Iterable[str], patience: Patience) -> dict[str, int]:
    """Wait until the broker answers and knows every topic; give each one's partition count, and
    nothing where the wait has ended.

    Raises `Unavailable("kafka.unreachable" | "kafka.topic_missing")` when its time is over,
    `Halt("kafka.denied")` at once where this user may not see a topic, and `Halt("kafka.options")`
    for options that librdkafka does not take.
    """
    return _Asked(kafka, topics).wait(patience)


def await_worker_topics(kafka: Kafka, topics: Iterable[str], patience: Patience) -> dict[str, int]:
    """As `await_topics`, and then ask for the rights and limits of a worker.

    Raises as `await_topics`, and `Halt("kafka.denied" | "kafka.limits")` where they don't suffice.
    """
    broker = _Asked(kafka, topics)
    counts = broker.wait(patience)
    if counts:
        rights.require(broker.admin, kafka)
    return counts


class _Asked:
    """A broker that is asked for topics, again and again."""

    def __init__(self, kafka: Kafka, topics: Iterable[str]) -> None:
        self._kafka, self._wanted = kafka, tuple(topics)
        self._refused: list[KafkaError] = []
        options = {**base_options(kafka), "error_cb": self._refused.append}
        self.admin = client(AdminClient, options)

    def wait(self, patience: Patience) -> dict[str, int]:
        """Partitions by topic, once all are there."""
        begin, pause, tell = time.monotonic(), _FIRST_PAUSE_S, patience.tell
        while isinstance(found := self._look(patience), _Hindrance):
            reason, where = found.error.detail, self._kafka.bootstrap
            if time.monotonic() + pause > begin + found.waits_s:
                detail = f"{where}: {reason} after {found.waits_s:g} s"
                raise Unavailable(found.error.code, detail)
            told = {"bootstrap": where, "reason": reason, "remedy": found.remedy}
            tell("waiting_for_kafka", told)
            if patience.ended():
                return {}
            time.sleep(pause)
            pause = min(pause * 2, _LONGEST_PAUSE_S)
        return found

    def _look(self, patience: Patience) -> dict[str, int] | _Hindrance:
        try:
            known = self.admin.list_topics(
                timeout=min(5.0, max(0.5, patience.deadline_s / 4))
            ).topics
        except KafkaException as error:
            self.admin.poll(0)  # hears what connections were refused for
            return self._unreached(error.args[0], patience.deadline_s)
        counts = {name: len(known[name].partitions) for name in self._wanted if name in known}
        missing = [name for name in self._wanted if not counts.get(name)]
        if not missing:
            return counts
        if denied := rights.denied_topics(self.admin, missing):
            raise Halt("kafka.denied", f"this user may not Describe {', '.join(denied)}")
        reason = f"there is no topic {', '.join(missing)}"
        waits_s = min(patience.missing_s, patience.deadline_s)
        return _Hindrance(Unavailable("kafka.topic_missing", reason), _MAKE_IT, waits_s)

    def _unreached(self, error: KafkaError, waits_s: float) -> _Hindrance:
        """Why there is no answer this time; what was heard is forgotten."""
        reason, remedy, _ = why_unreached(error, self._refused)
        self._refused.clear()
        if tokenless := token_problem(self._kafka.security):
            reason, remedy = tokenless, _TOKENLESS
        return _Hindrance(Unavailable("kafka.unreachable", reason), remedy, waits_s)


def why_unreached(error: KafkaError, refused: list[KafkaError]) -> tuple[str, str, bool]:
    """Why there is no answer, what to look at, and whether it is for who asks: what a connection
    was refused for says more than a timeout.
    """
    told = [one for one in refused if rights.is_about_credentials(one)]
    if told:
        return f"{told[-1].name()} ({told[-1].str()})", _REFUSED, True
    return (refused[-1].str() if refused else str(error.name())), _UNREACHED, False
