"""Tables, curves and the sheet for readers."""

from __future__ import annotations

import csv
from xml.etree import ElementTree as ET

import pytest

from stream_deid import cli
from stream_deid.attack import blinded, report, report_transfer, twins
from stream_deid.attack.outcome import Cell, Outcome
from stream_deid.attack.release import ReleasedNote, ShownIdentifier
from stream_deid.errors import Halt
from stream_deid.labels import PhiType
from stream_deid.training.scores.counts import Counts, Score

CELLS = [
    Cell("hard", name, rate, Outcome(leaks, found, alarms))
    for name, rate, leaks, found, alarms in (
        ("consistent", 0.01, 10, 5, 15), ("consistent", 0.05, 50, 50, 0),
        ("random", 0.01, 10, 0, 0), ("random", 0.05, 50, 10, 30),
    )
]  # fmt: skip


def notes() -> list[ReleasedNote]:
    text = "Seen by Dr. Stone today, not by Dr. Miller"
    shown = (
        ShownIdentifier(12, 17, PhiType.DOCTOR, leaked=True),
        ShownIdentifier(36, 42, PhiType.DOCTOR, leaked=False),
    )
    return [ReleasedNote(f"p{n}", text, shown) for n in range(10)]


def test_intervals_are_wilsons():
    low, high = report.interval(5, 10)
    assert (round(low, 4), round(high, 4)) == (0.2366, 0.7634)
    assert report.interval(0, 0) == (0.0, 1.0)
    assert report.interval(0, 20)[0] == 0.0


def test_shares_of_nothing_are_zero():
    assert (Outcome().recall, Outcome().precision) == (0.0, 0.0)
    assert Outcome(10, 5, 15).precision == 0.25


def test_a_row_holds_counts_and_shares():
    line = report.cells(CELLS).splitlines()[2]
    expected = ["hard", "consistent", "1", "10", "5", "50.0 (24–76)", "15", "25.0"]
    assert [c.strip() for c in line.strip("|").split("|")] == expected


def test_curves_stand_at_their_values():
    root = ET.fromstring(report.curves(CELLS, "parrot"))  # noqa: S314 - our own picture
    lines = [e for e in root.iter() if e.tag.endswith("polyline")]
    assert len(lines) == 4
    heights = [[float(p.split(",")[1]) for p in e.attrib["points"].split()] for e in lines]
    top, bottom = heights[0][1], heights[1][0]
    assert heights[0] == [pytest.approx((top + bottom) / 2), top]
    assert heights[1] == [bottom, pytest.approx(bottom - 0.2 * (bottom - top))]
    assert "random, hard" in "".join(root.itertext())


def test_the_sheet_is_blind_and_its_key_scores_it(tmp_path):
    assert blinded.write(notes(), tmp_path, 12, 1) == 12
    with (tmp_path / blinded.SHEET).open(encoding="utf-8") as handle:
        rows = list(csv.DictReader(handle))
    assert all(row["leak"] == "" for row in rows)
    assert sum("⟦Stone⟧" in row["snippet"] for row in rows) == 6
    for row in rows:
        row["leak"] = "y" if "⟦Stone⟧" in row["snippet"] else "n"
    filled = tmp_path / "filled.csv"
    with filled.open("w", encoding="utf-8", newline="") as handle:
        table = csv.DictWriter(handle, rows[0].keys())
        table.writeheader()
        table.writerows(rows)
    assert blinded.score(filled, tmp_path / blinded.KEY) == Outcome(6, 6, 0)
    blind = blinded.score(tmp_path / blinded.SHEET, tmp_path / blinded.KEY)
    assert blind == Outcome(6, 0, 0)


def test_a_sheet_with_another_key_is_refused(tmp_path):
    blinded.write(notes(), tmp_path, 4, 1)
    other = tmp_path / "other"
    other.mkdir()
    blinded.write(notes(), other, 6, 1)
    with pytest.raises(Halt, match=r"attack\.sheet"):
        blinded.score(tmp_path / blinded.SHEET, other / blinded.KEY)


def test_transfer_needs_its_corpora_and_stands_alone(tmp_path, capsys):
    assert cli.main(["attack", "--out", str(tmp_path), "--only", "transfer"]) == 78
    assert "--transfer TRAIN DEV" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        cli.main(["attack", "--transfer", "a", "b", "--only", "parrot"])


def scored(**counts: Counts) -> Score:
    return Score({name.replace("__", "."): count for name, count in counts.items()})


def test_what_the_other_training_loses_stands_in_points_and_by_label():
    own = scored(ner=Counts(100), type__SEX=Counts(50), type__DATE=Counts(50))
    lost = scored(ner=Counts(90, 10, 10), type__SEX=Counts(41, 9, 9), type__DATE=Counts(49, 1, 1))
    ways = {(a, b): own if a == b else lost for a in twins.VERSIONS for b in twins.VERSIONS}
    lines = report_transfer.transfer(ways, ["SEX", "AGE"]).splitlines()
    cells = [[c.strip() for c in line.strip("|").split("|")] for line in lines]
    assert cells[2:5] == [
        ["NER", "originals", "100.00", "90.00"],
        ["NER", "surrogates", "90.00", "100.00"],
        ["NER", "points lost by the other", "10.00", "10.00"],
    ]
    assert ["NER, generalised labels left out", "points lost by the other", "2.00", "2.00"] in cells
    assert "Generalised by the policy: SEX." in lines
    assert [row[:5] for row in cells[-2:]] == [
        ["SEX", "50", "100.00", "82.00", "+18"],
        ["DATE", "50", "100.00", "98.00", "+2"],
    ]


def test_the_command_says_which_parts_there_are(tmp_path, capsys):
    assert cli.main(["attack", "--out", str(tmp_path), "--only", "nothing"]) == 78
    parts = (
        "consistency, parrot, recurrence, timing, days, pairs, audited, counters, sheet, transfer"
    )
    assert parts in capsys.readouterr().err
