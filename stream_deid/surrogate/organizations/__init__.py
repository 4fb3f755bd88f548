"""Organisations: another proper name, the kind of place as it was."""
