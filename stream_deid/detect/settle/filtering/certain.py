"""What counts in a field for codes and results: a model that reads "mg/hr" alone takes it for a
name.

A short field is no note. There, a vote counts where it is sure, and figures with a line between
them are a score, a dose or a range and no date unless they name a year. What a model calls
a name has to be surer still where no word for a person stands before it: whom the record or the
rest of the message names is looked for by other detectors.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from stream_deid.detect.patterns.dates.events import resulted, timed
from stream_deid.detect.patterns.names import spelled as names_spelled
from stream_deid.detect.words.substances import asks_for_a_substance, is_substance
from stream_deid.detect.words.terms import SPECIES
from stream_deid.labels import NUMBERS, ORGANIZATIONS, PERSONS, PhiType
from stream_deid.lists.eponyms import EPONYMS
from stream_deid.lists.namesakes import is_clinical
from stream_deid.lists.people import given_names, is_listed_name
from stream_deid.lists.titles import any_of
from stream_deid.lists.vocabulary import Vocabulary, results
from stream_deid.note import Detection
from stream_deid.text.days import MONTH_STEMS, compact
from stream_deid.text.folding import fold, folded

_DAY_MONTH_YEAR, _YEAR, _TEN = 3, 4, 10
_NAMED = PERSONS | ORGANIZATIONS
_NAMED |= {PhiType.CITY, PhiType.STATE, PhiType.COUNTRY, PhiType.LOCATION_OTHER}
_SAID = _NAMED | {PhiType.OTHER}
"""What a word of results is taken for."""
_FOUND = frozenset({PhiType.SEX, PhiType.PROFESSION})
_SHORT, _PARTS_OF_A_POSTCODE = 3, 2
_NUMBERED_NEAR = 16
_NEARBY = 40
_ALONE = re.compile(r"[^\W\d_]+(?:[-'’.]+[^\W\d_]+)*")
_WORDS = Vocabulary("short_values")
_PEOPLE = rf"{any_of('result')}|{_WORDS['people']}"
_CUE = re.compile(rf"(?i)(?:\b(?:{_PEOPLE}|{_WORDS['prepositions']})\b[ .:/]*|/ ?)$")
_KIN = rf"{_WORDS['kin']}|{_WORDS['kin_or_name']}"
_PERSON_CUE = re.compile(rf"(?i)\b(?:{_PEOPLE}|{_WORDS['calling']}|{_KIN})\b[ .:/,(]*$")
_PLACE_CUE = re.compile(rf"(?i)\b(?:{_WORDS['placing']}) $")
_DATE_CUE = re.compile(rf"(?i)\b(?:{_WORDS['dating']})[ :]*(?:(?-i:[A-Z][a-z]?) )?$")
"""A word before dates; the letter of a day of the week may stand behind it ("seen M 3/5")."""
_BY = re.compile(r"(?i)\b(?:by|por) $")
_LIES = re.compile(rf"(?i)\b(?:{_WORDS['presentations']}) (?:by|por) $")
"""How a child lies: a manoeuvre tells it, and nobody who did something."""
_FORMS = re.compile("|".join(_WORDS.ordered("forms")))
_SIGHT = re.compile(rf"(?i)\b(?:{_WORDS['sight']})\b")
_SEEN = re.compile(rf"(?i)(?:{_WORDS['seen_at_best']})")
_IN_A_LIST = re.compile(r"(?:^|[,;/+]) ?$")
_FINDING = re.compile(
    rf"(?i) ?(?P<kind>\([^()]{{1,12}}\))? ?"
    rf"(?:[+±]{{1,4}}(?=[\s,;.)]|$)|-(?=[,;.)]|$)|(?:{_WORDS['findings']})\b|no(?=[,;.]|$)"
    rf"|(?-i:[A-D]\d[A-Z\d]{{0,2}}|[IVX]{{2,4}}[a-d]?|I[a-d]|V[a-d])(?=[\s,;.)]|$))"
)
_YEARS = re.compile(rf"(?i)[ -]{{0,2}}(?:{_WORDS['years']})\b")
_AGED = re.compile(r"(?i)\b(?:aged?|edad)(?: de)?[ :]*$")
_SURNAME_FIRST = re.compile(r"[^\W\d_]{2,}, ?[^\W\d_]+")
_HALF = re.compile(r"[^\W\d_]{2,}[^\w/]+[a-z]{1,3}/ ?$")
"""Before the second half of a pair of abbreviations in small letters ("AV grad pk/mn")."""
_FIGURES = re.compile(r"\d+")
_SIGNED = re.compile(r"(?<!\d)(?:[-−]|(?<=/)\+)\d")
"""A figure below nought, or with its sign (axes `54/-31/88`, lenses `-2.00/-0.75/90`)."""
_NO_DAY = re.compile(r"(?i:mayo) (?:[0-3]|\d{1,2} ?/ ?12)(?!\d)")
"""Mayo's score of colitis: three degrees, twelve points."""
_SEASON = re.compile(r"(?:19|20)?(\d\d)[-/](?:19|20)?(\d\d)")
_EDITION = re.compile(r"(?:([^\W\d_]{3,})|[A-Z]{2,}-[A-Z]{2,}) $")
_STRAIN = re.compile(r"\b[AB]/[^\W\d_]+(?:[ -][^\W\d_]+)*/\d{1,5}(?:/\d{2,4})?")
_SCHEDULE = re.compile(r"(?<![\d-])\d{1,4}(?:[-–]\d{1,4}){2,3}(?![\d-])")
_ACRONYMS = re.compile(r"[A-Z]{2,4}(?:-[A-Z]{2,4})+")
_SINGLES = re.compile(r"(?:[A-Za-z]|\d{1,2})(?:[ ,;:]+(?:[A-Za-z]|\d{1,2}))*")
_SEROVAR = re.compile(r"(?i)\bsero(?:t[iy]p|var|grupo|group|gup)")
_NUMBERED = re.compile(rf"(?i)(?<![^\W_])(?:{_WORDS['numbered']})(?![^\W_])")
_SMALL_WORDS = re.compile(r"[a-zà-ÿ]+(?: [a-zà-ÿ]+)*")
_PLAIN = re.compile(r"[<>=~±+-]{0,2} ?\d{1,4}(?:[.,]\d{1,3})? ?%?")
_DAY_AND_MONTH = re.compile(
    r"(?:[A-Za-z]{2,9} )?(?:0?[1-9]|[12]\d|3[01])[/-](?:0?[1-9]|[12]\d|3[01])"
)
_MONTH = re.compile(rf"(?i)(?<![a-z])(?:{MONTH_STEMS})")
LEAST = 0.6
"""On 67 sample messages of two public converters: below it 27 of 35 wrong replacements in coded
fields and 2 of 9 right ones."""
SURE = 0.85
"""Of names that models mark in short values without a word for a person before them
(`corpora/dev/harm/hl7_values*.tsv`): above it are 65 of 68 identifiers and 4 of 32 clinical
words; the three below are surname, comma, given name."""
_HEARD = 0.5
"""Behind a word for a person."""


