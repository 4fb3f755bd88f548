"""A name that a note says openly once doesn't stay in disguise elsewhere."""

import random
import re
from functools import cache
from pathlib import Path
from urllib.parse import quote, unquote

import pytest
from line_counts import grown, lines

import stream_deid
from stream_deid.detect.examination import Language
from stream_deid.detect.patterns import Patterns
from stream_deid.detect.settle.propagation.disguised import disguised, open_names
from stream_deid.detect.settle.propagation.open_names import is_word
from stream_deid.labels import PhiType as T
from stream_deid.lists.field_labels import is_label
from stream_deid.lists.name_words import is_nothing_else
from stream_deid.lists.people import is_listed_name
from stream_deid.lists.vocabulary import lines as rows
from stream_deid.note import Finding, Known, Note, Part
from stream_deid.pipeline import Pipeline
from stream_deid.surrogate.engine import Surrogates
from stream_deid.surrogate.policy import Policy
from stream_deid.text.folding import fold

PIPELINE = Pipeline(
    {language: Language((Patterns(language),), ()) for language in ("en", "es")},
    Surrogates(Policy.named(), b"0123456789abcdef"),
    "test",
)
OPEN = {
    "en": "Patient: {} {}\nAdmitted with chest pain, treated with aspirin.\nIn the file: {} .\n",
    "es": "Paciente: {} {}\nIngresa por dolor torácico, tratada con aspirina.\nEn la nota: {} .\n",
}
DIGITS = dict(zip("oiesaOIESA", "0135401354", strict=True))
LEAST = 6
"""Letters of a name that is looked for in forms that ordinary words have too."""
DISGUISES = {
    "hashtag": lambda g, f: f"#{g}{f}",
    "camel case": lambda g, f: f"{g.lower()}{f}",
    "joined with capitals": lambda g, f: f"{f}{g}MRI",
    "snake case": lambda g, f: f"{g}_{f}".lower(),
    "capitals": lambda g, f: f"{f}_{g}_CT".upper(),
    "file": lambda _, f: f"{f}_mri.pdf".lower(),
    "file, joined": lambda _, f: f"{f}MRI.pdf",
    "file, glued": lambda _, f: f"mri{f}.pdf".lower(),
    "file, hyphens": lambda g, f: f"{f}-{g}-scan.dcm".lower(),
    "file among digits": lambda _, f: f"ct2{f}3".lower(),
    "folder": lambda g, f: f"C:\\scans\\{f}{g}\\1.dcm",
    "escaped": lambda g, f: quote(f"{g} {f}"),
    "escaped comma": lambda g, f: quote(f"{f},{g}/mri", safe="").lower(),
    "plus sign": lambda g, f: f"{g}+{f}".lower(),
    "initial and name": lambda g, f: f"{g[0]}{f}".lower(),
    "name and initial": lambda g, f: f"{f}{g[0]}".lower(),
    "both and a year": lambda g, f: f"{g}{f}82".lower(),
    "dotted": lambda g, f: f"{g}.{f}".lower(),
    "title": lambda _, f: f"dr{f}".lower(),
    "family": lambda _, f: f"{f}family".lower(),
    "end of line": lambda _, f: f"{f[:2]}-\n{f[2:]}",
    "end of line, deep": lambda _, f: f"{f[:2]}- \r\n   {f[2:]}",
    "soft hyphen": lambda _, f: f"{f[:2]}\u00ad{f[2:]}",
    "plural": lambda _, f: f"the {f}{'es' if f[-1] in 'szx' else 's'}",
    "plural, capitals": lambda _, f: f"THE {f}S".upper(),
    "plural's": lambda _, f: f"the {f}s' house",
    "small letters": lambda g, f: f"{f} {g} said".lower(),
    "digits": lambda _, f: with_digits(f),
    "digits, file": lambda _, f: f"{with_digits(f.lower())}_mri.pdf",
    "digits, joined": lambda _, f: f"van{with_digits(f)}".lower(),
    "particle": lambda _, f: f"van{f}".lower(),
    "initial and particle": lambda g, f: f"{g[0]}de{f}".lower(),
    "stranger's given name": lambda _, f: f"{f}Linda.pdf".lower(),
    "stranger's, particle": lambda _, f: f"lindavan{f}".lower(),
    "end of line alone": lambda _, f: f"{f[:-4]}\n{f[-4:]}",
    "end of line, quoted": lambda _, f: f"{f[:-4]}  \r\n> {f[-4:]}",
    "cells": lambda _, f: f"|{f[:-4]}|{f[-4:]}|",
    "cells and lines": lambda _, f: f"|{f[:3]} |\n| {f[3:]}|",
    "tab": lambda _, f: f"{f[:-4]}\t{f[-4:]}",
    "reversed": lambda g, f: f"{f}, {g[0]}.",
    "signs": lambda _, f: "*".join(f),
}


def with_digits(name: str) -> str:
    """A name with digits for the first letters that are drawn like some."""
    told = [i for i, char in enumerate(name) if char in DIGITS][:3]
    return "".join(DIGITS[char] if i in told else char for i, char in enumerate(name))


