"""What shifted dates tell of a patient's offset, and what one habit of padding takes away."""

from stream_deid.attack import copies, days, zones_and_years
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


def test_zones_days_of_the_week_and_years_beside_dates_tell_nothing() -> None:
    policy = Policy.named()
    rows = {
        (row.sees, n): row.possible
        for n in (1, 5)
        for row in zones_and_years.attack(policy, b"0123456789abcdef", 8, n, 1)
    }
    for what in ("zones", "days of the week", "years"):
        assert rows[what, 5] == ALL
        assert rows[f"{what}, left as they are", 5] <= rows[f"{what}, left as they are", 1] < ALL
    assert rows["years, left as they are", 5] < rows["years, apart", 5]  # what is left of it
    assert rows["months", 5] == ALL > rows["months, elsewhere", 5]


def test_copies_of_a_note_under_many_epochs_narrow_its_offset() -> None:
    allowed = [sign * size for size in range(35, 331) for sign in (1, -1)]
    one, two, twenty = (
        copies.attack(Policy.named(), b"0123456789abcdef", 40, n, allowed).possible
        for n in (1, 2, 20)
    )
    assert one == ALL > two > twenty