def certain(text: str, detections: Sequence[Detection], asked: str = "") -> list[Detection]:
    """The detections of a coded field that count, whoever made them; a plant or a food is nobody
    where an allergen is `asked` for, whoever is called `Hazel`.
    """
    if is_substance(text, asked):
        return []
    return [
        one
        for one in detections
        if (
            one.score >= LEAST
            or _is_a_day(text[one.start : one.end])
            or (one.type in _NAMED and one.score >= _HEARD and _is_cued(text, one))
        )
        and _is_meant(text, one)
    ]


def said_surely(text: str, asked: str, detections: Sequence[Detection]) -> list[Detection]:
    """What models say of a coded field and is sure: no name of nothing but words of results or of
    what is `asked` for, of an organism or before a finding, none that is not quite sure without a
    word for a person or a place before it, no letters or codes of up to three signs without a cue.
    """
    topic = frozenset(re.findall(r"[^\W\d_]{3,}", folded(asked.casefold())))
    return [
        one
        for one in detections
        if not _FORMS.fullmatch(text, one.start, one.end)
        and not (one.type in _SAID and _is_no_name(text, one, topic, asked))
        and not (one.score < SURE and _is_doubtful(text, one))
        and not _is_mark(text, one)
        and not (one.type in NUMBERS and _is_measured(text, one, asked))
    ]


