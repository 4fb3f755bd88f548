"""Identifiers that are known by their form alone, wherever they stand."""

_LETTER = "[AC-HJKMNP-RT-Y]"
_EITHER = "[0-9AC-HJKMNP-RT-Y]"
MEDICARE = rf"[1-9]{_LETTER}{_EITHER}[0-9]-?{_LETTER}{_EITHER}[0-9]-?{_LETTER}{{2}}[0-9]{{2}}"
"""A Medicare Beneficiary Identifier (`1EG4-TE5-MK73`): eleven signs, each of its own kind. Source:
Centers for Medicare & Medicaid Services, Understanding the MBI Format.
"""
