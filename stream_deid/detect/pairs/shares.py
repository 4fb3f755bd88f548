"""Pairs that are no days, by the text as a whole or what stands right beside them, whoever voted.

order   = n "/" n, the first over 12, where two full dates have the month first for sure and
          none has the day there ("18/5" beside "7/18/2025")
column  = cells of one column of a table with one second number, of which one can be no day
          ("0/10", "13/24") or beside which another column counts days up ("1/12|3/1", "2/12|3/2")
          or holds dates with their year
told    = symptom n "/10" | n "/10" symptom             "affect 5/10", "6/10 HA"
wheal   = "SPT" ... allergen n "/" n                     "SPT: ragweed 6/18, hist 6/20"
share   = scale n "/" n | n "/" n ("days" | ...)         "MDQ 5/13", "3/14 days"; after a ward at
          the head of a line it is a shift ("L&D 2/11 days")
titre   = "1/" n beside "1/" of a further dilution      "1/64   hasta 1/8"
chance  = ("carrier" | ...) "1/" n; match = "MUD 10/10"; inch = n "/" (2 | 4 | 8 | 16 | 32) '"'
broth   = n "/" n ("S" | "I" | "R") at the end of a cell        "pip/tazo 16/4 S |"
dose    = drug n "/" n (route | time) | n "/" n ("units" | ...)   "hydral 10/20 prn", "12/14 units"
rays    = ("PCI" | "RT" | ...) dose "/" fractions     "PCI 25/10", "SRS 20/1"
regimen = drug "/" drug n "/" n                        "cis/pem 2/4": a cycle out of those planned
bitten  = "bx" n "/" n site                             "bx 3/3 antrum"
picture = size "(" n "/" n ")", where one of them can be no day   "3 mm (4/31), 9 mm (3/52)"
pounds  = "BW" grams "(" n "-" n ")"                   "BW 3210 (7-1)", pounds and ounces
range   = level "(" n "-" n ")"                          "tacro 8.4 (8-10)"; "EEG 10-20"
decimal = ("Hb" | "creatinina" | ...) n "." n              "Hb 11.06"
clock   = ("hora" | "a las" | ...) n "." n                 "hora 16.10"
british = "tds 5/7", "obs 4/24", "sick note 2/52"

Nothing of this but titres holds behind a word of dates ("on 6/10 HA began"), and they not behind
one of drawing blood ("RPR del 1/8 1/64").
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from stream_deid.detect.pairs.counts import counts
from stream_deid.detect.pairs.evidence import Text
from stream_deid.detect.pairs.written import Pair
from stream_deid.detect.quantities.pairs import DATED, WITH
from stream_deid.lists.known_words import COMMON
from stream_deid.lists.vocabulary import Vocabulary
from stream_deid.text.days import day_month
from stream_deid.text.linear import linear

_WORDS = Vocabulary("shares")
_BEFORE, _AFTER, _MONTHS, _LEAST, _TEN, _SURE, _WARD, _VALUE = 60, 40, 12, 3, 10, 2, 8, 24
_SIGNS = r"[ :=(]{1,3}"
_SCALE = linear(rf"(?i)(?:^|[^a-z])(?:{_WORDS['scales']}){_SIGNS}$")
_CLOCK = linear(rf"(?i)(?:^|[^a-z])(?:{_WORDS['clock']})[ :.]{{1,2}}$")
_MEASURED = linear(rf"(?i)(?:^|[^a-z])(?:{_WORDS['measured']})(?: de|:| =|=)? ?$")
_TOLD = linear(rf"(?i)(?:^|[^a-z])(?:{_WORDS['told_before']}){_SIGNS}{_WORDS['told_link']}$")
_FELT = linear(rf"(?i)^ (?:{_WORDS['told_behind']})(?:[^a-z]|$)(.{{0,24}})")
_BEGAN = linear(rf"(?i)\b(?:{_WORDS['began']})\b")
_COUNTED = linear(rf"(?i)^ ?(?:{_WORDS['counted']})(?:[^a-z]|$)")
_TRIED = linear(rf"(?i)(?:^|[^a-z])(?:{_WORDS['tried']}){_SIGNS}$")
_SKIN = linear(rf"(?i)(?:^|[^a-z])(?:{_WORDS['skin_tests']})(?: [^:a-z]{{1,12}})?:")
_WHEAL = linear(r"(?i)(?:^|[,;:|] ?)[a-z][a-z .]{1,20} $")
_CHANCE = linear(rf"(?i)(?:^|[^a-z])(?:{_WORDS['chances']}) (?:is |was |of |~|≈)?$")
_MATCHED = linear(rf"(?i)(?:^|[^a-z])(?:{_WORDS['matched']}){_SIGNS}$")
_MATCHED_BEHIND = linear(rf"(?i)^ (?:{_WORDS['matched']})(?:[^a-z]|$)")
_BROTH = linear(r"^ [SIR](?: *[|,;\n]|$)")
_OFTEN = linear(rf"(?i)(?:^|[^a-z])(?:{_WORDS['often']}) $")
_HOURLY = linear(rf"(?i)(?:^|[^a-z])(?:{_WORDS['hourly']}){_SIGNS}$")
_UNITS = linear(r"^ ?(?:units|iu|u|mcg|mg|meq|mu)(?:[^a-zA-Z]|$)")
_DRUG = linear(r"(?i)(?:^|[^a-z])([a-z]{4,}) $")
_ROUTE = linear(rf"(?i)^ (?:{_WORDS['routes']})(?:[^a-z]|$)")
_RAYS = linear(rf"(?i)(?:^|[^a-z])(?:{_WORDS['rays']})(?: to)? $")
_FEW = linear(rf"(?i)(?:^|[^a-z])(?:{_WORDS['few_fractions']}) $")
_REGIMEN = linear(rf"(?i)(?:^|[^a-z])(?:{_WORDS['cytotoxic']})/(?:{_WORDS['cytotoxic']}) $")
_LAST = linear(rf"(?i)(?:^|[^a-z])(?:{_WORDS['given_last']}) [^ ]+ $")
_BITTEN = linear(r"(?i)(?:^|[^a-z])(?:bx|biopsy|biopsies) $")
_SITE = linear(rf"(?i)^ (?:{_WORDS['bitten']})(?:[^a-z]|$)")
_GIVEN = _WORDS.words("given_last")
_CYCLES, _FIVE = 12, 5
_CERTIFIED = linear(rf"(?i)(?:^|[^a-z])(?:{_WORDS['certified']})(?: for| x)? $")
_DILUTED = frozenset((2, 4, 8, 10))
_TITRE = linear(r"\b1[/:](?:16|32|40|64|80|128|160|256|320|512|640|1024|1280|2560)\b")
_BORN = linear(
    r"(?i)\b(?:bw|birth ?(?:weight|wt)|wt|weight)[ :=]{1,3}\d{3,4} ?(?:gr?|gm|grams)? ?\($"
)
_OUNCES = 15
_LEVEL = linear(r"[a-z%] ?\d{1,3}[.,]\d{1,2} ?%? ?\($")
_EEG, _MONTAGES = linear(r"(?i)\beeg[ :,(]{1,3}$"), frozenset(((10, 10), (10, 20)))
_INCH = linear(r'(?i)^" ?[a-z\d(]')
_INCHES = frozenset((2, 4, 8, 16, 32))
_DRAWN = linear(r"(?i)\b(?:del?|el|on|dated|drawn|fecha) $")
_FULL = linear(r"\b(\d{1,2})/(\d{1,2})/(?:19|20)?\d\d\b")
_OUT_OF = linear(r"\d{1,2}/[3-9]\d")
_PICTURE = linear(r"\d ?[mc]m \((\d{1,2})/(\d{1,3})\)")
_EARLIER = linear(rf"(?i)\b(?:{_WORDS['earlier']})\b[^.;\n]*$")
_OF_THIRTY, _THIRTY = frozenset((2, 4, 6, 9, 11)), 30
_DUE = linear(rf"(?i)(?:^|[^a-z])(?:{_WORDS['due']})(?: in)? ?$")
_CELLS = linear(r"\||\t| {2,}")
_DATED_CELL = linear(r"^[ |]*\d{1,2}/\d{1,2}/(?:19|20)?\d\d(?:[ |\t]|$)")
_CELL = linear(r"^ ?(\d{1,2})/(\d{1,2}) ?$")


def out_of(text: str, start: int, end: int) -> bool:
    """Whether two numbers that look like a month and a year are points of a scale ("COMM 6/68") or
    weeks as the British write them ("f/u 6/52").
    """
    if _OUT_OF.fullmatch(text[start:end]) is None:
        return False
    before = text[max(0, start - _BEFORE) : start].rpartition("\n")[2]
    weeks = text[start:end].endswith("/52") and _DUE.search(before) is not None
    return weeks or _SCALE.search(before) is not None


def no_days(text: Text) -> frozenset[int]:
    """Where the pairs of a text begin that are surely no days."""
    if not text.pairs:
        return frozenset()
    month_first = _month_first(text)
    columns = {*_in_columns(text), *_pictures(text)}
    return frozenset(
        one.start
        for one in text.pairs
        if (one.sign == "." and _is_decimal(text.text[max(0, one.start - _VALUE) : one.start]))
        or (one.sign == "-" and _is_weight_or_range(text.text, one))
        or (
            one.sign == "/"
            and (one.start in columns or _is_share(text, one, month_first=month_first))
        )
    )


def _is_weight_or_range(text: str, pair: Pair) -> bool:
    before = text[max(0, pair.start - _BEFORE) : pair.start]
    if text[pair.end : pair.end + 1] != ")":
        return _EEG.search(before) is not None and (pair.first, pair.second) in _MONTAGES
    weighed = pair.second <= _OUNCES and _BORN.search(before) is not None
    return weighed or (pair.first < pair.second and _LEVEL.search(before) is not None)


def _is_decimal(before: str) -> bool:
    """Whether an hour or a value of the laboratory stands behind `before`."""
    return _CLOCK.search(before[-_WARD:]) is not None or _MEASURED.search(before) is not None


def _is_share(text: Text, pair: Pair, *, month_first: bool) -> bool:
    begins = text.text.rfind("\n", 0, pair.start) + 1
    before = text.text[max(begins, pair.start - _BEFORE) : pair.start]
    after = text.text[pair.end : pair.end + _AFTER].partition("\n")[0]
    diluted = pair.first == 1 and pair.second in _DILUTED
    if diluted and (_TITRE.search(before) or _TITRE.search(after)):
        return not _DRAWN.search(before)
    if DATED.search(before) or WITH.match(after):
        return False
    return (month_first and pair.first > _MONTHS) or _said(pair, before, after)


def _said(pair: Pair, before: str, after: str) -> bool:
    """Whether the words right beside a pair make a share of it."""
    first, second = pair.first, pair.second
    if second in _INCHES and first < second and _INCH.match(after) and before.count('"') % 2 == 0:
        return True
    given = _is_dose(pair, before, after) or _is_of_rays(first, second, before)
    chance = first == 1 < second and _CHANCE.search(before)
    if given or chance or counts(pair, before, after) or _BROTH.match(after):
        return True
    if first > second:
        return False
    if second == _TEN and _is_felt(before, after):
        return True
    matched = second == _TEN and first >= _TEN - 2
    cycle = second <= _CYCLES and _REGIMEN.search(before) and not _LAST.search(before)
    bitten = first == second and _BITTEN.search(before) and _SITE.match(after)
    return bool(
        cycle
        or bitten
        or (matched and (_MATCHED.search(before) or _MATCHED_BEHIND.match(after)))
        or _SCALE.search(before)
        or _TRIED.search(before)
        or (_SKIN.search(before) and _WHEAL.search(before))
        or (len(before) >= _WARD and _COUNTED.match(after))
        or (second == 7 and _OFTEN.search(before))
        or (second == 24 and _HOURLY.search(before))
        or (second in (7, 52) and _CERTIFIED.search(before))
    )


def _is_dose(pair: Pair, before: str, after: str) -> bool:
    """Whether a unit stands behind two amounts, or a route or time behind a drug's and them."""
    if _UNITS.match(after):
        return True
    word = _DRUG.search(before)
    if pair.first >= pair.second or word is None or not _ROUTE.match(after):
        return False
    doubled = pair.second == 2 * pair.first
    fives = pair.first % _FIVE == pair.second % _FIVE == 0
    low = word[1].lower()
    return (doubled or fives) and low not in COMMON and low not in _GIVEN


