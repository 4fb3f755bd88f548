"""The keys of a telephone (ITU-T E.161)."""

from __future__ import annotations

KEYS = str.maketrans("ABCDEFGHIJKLMNOPQRSTUVWXYZ", "22233344455566677778889999")
"""For `str.translate`: the digit of each capital."""
