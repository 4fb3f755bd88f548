"""The ids by which records refer to each other: UUIDs, OIDs, and whatever a server makes up.

One to one, and the same wherever the id stands, whoever's record it is: a reference finds its
target. Long ids get what the number of a patient who has that id gets, so that a patient who is
known by a UUID alone has one surrogate as an id and as an identifier.
"""

from __future__ import annotations

import itertools
import re

from stream_deid.surrogate.keys import Scope, token
from stream_deid.surrogate.scramble import scramble
from stream_deid.text.canonical import canonical
from stream_deid.text.folding import fold
from stream_deid.text.memo import remembered

_UUID = re.compile(r"[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}")
_OID = re.compile(r"[0-2](\.(0|[1-9]\d*)){2,}")
_LONG = 16
_FORM = frozenset({14, 19})  # version and variant (RFC 9562)


@remembered
def resource_id(tenant: Scope, text: str, scope: Scope | None = None) -> str:
    """The surrogate of an id in its own form; under `scope` where one is given.

    An OID becomes one under 2.25, the arc of UUIDs (ITU-T X.667).
    """
    if scope is None:
        own = len(canonical(text)) >= _LONG
        scope = tenant.sub("patient", text).sub("number") if own else tenant.sub("resource id")
    if is_uuid(text):
        return uuid(scope, text)
    if _OID.fullmatch(text):
        return f"2.25.{scope.integer(1 << 122, 'oid', text)}"
    return scramble(scope, text)


@remembered
def control_id(tenant: Scope, text: str) -> str:
    """A token for the number of a message: the same wherever it stands, under every policy, in no
    order, of at most the length that HL7 allows (ST of 20 characters).
    """
    for step in itertools.count():
        made = token(tenant.sub("control id", step), text).upper()
        if fold(text) not in fold(made):
            return made
    raise AssertionError


def is_uuid(text: str) -> bool:
    """Whether a text has the form of a UUID."""
    return _UUID.fullmatch(text) is not None


def uuid(scope: Scope, text: str) -> str:
    """Another UUID of the same version; one to one within the scope."""
    places = [i for i, c in enumerate(text) if c != "-" and i not in _FORM]
    value = int("".join(text[i] for i in places), 16)
    made = f"{scope.sub('uuid').cycle(16 ** len(places), value):0{len(places)}x}"
    letters = list(text.lower())
    for i, char in zip(places, made, strict=True):
        letters[i] = char
    shown = "".join(letters)
    return shown.upper() if any(c in "ABCDEF" for c in text) else shown
