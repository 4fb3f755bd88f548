"""The seal of an inner record: only who holds the key can have written it (HMAC, RFC 2104).

A worker puts it on each clean note and each audit record, and `stream-deid release` lets nothing
out without one: who may write to an inner topic, and has no key, can't release a note that was
not examined. It covers what a record is, its key and its value, each with its length before it, so
that no two records read alike. Its key is derived for it alone, by tenant: what else is computed
under the secret (`audit.keyed_mac` of any message, which readers of the audit see) is never a seal.
The same record has the same seal whenever it is made again.

It says nothing of place or time: a sealed record that is written again is sealed.
"""

from __future__ import annotations

import hmac
from collections.abc import Iterable

HEADER = "seal"
NOTE, AUDIT = "note", "audit"
"""What a record is."""


def seal_key(key: bytes, tenant: str) -> bytes:
    """The key of a tenant's seals, of the secret."""
    return hmac.digest(key, b"inner-seal\x00" + tenant.encode(), "sha256")


def seal(key: bytes, kind: str, record_key: bytes | None, value: bytes) -> bytes:
    """HMAC-SHA-256 under a `seal_key`, 32 bytes. No record key is another one than an empty one."""
    named = b"\x00" if record_key is None else b"\x01" + record_key
    framed = b"".join(len(one).to_bytes(8) + one for one in (kind.encode(), named, value))
    return hmac.digest(key, framed, "sha256")


def holds(
    keys: Iterable[bytes], found: bytes, kind: str, record_key: bytes | None, value: bytes
) -> bool:
    """Whether what was `found` on a record is its seal under any of these keys."""
    return any(hmac.compare_digest(found, seal(key, kind, record_key, value)) for key in keys)
