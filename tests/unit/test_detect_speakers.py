"""Who speaks again in a chat."""

from marked_spans import finding

from stream_deid.detect.settle.layout.speakers import speaking
from stream_deid.labels import PhiType as T

CHAT = "9:14 AM joy: K 5.9\njt: on it\n9:20 AM joy: thx\nK: 5.1\njt: done\n"


def again(*values):
    found = [finding(CHAT, value, T.DOCTOR) for value in values]
    return [(one.start, CHAT[one.start : one.end]) for one in speaking(CHAT, found)]


def test_who_is_named_at_half_of_the_lines_is_found_at_all():
    second = CHAT.rindex("joy")
    assert again("joy") == [(second, "joy")]
    assert again("joy", "jt") == [(second, "joy"), (CHAT.rindex("jt"), "jt")]


def test_who_is_named_nowhere_is_nobody():
    assert again() == []
    assert again("K 5") == []