def _is_meant(text: str, vote: Detection) -> bool:
    """Whether a value of this type can be what stands there: a day for a date, an age that is
    called one, a number of more than two figures; a sex and a trade stay, which are findings there
    ("Retired welder"), and so do strains and schedules.
    """
    value = text[vote.start : vote.end]
    other = vote.type is PhiType.OTHER and _SMALL_WORDS.fullmatch(value)  # "T. rubrum (hongo)"
    if other or vote.type in _FOUND or _is_within(_STRAIN, text, vote):
        return False
    if vote.type is PhiType.DATE:
        return _is_a_date(text, vote)
    if vote.type is PhiType.AGE:
        return _is_told_as_age(text, vote)
    if vote.type is PhiType.ZIP and len(value.split()) > _PARTS_OF_A_POSTCODE:
        return False  # "M 8 E 4 B 1": a differential count
    if vote.type in NUMBERS:
        figures = sum(map(str.isdecimal, value))
        schedule = _is_within(_SCHEDULE, text, vote) and "0" in re.split(r"\D", value)
        return (figures == 0 or figures >= _SHORT) and not schedule
    made_of_marks = _ACRONYMS.fullmatch(value) or _SINGLES.fullmatch(value)
    spelled = vote.detector.startswith(names_spelled.DETECTOR)
    return vote.type not in _NAMED or made_of_marks is None or spelled


def _is_measured(text: str, vote: Detection, asked: str) -> bool:
    """Whether a value is a plain number of up to four figures, or a part of one of up to three,
    where neither the test nor a word before it asks for a number of somebody (`441` of `Bazett`,
    `102 basal`; not `4412` of `Pager`, `bed 412`).
    """
    if not asked or _NUMBERED.search(asked) is not None:
        return False
    if _PLAIN.fullmatch(text.strip()) is not None:
        return True
    value, before = text[vote.start : vote.end], _before(text, vote)
    alone = value.isdecimal() and len(value) <= _SHORT and before[-1:] in ("", " ", "(", "/", ",")
    return alone and _NUMBERED.search(before[-_NUMBERED_NEAR:]) is None


def _is_within(pattern: re.Pattern[str], text: str, vote: Detection) -> bool:
    return any(m.start() <= vote.start and vote.end <= m.end() for m in pattern.finditer(text))


def _is_no_name(text: str, vote: Detection, topic: frozenset[str], asked: str) -> bool:
    """Whether what models call a name is the test's own, a word of results, an organism, a sign."""
    if _is_species(text, vote) or _is_a_sign(text, vote, asked):
        return True
    if _is_cued(text, vote):
        return False
    words = re.findall(r"[^\W\d_]+", folded(text[vote.start : vote.end].casefold()))
    own = bool(words) and all(word in topic for word in words)
    serovar = _SEROVAR.search(asked) is not None
    return own or serovar or _is_result(text, vote) or _is_finding(text, vote)


def _before(text: str, vote: Detection) -> str:
    return text[max(0, vote.start - _NEARBY) : vote.start]


def _is_cued(text: str, vote: Detection) -> bool:
    """Whether a word for a person, or before the name of a place, stands before it."""
    before = _before(text, vote)
    cue = _PLACE_CUE if vote.type in _NAMED - PERSONS else _PERSON_CUE
    return cue.search(before) is not None and not _is_method(text, vote)


def _is_method(text: str, vote: Detection) -> bool:
    """`by Simpson's`, `vtx by Leopold`, `0.06 mcg/mL by Etest`: whose method it is; one that is
    nobody's name stands behind whatever.
    """
    before = _before(text, vote)
    value = text[vote.start : vote.end + 2].casefold()
    owner, mark, _ = value.replace("’", "'").partition("'s")
    word = owner if mark else value[: vote.end - vote.start]
    if word not in results() or _BY.search(before) is None:
        return False
    nobody = word not in EPONYMS and not is_listed_name(word)
    return bool(mark) or nobody or _LIES.search(before) is not None


def _is_a_sign(text: str, vote: Detection, asked: str) -> bool:
    """A form of results (`CcDee`, `A2G3a`), what is seen at best (`HM`) where sight is asked for,
    a food where allergens are, or a word on no list of names in a list of allergens or drugs.
    """
    value = text[vote.start : vote.end]
    if _SIGHT.search(asked) and _SEEN.fullmatch(value) and not _is_cued(text, vote):
        return True
    item = re.split(r"[,;/+]", _before(text, vote))[-1]
    if is_substance(item + value, asked):
        return True
    return (
        asks_for_a_substance(asked)
        and _ALONE.fullmatch(value) is not None
        and _IN_A_LIST.search(_before(text, vote)) is not None
        and not is_listed_name(value)
    )


