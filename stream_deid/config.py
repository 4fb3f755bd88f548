"""Settings: one TOML file, overridden by the environment, checked whole before anything starts.

The only reader of the service's settings in the environment (rigs, training and engines have
variables of their own). A key of the file `[kafka] group = "x"` is
overridden by `STREAM_DEID_KAFKA__GROUP=x`; a table or list is written in the environment as a
TOML value (`STREAM_DEID_MODELS__EN='["bert_en"]'`). Unknown keys are errors, and all mistakes
are reported together.
"""

from __future__ import annotations

import logging
import os
import secrets
import tomllib
from collections.abc import Mapping
from dataclasses import MISSING, dataclass, field, fields, is_dataclass, replace
from pathlib import Path
from typing import Any, get_args, get_origin, get_type_hints

from stream_deid.errors import Halt
from stream_deid.hardening import open_to_others
from stream_deid.mllp.settings import Mllp, MllpOut

ENVIRONMENT_PREFIX = "STREAM_DEID_"
_NOT_SETTINGS = frozenset({"STREAM_DEID_CONFIG", "STREAM_DEID_DATA"})
_MIN_KEY_BYTES = 16

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Kafka:
    """Where notes come from and go to.

    `member` names this worker for static group membership (KIP-345): restarted within the session
    timeout it takes its partitions up again at once, and nobody else's stand still meanwhile; one
    that leaves for good keeps its partitions for a session timeout. `auto`: the pod's name in a
    StatefulSet, else none. Empty: an ordinary member, whose partitions move as soon as it leaves.
    `session_timeout_s`: how long a worker that was killed keeps its partitions; broker's limits
    (`group.min.session.timeout.ms`) hold, and a process that gets no processor for as long is out.
    """

    bootstrap: str = "127.0.0.1:9092"
    group: str = "stream-deid"
    member: str = "auto"
    topic_in: str = "notes.raw"
    topic_out: str = "notes.deid"
    topic_audit: str = "notes.audit"
    topic_dead: str = "notes.dead"
    batch: int = 64
    linger_ms: int = 20
    session_timeout_s: float = 7.0
    heartbeat_s: float = 2.0
    transaction_timeout_s: float = 60.0
    max_message_bytes: int = 8_000_000
    state_dir: str = ""
    security: dict[str, str] = field(default_factory=dict, repr=False)

    def member_name(self, environ: Mapping[str, str] | None = None) -> str:
        """The name for static membership; empty for an ordinary member."""
        if self.member != "auto":
            return self.member
        env = os.environ if environ is None else environ
        name = env.get("HOSTNAME", "")
        ordinal = name.rpartition("-")[2]
        return name if "KUBERNETES_SERVICE_HOST" in env and ordinal.isdecimal() else ""

    @property
    def topics(self) -> tuple[str, str, str, str]:
        """In, out, audit, dead letters."""
        return self.topic_in, self.topic_out, self.topic_audit, self.topic_dead


@dataclass(frozen=True, slots=True)
class Release:
    """What `stream-deid release` moves where (`streaming/releasing`): batches of at least `least`
    notes, closed every `period_s` seconds (91 days; docs/attacks.md: what shorter ones tell); it
    holds about `most` records at once.
    """

    topic_notes: str = "released.notes"
    topic_audit: str = "released.audit"
    period_s: float = 7_862_400.0
    least: int = 500
    most: int = 20_000


@dataclass(frozen=True, slots=True)
class Http:
    """Where health and metrics are served."""

    host: str = "127.0.0.1"
    port: int = 8080


@dataclass(frozen=True, slots=True)
class Triton:
    """The model server. `url = "auto"` starts a local CPU server for the life of the command.

    `ca`: a file that turns TLS on; `certificate` and `key`: ours, where the server asks for them.
    """

    url: str = "auto"
    repository: str = ""
    request_timeout_s: float = 10.0
    max_in_flight: int = 2
    max_tokens_in_flight: int = 65_536
    threads: int = 0
    ca: str = ""
    certificate: str = ""
    key: str = ""


@dataclass(frozen=True, slots=True)
class Keys:
    """The secret that every surrogate and pseudonym is derived from, and its epoch.

    `file` names a mounted secret (its bytes, stripped of white space at the end); `value` is
    for the environment. Exactly one is needed.
    """

    file: str = ""
    value: str = field(default="", repr=False)
    epoch: str = "1"
    tenant: str = ""