def _is_of_rays(first: int, second: int, before: str) -> bool:
    """Whether a pair is a dose of rays and its fractions; what can be a month and a day is one
    behind the words of few fractions only.
    """
    if first <= second or not _RAYS.search(before):
        return False
    return first > _MONTHS or (second <= _FIVE and _FEW.search(before) is not None)


def _is_felt(before: str, after: str) -> bool:
    """Whether somebody rates what he feels; what stands behind doesn't begin on a day."""
    if _TOLD.search(before):
        return True
    found = _FELT.match(after)
    return found is not None and bool(before.strip()) and not _BEGAN.search(found[1])


def _month_first(text: Text) -> bool:
    """Whether full dates of a text have the month first for sure, and none has the day there."""
    found = [(int(one[1]), int(one[2])) for one in _FULL.finditer(text.text)]
    sure = sum(second > _MONTHS for _, second in found)
    return sure >= _SURE and not text.day_first and all(first <= _MONTHS for first, _ in found)


def _pictures(text: Text) -> Iterator[int]:
    """Where series and image stand in brackets behind sizes, of which one is no day of any year."""
    found = [
        (one.start(1), int(one[1]), int(one[2])) for one in _PICTURE.finditer(text.text)
        if not _EARLIER.search(text.text[max(0, one.start() - _BEFORE) : one.start()])
    ]  # fmt: skip
    if any(not day_month(a, b) or (a in _OF_THIRTY and b > _THIRTY) for _, a, b in found):
        yield from (start for start, _, _ in found)


