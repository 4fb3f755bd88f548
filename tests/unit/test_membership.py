"""What a group says of its members' partitions is read as Kafka's clients write it."""

from pathlib import Path

import pytest
from aiokafka.coordinator.protocol import ConsumerProtocolMemberAssignment

from stream_deid.streaming.kafka.membership import assigned

ROOT = Path(__file__).parents[2] / "stream_deid"


@pytest.mark.parametrize(
    "places",
    [
        [],
        [("notes.raw", [0])],
        [("notes.raw", [3, 1, 2]), ("notes.añejas", []), ("x", list(range(700)))],
    ],
)
@pytest.mark.parametrize("version", [0, 1, 3])
@pytest.mark.parametrize("more", [b"", b"sticky \x00\xff"])
def test_an_assignment_is_read_as_clients_write_it(places, version, more):
    written = ConsumerProtocolMemberAssignment(version, places, more).encode()
    assert list(assigned(written)) == [(name, n) for name, numbers in places for n in numbers]


def test_a_member_without_an_assignment_has_nothing():
    assert list(assigned(b"")) == []


def test_no_process_that_lives_on_asks_what_may_end_it():
    """confluentinc/librdkafka 4605: memory that was freed is used while a connection breaks."""
    sources = {path: path.read_text("utf-8") for path in ROOT.rglob("*.py")}
    asking = [path for path, text in sources.items() if ".describe_consumer_groups(" in text]
    assert any(".list_groups(" in text for text in sources.values())
    assert asking == []