def _is_finding(text: str, vote: Detection) -> bool:
    """`Perez Reyes neg`, `Praga C1M3`, `Molly (MDMA) pos`: a sign, a scale or a drug; a given name
    needs the brackets.
    """
    found = _FINDING.match(text, vote.end)
    if found is None:
        return False
    words = fold(text[vote.start : vote.end]).split()
    return found["kind"] is not None or not any(word in given_names() for word in words)


def _is_told_as_age(text: str, vote: Detection) -> bool:
    """Whether something calls a number an age."""
    value = text[vote.start : vote.end]
    told = any(map(str.isalpha, value)) or _YEARS.match(text, vote.end)
    return bool(told) or _AGED.search(_before(text, vote)) is not None


def _is_doubtful(text: str, vote: Detection) -> bool:
    """A name without a word for a person before it that isn't written `Whitlock, Harold`."""
    value = text[vote.start : vote.end]
    return vote.type in _NAMED and not _is_cued(text, vote) and _SURNAME_FIRST.search(value) is None


def _stands_alone(text: str, vote: Detection) -> bool:
    return vote.type in _NAMED and _ALONE.fullmatch(text.strip(" .,;:()")) is not None


def _is_species(text: str, vote: Detection) -> bool:
    """`B. quintana`, or its `B.` alone: an initial and a word in small letters."""
    return vote.type in _NAMED and SPECIES.match(text, vote.start) is not None


def _is_mark(text: str, vote: Detection) -> bool:
    value = text[vote.start : vote.end]
    signs = sum(map(str.isalnum, value))
    if vote.type is PhiType.DATE or signs > _SHORT or value.isdecimal():
        return False
    a_name = signs == _SHORT and value.istitle()
    before = _before(text, vote)
    cue = _CUE.search(before) is not None
    return not a_name and not (cue and not (value.islower() and _HALF.search(before)))


def _is_a_day(value: str) -> bool:
    """Whether figures are a calendar day in whatever order (`03152024`)."""
    return any(end - start == len(value) for start, end, _ in compact(value))


def _is_result(text: str, vote: Detection) -> bool:
    """Whether a name is nothing but words of results; behind a word for a person it is somebody's
    ("called to Crawford"), and so is a given name among others, or one that is no eponym and no
    brand ("Paul").
    """
    whole = text[vote.start : vote.end].casefold().removesuffix("'s").removesuffix("’s")
    words = [word for word in re.split(r"[\s/,;-]+", whole) if word]
    known = whole in results() or all(word in results() or len(word) == 1 for word in words)
    borne = [word for word in words if fold(word) in given_names()]
    return known and (not borne or (_stands_alone(text, vote) and all(map(is_clinical, borne))))


def _is_a_date(text: str, vote: Detection) -> bool:
    """Whether figures name a day (`_names_a_day`), or two of them behind a word before dates,
    beside a result or before an hour; no season (`2023-24`) and no edition (`Bethesda 2014`).
    """
    value = text[vote.start : vote.end]
    if _NO_DAY.match(text, vote.start) or _is_season(value) or _is_edition(text, vote):
        return False
    return _names_a_day(value) or (
        _DAY_AND_MONTH.fullmatch(value) is not None
        and (_DATE_CUE.search(_before(text, vote)) is not None or _is_told(text, vote))
    )


def _is_told(text: str, vote: Detection) -> bool:
    before, after = folded(_before(text, vote)), folded(text[vote.end : vote.end + _NEARBY])
    return resulted(before, after) or timed(before, after)


def _is_season(value: str) -> bool:
    found = _SEASON.fullmatch(value)
    return found is not None and len(value) > _SHORT + 2 and int(found[2]) == int(found[1]) + 1


def _is_edition(text: str, vote: Detection) -> bool:
    """A year behind the name of a method."""
    value, before = text[vote.start : vote.end], _before(text, vote)
    found = _EDITION.search(before) if len(value) == _YEAR and value.isdecimal() else None
    return found is not None and (found[1] is None or found[1].casefold() in results())


def _names_a_day(value: str) -> bool:
    """Whether a date names a month and a number, a year, or three figures as in a date: no score
    (`8/9`, `9/9/10`), no strain (`pdm09`) and no day of a schedule (`Mon Wed Fri`, `lunes 3/4`).
    """
    figures = _FIGURES.findall(value)
    if not figures or _SIGNED.search(value):
        return False
    if _MONTH.search(folded(value)) or any(len(figure) >= _YEAR for figure in figures):
        return True
    small = all(int(figure) <= _TEN and figure[0] != "0" for figure in figures)
    return len(figures) >= _DAY_MONTH_YEAR and not small
