from __future__ import annotations

import re

from marked_spans import place

from stream_deid.training.evaluate.browser import Mistake, NotePage, mistakes, render
from stream_deid.training.scores.metrics import Mark

TEXT = "Ana Ruiz & <Bob>, 67, seen 3/4/2019 by Dr. Lee in Ward 7 today"


def _mark(value: str, label: str) -> Mark:
    return Mark(*place(TEXT, value), label)


PAGE = NotePage(
    "n<1>",
    TEXT,
    [
        _mark("Ana Ruiz", "PATIENT"),
        _mark("Bob", "PATIENT"),
        _mark("67", "AGE_U90"),
        _mark("3/4/2019", "DATE"),
        _mark("Lee", "DOCTOR"),
    ],
    [
        _mark("Ana", "PATIENT"),
        _mark("67", "AGE"),
        _mark("3/4/2019", "DATE"),
        _mark("Lee", "PATIENT"),
        _mark("Ward 7", "HOSPITAL"),
    ],
)


def test_each_kind_of_mistake_is_told_apart():
    assert mistakes(PAGE) == [
        Mistake("partial", "PATIENT", "PATIENT", 0, 8),
        Mistake("missed", "PATIENT", "", 12, 15),
        Mistake("type", "DOCTOR", "PATIENT", 43, 46),
        Mistake("alarm", "HOSPITAL", "HOSPITAL", 50, 56),
    ]


def test_a_perfect_note_has_no_mistakes():
    gold = [g for g in PAGE.gold if g.label != "AGE_U90"]
    assert mistakes(NotePage("x", TEXT, PAGE.gold, gold)) == []


def test_the_page_is_whole_safe_and_self_contained():
    page = render("system", [PAGE])
    assert page.count("<article") == 4
    assert "<!--" not in page
    assert "<Bob>" not in page
    assert "&lt;" in page
    assert not re.search(r"(src|href)=|https?:|@import", page)
    shown = re.sub(r"<[^>]+>", "", page[page.index("<article") : page.index("</article>")])
    assert "Ana Ruiz &amp; &lt;Bob&gt;" in shown
