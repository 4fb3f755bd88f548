"""The word lists agree with each other, and every file says what it is and where it is from."""

from pathlib import Path

import pytest

import stream_deid
from stream_deid.lists.known_words import NICKNAMES
from stream_deid.lists.lexicon import load_names, rows
from stream_deid.lists.titles import affixes, nothing_but
from stream_deid.text.folding import fold

DATA = Path(stream_deid.__file__).parent / "lists" / "data"


@pytest.mark.parametrize("file", sorted(p for p in DATA.rglob("*") if p.is_file()), ids=str)
def test_every_list_opens_with_what_it_holds(file):
    assert file.read_text("utf-8").startswith("# ")


def test_a_nickname_that_surrogates_know_is_looked_for_too():
    for full, short in load_names().short.items():
        assert set(map(fold, short)) <= set(NICKNAMES[full])


def test_every_affix_says_what_it_is_and_who_takes_it_for_that():
    table = rows("titles")[1]
    assert len({(word, kind) for word, kind, _ in table}) == len(table)
    assert {kind for _, kind, _ in table} == {"title", "credential", "suffix", "particle"}
    takers = {taker for *_, who in table for taker in who.split("|")}
    assert takers == {"record", "span", "name", "sex", "hl7", "fhir"}
    assert all(affixes(taker) for taker in takers)


def test_a_structured_field_of_titles_alone():
    assert nothing_but("Dr., MD/PhD", "hl7")
    assert nothing_but("Lady", "hl7", "fhir")
    assert not nothing_but("Lady", "hl7")
    assert not nothing_but("Dr. Keller", "hl7", "fhir")
