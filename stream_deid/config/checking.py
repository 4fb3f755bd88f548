"""What settings may be: bounds of each, and what goes together."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterator
from typing import Any

from stream_deid.config import addresses
from stream_deid.config.declare import Meta, leaves, written
from stream_deid.config.mllp import Mllp, MllpOut
from stream_deid.config.places import NamedRecords
from stream_deid.config.problems import Problem, nearest
from stream_deid.config.settings import IN_PROCESS, Keys, Release, Settings, Triton

_COUNTABLE = 10**20
_QUOTES = ('"', "'")
_TOPIC = re.compile(r"(?!\.{1,2}$)[A-Za-z0-9._-]{1,249}")
_READ = "mllp_out.topic"
"""A topic that is only read, so that it may be another setting's as well."""
_LANGUAGE = re.compile(r"[a-z]{2}")
_MODEL = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,99}")
_ESSENTIAL = frozenset({"text", "note_id", "patient_id", "patient", "timestamp", "sections"})
"""Fields of JSON notes that can't go out as they came."""


def check_value(path: str, value: Any, meta: Meta) -> Iterator[tuple[str, str]]:
    """(what is wrong, what to do) of one value on its own, by its declaration."""
    if type(value) in (int, float):
        yield from _bounds(path, value, meta)
    if not meta.choices:
        return
    allowed = " or ".join(repr(choice) for choice in meta.choices)
    for item in value if isinstance(value, tuple) else (value,):
        if item in meta.choices:
            continue
        meant = nearest(str(item), meta.choices)
        what = f"{path} must be {allowed}, not {item!r}"
        yield what, f"did you mean {meant!r}?" if meant else "take one of these"


def _bounds(path: str, value: float, meta: Meta) -> Iterator[tuple[str, str]]:
    if meta.zero and value == 0:
        return
    least, most = meta.bounds
    if value > most:
        yield f"{path} must be at most {written(most)}", f"it is {_told(value)}"
    elif not value >= least:  # nan is neither
        also = "0 or " if meta.zero else ""
        yield f"{path} must be {also}at least {written(least)}", f"it is {_told(value)}"


def _told(value: float) -> str:
    if isinstance(value, float):
        return f"{value:g}"
    return str(value) if abs(value) < _COUNTABLE else "a number of more than 20 digits"


def check(settings: Settings) -> Iterator[Problem]:
    """What does not go together, of settings that are right one by one."""
    yield from _kafka(settings)
    yield from addresses.check(settings)
    yield from _formats(settings)
    yield from _triton(settings.triton)
    yield from _keys(settings.keys)
    yield from _release(settings.release)
    yield from _models(settings)
    yield from _mllp(settings.mllp)
    yield from _mllp_out(settings.mllp_out)
    yield from addresses.taken_twice(settings)


def _kafka(settings: Settings) -> Iterator[Problem]:
    kafka = settings.kafka
    if not kafka.group.strip() or not kafka.group.isprintable():
        yield Problem(
            "kafka.group",
            f"kafka.group is {kafka.group!r}, which no group can be called",
            "name one: transactional ids and the groups of release and replay begin with it",
        )
    if kafka.member and not _TOPIC.fullmatch(kafka.member):
        yield Problem(
            "kafka.member",
            f"kafka.member is {kafka.member!r}, which no member can be called",
            "1 to 249 letters, digits, points, hyphens and underscores; or auto, or empty",
        )
    if kafka.heartbeat_s * 2 > kafka.session_timeout_s:
        yield Problem(
            "kafka.heartbeat_s",
            "kafka.heartbeat_s must be at most half of kafka.session_timeout_s",
            f"set it to {kafka.session_timeout_s / 3:.2g}, or raise kafka.session_timeout_s",
        )
    named: dict[str, str] = {}
    for path, topic in ((leaf.path, leaf.text) for leaf in leaves(settings, {"topic"})):
        if not topic:
            yield Problem(path, f"{path} is empty", "name a topic")
        elif not _TOPIC.fullmatch(topic):
            yield Problem(
                path,
                f"{path} is {topic!r}, which no topic can be called",
                "a topic has 1 to 249 letters, digits, points, hyphens and underscores",
            )
        elif topic in named and path != _READ:
            yield Problem(
                path,
                f"topics must differ: {path} and {named[topic]} are both {topic!r}",
                "give each a topic of its own",
            )
        named.setdefault(topic, path)


