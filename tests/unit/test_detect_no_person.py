"""Words that stand where people do, and people who are called so."""

import pytest
from marked_spans import place

from stream_deid.detect.neural.no_person import no_person
from stream_deid.labels import PhiType as T

WORDS = [  # text, what a model took for a person
    ("visto por el Sr. Toro", "Sr"), ("mtg Thur 1400 re dc", "Thur"),
    ("libra los domingos", "domingos"), ("rios coma azucena", "coma"),
    ("llamo a nefro y espero", "nefro"), ("lee: k, on it", "k"),
    ("R.N. Monica saw him", "R.N."), ("derivado del H.U. ayer", "H.U"),
    ("labs nl.", "nl"), ("T.O. Dr. Early", "T"), ("T.O. Dr. Early", "T.O"),
    ("bj\nP.S. your line", "P.S"), ("ack by /es/ T FROST", "es"), ("Deb | RB y | jt", "RB y"),
    ("seen 3/15/2024 (Friday)", "Friday"), ("RTC 3/13 (W) for labs", "W"), ("4/2/24 (Tue)", "Tue"),
    ("Cita 15/03/2024 (vie) a las", "vie"), ("el 12/05/2023 (V)", "V"), ("on 3/13 (Th)", "Th"),
    ("control en cons ma con eco", "ma"), ("cons ma 10h", "cons"), ("cons. ju", "ju"),
    ("Lic. Tm. Rosa Díaz", "Tm"), ("Lic. Tm. avisada", "Tm"), ("Deb | RB y | jt", "y"),
    ("10/1 FK 7.1 Cr 1.3", "FK"), ("RE: D.O.B. 3/4/50", "D.O"), ("gi says scope", "gi"),
    ("MD f/u Friday", "f"), ("Monthly Kt/V 1.4", "V"), ("the resident who uh agreed", "uh"),
    ("hablado con Nefro (Dr. Seoane)", "Nefro"), ("valora Nefro (Dra. Paz)", "Nefro"),
    ("la de tito (el de ituzaingo)", "el"), ("la cedula mia es", "mia"),
    ("with marisol in i d who", "i d"), ("Hatfield (B) / Kim", "B"),
    ("REP0RT — PATHOL0GY", "REP0RT — PATHOL0GY"),
    ("Gen: WD/WN, NAD", "WD"), ("Gen: WD/WN, NAD", "WN"), ("HEENT: NC/AT.", "NC"),
    ("MIR R3 Nacho Vidal", "MIR"), ("Lda. Aurea Prieto", "Lda"), ("visto TCAE Loli", "TCAE"),
    ("FINAL REP0RT", "REP0RT"), ("PATHOL0GY DEPARTMENT", "PATHOL0GY DEPARTMENT"),
]  # fmt: skip
PEOPLE = [
    ("Sr, 40 a", "Sr"), ("seen by H0pe", "H0pe"), ("Y0ung called", "Y0ung"), ("W1ll B3", "W1ll B3"),
    ("seen by Thur Olsen", "Thur"), ("Domingo llama", "Domingo"),
    ("Dr. Coma came", "Coma"), ("k, the nurse", "k"), ("N.L. signed", "N.L."),
    ("seen 3/15/2024 (Graves)", "Graves"), ("bed 4 (W)", "W"), ("seen (Friday)", "Friday"),
    ("seen 3/15 (RN)", "RN"), ("typed F/V", "V"), ("signed i d", "i d"), ("um kulthum", "um k"),
    ("visto por Tm", "Tm"), ("Mir García, 40 a", "Mir"),
    ("cons Ma Elena", "Ma"), ("su ma viene", "ma"), ("con ma. elena", "ma"),
    ("visto por Uro", "Uro"), ("avisada Mia, la hija", "Mia"), ("con Endo (amigo)", "Endo"),
    ("thx\nP.M.\nx4410", "P.M."), ("seen by T.O. today", "T.O"),
    ("read by RB, y luego", "RB"), ("FK 7/10 called", "FK"), ("cc FK", "FK"),
]  # fmt: skip


def taken(text, marked):
    return no_person(text, *place(text, marked), T.DOCTOR)


@pytest.mark.parametrize(("text", "marked"), WORDS)
def test_a_word_where_people_stand(text, marked):
    assert taken(text, marked)


@pytest.mark.parametrize(("text", "marked"), PEOPLE)
def test_somebody_of_that_name(text, marked):
    assert not taken(text, marked)


def test_only_people_are_judged():
    assert not no_person("labs nl.", 5, 7, T.CITY)
