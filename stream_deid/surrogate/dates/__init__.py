"""Dates: read as written, shifted by one keyed offset a patient, written back in their form."""