@dataclass(frozen=True, slots=True)
class PolicySettings:
    """The named policy and what is changed in it (see `surrogate/policy.py`)."""

    name: str = "expert-determination"
    overrides: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Formats:
    """What messages may look like; `formats.Options` says what each setting means."""

    accept: tuple[str, ...] = ("json", "hl7v2", "fhir")
    language: str = "auto"
    safe_fields: tuple[str, ...] = ()
    hl7_pass_segments: tuple[str, ...] = ()
    fhir_rules: dict[str, str] = field(default_factory=dict)
    fhir_authorities: dict[str, str] = field(default_factory=dict)
    fhir_patient: str = "identifier"
    unreadable: str = "withhold"
    max_chars: int = 2_000_000


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything that can be set.

    `models`: by language, the one with the most labels first. `voting`: "mean" pools the models
    of a language (`detect.decoding`); with "any" one model's vote is enough to hide.
    """

    kafka: Kafka = field(default_factory=Kafka)
    release: Release = field(default_factory=Release)
    http: Http = field(default_factory=Http)
    mllp: Mllp = field(default_factory=Mllp)
    mllp_out: MllpOut = field(default_factory=MllpOut)
    triton: Triton = field(default_factory=Triton)
    keys: Keys = field(default_factory=Keys)
    policy: PolicySettings = field(default_factory=PolicySettings)
    formats: Formats = field(default_factory=Formats)
    models: dict[str, tuple[str, ...]] = field(
        default_factory=lambda: {
            "en": ("bert_en", "bilstm_crf_en"),
            "es": ("bert_es",),
        }
    )
    voting: str = "mean"
    deadline_s: float = 120.0
    shutdown_s: float = 25.0

    @property
    def model_names(self) -> list[str]:
        """The models that any language needs, each once, in order."""
        return list(dict.fromkeys(name for models in self.models.values() for name in models))


def load(path: Path | None = None, environ: Mapping[str, str] | None = None) -> Settings:
    """Read settings from `path` (or `$STREAM_DEID_CONFIG`, or none) and the environment.

    Raises `Halt("config.invalid")` with every mistake in its detail.
    """
    env = os.environ if environ is None else environ
    if path is None and env.get("STREAM_DEID_CONFIG"):
        path = Path(env["STREAM_DEID_CONFIG"])
    problems: list[str] = []
    table = _read(path, problems) if path else {}
    _overlay(table, env, problems)
    settings = _build(Settings, table, "", problems)
    if not problems:
        _check(settings, problems)
    if problems:
        raise Halt("config.invalid", "; ".join(problems))
    assert isinstance(settings, Settings)
    return settings


def read_key(keys: Keys) -> bytes:
    """The secret key's bytes. Raises `Halt("key....")` where there is none or it is weak."""
    if bool(keys.file) == bool(keys.value):
        raise Halt(
            "key.missing",
            "set exactly one of keys.file (a mounted secret) and STREAM_DEID_KEYS__VALUE; "
            "`stream-deid keygen FILE` makes one",
        )
    if keys.file:
        try:
            if open_to_others(Path(keys.file)):
                _log.warning("keys.file can be read by other users: chmod 600, or mount it so")
            key = Path(keys.file).read_bytes().rstrip()
        except OSError as error:
            raise Halt("key.unreadable", f"keys.file can't be read: {error.strerror}") from None
    else:
        key = keys.value.encode()
    if len(key) < _MIN_KEY_BYTES:
        raise Halt("key.weak", f"the key has {len(key)} bytes, not {_MIN_KEY_BYTES} or more")
    return key


def with_a_key(settings: Settings) -> Settings:
    """The same settings; where they name no key, with a fresh one for this run alone."""
    if settings.keys.file or settings.keys.value:
        return settings
    return replace(settings, keys=replace(settings.keys, value=new_key()))


def new_key() -> str:
    """A fresh secret: 32 random bytes, hexadecimal."""
    return secrets.token_hex(32)


def write_new_key(path: Path) -> None:
    """A fresh secret in a new file that its owner alone can read.

    Raises `Halt("key.exists")`: a key is never overwritten, since with it goes every surrogate.
    """
    try:
        descriptor = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    except FileExistsError:
        raise Halt("key.exists", f"{path} is there already; keys are never overwritten") from None
    except OSError as error:
        raise Halt("key.unwritable", f"{path} can't be written: {error.strerror}") from None
    with os.fdopen(descriptor, "w", encoding="ascii") as file:
        file.write(new_key() + "\n")


def data_dir(environ: Mapping[str, str] | None = None) -> Path:
    """The folder of corpora to train on, `$STREAM_DEID_DATA`. Raises `Halt` where it is unset."""
    value = (os.environ if environ is None else environ).get("STREAM_DEID_DATA", "")
    if not value or not Path(value).is_dir():
        raise Halt("data.missing", "set STREAM_DEID_DATA to the folder of the training corpora")
    return Path(value)


def _read(path: Path, problems: list[str]) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        problems.append(f"{path}: {error.strerror}")
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        problems.append(f"{path}: not TOML: {error}")
    return {}


def _overlay(table: dict[str, Any], env: Mapping[str, str], problems: list[str]) -> None:
    for name in sorted(env):
        if not name.startswith(ENVIRONMENT_PREFIX) or name in _NOT_SETTINGS:
            continue
        keys = name.removeprefix(ENVIRONMENT_PREFIX).lower().split("__")
        place = table
        for key in keys[:-1]:
            inner = place.setdefault(key, {})
            if not isinstance(inner, dict):
                problems.append(f"{name}: {key} is no table")
                break
            place = inner
        else:
            place[keys[-1]] = _environment_value(env[name])


