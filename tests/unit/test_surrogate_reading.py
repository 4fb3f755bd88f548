"""Read again, a surrogate is what the original was: a pharmacy, a Polish surname, her address."""

from __future__ import annotations

import re

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from surrogate_helpers import KEY, replaced, surrogates

from stream_deid.lists.kinds_of_organizations import KIND_WORDS
from stream_deid.lists.lexicon import load_census, load_names
from stream_deid.surrogate.keys import Scope
from stream_deid.surrogate.names.choosing.sound import class_of_given
from stream_deid.surrogate.names.choosing.unlisted import origin_of, unlisted
from stream_deid.surrogate.names.choosing.unlisted_given import names as names_by_class
from stream_deid.surrogate.names.choosing.unlisted_given import unlisted_given
from stream_deid.surrogate.organizations.kinds import LEAST, SAME_KIND, same_kind
from stream_deid.text.canonical import canonical, listed, words
from stream_deid.text.folding import fold

MAKER = surrogates()
SCOPE = Scope(KEY)
NAMES = load_names()
GIVEN = sorted(k for k, (group, _) in NAMES.place.items() if group.label.startswith("given"))
FAMILY = sorted(k for k, (group, _) in NAMES.place.items() if group.label.startswith("family"))
KINDS = {
    "en": ["Hospital", "Family Clinic", "Pharmacy", "Elementary School", "Urgent Care", "Labs",
           "Nursing Home", "Dialysis Center", "Police Department", "Vascular Institute", "Hospice",
           "Rheumatology", "Medical Center", "High School", "Children's Hospital"],
    "es": ["Hospital", "Centro de Salud", "Farmacia", "Clínica Dental", "Colegio", "Residencia",
           "Hospital Universitario", "Laboratorio", "Instituto de Cardiología", "Ambulatorio"],
}  # fmt: skip
CORES = {
    "en": ["Fairmount", "Oak Hollow", "Zelnick", "St. Mary's", "Boston", "Dr. Patel's"],
    "es": ["Fairén", "López", "Los Olivos", "San José", "Virgen del Rocío", "Sevilla"],
}
PLACES = frozenset(listed("rio lago puente lake park co"))
"""Words of kind that names of cities and of organisations hold themselves."""


def kinds(text: str) -> list[str]:
    """The words of a name that tell what it is."""
    small = LEAST | PLACES | set(listed("de del la las los el of and the"))
    return [w.key for w in words(text) if w.key in KIND_WORDS - small]


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from([(lang, kind, core) for lang in KINDS for kind in KINDS[lang]
                     for core in CORES[lang]]),
    st.sampled_from("abcdefgh"),
    st.sampled_from([str.title, str.upper, str.lower]),
)  # fmt: skip
def test_an_organisation_is_of_the_same_kind_when_read_again(name, patient, case):
    language, kind, core = name
    text = case(f"{kind} {core}" if language == "es" else f"{core} {kind}")
    (made,) = replaced(MAKER, [("HOSPITAL", text)], language=language, patient=patient)
    assert kinds(made) == kinds(text)
    assert made.isupper() == text.isupper()
    assert made.islower() == text.islower()
    (again,) = replaced(MAKER, [("HOSPITAL", made)], language=language, patient=patient)
    assert kinds(again) == kinds(text)


@pytest.mark.parametrize(
    ("language", "text", "kind"),
    [
        ("en", "Urgent Care Center", "Urgent Care"), ("en", "General Hospital", "Hospital"),
        ("en", "Children's Hospital", "Children's Medical Center"), ("en", "clinic", "practice"),
        ("en", "Community Health Center", "Health Center"), ("en", "The Pharmacy", "Drugstore"),
        ("en", "Fire Department", "Fire Unit"), ("en", "VA", "VETERANS CENTER"),
        ("es", "Centro de Salud", "Consultorio"), ("es", "Hospital General", "Hospital"),
        ("es", "Servicio de Urgencias", "Urgencias"), ("es", "FARMACIA", "BOTICA"),
        ("es", "Instituto Nacional de Cardiología", "Instituto "),
    ],
)  # fmt: skip
def test_a_name_of_words_of_kind_only_says_its_kind_in_other_words(language, text, kind):
    assert kind in same_kind(text, words(text), language)
    (made,) = replaced(MAKER, [("HOSPITAL", text)], language=language)
    assert kind in made
    assert fold(text) not in fold(made)


def test_no_kind_holds_the_word_that_it_stands_for():
    for pairs in SAME_KIND.values():
        assert not [noun for noun, other in pairs.items() if noun in fold(other)]


@pytest.mark.parametrize(
    ("language", "text", "form"),
    [
        ("es", "CS Los Olivos", r"CS (?!Los [BMQ])[^\d]+"),
        ("es", "Hospital del Rocío", r"Hospital de(?:l| la| los| las) [^\d]+"),
        ("en", "Las Cruces PD", r"(?!Las )[^\d]+ PD"),
        ("en", "3rd Floor Clinic", r"(?:1st|2nd|3rd|\dth) \w+(?: \w+)? Clinic"),
    ],
)
def test_articles_and_ordinals_fit_the_new_name(language, text, form):
    for patient in "abcdefgh":
        (made,) = replaced(MAKER, [("HOSPITAL", text)], language=language, patient=patient)
        assert re.fullmatch(form, made), made
        assert not re.search(r"\b(?:del (?:La|El|Los|Las)|Los Los|Las La)\b", made)


