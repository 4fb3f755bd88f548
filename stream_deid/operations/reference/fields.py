"""The HL7 v2 map, segment by segment: what is replaced, moved, examined and kept."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping

from stream_deid.formats.hl7.maps.field_map import FieldRule, field_map
from stream_deid.operations.reference.markdown import code, table

_KEPT = frozenset({"keep", "code", "sex", "stamp", "title", "PRL", "listed"})
_EXAMINED = frozenset({"text", "coded", "observation", "encapsulated", "TQ", "SPS"})
_DATES = frozenset({"date", "DR"})
_COLUMNS = ("replaced", "dates", "examined", "kept")


def part() -> str:
    """A table with a row for each segment that the map names."""
    segments = field_map().segments
    return table(
        ("segment", *_COLUMNS), ((code(name), *_cells(segments[name])) for name in segments)
    )


def _cells(rules: Mapping[int, FieldRule]) -> Iterable[str]:
    columns: dict[str, dict[str, list[int]]] = {name: defaultdict(list) for name in _COLUMNS}
    for number, rule in sorted(rules.items()):
        column, what = _column(rule)
        if column:
            columns[column][what].append(number)
    for name in _COLUMNS:
        yield "; ".join(
            f"{what} {_numbers(found)}".strip() for what, found in columns[name].items()
        )


def _column(rule: FieldRule) -> tuple[str, str]:
    if rule.kind == "drop":
        return "", ""
    if rule.kind in _DATES:
        return "dates", ""
    if rule.kind in _EXAMINED:
        return "examined", ""
    if rule.kind == "control":
        return "replaced", "message number"
    if rule.kind in _KEPT:
        return "kept", ""
    what = (
        rule.phi.value
        if rule.phi
        else {"XAD": "address", "XTN": "PHONE", "PL": "location"}.get(rule.kind, rule.kind)
    )
    return "replaced", what


def _numbers(found: list[int]) -> str:
    """`1-3, 5` for 1, 2, 3, 5."""
    runs: list[list[int]] = []
    for number in found:
        if runs and runs[-1][-1] == number - 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return ", ".join(str(r[0]) if len(r) == 1 else f"{r[0]}-{r[-1]}" for r in runs)
