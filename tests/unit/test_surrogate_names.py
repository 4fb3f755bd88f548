"""Names: one person in every form, different people apart, never a real name."""

from __future__ import annotations

import string
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from surrogate_helpers import KEY, edits_of, examples, replaced, surrogates

from stream_deid.labels import PhiType
from stream_deid.lists.lexicon import load_census, load_names
from stream_deid.lists.people import shared_table
from stream_deid.lists.vocabulary import listed as listed_words
from stream_deid.note import Finding, Known, Note, Part
from stream_deid.surrogate.keys import Scope
from stream_deid.surrogate.names import marian_names
from stream_deid.surrogate.names.choosing.first_letters import head
from stream_deid.surrogate.names.choosing.parts import surrogate
from stream_deid.surrogate.names.choosing.short_names import sex_of
from stream_deid.surrogate.names.choosing.stock import classes, place_of
from stream_deid.text.canonical import canonical, listed
from stream_deid.text.folding import fold

SCOPE = Scope(KEY)
NAMES = load_names()
CENSUS = {n for row in load_census().names.values() for names in row.values() for n in names}
LENT = {name for row in shared_table() for name in row[3].split("|")}


@pytest.mark.parametrize("person", examples("names"), ids=lambda p: p["about"])
def test_every_form_of_a_name_follows_one_surrogate(person):
    forms = [text for text, _ in person["forms"]]
    known = [
        Known(PhiType.PATIENT, person["given"], role="given"),
        Known(PhiType.PATIENT, person["family"], role="family"),
    ]
    plain = [("PATIENT", person["given"]), ("PATIENT", person["family"]), ("PATIENT", "C.")]
    spans = plain + [("PATIENT", form) for form in forms]
    made = replaced(surrogates(), spans, language=person["language"], known=known)
    given_, family, letter = made[0], made[1], made[2][0]
    values = {
        "G": given_, "F": family, "GU": given_.upper(), "FU": family.upper(),
        "GL": given_.lower(), "FL": family.lower(), "g": canonical(given_)[0].upper(),
        "f": canonical(family)[0].upper(), "gl": canonical(given_)[0], "fl": canonical(family)[0],
        "C": letter,
    }  # fmt: skip
    for (_, template), value in zip(person["forms"], made[3:], strict=True):
        assert fold(value) == fold(template.format(**values)), template
        if person["language"] == "en":
            assert value == template.format(**values)


def test_each_note_alone_gives_the_same_surrogates():
    maker = surrogates()
    together = replaced(maker, [("PATIENT", "Maria Lopez"), ("DOCTOR", "Wei Chen")])
    for phi, name, expected in (("PATIENT", "Maria Lopez", 0), ("DOCTOR", "Wei Chen", 1)):
        assert replaced(maker, [(phi, name)], note_id="other") == [together[expected]]


def test_surrogates_of_different_patients_differ():
    made = {
        replaced(surrogates(), [("PATIENT", "John Smith")], patient=str(i))[0] for i in range(60)
    }
    assert len(made) > 50


def test_listed_names_are_one_to_one_and_change_their_initial():
    made = {key: surrogate(SCOPE, key) for key in NAMES.place}
    by_class: dict[str, list[str]] = {}
    for key, value in made.items():
        if len(key) == 2:
            continue  # one to one within a note (`test_what_stands_for_two_letters_is_as_short`)
        assert canonical(value)[0] == head(SCOPE, key[0]) != key[0], key
        by_class.setdefault(place_of(key)[0].label, []).append(value)
    for label, values in by_class.items():
        assert len(set(values)) == len(values), label
        others = set(values) - set(classes()[label].names)
        assert others <= CENSUS | LENT, others - CENSUS


@pytest.mark.parametrize(
    ("name", "sex", "origin"),
    [
        ("jennifer", "F", "anglo"), ("gregory", "M", "anglo"), ("guadalupe", "F", "hispanic"),
        ("lakshmi", "F", "southasian"), ("khalid", "M", "arabic"), ("darnell", "M", "black"),
        ("wojciech", "M", "european"), ("thuy", "F", "eastasian"),
    ],
)  # fmt: skip
def test_sex_and_origin_stay(name, sex, origin):
    made = canonical(surrogate(SCOPE, name))
    label = NAMES.label(made) or f"{origin}/{load_census().sex[made]}"
    assert origin in label
    assert label.endswith(f"/{sex}")


