"""An account that is to show a lost note must not lose one itself, on the way in."""

from __future__ import annotations

import pytest
from confluent_kafka.admin import AdminClient, NewPartitions
from harness import make_topics

from stream_deid.config import Kafka
from stream_deid.errors import Unavailable
from stream_deid.rig import reconciliation
from stream_deid.rig.reconciliation import publish
from stream_deid.streaming.kafka.clients import base_options


def test_notes_for_partitions_that_a_broker_does_not_know_are_told(
    apache: Kafka, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Seen once: partitions were added, and a third of the notes behind them never came in."""
    make_topics(apache, 2)
    monkeypatch.setattr(reconciliation, "_KNOWN_S", 0.5)
    with pytest.raises(Unavailable, match="has 2 partitions, not 3"):
        publish(apache, [b"a", b"b", b"c"], 3)


def test_notes_that_a_broker_refuses_are_told(apache: Kafka) -> None:
    make_topics(apache, 2)
    with pytest.raises(Unavailable, match="2 messages were not taken: _UNKNOWN_PARTITION"):
        publish(apache, [b"a", b"b"], 2, only=7)


def test_partitions_that_were_just_added_take_notes(apache: Kafka) -> None:
    make_topics(apache, 2)
    admin = AdminClient(base_options(apache))
    grown = admin.create_partitions([NewPartitions(apache.topic_in, 4)])
    grown[apache.topic_in].result(30)
    assert publish(apache, [b"note"] * 8, 4) == 8
