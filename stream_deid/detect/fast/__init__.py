"""Sentences that need no model: the inclusion list and templates (nference 2021)."""