@cache
def names() -> tuple[list[str], list[str]]:
    """Given names and surnames of the lists that are nothing else."""
    given, family = [], []
    for line in (*rows("names.tsv"), *rows("census.tsv")):
        kind, *_, some = line.split("\t")
        (family if kind == "family" else given).extend(some.split("|"))
    return [n for n in given if tells(n)], [n for n in family if tells(n)]


def tells(name: str) -> bool:
    key = fold(name)
    return len(name) >= 4 and name.isalpha() and is_nothing_else(key) and not is_word(key)


def clean(text: str, language: str, known: tuple[Known, ...] = ()) -> str:
    pending = PIPELINE.begin(Note("n", "p", (Part(text),), language, known=known))
    return PIPELINE.finish(pending, ())[0].parts[0].text


def read(text: str) -> str:
    """As somebody reads it who looks for names."""
    return fold(unquote(text).replace("\u00ad", "").replace("- \r\n   ", "").replace("-\n", ""))


def read_closely(text: str) -> str:
    """Without what parts it, and with digits read as letters."""
    shown = fold(re.sub(r"[ \t\r\n>|]", "", text.rpartition(": ")[2]))
    return shown + shown.translate(str.maketrans("01354", "oiesa"))


_LONG = re.compile("digits|particle|initial and particle|stranger|cells|tab|end of line(?:, q| a)")
NEED_LONG = frozenset(filter(_LONG.match, DISGUISES))


def may_be_cut(family: str) -> bool:
    """Whether a name is long enough, and no cut of it leaves two words or other names."""
    cuts = (family[:-4], family[-4:]), (family[:3], family[3:])
    return (
        len(family) > LEAST
        and DIGITS.keys() & set(family)
        and not any(all(map(is_itself, cut)) for cut in cuts)
    )


def is_itself(piece: str) -> bool:
    return is_word(fold(piece)) or is_listed_name(piece)


@pytest.mark.parametrize("disguise", DISGUISES)
@pytest.mark.parametrize("language", ["en", "es"])
def test_no_disguise_keeps_a_name(language: str, disguise: str) -> None:
    rng = random.Random(f"{language}{disguise}")
    for _ in range(25):
        given, family = map(rng.choice, names())
        while disguise in NEED_LONG and not may_be_cut(family):
            family = rng.choice(names()[1])
        if is_label(fold(family)):
            continue  # "NUSS" is a number's label: a note of a Mr. Nuss is refused
        text = OPEN[language].format(given, family, DISGUISES[disguise](given, family))
        made = clean(text, language)
        shown = read_closely(made) if disguise in NEED_LONG else read(made)
        assert fold(family) not in shown, text
        assert fold(given) not in shown, text


def seen_besides(name: str, whole: str) -> list[str]:
    """What of a text that begins with a patient's name is that name in disguise."""
    found = [Finding(0, len(name), T.PATIENT, ("test@1",))]
    hits = disguised([whole], [found], open_names([whole], [found]))[0]
    return [whole[d.start : d.end] for d in hits]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("Sam Goodman", "a good\nman; |good|man|; Good\nMan; g00d"),
        ("Ann Robertson", "Robert\nson came"),
        ("Ann Martinez", "Martinezine, martine2u"),
        ("Jo Whitcombe", "Whitc\n\nombe\u2022 Whitc ombe; Whitc\nome; W1234567e; 0123456789"),
        ("Carmen Herman", "hermano, hermana, lahermandad"),
    ],
)
def test_words_that_lines_and_cells_part_are_no_name(name: str, text: str) -> None:
    assert seen_besides(name, f"{name} came. {text}") == []


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("Luis Berrocal", "Berr0cal"),
        ("Luis Berrocal", "8erroca1"),
        ("Jo Whitcombe", "WH1TC0MBE"),
        ("Jo Whitcombe", "vanwhitcombe"),
        ("Jo Whitcombe", "annevanwhitc0mbe"),
        ("Jo Whitcombe", "Whitc\nombe"),
        ("Jo Whitcombe", "Whi|tcombe"),
        ("Jo Whitcombe", "Wh|itc |\n| ombe"),
    ],
)
def test_digits_particles_and_cuts(name: str, said: str) -> None:
    assert seen_besides(name, f"{name} came; |{said}| .") == [said]


@pytest.mark.parametrize("said", ["#{}{}", "{}_{}", "{}%20{}", "{}{}MRI.pdf", "{}.{}"])
def test_the_same_person_in_the_same_form(said: str) -> None:
    first, *_, last = clean(
        f"Patient: Marisela Whitcombe\nFile {said.format('Marisela', 'Whitcombe')} .", "en"
    ).split("\n")
    given, family = first.removeprefix("Patient: ").split()
    assert last == f"File {said.format(given, family)} ."


