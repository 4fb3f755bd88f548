"""Names after strong cues only: titles, labels, signature lines, dictation initials, log-ins.

    titled   = ("Dr." | "Mrs." | ...) Name{1,3}            the title stays outside
    labelled = ("Patient:" | "Attending:" | ...) name      "LAST, FIRST M" or "First M. Last"
    signed   = "Electronically signed by" name
    initials = "D:" date? initials "T:" initials | INI "/" ini    at the end of dictations
    login    = ("user" | "login" | "username") word

A name is capitalised words with particles; words of the vocabulary of medicine and eponyms are
none unless a title stands before them.
"""

from __future__ import annotations

from stream_deid.detect.patterns.base import Context, Hit, Pattern, whole
from stream_deid.detect.patterns.names.ends import (
    CUT,
    is_abbreviated,
    is_certified,
    is_said,
    without_letter,
    without_particles,
)
from stream_deid.detect.patterns.names.spoken import FOLLOWS
from stream_deid.detect.patterns.names.words import (
    IMAGED,
    KEYS,
    OFFICES,
    ORGANS,
    STATUS,
    WEEKDAYS,
)
from stream_deid.detect.words.terms import surely_a_term
from stream_deid.labels import PhiType
from stream_deid.lists.field_labels import is_label
from stream_deid.lists.namesakes import is_abbreviation, is_clinical
from stream_deid.lists.people import is_listed_name
from stream_deid.lists.terms import is_term
from stream_deid.lists.titles import affixes, any_of, written
from stream_deid.lists.vocabulary import Vocabulary, ordinary

_WORDS = Vocabulary("names_en")

T = PhiType
_CAP = r"(?:[A-Z][A-Za-z']*\p{L}(?:-[A-Z][A-Za-z]+)*\b|[A-Z]\.)"
_PARTICLES = affixes("prose", "particle")
_PART = rf"(?:(?i:{any_of('prose', 'particle')}|st\.)[ ]+)"
FULLNAME = (
    r"(?:" + _PART + r"){0,3}" + _CAP + r"(?:[ \t]+(?:(?:" + _PART + r"){0,2})" + _CAP + r"){0,3}"
)
_CAPS = r"[A-Z][A-Z'-]+"
REVERSED = (
    rf"(?:{_CAPS}(?:[ \t]{_CAPS}){{0,2}}|[A-Z][A-Za-z'-]+(?:[ \t][A-Z][A-Za-z'-]+)?)[ \t]?,[ \t]?"
    r"[A-Z][A-Za-z'-]*(?:[ \t][A-Z][A-Za-z'-]*\.?){0,2}"
)

_STOP = _WORDS.words("stop") | affixes("first")
_NO_NAME = _WORDS.words("no_name")


def name_like(hit: Hit) -> bool | int:
    """How much of the value is a name: it ends before a word that no name holds.

    Nothing, where its first word is one that forms and sentences put there. A run of capitals
    counts two words at most, as in a note that is all in capitals. Another column of a form
    isn't part of it.
    """
    if hit.start and hit.text[hit.start - 1].isalnum():
        return False
    value = _first_column(without_letter(hit.value, hit.after(8)))
    words = value.replace(",", " ").split()
    first = words[0].strip(".").lower()
    if first in _STOP or first in _NO_NAME or len(value) < 2:
        return False
    comma = "," in value
    most = 3 if value.isupper() and not comma else 9
    at = 0
    for count, word in enumerate(words):
        start = value.index(word, at)
        bare = word.strip(".-").lower()
        particle = bare in _PARTICLES and count + 1 < len(words)
        ends = bare in CUT or bare in _STOP or is_certified(bare) or count >= most
        ends = ends or (value.isupper() and not comma and is_said(bare))
        ends = ends or (not value.isupper() and is_abbreviated(word, value[start:], hit.after(2)))
        if count and not particle and ends:
            return without_particles(value[:start])
        at = start + len(word)
        if bare.endswith("'s"):
            return at - 2
    return _finished(hit, at)


