"""Which identifier is replaced how: named policies, checked when they are loaded.

`expert-determination` (default): believable surrogates everywhere, dates shifted.
`safe-harbor`: 45 CFR 164.514(b)(2) by its letter: dates keep the year only, ZIP three digits,
surrogates are drawn afresh for each mention and never from the identifier.
`limited-data-set`: 164.514(e): dates, ages, city, state and ZIP stay.
Whether a policy fits a purpose is for counsel to decide; what is checked here is that its rules
do not contradict each other.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any

from stream_deid.errors import Halt
from stream_deid.labels import NUMBERS, PhiType
from stream_deid.text.years import ELECTRONIC, LAST, LATEST

T = PhiType
KINDS = ("consistent", "markov", "random", "generalise", "keep")
_DIRECT = frozenset({T.PATIENT, T.EMAIL, T.URL, T.IPADDR, T.STREET} | NUMBERS)
_KEEPABLE_IN_LDS = frozenset(
    {T.DATE, T.AGE, T.CITY, T.STATE, T.COUNTRY, T.ZIP, T.SEX, T.PROFESSION}
)
_CHOICES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "zip_rule": ("coherent", "random", "safe-harbor", "keep"),
        "age_over_89": ("generalise", "89+", "keep"),
        "age_under_90": ("perturb", "keep"),
        "year_only": ("shift", "keep"),
        "doctor_scope": ("patient", "tenant"),
        "kinship": ("generalise", "keep"),
        "hosts": ("form", "drawn"),
    }
)


@dataclass(frozen=True, slots=True)
class Strategy:
    """How values of one type are replaced; `p` is Markov's chance of a new surrogate."""

    kind: str
    p: float = 0.0

    def __str__(self) -> str:
        return f"markov({self.p:g})" if self.kind == "markov" else self.kind


CONSISTENT = Strategy("consistent")
RANDOM = Strategy("random")
GENERALISE = Strategy("generalise")
KEEP = Strategy("keep")


@dataclass(frozen=True, slots=True)
class Policy:
    """Frozen rules of replacement; make one by `Policy.named`.

    `date_shift_days`: least and greatest size of a patient's offset in days, either sign. The
    default leaves out the days around 0 and around a year, so that a month or a day and month
    without a year never stays what it was. `kinship`: whether nouns ("madre") become neutral or
    stay (the default but for safe harbor); names of relatives are replaced in any case.
    `hosts`: of mail and web addresses. `latest_year`: the last year in which notes without any date
    were written.
    """

    name: str = "expert-determination"
    strategies: Mapping[PhiType, Strategy] = field(default_factory=dict)
    date_shift_days: tuple[int, int] = (35, 330)
    keep_weekday: bool = False
    zip_rule: str = "coherent"
    age_over_89: str = "generalise"
    age_under_90: str = "keep"
    year_only: str = "shift"
    doctor_scope: str = "patient"
    kinship: str = "keep"
    hosts: str = "form"
    latest_year: int = LATEST

    def strategy(self, phi: PhiType) -> Strategy:
        """The strategy of a type; `consistent` where nothing else is said."""
        return self.strategies.get(phi, CONSISTENT)

    @property
    def strategy_kind_of_date(self) -> str:
        """`consistent` (shift), `generalise` (year only) or `keep`."""
        return self.strategy(T.DATE).kind

    @property
    def links_notes(self) -> bool:
        """Whether ids tell which notes are of one patient: not where each mention of his number
        gets another one (safe harbor).
        """
        return self.strategy(T.MEDICALRECORD).kind != "random"

    @staticmethod
    def named(
        name: str = "expert-determination", overrides: Mapping[str, Any] | None = None
    ) -> Policy:
        """A named policy with overrides applied and checked.

        `overrides`: field names of `Policy`, with `strategies` a mapping of type names to
        `consistent`, `markov(p)`, `random`, `generalise` or `keep`. Raises
        `Halt("policy.unknown" | "policy.value" | "policy.contradiction")` that lists every
        mistake at once.
        """
        if name not in POLICIES:
            raise Halt("policy.unknown", f"no policy {name!r}; there are {', '.join(POLICIES)}")
        mistakes: list[str] = []
        policy = _overridden(POLICIES[name], dict(overrides or {}), mistakes)
        if mistakes:
            raise Halt("policy.value", "; ".join(mistakes))
        contradictions = check(policy)
        if contradictions:
            raise Halt("policy.contradiction", "; ".join(contradictions))
        return policy


def parse_strategy(text: str) -> Strategy:
    """A strategy from its name; raises `ValueError` with the reason."""
    text = text.strip().lower()
    if text in KINDS and text != "markov":
        return Strategy(text)
    if text == "markov":
        return Strategy("markov", 0.5)
    if text.startswith("markov(") and text.endswith(")"):
        try:
            p = float(text[7:-1])
        except ValueError:
            raise ValueError(f"{text!r}: markov takes a number") from None
        if 0 < p < 1:
            return Strategy("markov", p)
        raise ValueError(f"{text!r}: markov needs 0 < p < 1 (0 is consistent, 1 is random)")
    raise ValueError(f"{text!r} is no strategy; there are consistent, markov(p), random, "
                     "generalise, keep")  # fmt: skip


def _strategies(given: Any, base: Mapping[PhiType, Strategy], mistakes: list[str]) -> Any:
    if not isinstance(given, Mapping):
        mistakes.append("strategies must be a table of type = strategy")
        return base
    merged = dict(base)
    for key, value in given.items():
        if key not in PhiType.__members__:
            mistakes.append(f"strategies: {key!r} is no PHI type")
            continue
        try:
            merged[PhiType[key]] = parse_strategy(str(value))
        except ValueError as error:
            mistakes.append(f"strategies.{key}: {error}")
    return MappingProxyType(merged)


