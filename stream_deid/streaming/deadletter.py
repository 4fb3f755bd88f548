"""The dead-letter record: where a note stands that could not be processed, and why.

It holds coordinates, a stable code, a detail written by this project's code, the input's size
and its keyed hash. Nothing of the input is copied: no value, key or header.
"""

from __future__ import annotations

from collections.abc import Mapping

import orjson

from stream_deid.outcome import Dead


def render(source: Mapping[str, object], dead: Dead, *, mac: str, size: int, release: str) -> bytes:
    """The record as one JSON object.

    `source`: coordinates in a topic or a file; `size` in bytes; `mac` as the processor computes it.
    """
    body = {
        "source": dict(source),
        "outcome": "dead",
        "code": dead.code,
        "detail": dead.detail,
        "release": release,
        "input_mac": mac,
        "input_bytes": size,
    }
    return orjson.dumps(body, option=orjson.OPT_SORT_KEYS)