def _first_column(value: str) -> str:
    """What stands before a tab or a run of blanks, or two of them and a label."""
    ends = [at for at in (value.find("\t"), value.find("   ")) if at > 0]
    head, _, behind = value.partition("  ")
    ends += [len(head)] if is_label(behind) else []
    return value[: min(ends)] if ends else value


def _finished(hit: Hit, length: int) -> bool | int:
    """The whole value, unless a word goes on behind it."""
    end = hit.start + length
    if end < len(hit.text) and hit.text[end].isalnum() and hit.text[end - 1].isalnum():
        return False
    return length


def label_name(hit: Hit) -> bool | int:
    """A name behind a label of a form; no disease, drug or first word of a speaker's sentence."""
    length = name_like(hit)
    if not length or _first_word(hit.value) in STATUS:
        return False
    value = hit.value[:length] if length is not True else hit.value
    if surely_a_term(value, 0, len(value), PhiType.PATIENT):
        return False
    after = hit.text[hit.start + len(value) : hit.start + len(value) + 3]
    single = " " not in value and "," not in value
    if single and (
        (after[:1] == " " and after[1:2].islower())
        or ("'" in value and value[-2:] in ("'s", "'m", "'t", "re", "ll"))
    ):
        return False
    letters = single and value.isupper()
    return not (letters and (len(value) < 4 or is_abbreviation(value))) and length


def form_name(hit: Hit) -> bool | int:
    """A name behind a label for people; behind "RE" and "Contact", of which a subject and an office
    stand too, one word of it at least is a listed name or none of the language.
    """
    length = label_name(hit)
    if not length or not _SUBJECT.search(hit.before(_LABEL)):
        return length
    value = hit.value if length is True else hit.value[:length]
    words = [word.strip(".,'").lower() for word in value.replace(",", " ").split()]
    if is_clinical(words[0]) and not is_listed_name(words[0]):
        return False
    return length if any(is_listed_name(w) or not _is_matter(w) for w in words) else False


def _is_matter(word: str) -> bool:
    """Whether a word behind "RE:" is of what is written about ("Expedited", "Appeal")."""
    return is_said(word) or word in ordinary() or is_term(word) or is_label(word)


_SUBJECT = Context(
    r"(?i)\b(?:re|contact|client|caller|member)[ \t]*[:=][ \t]*(?:[A-Z]{2,5}[ \t]+)?$"
)
_LABEL = 24


def login(hit: Hit) -> bool:
    """A log-in: a digit, a dot or underscore, capitals, or small letters behind a colon."""
    value = hit.value
    if not whole(hit) or value.lower() in _LOGIN_STOP:
        return False
    if _ANALYTE.match(value) or is_term(value.rstrip("0123456789").lower()):
        return False
    marked = any(c.isdecimal() or c in "._" for c in value) or value.isupper()
    prose = hit.before(6).lower().endswith(("user ", "users ", "log in "))
    return len(value) >= 4 and (marked or (value.islower() and not prose))


def speaker(hit: Hit) -> bool:
    """A log-in at the start of a line; no key of a list ("member.id   4471"), no "b.i.d"."""
    parts = hit.value.replace("_", ".").split(".")
    dotted = len(parts) > 1 and (max(map(len, parts)) == 1 or not KEYS.isdisjoint(parts))
    dosed = is_term(hit.value.rstrip("0123456789"))
    key = dotted or dosed or _KEY_AFTER.match(hit.after(40)) or _ANALYTE.match(hit.value)
    return whole(hit) and not key


_ANALYTE = Context(rf"(?i)^(?:[a-z]{{0,3}}(?:o2|co2|co3|po4|so4)|(?:{_WORDS['levels']})\d+)$")
_KEY_AFTER = Context(r"^[ \t]*=")
_LOGIN_STOP = _WORDS.words("no_login")
_TITLE_EN = rf"(?:{written('staff')}|DR)"
_TITLE_MISC = rf"(?:{written('prose', 'title')}|MR|MRS|MS|MISS)"


def lower_name(hit: Hit) -> bool:
    return whole(hit) and hit.value not in _LOWER_STOP | FOLLOWS


_LOWER_STOP = _WORDS.words("no_lower")


