"""What the place and the time of released notes tell of patients' date offsets."""

import random

import numpy as np

from stream_deid.attack import order
from stream_deid.attack.timing import NOTES, PERIODS, attack
from stream_deid.surrogate import Policy, Surrogates

KEY = b"0123456789abcdef"


def told(policy: Policy) -> dict[tuple[str, int], tuple[float, float]]:
    rows = attack(Surrogates(policy, KEY), 300, 1, lambda: None)
    return {(row.sees, row.notes): (row.certain / row.patients, row.possible) for row in rows}


def test_a_live_feed_tells_and_batches_do_not() -> None:
    found = told(Policy.named())
    assert found["record time", 1] == (1.0, 1.0)
    assert found["order", 20][0] > 0.99
    assert found["batches of 365 days", 1][0] == 0.0
    assert 250 < found["batches of 365 days", 1][1] < 330  # of 365, those that the policy allows
    assert found["batches of 30 days", 1][0] == 0.0


def test_longer_periods_leave_more_offsets_and_more_notes_fewer() -> None:
    found = told(Policy.named())
    for count in NOTES:
        left = [found[f"batches of {period} days", count][1] for period in PERIODS]
        assert left == sorted(left)
        assert left[-1] > 10 or count == NOTES[-1]
    for period in PERIODS:
        left = [found[f"batches of {period} days", count][1] for count in NOTES]
        assert left == sorted(left, reverse=True)


def feed(patients: int, notes: int, allowed: list[int]) -> tuple[list[int], list[int], list[int]]:
    """Offsets drawn, whose each note is in the order of record, its shifted day."""
    rng = random.Random(3)
    drawn = [rng.choice(allowed) for _ in range(patients)]
    line = sorted((rng.randrange(365), rng.random(), n % patients) for n in range(patients * notes))
    return drawn, [who for *_, who in line], [day + drawn[who] for day, _, who in line]


def test_order_alone_gives_every_offset() -> None:
    allowed = [*range(-330, -34), *range(35, 331)]
    drawn, who, shown = feed(400, 20, allowed)
    assert order.offsets(np.array(who), np.array(shown), 365, allowed).tolist() == drawn


def test_what_the_policy_draws_from_tells_by_how_much_all_are_off() -> None:
    allowed = [*range(-100, -34), *range(35, 101)]
    drawn, who, shown = feed(400, 20, allowed)
    late = np.array(shown) + 3  # a feed that began three days later than was thought
    assert order.offsets(np.array(who), late, 365, allowed).tolist() == drawn


def test_a_lone_note_gives_what_its_place_gives() -> None:
    who, shown = np.array([0, 1, 2, 3]), np.array([40, 41, 112, 123])
    assert order.offsets(who, shown, 4, [40, 110, 120]).tolist() == [40, 40, 110, 120]
