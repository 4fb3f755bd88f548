"""Listed names in small letters, where nothing around them has a capital."""

import pytest

from stream_deid.detect.patterns import Patterns
from stream_deid.detect.patterns.names.small import NAME


def small(language, text):
    found = Patterns(language).detect(text)
    return [text[d.start : d.end] for d in found if d.detector == f"{NAME}@1"]


@pytest.mark.parametrize(
    ("language", "text", "names"),
    [
        ("en", "refused by beckham 1st, then kowalski drew labs", ["beckham", "kowalski"]),
        ("en", "pt in 9 is takahashi, npo", ["takahashi"]),
        ("es", "mañana cura con quiroga, ayunas", ["quiroga"]),
        ("es", "fijador hoffmann con robledo", ["robledo"]),
        ("en", "stone passed, chin lac, said he is well", []),
        ("en", "The Patient was seen with kowalski there", []),
        ("en", "hx of crohn and hashimoto, murphy neg", []),
        ("en", "mail kowalski@x.org, see /home/kowalski/a", []),
    ],
)
def test_names_that_are_nothing_else(language, text, names):
    assert small(language, text) == names