def titled(hit: Hit) -> bool | int:
    """A name after a title; bare "MR", "MS", "Fr" and "Father" need more than capitals behind."""
    words = hit.before(16).split()
    first = _first_word(hit.value)
    title = (words[-1:] or [""])[0].rstrip(".")
    value = hit.value
    if (
        (title in _KIN and first in STATUS | ORGANS)
        or _BRAND.search(f"{title} {value}")
        or (title in _SIDES and first in IMAGED)
    ):
        return False
    if (
        title in ("Fr", "FR", "Sr", "Madam", "Officer")
        and (words[-2:-1] or [""])[0][-1:].isdecimal()
    ):
        return False
    if value.isupper() and not title.isupper() and len(value) <= 5:
        return False
    if title in ("MR", "MS") and not _all_capitals(hit):
        medical = value.isupper() or title == "MS" or not _PERSONAL.search(hit.before(24))
        return not medical and name_like(hit)
    return name_like(hit)


def doctor(hit: Hit) -> bool | int:
    """A name after "Dr."; no maker of shoes, bottles and drinks."""
    return not _BRAND.search("dr " + hit.value + hit.after(8)) and name_like(hit)


def _first_word(value: str) -> str:
    """The first word of a value, in small letters."""
    return value.replace(",", " ").split()[0].strip(".'").lower()


_KIN = ("Father", "Sister", "Aunt", "Uncle", "Miss")
_BRAND = Context(rf"(?i)^(?:{_WORDS['brands']})\b")
_SIDES = ("MR", "Lt")
_PERSONAL = Context(
    rf"(?i)(?:^|[\n.,:;(\x22-][ ]*|\b(?:{_WORDS['before_letter']})[ ]+)MR\.?[ \t]*$"
)


def _all_capitals(hit: Hit) -> bool:
    """The text around is in capitals, so that "MR" is no murmur and no picture."""
    around = hit.before(40) + hit.value + hit.after(20)
    return sum(c.islower() for c in around) <= 2


def signer(hit: Hit) -> bool | int:
    """A name behind "signed by"; no office and no machine."""
    return _first_word(hit.value) not in STATUS | WEEKDAYS and name_like(hit)


def copied(hit: Hit) -> bool | int:
    """A name behind "cc:" of a letter; a chief complaint goes on in small letters or capitals."""
    length = label_name(hit)
    if "pain" in hit.value.lower().split():
        return False
    end = hit.end if length is True else hit.start + int(length)
    after = hit.text[end : end + 8]
    shouted = hit.text[hit.start : end].isupper() and after[:1] == " " and after[1:2].isalpha()
    return not shouted and not _COMPLAINT.match(after) and length


_COMPLAINT = Context(r"^ (?:for|x|since|with|on|of|after|in|s/p)\b")


def credential(hit: Hit) -> bool | int:
    """At least two words before a credential that stands after a comma or can be nothing else."""
    words = [w.strip(".").lower() for w in hit.value.replace(",", " ").split()]
    if (
        _first_column(hit.value) != hit.value
        or len(words) < 2
        or not (_STOP | CUT | OFFICES).isdisjoint(words)
    ):
        return False
    if (hit.groups.get("loose") and hit.value.isupper()) or _ASSAY.match(hit.after(_ASSAYED)):
        return False
    return name_like(hit)


_ASSAYED = 12
_ASSAY = Context(rf"(?i)^(?:,[ ]?|[ ]{{1,2}})(?:{_WORDS['assays']})\b")

