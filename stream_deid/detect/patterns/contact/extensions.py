"""Extensions of a telephone exchange: "x4410", "ext. 22", "anexo 318".

`telephones` has their expressions; here is what makes one of "x" and its figures no dose, no
magnification, no exotropia and no joint.

extension = number ["," | ";"] ("ext" | "anexo" | "opt" | ...) n    "946-0225 ext 22", "ext. 318"
          | "x" nnnn                                                "x4410"
          | (name | mark) "x" nnn, at the end of something          "Dow x318"
          | (number | desk) "x" nn                                  "-7170 x31"
none      = n "cm" "ext" n | "ext" 0nnn                             "42 cm ext 2", "ext 0915"
          | n (unit | "+" | ...), what stands at `no_extension`     "x 300 mg", "Ext: 1+ edema"
          | joint ... "ext" n | "XT" n                              "knee ext 0", "XT 25"
          | ("anexo" | "interno") n, without a telephone            "anexo 6" of a law
          | "ext" "#" n, a tooth to be taken out, without one       "re-eval, ext #30 w/ FDBA"
"""

from __future__ import annotations

from dataclasses import replace

from stream_deid.detect.patterns.base import Context, Hit, whole
from stream_deid.lists.vocabulary import Vocabulary

_WORDS = Vocabulary("contact")

_MEASURED = Context(r"(?i)\d[ ]?[cm]m[ ]$")
_MORNING = Context(r"(?:^|[^0-9-])0[0-9][0-5][0-9]$")
NO_EXTENSION = Context(rf"(?i)^[ \t]*(?:{_WORDS['no_extension']})")


def extension(hit: Hit) -> bool:
    """As in "x4410"; "x 300 mg", "x100" (magnified), "Ext: 1+ edema", "extension 30" aren't."""
    if not whole(hit) or NO_EXTENSION.match(hit.after(10)):
        return False
    head, after = hit.before(24), hit.after(2)
    if head[-1:].isdecimal() or head.rstrip()[-1:] in ("=", "*") or _of_a_tube(hit, head):
        return False
    digits = sum(c.isdecimal() for c in hit.value)
    word = hit.groups.get("x", "").lower()
    closed = after[:1] in ("", ".", ",", ";", ")", "\n") or after == "  "
    if word == "x":
        return digits >= 4 or (closed and _short_x(hit, head, digits))
    if digits < 3 and _too_short(hit, word, head):
        return False
    if word.startswith("extension"):
        return digits >= 3 or (closed and not _JOINT.search(head))
    return not _JOINT.search(head) and not (hit.value[3:4] == ":" and digits < 3)


def _of_a_tube(hit: Hit, head: str) -> bool:
    """How far a catheter stands out ("42 cm ext 2"), or when a tube was taken out ("ext 0915")."""
    return _MEASURED.search(head) or _MORNING.search(hit.value)


def _too_short(hit: Hit, word: str, head: str) -> bool:
    """A place in a row, an annex, an exotropia ("XT 25"), a neutral joint ("ext 0")."""
    joint = word.startswith("xt") or hit.value[-2:] == " 0"
    lone = sum(c.isdecimal() for c in hit.value) == 1 and not _WORK.search(head)
    tooth = "#" in hit.value and not _WORK.search(head)
    return joint or lone or tooth or _ROW_AFTER.match(hit.after(6)) or _annex(word, head)


def spelled_extension(hit: Hit) -> bool:
    """The number behind the word "extension", which stays outside of the value."""
    return extension(replace(hit, start=hit.start - len(hit.groups["lead"])))


def _short_x(hit: Hit, head: str, digits: int) -> bool:
    """Three digits behind a name or a mark ("Dow x318"), two behind a telephone ("-7170 x31")."""
    named = head.rstrip()[-1:] in "(,;:)" or head[-2:-1].isalpha() or head[-3:] == "   "
    if digits == 2:
        return _WORK.search(head)
    return digits == 3 and named and hit.value[1:2] not in " #:"


def _annex(word: str, head: str) -> bool:
    """As in "anexo 6" of a law, "interno 3": no telephone stands before it."""
    return word[0] in "ai" and not _WORK.search(head)


_WORK = Context(
    r"(?i)(?:\d[-. /]\d{4}[^0-9]{1,16}|\d{7}[^0-9]{1,16}|"
    rf"\b(?:{_WORDS['desks']})\b[^0-9\n]{{0,16}})$"
)
_ROW_AFTER = Context(r"^, (?:and )?\d\d?\b")
_JOINT = Context(rf"(?i)(?:{_WORDS['joints']})[^\n]{{0,14}}$")