def test_a_family_and_a_cut_name_are_that_of_the_surrogate() -> None:
    first, family, cut, rest = clean(
        "Patient: Marisela Whitcombe\nThe Whitcombes came.\nMs. Marisela Whit-\ncombe.", "en"
    ).split("\n")
    name = first.split()[-1]
    assert family in (f"The {name}s came.", f"The {name}es came.")
    assert cut.split()[-1].removesuffix("-") + rest.removesuffix(".") == name


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("May Rose", "in may her BP rose; May 2020, #mayhem, rosemary, mayrose"),
        ("Rose Graves", "Graves' disease, graves_disease.pdf, gravesite, roses, GRAVES"),
        ("Will Young", "a young man; YoungAdult clinic; will_call; youngest"),
        ("Alma Reyes", "el alma; los reyes magos"),
        ("Ann Marin", "submarine; plann; annmarinade; marinate"),
        ("Sam Parkinson", "Parkinsons disease, parkinsons"),
        ("Tom Hanks", "thanks; ThanksGiving"),
        ("Philip Herman", "Philippines, hermano, hermanos"),
        ("Carlo Allison", "carlomat, allisonite"),
        ("Lena Ativan", "ativan, lenalidomide, ATIVAN_1mg"),
        ("Martin Foley", "foley, foleys, martinique, martini"),
    ],
)
def test_words_are_no_disguise(name: str, text: str) -> None:
    assert seen_besides(name, f"{name} came. {text}") == []


def test_whose_something_is_keeps_its_ending() -> None:
    assert seen_besides("Ann Laughlin", "Ann Laughlin came. Ms. Laughlin's room") == ["Laughlin"]


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("May Rose", "MayRose"),
        ("Rose Graves", "rose_graves.dcm"),
        ("Jo Li", "jo_li.pdf"),
        ("Tom Hanks", "user thanksgiver, tom.hanks"),
        ("Ann McClain", "McClainAnnMRI"),
    ],
)
def test_words_beside_the_other_half_of_a_name_are(name: str, said: str) -> None:
    assert seen_besides(name, f"{name} came; {said} .")


def test_a_letter_of_something_else_is_no_initial() -> None:
    whole = "Dean Abara came; Abara D0, 2D Abara, Abara, D."
    found = [Finding(0, 10, T.DOCTOR, ("test@1",))]
    hits = disguised([whole], [found], open_names([whole], [found]))[0]
    assert [whole[d.start : d.end] for d in hits] == ["Abara", "Abara", "Abara", "D"]


def test_names_of_the_record_too() -> None:
    known = (
        Known(T.PATIENT, "Whitcombe", role="family"),
        Known(T.PATIENT, "Marisela", role="given"),
    )
    assert "hitcombe" not in clean("file WhitcombeMRI.pdf, whitcombescan", "en", known)


def test_what_a_policy_keeps_is_not_looked_for() -> None:
    """And where the surrogate is what stands there, that is no residue."""
    shown = clean("Patient: Marisela Whitcombe\nWhitcombe", "en")
    again = clean(shown, "en")
    assert again


@pytest.mark.parametrize("joined", ["{0}{1}, {0}_{1}; ", "{1}MRI, {0}s ", "{0}%20{1} "])
def test_no_line_runs_more_often_than_there_is_more_to_do(joined: str) -> None:
    rng = random.Random(3)
    given, family = names()
    people = [(rng.choice(given), rng.choice(family)) for _ in range(160)]

    def work(count: int) -> None:
        opened = "".join(f"Mr. {g} {f}, " for g, f in people[:count])
        found = [
            Finding(at, at + len(f"{g} {f}"), T.PATIENT, ("test@1",))
            for g, f in people[:count]
            for at in [opened.index(f"{g} {f}")]
        ]
        text = opened + "".join(joined.format(g, f) for g, f in people[:count])
        assert disguised([text], [found], open_names([text], [found]))[0]

    here = Path(stream_deid.__file__).parent / "detect" / "settle"
    work(160)
    few, many = (lines(lambda n=n: work(n), here) for n in (80, 160))
    assert not grown(few, many, 2.6, 2000)


def test_a_word_that_is_a_name_is_one_before_the_end_of_a_host() -> None:
    text = "Visit page.clinic today, see page. Clinic on page 3. Mr. Roy Page came."
    made = PIPELINE.finish(PIPELINE.begin(Note("n", "p", (Part(text),), "en")), ())[0]
    assert "page.clinic" not in made.parts[0].text
    assert "see page. Clinic on page 3." in made.parts[0].text


@pytest.mark.parametrize("name", [
    "Sigrun S", "Sigrun Solberg", "Ludovica S.", "Sigrun", "Solberg, Sigrun S", "S Sigrun",
])  # fmt: skip
@pytest.mark.parametrize("mark", ["'", "’"])
@pytest.mark.parametrize("text", ["per {}{}s mum", "{}{}S", "see {}{}s card", "({}{}s)", "{}{}s."])
def test_what_is_somebodys_ends_no_name(name, mark, text):
    bare = next(w for w in ("Sigrun", "Ludovica") if w in name)
    whole = text.format(bare, mark)
    known = Known(T.PATIENT, name, "p", "full")
    hits = disguised([whole], [[]], open_names([""], [[]], [known]))[0]
    assert {whole[h.start : h.end] for h in hits} == {bare}
