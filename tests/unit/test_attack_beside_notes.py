"""What audit and counters tell of released notes: both attacks on few of them."""

import pytest

from stream_deid.attack import counters, released_audit
from stream_deid.attack.release import UnreleasedNote, of_marked
from stream_deid.streaming.observability.metrics import TOGETHER
from stream_deid.training.data.corpora import AnnotatedNote

KEY = b"0123456789abcdef"
_NAMES = ("Whitcombe", "Petrova", "Okafor", "Lindqvist", "Marchetti")


def sources(count: int) -> list[UnreleasedNote]:
    """Notes of a name each, and as many dates as their number."""
    notes = []
    for n in range(count):
        name = _NAMES[n % len(_NAMES)]
        text = f"Mr. {name} came." + " Seen 03/14/2021." * n
        dates = [(at, at + 10, "DATE") for at in range(len(text)) if text[at : at + 3] == "03/"]
        spans = [(4, 4 + len(name), "PATIENT"), *dates]
        notes.append(of_marked(AnnotatedNote(f"n{n}", text, tuple(spans), "en")))
    return notes


def test_places_give_every_leak_away_and_counts_its_neighbours() -> None:
    found = {
        (cell.curve, cell.rate): cell.outcome
        for cell in released_audit.attack(sources(40), KEY, 1, lambda: None)
    }
    for rate in released_audit.RATES[1:]:
        none, counts, places = (found[name, rate] for name, _ in released_audit.VIEWS)
        assert places.found == places.leaks == counts.found == none.found > 0
        assert places.alarms == 0 < counts.alarms < none.alarms


@pytest.mark.parametrize("a_day", counters.A_DAY)
def test_counts_note_by_note_tell_days_and_counts_in_steps_do_not(a_day: int) -> None:
    rows = counters.attack(sources(60), 1, lambda: None)
    each, together = (row for row in rows if row.a_day == a_day)
    assert each.left < together.left or each.left == counters.DAYS
    assert together.left > counters.DAYS * 0.9
    assert together.known == 0


def test_the_attack_is_on_the_steps_in_which_the_worker_counts() -> None:
    assert counters.STEPS == (1, TOGETHER)