SYLLABLES = [
    onset + vowel + coda
    for onset in listed("b br d g h j k l m n p r s st t tr w")
    for vowel in ("a", "e", "i", "o", "ea", "oo")
    for coda in ("", "l", "n", "r", "ck", "nd", "st")
]


@pytest.mark.parametrize("patient", range(3))
def test_names_that_no_list_holds_change_their_initial_and_rarely_meet(patient):
    made_up = {a + b for a in SYLLABLES for b in SYLLABLES}
    words = sorted(made_up - set(NAMES.place) - set(NAMES.base))[::7]
    made = [surrogate(SCOPE.sub(patient), word) for word in words]
    assert all(m[0].lower() != w[0] for m, w in zip(made, words, strict=True))
    pairs = len(words) * (len(words) - 1) / 2
    met = sum(n * (n - 1) / 2 for n in Counter(made).values())
    assert met / pairs < 1 / 200


@settings(max_examples=15, deadline=None)
@given(
    st.lists(
        st.text(string.ascii_lowercase, min_size=3, max_size=9),
        min_size=2,
        max_size=12,
        unique=True,
    )
)
def test_even_gibberish_is_never_merged_within_a_note(words):
    made = replaced(surrogates(), [("PATIENT", word.capitalize()) for word in words])
    assert len({canonical(m) for m in made}) == len(words)


def test_a_hundred_real_surnames_stay_apart_within_a_note_and_nearly_always_over_notes():
    real = listed("""
        abernethy aldersgate ambruster bancroft birnbach boatwright brackenbury breckenridge
        buxbaum carmody chenoweth claypool coppersmith cressman culpepper dabrowska danforth
        debenham dillingham drinkwater dunwoody eggleston ellsworthy farnsworth fenstermacher
        fitzsimmons galbraith gildersleeve goodenough grantham greenlaw halloway harkness
        haverford heffernan hildebrandt hollenbeck huckaby ingersoll jablonowski kavanaugh
        killebrew kirkpatrick knickerbocker lautenschlager leatherwood loughlin macklemore
        manderley mapplethorpe marchbanks mickelson nachtigall oberholtzer oglethorpe
        pennypacker pettigrew pfeiffer pumphrey quackenbush radziwill rauschenberg rosencrantz
        rutherglen satterfield schellenberg schumacher shackelford shellenbarger snodgrass
        spurgeon stanhope steinmetz stollmeyer swearingen tannenbaum thistlewood tonkinson
        trautmann twelvetrees uhlenbeck vandenberghe vosburgh waddington wanamaker weatherspoon
        wigglesworth wintergreen woolstonecraft yarbrough zimmerer zoellner zubrowski tadema
        ourso lanton doralee kenai kamrie leist arvizo whetzel peteet strobeck rishell ahalt
        wagers
    """)
    for patient in range(3):
        alone = {surrogate(SCOPE.sub(patient), name) for name in real}
        assert len(alone) >= 0.95 * len(real)
    together = replaced(surrogates(), [("PATIENT", name.capitalize()) for name in real])
    assert len(set(together)) == len(real)


def test_a_surrogate_is_never_a_real_name_of_the_note():
    maker = surrogates()
    alone = replaced(maker, [("PATIENT", "Smith")])[0]
    spans = [("PATIENT", "Smith"), ("DOCTOR", alone)]
    made = replaced(maker, spans)
    assert alone not in made
    assert made[0] != made[1]


@settings(max_examples=8, deadline=None)
@given(st.lists(st.sampled_from(sorted(NAMES.place)), min_size=2, max_size=30, unique=True))
def test_people_of_one_note_are_never_merged(keys):
    spans = [("PATIENT" if i % 2 else "DOCTOR", key.capitalize()) for i, key in enumerate(keys)]
    made = replaced(surrogates(), spans)
    assert len({canonical(m) for m in made}) == len(keys)
    assert not {canonical(m) for m in made} & set(keys)


@pytest.mark.parametrize(
    ("base", "variant"), [("Smith", "Smiht"), ("Zelnick", "Zelnik"), ("Martinez", "Martinezz")]
)
def test_misspelt_names_become_misspellings(base, variant):
    from rapidfuzz.distance import OSA  # noqa: PLC0415

    made = replaced(surrogates(), [("PATIENT", base), ("PATIENT", variant)])
    assert made[0] != made[1]
    assert OSA.distance(fold(made[0]), fold(made[1])) == 1


