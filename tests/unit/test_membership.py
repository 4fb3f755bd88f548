"""What a group says of its members' partitions is read as Kafka's clients write it."""

import pytest
from aiokafka.coordinator.protocol import ConsumerProtocolMemberAssignment

from stream_deid.streaming.kafka.membership import assigned


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
