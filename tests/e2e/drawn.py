"""Notes through the real processor but for the models' scores, which are drawn (`rig.fuzz`)."""

from __future__ import annotations

import asyncio
import re
from types import SimpleNamespace
from typing import Any, cast

from confluent_kafka import Producer
from harness import make_topics

from stream_deid.config import Kafka, Settings
from stream_deid.errors import NoteRejected
from stream_deid.outcome import Dead, Outcome, Source
from stream_deid.processor import Processor
from stream_deid.rig.fuzz import subject
from stream_deid.serving.batcher import Scorer
from stream_deid.streaming.delivery import Parcel, PartitionClaim
from stream_deid.streaming.kafka.clients import base_options
from stream_deid.streaming.kafka.offsets import Offsets

NOTES = [
    b'{"note_id": "MRN-7700-a", "patient_id": "p1", "text": "Seen: Zebulon Quimby, 03/04/2024."}',
    b'{"note_id": "MRN-7700-b", "patient_id": "p1", "text": "Call 555-0143 for Mr. Quimby."}',
    b'{"note_id": "MRN-7700-c", "text": ',
    b'{"note_id": "MRN-7700-d", "patient_id": "p2", "text": "Quimby waits."}',
]


def drawn_processor() -> Processor:
    votes = subject.Votes()
    votes.begin(cast(Any, SimpleNamespace(votes=1, named=re.compile("Zebulon Quimby|Quimby"))))
    pipeline = subject.assemble("expert-determination", votes)
    return Processor(pipeline, cast(Scorer, votes), Settings(), subject.KEY)


def outcome(processor: Processor, raw: bytes, source: Source) -> Outcome:
    try:
        return asyncio.run(processor.process(raw, source))
    except NoteRejected as error:
        return Dead(error.code, error.detail)


def deliver(kafka: Kafka, processor: Processor, upto: int) -> None:
    """Commit the first notes of the partition as a worker does."""
    offsets = Offsets(kafka)
    claim = PartitionClaim(kafka, 0, 1, processor=processor, offsets=offsets)
    claim.open()
    sources = [Source(kafka.topic_in, 0, offset) for offset in range(upto)]
    claim.commit(
        [Parcel(s, outcome(processor, NOTES[s.offset], s), NOTES[s.offset]) for s in sources]
    )
    claim.drop()
    offsets.close()


def receive(kafka: Kafka) -> None:
    """Topics of one partition, with the four notes in the first."""
    make_topics(kafka, 1)
    producer = Producer(base_options(kafka))
    for raw in NOTES:
        producer.produce(kafka.topic_in, raw, partition=0)
    assert producer.flush(20) == 0
