"""Who a patient is, for all formats: the number and the authority that gave it.

The same person in HL7, FHIR and JSON has one key, and so one set of surrogates and one offset.
"""

from __future__ import annotations

from collections.abc import Mapping

from stream_deid.formats.placeholders import is_no_number


def wrong_authority(names: Mapping[str, object]) -> str:
    """What is wrong with the names of authorities: each is called once, and not by a name that is
    itself called otherwise.
    """
    for authority, name in names.items():
        if not isinstance(name, str):
            return f"{authority}: a name is a text"
        if not authority.strip():
            return "an authority has no name"
        if name and names.get(name, name) != name:
            return f"{authority}: is called {name}, which is called otherwise itself"
    return ""


def patient_key(number: str, authority: str = "") -> str:
    """The id of a patient, input to keyed derivation and to nothing else.

    `authority` is empty for the site's own (`formats.authorities`), whose numbers stand alone, as
    they do in the JSON envelope: then the key is the number. Empty for a number that says that
    there is none (`UNKNOWN`, `000000`): all strangers who bear it would share surrogates.
    """
    if is_no_number(number):
        return ""
    return f"{number}@{authority}" if authority else number
