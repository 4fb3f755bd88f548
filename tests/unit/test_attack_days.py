"""What shifted dates tell of a patient's offset, and what one habit of padding takes away."""

from stream_deid.attack import days
from stream_deid.surrogate.policy import Policy

ALL = 2 * (330 - 35 + 1)


def test_padding_tells_nothing_where_a_note_shows_its_habit() -> None:
    rows = days.attack(Policy.named(), b"0123456789abcdef", 6, 1, lambda: None)
    left = {(row.sees, row.notes): row.possible for row in rows}
    assert left["padding", 20] == ALL
    assert left["padding, one date a note", 20] < ALL  # what is left of the attack
    assert left["inner audit", 20] < left["inner audit", 1] < ALL
    assert left["weekdays", 20] < left["weekdays", 1] < ALL
    assert left["weekdays, kept", 1] <= ALL / 7 + 1