SURNAMES = listed("""
    kowalczewski dombrowicz szymaniak petrosyants khachikian papanikolakis wolfensteiner
    eichenhofer gundlfinger etxebarrieta goikolarrea ugarteburu ferragutti bonacchielli
    petrenchuk dovzhenko lindgaard hallqvist vanderzwaag hoekstrama fonollosada quiroguez
    subrahmanyamurthy venkataraghavan oluwachukwu nwachukwudi rahimullah
""")


def test_most_surnames_sound_of_their_origin_when_read_again():
    """Real names that begin with a given letter are few for some origins."""
    kept = total = 0
    for patient in range(8):
        for key in SURNAMES:
            made = canonical(unlisted(SCOPE.sub(patient), key))
            label = NAMES.label(made)
            total += 1
            kept += origin_of(key) in {"anglo", origin_of(made)} or label.startswith("family")
    assert kept / total > 0.6


@settings(max_examples=60, deadline=None)
@given(st.text("aeioubdglmnrstvy", min_size=4, max_size=9), st.integers(0, 20))
def test_a_given_name_is_one_of_its_sex_when_read_again(key, patient):
    assume(not NAMES.label(key))
    made = canonical(unlisted_given(SCOPE.sub(patient), key))
    label = load_census().sex.get(key) or class_of_given(key, "anglo")
    sexes = {(NAMES.label(made) or load_census().sex[made])[-1]}
    if made in BOTH:
        sexes.add(load_census().sex[made])
    assert label[-1] in sexes


BOTH = {"toni", "carlo"}
"""Given names that two lists have for two sexes; no others, as the next test says."""


def test_which_given_names_two_lists_have_for_two_sexes():
    unlike = {
        name
        for (label, _), names in names_by_class().items()
        for name in map(canonical, names.names)
        if label[-1] in "FM" and NAMES.label(name)[-1:] in {*"FM"} - {label[-1]}
    }
    assert unlike == BOTH


FORMS = ["{g}.{f}", "{f}.{g}", "{g}{f}", "{f}{g}", "{i}{f}", "{i}.{f}", "{f}{i}", "{f}_{i}",
         "{g}_{j}", "{i}{j}", "{g}", "{f}", "{h}{f}", "dr{f}", "dr.{f}", "{g}.{f}.md",
         "{f}family", "{g}-{f}"]  # fmt: skip


def initials_differ(person: tuple[str, str]) -> bool:
    given_, family = person
    apart = given_[0] != family[0] and not given_.startswith(family[:2])
    # "drdrake", "dr" before Dragan's surname: a title, or letters of the name
    apart = apart and not any(part.startswith("dr") for part in person)
    return apart and min(map(len, person)) > 3 and family[-1] != given_[0]


@example(("arnel", "hollins"), "{g}.{f}", "", "a")  # a surname that held "arnel" was drawn
@settings(max_examples=120, deadline=None)
@given(
    st.tuples(st.sampled_from(GIVEN), st.sampled_from(FAMILY)).filter(initials_differ),
    st.sampled_from(FORMS),
    st.sampled_from(["", "82"]),
    st.sampled_from("abcd"),
)
def test_an_address_of_a_person_is_the_address_of_the_surrogate(person, form, digits, patient):
    def spelt(given_: str, family: str) -> str:
        return form.format(g=given_, f=family, i=given_[0], j=family[0], h=given_[:2])

    name = " ".join(part.capitalize() for part in person)
    spans = [("PATIENT", name), ("EMAIL", f"{spelt(*person)}{digits}@gmail.com"),
             ("USERNAME", spelt(*person) + digits)]  # fmt: skip
    shown, email, user = replaced(MAKER, spans, patient=patient)
    local = spelt(*(canonical(part) for part in shown.rsplit(" ", 1)))
    assert re.fullmatch(re.escape(local) + r"\d" * len(digits) + "@gmail.com", email)
    assert email.startswith(user)


@pytest.mark.parametrize(
    ("address", "form"),
    [
        ("jsmith@x.org", "{0}{f}"), ("Smith.J@x.org", "{F}.{1}"), ("J.SMITH@x.org", "{1}.{U}"),
        ("ksmith@x.org", r"[a-z]{f}"), ("smi2@x.org", "{3}\\d"), ("info@x.org", "info"),
        ("johnny.smith@x.org", "[a-z]+.{f}"), ("smith.office@x.org", "{f}.office"),
    ],
)  # fmt: skip
def test_pieces_of_an_address_follow_their_person(address, form):
    name, email = replaced(MAKER, [("PATIENT", "John Smith"), ("EMAIL", address)])
    given_, family = name.split()
    form = (
        form.replace("{f}", family.lower()).replace("{F}", family).replace("{U}", family.upper())
        .replace("{0}", given_[0].lower()).replace("{1}", given_[0])
        .replace("{3}", family[:3].lower())
    )  # fmt: skip
    assert re.fullmatch(form + r"@[a-z]+\.org", email), email


@pytest.mark.parametrize(
    ("host", "kind"),
    [("oakdalefamilymed.org", "med"), ("stmaryshospital.org", "hospital"),
     ("mesquiteclinic.org", "clinic"), ("farmaciasol.es", "")],
)  # fmt: skip
def test_a_host_keeps_the_kind_at_its_end(host, kind):
    (made,) = replaced(MAKER, [("EMAIL", f"info@{host}")])
    label, _, top = host.partition(".")
    assert re.fullmatch(rf"info@[a-z]+{kind}\.{top}", made)
    assert label.removesuffix(kind) not in made
