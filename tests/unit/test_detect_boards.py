"""Surnames and initials in the rows of boards in capitals."""

from marked_spans import finding

from stream_deid.detect.settle.layout.boards import on_boards
from stream_deid.labels import PhiType as T

BOARD = """CENSUS 7W
701 BLACK R 67 CHF
702 STONE K 54 PNA
703 RIVERA M 80 CVA
CT A 40 NEG
704 LONG T 33 DKA
"""


def found(text, names, *marked):
    findings = [finding(text, word, T.PATIENT, 0.6) for word in marked]
    assert sorted(text[d.start : d.end] for d in on_boards(text, findings)) == sorted(names)


def test_rows_of_a_board_are_found_with_their_initials():
    found(BOARD, ["BLACK R", "STONE K", "RIVERA M", "LONG T"], "STONE K", "RIVERA")


def test_letters_that_are_sexes_alone_are_no_initials():
    text = "12 BLACK M 67 CHF\n13 STONE F 54 PNA\n14 RIVERA F 80"
    found(text, ["BLACK", "STONE", "RIVERA"], "STONE", "RIVERA")


def test_rows_without_beds_and_ages():
    found(
        "ED\nYOUNG D ABD PAIN\nBROWN K FALL\nHALL B SI",
        ["YOUNG D", "BROWN K", "HALL B"],
        "BROWN",
        "HALL",
    )


def test_few_names_make_no_board():
    found(BOARD, [], "STONE K")
    found("BLACK R 67 CHF", [], "BLACK")


def test_lists_of_other_things_stay():
    found("GRAM A POS\nSTREP B NEG\nHEP B POS\nHEP C NEG", [], "HEP B")
    found("MRI L KNEE\nCXR R BASE", [])
