"""A name or number of the record is found however its letters are drawn, parted or hemmed in."""

import unicodedata

import pytest

from stream_deid.detect.examination import Language
from stream_deid.detect.patterns import Patterns
from stream_deid.detect.record.known import KnownIdentifiers
from stream_deid.labels import PhiType as T
from stream_deid.note import Known, Note, Part
from stream_deid.pipeline import Pipeline
from stream_deid.surrogate.engine import Surrogates
from stream_deid.surrogate.policy import Policy
from stream_deid.text.folding import folded, seen
from stream_deid.text.view import View

PIPELINE = Pipeline(
    {"en": Language((Patterns("en"), KnownIdentifiers()), ())},
    Surrogates(Policy.named(), b"0123456789abcdef"),
    "test",
)
KNOWN = (
    Known(T.PATIENT, "Harold", "1", "given"),
    Known(T.PATIENT, "Whitcombe", "1", "family"),
    Known(T.MEDICALRECORD, "84736251"),
)


def drawn(text: str, first: int, small: int = 0) -> str:
    """Letters from an alphabet of Unicode that begins at `first`, small ones at `small`."""
    low = small or first
    return "".join(chr((first if c.isupper() else low) + ord(c.upper()) - 65) for c in text)


NAMES = {
    "in rings": drawn("Whitcombe", 0x24B6, 0x24D0),
    "in black rings": drawn("Whitcombe", 0x1F150),
    "in boxes": drawn("Whitcombe", 0x1F130),
    "in black boxes": drawn("Whitcombe", 0x1F170),
    "in brackets": drawn("Whitcombe", 0x1F110, 0x249C),
    "as flags": drawn("Whitcombe", 0x1F1E6),
    "as tags": drawn("Whitcombe", 0xE0041, 0xE0061),
    "small capitals": "ᴡʜɪᴛᴄᴏᴍʙᴇ",
    "struck through": "".join(c + "\u0336" for c in "Whitcombe"),
    "dotted below": "Whit\u0323com\u0323be",
    "stars": "*".join("Whitcombe"),
    "stars and spaces": " * ".join("Whitcombe"),
    "slashes": "/".join("Whitcombe"),
    "underlines": "_".join("Whitcombe"),
    "lines": "\n".join("Whitcombe"),
    "a bracket": "[W]hitcombe",
    "half in brackets": "Whit(combe)",
    "half behind a slash": "Whit/combe",
    "bold in the middle": "Wh**it**combe",
    "hemmed in": "xxWhitcombexx",
    "hemmed in, small": "xxwhitcombexx",
    "hemmed in at one side": "xxwhitcombe",
    "article and plural": "thewhitcombes",
    "between words": "mywhitcombefile",
    "backwards": "ebmoctihw",
}
NUMBERS = {
    "in black rings": "❽❹❼❸❻❷❺❶",
    "full stops": "".join(chr(0x2487 + int(c)) for c in "84736251"),
    "keys": "".join(c + "\ufe0f\u20e3" for c in "84736251"),
    "as tags": "".join(chr(0xE0030 + int(c)) for c in "84736251"),
    "struck through": "".join(c + "\u0336" for c in "84736251"),
}


def clean(text: str) -> str:
    pending = PIPELINE.begin(Note("n", "p", (Part(text),), "en", known=KNOWN))
    return PIPELINE.finish(pending, ())[0].parts[0].text


def as_seen(text: str) -> str:
    bare = "".join(c for c in map(seen, text) if c.isalnum()).lower()
    return "".join(c for c in unicodedata.normalize("NFKD", bare) if c.isalnum())


@pytest.mark.parametrize("form", NAMES)
def test_a_name_stays_in_no_drawing(form: str) -> None:
    made = clean(f"The tag reads {NAMES[form]} now. Lungs clear, Whit was there.")
    kept = as_seen(made.removeprefix("The tag reads ").partition(" now. ")[0])
    assert "combe" not in kept
    assert "ebmoc" not in kept
    assert made.startswith("The tag reads ")
    assert made.endswith(" now. Lungs clear, Whit was there.")


@pytest.mark.parametrize("form", NUMBERS)
def test_a_number_stays_in_no_drawing(form: str) -> None:
    made = clean(f"The tag reads {NUMBERS[form]} now.")
    assert "84736251" not in as_seen(made)


def test_no_mark_of_a_name_is_left_behind_it() -> None:
    made = clean("Seen: Whitcombe\u0301 now.")
    assert not any(map(unicodedata.combining, made))


@pytest.mark.parametrize(
    "text",
    [
        "With comb, even so; whit/comb.",
        "The white-combed hen; W/h/i/t/e/c/o/m/b.",
        "Blood group \U0001f170\ufe0f and ① of ② tablets ⓐ at noon.",
    ],
)
def test_what_is_drawn_and_nobody_stays(text: str) -> None:
    assert clean(text) == text


def test_a_view_leaves_out_marks_and_finds_its_way_back() -> None:
    text = "n\u0303a \u24b6\U0001f15a"
    view = View(text)
    assert view.text == "na AK"
    assert view.origin(0, 1) == (0, 2)
    assert view.origin(1, 2) == (2, 3)
    assert folded(text[2:]) == "a AK"
