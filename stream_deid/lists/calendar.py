"""Months and weekdays by language, in their order."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from stream_deid.lists.vocabulary import Vocabulary

_LISTS = Vocabulary("calendar", "")


def _by_language(name: str, *languages: str) -> Mapping[str, tuple[str, ...]]:
    return MappingProxyType({code: _LISTS.ordered(f"{name}_{code}") for code in languages})


MONTHS = _by_language("months", "en", "es", "ca", "gl", "eu")
SHORT_MONTHS = _by_language("short_months", "en", "es", "ca", "gl")
WEEKDAYS = _by_language("weekdays", "en", "es", "ca", "gl", "eu")
WRITTEN_WEEKDAYS = MappingProxyType(
    {code: _LISTS[f"written_weekdays_{code}"] for code in ("en", "es")}
)
"""Expressions of weekdays as people write them, whole or short, folded."""
SHORT_WEEKDAYS = _by_language("short_weekdays", "en", "es", "ca")
