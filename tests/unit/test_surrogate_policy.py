"""Policies: named, overridden, and every contradiction reported."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path

import pytest
from surrogate_helpers import KEY, replaced

from stream_deid.errors import Halt
from stream_deid.labels import PhiType
from stream_deid.surrogate import Policy, Surrogates
from stream_deid.surrogate.policy import _CHOICES, POLICIES, check


@pytest.mark.parametrize("name", sorted(POLICIES))
def test_named_policies_hold_no_contradiction(name):
    assert check(Policy.named(name)) == []
    assert Policy.named(name).name == name


def test_the_default_is_expert_determination():
    assert Policy.named() == POLICIES["expert-determination"]
    assert Policy.named().strategy(PhiType.PATIENT).kind == "consistent"
    assert Policy.named().strategy(PhiType.OTHER).kind == "generalise"


@pytest.mark.parametrize(
    ("name", "overrides", "code", "says"),
    [
        ("no-such", {}, "policy.unknown", "no-such"),
        ("expert-determination", {"dateshift": 3}, "policy.value", "dateshift"),
        ("expert-determination", {"strategies": {"NAME": "random"}}, "policy.value", "NAME"),
        (
            "expert-determination",
            {"strategies": {"DOCTOR": "markov(2)"}},
            "policy.value",
            "0 < p < 1",
        ),
        ("expert-determination", {"strategies": {"DOCTOR": "shuffle"}}, "policy.value", "shuffle"),
        ("expert-determination", {"strategies": "random"}, "policy.value", "table"),
        ("expert-determination", {"keep_weekday": "yes"}, "policy.value", "keep_weekday"),
        ("expert-determination", {"date_shift_days": [1]}, "policy.value", "date_shift_days"),
        ("expert-determination", {"date_shift_days": [0, 5]}, "policy.contradiction", "no shift"),
        ("expert-determination", {"date_shift_days": [9, 5]}, "policy.contradiction", "least"),
        (
            "expert-determination",
            {"date_shift_days": [1, 6], "keep_weekday": True},
            "policy.contradiction",
            "multiple of 7",
        ),
        ("expert-determination", {"strategies": {"SSN": "keep"}}, "policy.contradiction", "SSN"),
        ("expert-determination", {"strategies": {"DATE": "keep"}}, "policy.contradiction", "DATE"),
        (
            "expert-determination",
            {"strategies": {"DATE": "random"}},
            "policy.contradiction",
            "intervals",
        ),
        ("expert-determination", {"zip_rule": "keep"}, "policy.contradiction", "zip_rule"),
        ("safe-harbor", {"zip_rule": "coherent"}, "policy.contradiction", "zip_rule"),
        ("safe-harbor", {"strategies": {"DATE": "consistent"}}, "policy.contradiction", "DATE"),
        (
            "safe-harbor",
            {"strategies": {"PATIENT": "consistent"}},
            "policy.contradiction",
            "PATIENT",
        ),
        ("safe-harbor", {"doctor_scope": "tenant"}, "policy.contradiction", "doctor_scope"),
        (
            "limited-data-set",
            {"strategies": {"PATIENT": "keep"}},
            "policy.contradiction",
            "PATIENT",
        ),
    ],
)
def test_mistakes_and_contradictions_are_refused(name, overrides, code, says):
    with pytest.raises(Halt) as caught:
        Policy.named(name, overrides)
    assert caught.value.code == code
    assert says in caught.value.detail


def test_every_mistake_is_told_at_once():
    with pytest.raises(Halt) as caught:
        Policy.named("expert-determination", {"a": 1, "zip_rule": "no", "strategies": {"X": "y"}})
    assert all(word in caught.value.detail for word in ("'a'", "zip_rule", "'X'"))


def test_overrides_add_to_the_named_policy():
    policy = Policy.named("expert-determination", {"strategies": {"DOCTOR": "markov(0.25)"}})
    assert str(policy.strategy(PhiType.DOCTOR)) == "markov(0.25)"
    assert policy.strategy(PhiType.OTHER).kind == "generalise"


def test_the_table_of_docs_policies_is_what_the_code_does():
    text = (Path(__file__).parents[2] / "docs/policies.md").read_text("utf-8")
    table = text.split("## The named policies")[1].split("\n\n")[1]
    said = {}
    for line in table.splitlines()[2:]:
        types, *strategies = (cell.strip() for cell in line.strip("|").split("|"))
        said.update({name: tuple(strategies) for name in types.split(", ")})
    done = {
        phi.value: tuple(str(Policy.named(name).strategy(phi)) for name in POLICIES)
        for phi in PhiType
    }
    assert said == done


def test_docs_policies_names_every_rule():
    text = (Path(__file__).parents[2] / "docs/policies.md").read_text("utf-8")
    rules = {field.name for field in fields(Policy)} - {"name"}
    assert all(f"| `{rule}` |" in text for rule in rules)


def test_docs_policies_names_every_value_that_a_rule_may_have_the_defaults_first():
    text = (Path(__file__).parents[2] / "docs/policies.md").read_text("utf-8")
    for rule, values in _CHOICES.items():
        (cell,) = re.findall(rf"^\| `{rule}` \| (.+?) \|", text, re.MULTILINE)
        said = re.findall(r"`([\w+-]+)`", cell)
        assert sorted(said) == sorted(values)
        assert said[0] == getattr(Policy(), rule)


SAMPLES = {
    PhiType.PATIENT: "Ana Holloway", PhiType.DOCTOR: "Karen Huang", PhiType.USERNAME: "aholloway31",
    PhiType.HOSPITAL: "Lakeside Hospital", PhiType.ORGANIZATION: "Lincoln Elementary School",
    PhiType.PROFESSION: "welder", PhiType.STREET: "12 Elm Street", PhiType.CITY: "Boston",
    PhiType.LOCATION_OTHER: "Hargrove Pavilion", PhiType.PHONE: "617-555-0134",
    PhiType.FAX: "617-555-0199", PhiType.EMAIL: "ana.holloway@gmail.com",
    PhiType.URL: "www.holloway.org/p/881", PhiType.IPADDR: "192.168.14.7",
    PhiType.SSN: "412-07-3658", PhiType.RELATIVE: "hija Lucía", PhiType.OTHER: "expediente 88-214",
}  # fmt: skip


@pytest.mark.parametrize("phi", SAMPLES, ids=str)
def test_under_safe_harbor_nothing_follows_from_the_value(phi):
    maker = Surrogates(Policy.named("safe-harbor"), KEY)
    made = {
        replaced(maker, [(str(phi), SAMPLES[phi]), ("PATIENT", "Ana Holloway")], note_id=f"n{k}")[0]
        for k in range(12)
    }
    assert len(made) > 3


@pytest.mark.parametrize(
    "phi", ["DOCTOR", "HOSPITAL", "ORGANIZATION", "LOCATION_OTHER", "USERNAME"]
)
def test_safe_harbor_keeps_no_name_of_staff_or_place(phi):
    with pytest.raises(Halt, match="can't be kept"):
        Policy.named("safe-harbor", {"strategies": {phi: "keep"}})
