"""Spanish names that are written short (`Fco`, `Hdez`), and what each is short for, folded."""

from __future__ import annotations

from types import MappingProxyType

from stream_deid.lists.vocabulary import Vocabulary

_LISTS = Vocabulary("names_abbreviated", "surrogates")

FULL = MappingProxyType(
    {short: full for full, forms in _LISTS.table("full").items() for short in forms.split()}
)
"""The whole name of each short form."""

SIGNED = _LISTS.words("signed")
"""Short forms that are one with a dot or a raised letter behind them alone (`Ma.`, `Mª`)."""