def test_nicknames_follow_their_full_name():
    made = replaced(surrogates(), [("PATIENT", "Robert"), ("PATIENT", "Bob"), ("PATIENT", "BOBBY")])
    assert canonical(made[1]) in NAMES.base or sex_of(canonical(made[1])) in {"M", "U"}
    assert made[1].upper() != made[2]
    assert made[2].isupper()


GIVEN = {n for row, names in load_census().names.items() if row[0] == "given"
         for listed_ in names.values() for n in map(canonical, listed_)}  # fmt: skip
FAMILY = {canonical(n) for row, names in load_census().names.items() if row[0] == "family"
          for listed_ in names.values() for n in listed_}  # fmt: skip
NICKS = {canonical(nick) for forms in NAMES.short.values() for nick in forms}


@pytest.mark.parametrize("home", ["anglo", "spanish"])
@pytest.mark.parametrize("patient", "abcde")
def test_what_stands_for_a_nickname_is_a_given_name_of_its_sex(home, patient):
    scope = SCOPE.sub(patient)
    for nick in NAMES.base:
        made = canonical(surrogate(scope, nick, home=home))
        if home == "spanish" and made.endswith(("ito", "ita")):
            continue  # a regular diminutive of a name
        assert made in GIVEN or made in NICKS or NAMES.label(made)[:1] in {"g", "b"}, made
        assert sex_of(made) in (sex_of(NAMES.base[nick]), "U"), (nick, made)
        assert made[0] == head(scope, nick[0])


@pytest.mark.parametrize("patient", "abcde")
def test_what_stands_for_a_listed_name_is_one_that_people_bear(patient):
    scope = SCOPE.sub(patient)
    for key, (group, _) in NAMES.place.items():
        made = canonical(surrogate(scope, key))
        known = made in NAMES or made in (FAMILY if group.label.startswith("family") else GIVEN)
        assert known, (key, made)


@pytest.mark.parametrize("patient", "abcde")
def test_what_stands_for_two_letters_is_as_short(patient):
    scope = SCOPE.sub(patient)
    short = [key for key in NAMES.place if len(key) == 2]
    assert len(short) > 15
    for key in short:
        made = canonical(surrogate(scope, key))
        assert 2 <= len(made) <= 4, (key, made)
        assert made in NAMES or made in FAMILY or made in GIVEN
    (signed,) = replaced(surrogates(), [("DOCTOR", "TO")], patient=patient)
    assert signed.isupper()
    assert len(signed) <= 4


def test_nobody_is_given_a_name_of_abuse():
    drawn = {surrogate(SCOPE.sub(p), key) for p in range(12) for key in (*NAMES.base, "to", "li")}
    assert not {canonical(name) for name in drawn} & listed_words("awkward_names.txt")
    assert not {canonical(name) for name in CENSUS} & listed_words("awkward_names.txt")


def test_the_article_of_a_virgins_title_goes_with_the_name():
    for patient in "abcdefghijklmnop":
        whole, alone = replaced(
            surrogates(),
            [("PATIENT", "María del Carmen Ruiz"), ("PATIENT", "Carmen")],
            language="es", patient=patient,
        )  # fmt: skip
        first, *middle, name, _ = whole.split()
        assert name == alone
        assert " ".join(middle) == marian_names.gap(" del ", ("maria", "carmen"), name).strip()
        assert first != "María"
    kept = replaced(surrogates(), [("PATIENT", "Ana de la Cruz")], language="es")
    assert " de la " in kept[0]


def test_titles_credentials_and_particles_stay():
    made = replaced(
        surrogates(), [("DOCTOR", "Dr. Karen Huang, MD"), ("PATIENT", "de la Cruz, Ana")]
    )
    assert made[0].startswith("Dr. ")
    assert made[0].endswith(", MD")
    assert made[1].startswith("de la ")


def test_names_with_prefixes_become_names_of_the_letter_of_their_initial():
    spans = [("PATIENT", n) for n in ("McDonald", "MCDONALD", "O'Brien", "OBrien", "McZippy")]
    made = replaced(surrogates(), spans)
    assert made[1] == made[0].upper()
    assert made[3] == made[2].replace("'", "")
    assert len({made[i][0] for i in (0, 1, 4)}) == 1