def _overridden(base: Policy, overrides: dict[str, Any], mistakes: list[str]) -> Policy:
    changes: dict[str, Any] = {}
    for key, value in overrides.items():
        if key == "strategies":
            changes[key] = _strategies(value, base.strategies, mistakes)
        elif key in _CHOICES:
            if value not in _CHOICES[key]:
                mistakes.append(f"{key}: {value!r} is none of {', '.join(_CHOICES[key])}")
            changes[key] = value
        elif key == "keep_weekday":
            if not isinstance(value, bool):
                mistakes.append("keep_weekday must be true or false")
            changes[key] = value
        elif key == "latest_year":
            if type(value) is not int or not ELECTRONIC <= value <= LAST:
                mistakes.append(f"latest_year must be a year from {ELECTRONIC} to {LAST}")
            changes[key] = value
        elif key == "date_shift_days":
            changes[key] = _range(value, mistakes)
        else:
            mistakes.append(f"unknown setting {key!r}")
    return replace(base, **changes)


def _range(value: Any, mistakes: list[str]) -> tuple[int, int]:
    pair = tuple(value) if isinstance(value, list | tuple) else ()
    if len(pair) != 2 or not all(type(v) is int for v in pair):
        mistakes.append("date_shift_days must be two whole numbers of days, [least, greatest]")
        return (35, 330)
    return (pair[0], pair[1])


def check(policy: Policy) -> list[str]:
    """Every contradiction in a policy, as sentences."""
    low, high = policy.date_shift_days
    wrong: list[str] = []
    if not 1 <= low <= high <= 36_500:
        wrong.append("date_shift_days needs 1 <= least <= greatest <= 36500 (0 is no shift)")
    elif policy.keep_weekday and high // 7 * 7 < low:
        wrong.append("keep_weekday: no multiple of 7 lies in date_shift_days")
    for phi in PhiType:
        wrong += _check_type(policy, phi, policy.strategy(phi))
    if policy.name == "safe-harbor":
        wrong += _check_safe_harbor(policy)
    if policy.zip_rule == "keep" and policy.name != "limited-data-set":
        wrong.append("zip_rule keep is for limited-data-set only")
    if policy.age_over_89 == "keep" and policy.name != "limited-data-set":
        wrong.append("age_over_89 keep is for limited-data-set only")
    return wrong


def _check_type(policy: Policy, phi: PhiType, strategy: Strategy) -> list[str]:
    wrong: list[str] = []
    if strategy.kind == "keep" and phi in _DIRECT:
        wrong.append(f"{phi}: a direct identifier can't be kept under any policy")
    elif (
        strategy.kind == "keep"
        and phi in {T.DATE, T.ZIP, T.CITY, T.AGE}
        and policy.name != "limited-data-set"
    ):
        wrong.append(f"{phi}: keep is for limited-data-set only")
    if phi is T.DATE and strategy.kind in {"markov", "random"}:
        wrong.append(f"DATE: {strategy} would break the intervals between dates")
    return wrong


def _check_safe_harbor(policy: Policy) -> list[str]:
    wrong: list[str] = []
    if policy.strategy(T.DATE).kind != "generalise":
        wrong.append("safe-harbor: a shifted date is an element of date; DATE must be generalise")
    if policy.zip_rule != "safe-harbor":
        wrong.append("safe-harbor: zip_rule must be safe-harbor (three digits or 000)")
    if policy.doctor_scope != "patient":
        wrong.append("safe-harbor: doctor_scope tenant is a code derived from the identifier")
    if policy.year_only == "shift":
        wrong.append("safe-harbor: years stay; year_only must be keep")
    wrong.extend(
        f"safe-harbor: {phi} is {policy.strategy(phi)}, which is derived from the identifier"
        for phi in PhiType
        if phi not in {T.STATE, T.COUNTRY, T.AGE, T.PROFESSION, T.SEX, T.ZIP}
        and policy.strategy(phi).kind in {"consistent", "markov"}
    )
    wrong.extend(
        f"safe-harbor: {phi} can't be kept"
        for phi in PhiType
        if phi not in {T.STATE, T.COUNTRY, T.SEX, T.AGE} and policy.strategy(phi).kind == "keep"
    )
    return wrong


_EXPERT = MappingProxyType({T.SEX: KEEP, T.RELATIVE: GENERALISE, T.OTHER: GENERALISE})
_HARBOR = MappingProxyType(
    {
        **dict.fromkeys(PhiType, RANDOM),
        T.DATE: GENERALISE, T.STATE: KEEP, T.COUNTRY: KEEP, T.SEX: KEEP,
        T.AGE: CONSISTENT, T.ZIP: GENERALISE,
    }
)  # fmt: skip
_LIMITED = MappingProxyType({**_EXPERT, **dict.fromkeys(sorted(_KEEPABLE_IN_LDS), KEEP)})
POLICIES: Mapping[str, Policy] = MappingProxyType(
    {
        "expert-determination": Policy(strategies=_EXPERT),
        "safe-harbor": Policy(
            name="safe-harbor", strategies=_HARBOR, zip_rule="safe-harbor",
            kinship="generalise", year_only="keep",
        ),
        "limited-data-set": Policy(
            name="limited-data-set", strategies=_LIMITED, zip_rule="keep",
            age_over_89="keep", year_only="keep",
        ),
    }
)  # fmt: skip
