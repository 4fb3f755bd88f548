"""The house as docs/architecture.md shows it: every room is there, none has grown out of measure.

Figures change with the code; they are made anew (`make rooms`) when they are far off.
"""

import pytest
import rooms

MOST_LINES, MOST_OF_A_FUNCTION = 350, 60
ROOMS = rooms.rooms()


def shown():
    """The rows of the page: `(folder, files, median, largest)`, in order."""
    (found,) = rooms.TABLE.findall(rooms.PAGE.read_text("utf-8"))
    rows = [line.split("|")[1:5] for line in found.splitlines()[2:]]
    return [(name.split("`")[1], int(files), int(lines), most) for name, files, lines, most in rows]


@pytest.mark.parametrize("room", ROOMS, ids=lambda room: room.name)
def test_no_file_and_no_function_is_too_long(room):
    assert max((file.lines for file in room.files), default=0) <= MOST_LINES
    assert max((one.lines for one in room.functions), default=0) <= MOST_OF_A_FUNCTION


def test_the_page_shows_every_room():
    assert [name for name, *_ in shown()] == [f"{one.name.rpartition('/')[2]}/" for one in ROOMS]


def test_the_pages_figures_are_about_right():
    for room, (name, files, lines, most) in zip(ROOMS, shown(), strict=True):
        assert len(room.files) == pytest.approx(files, rel=0.3, abs=3), f"{name}: make rooms"
        assert room.median == pytest.approx(lines, rel=0.5, abs=60), f"{name}: make rooms"
        largest = max((file.lines for file in room.files), default=0)
        told = int(most.split()[0]) if most.strip() else 0
        assert largest == pytest.approx(told, rel=0.1, abs=10), f"{name}: make rooms"