def _environment_value(text: str) -> Any:
    """Tables, lists, numbers and booleans as in TOML; anything else is a string."""
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        return text


def _build(cls: type, table: Mapping[str, Any], path: str, problems: list[str]) -> Any:
    hints = get_type_hints(cls)
    known = {item.name for item in fields(cls)}
    problems.extend(f"unknown setting {path}{key}" for key in sorted(set(table) - known))
    values = {
        item.name: _value(hints[item.name], table[item.name], f"{path}{item.name}", problems)
        for item in fields(cls)
        if item.name in table
    }
    missing = [
        item.name
        for item in fields(cls)
        if item.name not in values and item.default is MISSING and item.default_factory is MISSING
    ]
    problems.extend(f"setting {path}{name} is missing" for name in missing)
    return None if problems else cls(**values)


def _value(hint: Any, value: Any, path: str, problems: list[str]) -> Any:
    """`value` as the type `hint` wants it; a value of another type is a problem."""
    if isinstance(value, dict) and isinstance(hint, type) and is_dataclass(hint):
        return _build(hint, value, f"{path}.", problems)
    if isinstance(value, dict) and get_origin(hint) is dict:
        inner = get_args(hint)[1]
        return {k: _value(inner, v, f"{path}.{k}", problems) for k, v in value.items()}
    if isinstance(value, list) and get_origin(hint) is tuple:
        inner = get_args(hint)[0]
        return tuple(_value(inner, item, f"{path}[]", problems) for item in value)
    if hint is Any or type(value) is hint:
        return value
    if (hint is float and type(value) is int) or (hint is str and type(value) in (int, float)):
        return hint(value)
    wanted = getattr(hint, "__name__", str(hint))
    problems.append(f"setting {path} must be {wanted}, not {type(value).__name__}")
    return None


def _check(settings: Settings, problems: list[str]) -> None:
    positive = {
        "kafka.batch": settings.kafka.batch,
        "kafka.session_timeout_s": settings.kafka.session_timeout_s,
        "kafka.transaction_timeout_s": settings.kafka.transaction_timeout_s,
        "release.period_s": settings.release.period_s,
        "release.least": settings.release.least,
        "release.most": settings.release.most,
        "triton.request_timeout_s": settings.triton.request_timeout_s,
        "triton.max_in_flight": settings.triton.max_in_flight,
        "triton.max_tokens_in_flight": settings.triton.max_tokens_in_flight,
        "formats.max_chars": settings.formats.max_chars,
        "deadline_s": settings.deadline_s,
        "shutdown_s": settings.shutdown_s,
    }
    problems.extend(f"{name} must be above 0" for name, value in positive.items() if value <= 0)
    if settings.kafka.heartbeat_s * 2 > settings.kafka.session_timeout_s:
        problems.append("kafka.heartbeat_s must be at most half of kafka.session_timeout_s")
    outer = (settings.release.topic_notes, settings.release.topic_audit)
    topics = (*settings.kafka.topics, *outer, settings.mllp.topic_seen)
    if len(set(topics)) != len(topics):
        problems.append("topics must differ, those of [kafka], [release] and [mllp] too")
    problems.extend((*settings.mllp.problems(), *settings.mllp_out.problems()))
    triton = settings.triton
    if bool(triton.certificate) != bool(triton.key) or (triton.certificate and not triton.ca):
        problems.append("triton.certificate and triton.key go together, and with triton.ca")
    if triton.ca and triton.url == "auto":
        problems.append("triton.ca is for a server elsewhere: set triton.url")
    if settings.formats.language not in ("auto", *settings.models):
        problems.append("formats.language must be 'auto' or a language of [models]")
    problems.extend(
        f"models.{language} is empty: a language needs at least one model"
        for language, models in settings.models.items()
        if not models
    )
    if settings.voting not in ("mean", "any"):
        problems.append("voting must be 'mean' (models pooled) or 'any' (one vote is enough)")
    if settings.formats.fhir_patient not in ("identifier", "id"):
        problems.append("formats.fhir_patient must be 'identifier' or 'id'")
    if settings.formats.unreadable not in ("withhold", "reject"):
        problems.append("formats.unreadable must be 'withhold' or 'reject'")
    unknown = sorted(set(settings.formats.accept) - {"json", "hl7v2", "fhir"})
    problems.extend(f"formats.accept: unknown format {name!r}" for name in unknown)


def without_secrets(environ: Mapping[str, str] | None = None) -> dict[str, str]:
    """The environment for programs that have no use for our settings, the key among them."""
    env = os.environ if environ is None else environ
    return {name: value for name, value in env.items() if not name.startswith(ENVIRONMENT_PREFIX)}


def local_broker(environ: Mapping[str, str] | None = None) -> tuple[str | None, str | None]:
    """What a trial should run on: `(KAFKA_BOOTSTRAP_SERVERS, KAFKA_HOME)`, where set."""
    env = os.environ if environ is None else environ
    return env.get("KAFKA_BOOTSTRAP_SERVERS") or None, env.get("KAFKA_HOME") or None
