"""Recall by who a name belongs to, and by whether training knew the value."""

import csv
import gzip

import pytest
from marked_spans import place

from stream_deid.training.data.corpora import AnnotatedNote
from stream_deid.training.evaluate.slices import CensusGroups, recall, table, values
from stream_deid.training.scores.counts import Counts
from stream_deid.training.scores.metrics import Mark

SHARES = ["pctwhite", "pctblack", "pctapi", "pctaian", "pcthispanic"]
TEXT = "Maria Nguyen and Tuan Zzyx saw Smith on 3/4/2019."


def write(path, rows, columns):
    with gzip.open(path, "wt", newline="", encoding="utf-8") as handle:
        writer = csv.writer(handle)
        writer.writerow(["name", *columns])
        writer.writerows(rows)


@pytest.fixture
def census(tmp_path):
    surnames = [["NGUYEN", 1, 0, 97, 0, 1], ["SMITH", 55, 22, 1, 1, 3], ["TUAN", "(S)", 0, 0, 0, 0]]
    given = [["MARIA", 20, 3, 5, 1, 70, 0.5, 99.5], ["TUAN", 1, 0, 98, 0, 1, 97, 3]]
    write(tmp_path / "us_surnames_2020.csv.gz", surnames, SHARES)
    write(tmp_path / "us_first_names_2020.csv.gz", given, [*SHARES, "pctmale", "pctfemale"])
    return CensusGroups.read(tmp_path)


def mark(value, label="PATIENT"):
    return Mark(*place(TEXT, value), label)


GOLD = [mark("Maria Nguyen"), mark("Tuan Zzyx"), mark("Smith", "DOCTOR"), mark("3/4/2019", "DATE")]
NOTE = AnnotatedNote("n", TEXT, tuple(GOLD), "en")


def test_words_of_names_by_origin_and_sex(census):
    counts = recall([NOTE], [[mark("Maria"), mark("Tuan Zzyx", "HOSPITAL")]], census)
    assert counts == {
        "given name, female": Counts(1, 0, 0),
        "given name, male": Counts(1, 0, 0),
        "name not listed": Counts(1, 0, 0),
        "name, Asian or Pacific": Counts(1, 0, 1),
        "name, Hispanic": Counts(1, 0, 0),
    }  # SMITH is of no clear origin


def test_values_that_training_lacks(census):
    trained = AnnotatedNote("t", "SMITH here", ((0, 5, "DOCTOR"),), "en")
    counts = recall([NOTE], [[mark("Smith"), mark("3/4")]], census, values([trained]))
    assert counts["value seen in training"] == Counts(1, 0, 0)
    assert counts["value not in training"] == Counts(0, 0, 3)  # half a date is no date
    assert "| value not in training | 3 | 0.000 |" in table(counts)
