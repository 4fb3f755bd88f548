"""What the place and the time of released notes tell of patients' date offsets."""

from stream_deid.attack.timing import NOTES, PERIODS, attack
from stream_deid.surrogate import Policy, Surrogates

KEY = b"0123456789abcdef"


def told(policy: Policy) -> dict[tuple[str, int], tuple[float, float]]:
    rows = attack(Surrogates(policy, KEY), 300, 1, lambda: None)
    return {(row.sees, row.notes): (row.certain / row.patients, row.possible) for row in rows}


def test_a_live_feed_tells_and_batches_do_not() -> None:
    found = told(Policy.named())
    assert found["record time", 1] == (1.0, 1.0)
    assert found["order", 20][0] > 0.3
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