ENGLISH = (
    Pattern(
        "name-title", 1, T.DOCTOR,
        rf"\b{_TITLE_EN}s?(?:\.[ \t]*|[ \t]+)\n?(?P<v>{FULLNAME})",
        doctor,
    ),
    Pattern("name-title", 1, T.DOCTOR, r"\bdr\.?[ \t]+(?P<v>[a-z]{3,})", lower_name, ("dr",), 0.6),
    Pattern(
        "name-title", 1, T.PATIENT,
        rf"\b{_TITLE_MISC}(?:\.[ \t]*|[ \t]+)(?P<v>{FULLNAME})",
        titled, (), 0.9,
    ),
    Pattern(
        "name-signed", 1, T.DOCTOR,
        r"(?i:electronically|digitally|e-?)[ \t-]*(?i:signed|authenticated|verified|approved"
        r"|reviewed|co-?signed)(?:[ \t]+(?i:and[ \t]+\w+))?(?:[ \t]*(?i:by))?[ \t]*[:/]*[ \t]*\n?"
        rf"[ \t]*(?:(?i:dr)\.?[ \t]+)?(?P<v>{REVERSED}|{FULLNAME})",
        signer, ("sign", "verif", "authen", "approv", "review"),
    ),
    Pattern(
        "name-signed", 1, T.DOCTOR,
        rf"(?i:(?:{_WORDS['signed']})[ \t]+by)[ \t]*[:/]?[ \t]*(?:(?i:dr)\.?[ \t]+)?"
        rf"(?P<v>{REVERSED}|{FULLNAME})",
        signer, (" by",), 0.9,
    ),
    Pattern(
        "name-label", 1, T.DOCTOR,
        rf"(?i:\b(?:{_WORDS['staff_labels']}))[ \t]*[:=][ \t]*(?:(?i:{any_of('post')})\.?[ \t]+)?"
        rf"(?P<v>{REVERSED}|{FULLNAME})",
        label_name, (":", "="), 0.9,
    ),
    Pattern(
        "name-label", 1, T.PATIENT,
        rf"(?i:\b(?:{_WORDS['labels']}))[ \t]*[:=][ \t]*"
        rf"(?:(?i:{any_of('form')})\.?[ \t]+|(?:{_WORDS['before_contact']})[ \t]+)?"
        rf"(?P<v>{REVERSED}|{FULLNAME})",
        form_name, (":", "="), 0.8,
    ),
    Pattern(
        "name-cc", 1, T.DOCTOR,
        rf"(?m:^)[ \t]*(?i:cc)[ \t]*:[ \t]*(?:(?i:dr)\.?[ \t]+)?(?P<v>{REVERSED}|{FULLNAME})",
        copied, ("cc",), 0.8,
    ),
    Pattern(
        "name-credential", 1, T.DOCTOR,
        rf"(?:\b(?i:{_WORDS['posted']})[ ])?(?P<v>{FULLNAME})(?:,[ ]?|[ ]{{1,2}})"
        rf"(?:{written('signed')}|(?P<loose>{written('loose')}))\b",
        credential, (), 0.8,
    ),
    Pattern(
        "login", 1, T.USERNAME,
        rf"(?i)\b(?:{_WORDS['logins']})[ \t]*[:=]*[ \t]*(?P<v>[a-z][a-z0-9._-]{{2,}}[a-z0-9])",
        login, ("user", "log", "uid", "network", "account"),
    ),
    Pattern(
        "login", 1, T.USERNAME,
        rf"(?i)(?:{_WORDS['opened']})[ \t:]*(?P<v>[a-z]+[._]?[a-z]*\d{{1,3}}|[a-z]+[._][a-z]+\d*)"
        r"\b",
        login, (), 0.9,
    ),
    Pattern(
        "login", 1, T.USERNAME,
        r"(?:^|\n|\d\d:\d\d(?::\d\d)?\)?[ap]?[ \t|]+)@?(?P<v>[a-z][a-z0-9]*[._][a-z0-9._]*[a-z0-9]"
        r"|[a-z]{3,}\d{1,3})(?:[ \t]{1,2}|:)",
        speaker, (), 0.8,
    ),
    Pattern(
        "login", 1, T.USERNAME,
        rf"(?i)\b(?:{_WORDS['doers']})[ \t:=(]+(?P<v>[a-z]+_[a-z0-9_]+|[a-z]+\.[a-z]+\d*"
        r"|[a-z]{3,}\d{1,3})\b",
        login, (), 0.7,
    ),
    Pattern(
        "login", 1, T.USERNAME,
        r"(?:^|[\s(\[])(?P<v>@[A-Za-z][A-Za-z0-9]*[._][A-Za-z0-9._]*[A-Za-z0-9])",
        whole, ("@",), 0.8,
    ),
)  # fmt: skip
