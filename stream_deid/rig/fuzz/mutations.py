"""Wounds in the bytes of a message: cut, doubled, crossed with another, bits turned."""

from __future__ import annotations

import random

from stream_deid.rig.fuzz.samples import Samples

_BYTES = (
    b"\xff", b"\xc3\x28", b"\x00", b"\r", b"\n", b"|", b'"', b"\\", b"{", b"}", b"^", b"\x0b",
    b"\xed\xa0\x80", b"\xe2\x80\xae", b"\\u", b"MSH", b"MSH|^~\\&|", b"OBX|1|TX|||", b"\\X", b"[",
)  # fmt: skip


def wounded(rng: random.Random, raw: bytes, samples: Samples) -> bytes:
    """One to four wounds."""
    for _ in range(rng.randint(1, 4)):
        start = rng.randint(0, len(raw))
        end = min(len(raw), start + rng.choice((0, 1, 1, 2, 8, 40, 400)))
        match rng.randrange(7):
            case 0:
                raw = raw[:start]
            case 1:
                raw = raw[:start] + raw[end:]
            case 2:
                raw = raw[:end] + raw[start:end] * rng.choice((1, 2, 20)) + raw[end:]
            case 3:
                raw = raw[:start] + rng.choice(_BYTES) + raw[end:]
            case 4:
                other = rng.choice(rng.choice((samples.json, samples.hl7)))
                raw = raw[:start] + other[rng.randrange(len(other) + 1) :][:1000]
            case 5:
                raw = raw[:start] + rng.randbytes(end - start) + raw[end:]
            case _:
                raw = raw.replace(*rng.choice(((b"\r", b"\n"), (b"\n", b"\r"), (b'"', b"'"))))
    return raw