def _in_columns(text: Text) -> Iterator[int]:
    """Where the shares of tables begin, column by column of lines that follow one another."""
    table: dict[int, list[tuple[int, int, int]]] = defaultdict(list)
    at = dated = 0
    for line in text.text.split("\n"):
        cells = list(_cells(line, at))
        at += len(line) + 1
        if not cells:
            yield from _shares(table, dated)
            table.clear()
            dated = 0
        dated += bool(cells) and _DATED_CELL.match(line) is not None
        for number, cell in cells:
            table[number].append(cell)
    yield from _shares(table, dated)


def _cells(line: str, at: int) -> Iterator[tuple[int, tuple[int, int, int]]]:
    """The pairs that fill a cell of a line of three cells and more: which, where and what."""
    start, number, found = 0, 0, []
    for gap in [*_CELLS.finditer(line), None]:
        end = gap.start() if gap else len(line)
        if (pair := _CELL.match(line[start:end])) is not None:
            found.append((number, (at + start + pair.start(1), int(pair[1]), int(pair[2]))))
        start, number = gap.end() if gap else end, number + 1
    if number >= _LEAST:
        yield from found


def _shares(table: dict[int, list[tuple[int, int, int]]], dated: int) -> Iterator[int]:
    days = dated >= _SURE or any(_counts_up(cells) for cells in table.values())
    for cells in table.values():
        if len(cells) < _LEAST or len({second for _, _, second in cells}) > 1:
            continue
        impossible = any(not day_month(first, second) for _, first, second in cells)
        if impossible or (days and len({first for _, first, _ in cells}) > 1):
            yield from (start for start, _, _ in cells)


def _counts_up(cells: list[tuple[int, int, int]]) -> bool:
    """Whether the cells of a column are days of one month, one later than the other."""
    if len(cells) < _LEAST or len({first for _, first, _ in cells}) > 1:
        return False
    days = [second for _, _, second in cells]
    return all(day_month(first, second) for _, first, second in cells) and days == sorted(set(days))
