"""Of a note twice as long no line of what settles votes runs much more than twice as often."""

from pathlib import Path

import pytest
from line_counts import grown, lines

import stream_deid.detect.settle
from stream_deid.detect.patterns import Patterns
from stream_deid.detect.settle.agreement import agree, votes_of
from stream_deid.labels import PhiType as T
from stream_deid.note import Detection, Note, Part

HERE = Path(stream_deid.detect.settle.__file__).parent
FEW, AT_MOST, OFTEN = 12, 2.6, 100
LINES = {
    "en": "Seen 4/1{n}, pain 6/10, in 1/4 ICU. Easter 2025, days 1, 2 and {n} of care.\n",
    "es": "Visto 4/1{n}, dolor 6/10. Día de la Madre, días 1, 2 y {n}. Ma. del Carmen Rdz. Paz.\n",
}
SAID = {"Easter": T.HOSPITAL, "1/4": T.LOCATION_OTHER, "Madre": T.RELATIVE, "Ma": T.CITY,
        "Carmen Rdz": T.PATIENT, "Paz": T.PATIENT}  # fmt: skip
"""What a model says in each line."""


def settled(language: str, count: int) -> None:
    text = "".join(LINES[language].format(n=3 + n % 6) for n in range(count))
    note = Note("n", "p", (Part(text),), language)
    said, at = [], 0
    for line in text.splitlines(keepends=True):
        places = ((at + line.find(word), word, phi) for word, phi in SAID.items() if word in line)
        said += [Detection(a, a + len(word), phi, "bert@1", 0.6) for a, word, phi in places]
        at += len(line)
    known = Patterns(language).detect(text, note)
    agree(note, votes_of(note.parts, [known], [said]))


@pytest.mark.parametrize("language", LINES)
def test_no_line_runs_more_often_than_there_is_more_to_settle(language):
    settled(language, 1)  # reads the lists
    few = lines(lambda: settled(language, FEW), HERE)
    many = lines(lambda: settled(language, 2 * FEW), HERE)
    assert not grown(few, many, AT_MOST, OFTEN)
