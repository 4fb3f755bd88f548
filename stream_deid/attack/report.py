"""The figures as Markdown."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt

from stream_deid.attack.consistency_worker import WHOLE
from stream_deid.attack.counters import DaysLeft
from stream_deid.attack.figures import Consistency, Share
from stream_deid.attack.outcome import Cell
from stream_deid.attack.pairs import Narrowed
from stream_deid.attack.plot import Panel, Series, svg
from stream_deid.attack.timing import Told
from stream_deid.training.scores.tables import markdown

_Z95 = 1.96
_NUMBERS_OF_A_SHAPE = 9 * 10**7  # patterns of a record number of eight digits


def percent(part: int, whole: int, digits: int = 1) -> str:
    """`part` of `whole` in per cent; a dash where there is nothing to count."""
    return f"{100 * part / whole:.{digits}f}" if whole else "–"


def interval(part: int, whole: int) -> tuple[float, float]:
    """The 95 % score interval of a share (Wilson 1927), in [0, 1]; all of it for `whole` 0."""
    if not whole:
        return 0.0, 1.0
    share, z2 = part / whole, _Z95**2
    middle = share + z2 / (2 * whole)
    half = _Z95 * sqrt(share * (1 - share) / whole + z2 / (4 * whole * whole))
    low, high = ((middle + sign * half) / (1 + z2 / whole) for sign in (-1, 1))
    return max(low, 0.0), min(high, 1.0)


def timing(rows: Sequence[Told]) -> str:
    """What place and time tell, by attacker and notes a patient."""
    table = [
        [row.sees, str(row.notes), percent(row.certain, row.patients), f"{row.possible:g}"]
        for row in rows
    ]
    head = ["the attacker sees", "notes a patient", "offset known, %", "offsets left, median"]
    return markdown(head, table)


def pairs(rows: Sequence[Narrowed]) -> str:
    """What known pairs of names leave of the others, by attacker and number of pairs."""
    table = [
        [row.sees, str(row.pairs), f"{row.possible:g}", percent(row.certain, row.people)]
        for row in rows
    ]
    head = ["the attacker sees", "pairs known", "originals left, median", "one left, %"]
    return markdown(head, table)


def consistency(out: Consistency) -> str:
    """Every figure of a cohort, with its counts."""
    rows = [
        *(_share(f"one surrogate in both notes: {k}", v) for k, v in sorted(out.same.items())),
        _share("intervals between dates kept", out.intervals),
        _share("name parts merged within a note", out.merged_in_note),
        *(
            _share(f"name parts merged over notes, {k}", v)
            for k, v in sorted(out.merged_over_notes.items())
        ),
        _share("two people of a patient with one surrogate", out.merged_people),
    ]
    spans = out.spans.total()
    rows.append(
        _share("original, as written, in its own replacement", Share(out.own[WHOLE], spans))
    )
    for place, counts in (("its own replacement", out.own), ("the released note", out.shown)):
        rows += [
            _share(f"{kind}: {'a word' if kind == 'name' else 'all'} of it in {place}",
                   Share(counts[kind], out.spans[kind]))
            for kind in sorted(out.spans)
        ]  # fmt: skip
    table = markdown(["", "count", "of", "%"], rows)
    return f"{out.patients:,} patients, {spans:,} replaced spans.\n\n{table}\n{_apart(out)}"


def _share(name: str, share: Share) -> list[str]:
    return [name, f"{share.kept:,}", f"{share.total:,}", percent(share.kept, share.total, 4)]


def _apart(out: Consistency) -> str:
    """What patients share with each other."""
    n = out.patients
    expected = n * (n - 1) / 2 / _NUMBERS_OF_A_SHAPE
    names, numbers = out.shared_names, out.shared_numbers
    return (
        f"Pairs of patients with one name: {names[0]:,} before, {names[1]:,} after; "
        f"with one name before and after: {out.same_to_same:,}. "
        f"With one record number: {numbers[0]:,} before, {numbers[1]:,} after "
        f"({expected:.0f} expected by chance).\n"
        f"Birth dates that imply 90 years or more, generalised and left out: "
        f"{out.generalised:,}.\n"
    )


def counters(rows: Sequence[DaysLeft]) -> str:
    """One row for each rate of notes and way of counting."""
    header = ["counters", "notes a day", "day known, %", "days left, median"]
    shown = [
        [one.counted, str(one.a_day), percent(one.known, one.asked), f"{one.left:g}"]
        for one in rows
    ]
    return markdown(header, shown)


def cells(found: Sequence[Cell]) -> str:
    """One row for each curve, strategy and miss rate: share of the leaks, precision, counts."""
    header = ["leaks / rule", "strategy", "missed %", "leaks", "found", "found % (95 %)",
              "false alarms", "precision %"]  # fmt: skip
    return markdown(header, [_cell(cell) for cell in found])


def _cell(cell: Cell) -> list[str]:
    out = cell.outcome
    low, high = interval(out.found, out.leaks)
    share = f"{percent(out.found, out.leaks)} ({100 * low:.0f}–{100 * high:.0f})"
    return [
        cell.curve, cell.strategy, f"{100 * cell.rate:g}", str(out.leaks), str(out.found), share,
        str(out.alarms), percent(out.found, out.found + out.alarms),
    ]  # fmt: skip


def curves(found: Sequence[Cell], title: str) -> str:
    """Both measures of `cells` over the miss rates, as SVG."""
    rates = sorted({cell.rate for cell in found})
    keys = list(dict.fromkeys((cell.curve, cell.strategy) for cell in found))
    at = {(cell.curve, cell.strategy, cell.rate): cell.outcome for cell in found}
    panels = []
    for name, measure in (("leaks found", "recall"), ("precision", "precision")):
        series = tuple(
            Series(f"{strategy}, {curve}",
                   tuple(getattr(at[curve, strategy, rate], measure) for rate in rates))
            for curve, strategy in keys
        )  # fmt: skip
        panels.append(Panel(f"{title}: {name}", series))
    return svg(panels, [f"{100 * rate:g} %" for rate in rates], "miss rate")