def _formats(settings: Settings) -> Iterator[Problem]:
    if not settings.formats.accept:
        yield Problem(
            "formats.accept",
            "formats.accept is empty: every message would be a dead letter",
            "name json, hl7v2 or fhir",
        )
    for name in sorted(_ESSENTIAL.intersection(settings.formats.safe_fields)):
        yield Problem(
            "formats.safe_fields",
            f"formats.safe_fields: {name} identifies, and never goes out as it came",
            "take it out",
        )


def _triton(triton: Triton) -> Iterator[Problem]:
    if bool(triton.certificate) != bool(triton.key) or (triton.certificate and not triton.ca):
        yield Problem(
            "triton.certificate",
            "triton.certificate and triton.key go together, and with triton.ca",
            "set all three, or triton.ca alone",
        )
    if triton.ca and triton.url == "auto":
        yield Problem(
            "triton.ca",
            "triton.ca is for a server elsewhere: set triton.url",
            "or leave triton.ca out",
        )


def _keys(keys: Keys) -> Iterator[Problem]:
    if len(keys.value) > 1 and keys.value[0] == keys.value[-1] and keys.value[0] in _QUOTES:
        yield Problem(
            "keys.value",
            "keys.value stands in quotes, which would be a part of the key",
            "the text of a variable is taken as it is: store it without quotes",
        )
    if keys.value and keys.file:
        yield Problem(
            "keys.value",
            "keys.file and keys.value are both set",
            "keep one: two keys give two sets of surrogates",
        )


def _release(release: Release) -> Iterator[Problem]:
    for one in release.passed_over:
        try:
            NamedRecords.of(one)
        except ValueError:
            yield Problem(
                "release.passed_over",
                f"release.passed_over: {one!r} names no records",
                "write TOPIC/PARTITION/OFFSET or TOPIC/PARTITION/FIRST-LAST",
            )


def is_model(name: str) -> bool:
    """Whether a model can be called so."""
    return _MODEL.fullmatch(name) is not None


def _models(settings: Settings) -> Iterator[Problem]:
    if not settings.models:
        yield Problem("models", "[models] is empty: no note could be examined", "name a language")
    for language, names in settings.models.items():
        strange = [name for name in names if not is_model(name)]
        if not _LANGUAGE.fullmatch(language) or strange:
            yield Problem(
                f"models.{language}",
                f"models.{language}: {strange[0] if strange else language!r} is no name of a "
                f"{'model' if strange else 'language'}",
                "languages have two letters (ISO 639-1), models are folders of triton.repository",
            )
        if doubled := sorted({name for name in names if names.count(name) > 1}):
            yield Problem(
                f"models.{language}",
                f"models.{language} names {', '.join(doubled)} twice",
                "a model that is named twice is read twice for one vote: name it once",
            )
        if not names:
            yield Problem(
                f"models.{language}",
                f"models.{language} has no model: a language needs one at least",
                f"name its models (on Triton, or {IN_PROCESS!r}), or take the language out",
            )
    language = settings.formats.language
    if settings.models and language not in ("auto", *settings.models):
        yield Problem(
            "formats.language",
            f"formats.language is {language!r}, which [models] has no models for",
            f"'auto', or one of {', '.join(settings.models)}",
        )


def _mllp(mllp: Mllp) -> Iterator[Problem]:
    if bool(mllp.certificate) != bool(mllp.key) or (mllp.ca and not mllp.key):
        yield Problem(
            "mllp.certificate",
            "mllp.certificate and mllp.key go together, and mllp.ca with them",
            "set certificate and key, or none of the three",
        )
    if mllp.names and not mllp.ca:
        yield Problem(
            "mllp.names",
            "mllp.names needs mllp.ca: without it no sender shows a certificate",
            "set mllp.ca, or say mllp.networks",
        )
    if mllp.max_message_bytes > mllp.max_bytes_in_hand:
        yield Problem(
            "mllp.max_message_bytes",
            "mllp.max_message_bytes must be at most mllp.max_bytes_in_hand",
            "raise mllp.max_bytes_in_hand",
        )
    for network in mllp.networks:
        try:
            ipaddress.ip_network(network)
        except ValueError:
            yield Problem(
                "mllp.networks",
                f"mllp.networks: {network!r} is no network",
                "they are written as 10.1.0.0/16, without bits of a host",
            )


def _mllp_out(out: MllpOut) -> Iterator[Problem]:
    if bool(out.certificate) != bool(out.key) or (out.certificate and not out.ca):
        yield Problem(
            "mllp_out.certificate",
            "mllp_out.certificate and mllp_out.key go together, and with mllp_out.ca",
            "set all three, or mllp_out.ca alone",
        )