def test_initials_of_strangers_get_keyed_letters_that_stay():
    first = replaced(surrogates(), [("DOCTOR", "tjw"), ("DOCTOR", "TJW")])
    again = replaced(surrogates(), [("DOCTOR", "TJW")], note_id="other")
    assert first[0].upper() == first[1] == again[0]
    assert all(a != b for a, b in zip("TJW", first[1], strict=True))


def test_doctors_follow_the_tenant_where_the_policy_says_so():
    per_tenant = surrogates(doctor_scope="tenant")
    spans = [("DOCTOR", "Karen Huang"), ("PATIENT", "Karen Lopez")]
    one = replaced(per_tenant, spans, patient="a")
    two = replaced(per_tenant, spans, patient="b")
    assert one[0] == two[0]
    assert one[1] != two[1]
    per_patient = surrogates()
    assert len({replaced(per_patient, spans[:1], patient=p)[0] for p in "abcdef"}) > 1


@pytest.mark.parametrize(
    "name",
    [
        "Иванова Мария",
        "王小明",
        "محمد",
        "Ελένη",
        "김철수",
        "Łukasz Żak",
        "Zoë",
        "\u0301x",
        "Ng",
        "O",
        "X Æ",
    ],
)
def test_names_of_every_script_change(name):
    (made,) = replaced(surrogates(), [("PATIENT", name)])
    assert fold(name) not in fold(made)
    assert made.strip()


def test_structured_name_fields_agree_with_the_text():
    parts = (
        Part("SMITH", "PID-5.1", examine=False, role="family"),
        Part("JOHN", "PID-5.2", examine=False, role="given"),
        Part("Mr. Smith (J. Smith) came; John left."),
    )
    found = [
        [Finding(0, 5, PhiType.PATIENT, ("hl7@1",))],
        [Finding(0, 4, PhiType.PATIENT, ("hl7@1",))],
        [
            Finding(4, 9, PhiType.PATIENT, ("m@1",)),
            Finding(11, 19, PhiType.PATIENT, ("m@1",)),
            Finding(27, 31, PhiType.PATIENT, ("m@1",)),
        ],
    ]
    note = Note("n", "p", parts, "en", (Known(PhiType.PATIENT, "SMITH", role="family"),
                                        Known(PhiType.PATIENT, "JOHN", role="given")))  # fmt: skip
    family, given_, text = surrogates().edits(note, found)
    assert text[0].replacement.upper() == family[0].replacement
    assert text[2].replacement.upper() == given_[0].replacement
    assert text[1].replacement == f"{given_[0].replacement[0]}. {text[0].replacement}"


def test_strategies_random_and_markov_are_stable_on_replay():
    spans = [("DOCTOR", "Karen Huang")] * 12
    for strategy, least, most in (("random", 10, 12), ("markov(0.5)", 3, 11)):
        maker = surrogates(strategies={"DOCTOR": strategy})
        made = replaced(maker, spans)
        assert made == replaced(maker, spans)
        assert least <= len(set(made)) <= most
        assert made != replaced(maker, spans, note_id="other")
    assert len(set(replaced(surrogates(), spans))) == 1
    edits = edits_of(surrogates(strategies={"DOCTOR": "markov(0.5)"}), spans)
    assert {e.strategy for e in edits} == {"markov(0.5)"}


@pytest.mark.parametrize(
    "name", ["Minh Le", "LE, MINH", "Do Thi Hanh", "Ben Carter", "MAJOR, KIM", "Yusuf Abu", "Ana E"]
)
def test_particles_and_titles_that_are_names_are_replaced(name):
    made = replaced(surrogates(), [("PATIENT", name)])[0]
    assert not {w.lower() for w in made.replace(",", " ").split()} & {
        w.lower() for w in name.replace(",", " ").split()
    }


@pytest.mark.parametrize(
    ("name", "kept"), [("Maria de la Cruz", "de la"), ("Jan van der Berg", "van der")]
)
def test_particles_inside_a_name_stay(name, kept):
    assert f" {kept} " in replaced(surrogates(), [("PATIENT", name)])[0]
