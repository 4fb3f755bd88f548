"""Everything that can be set: one frozen dataclass a section."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from stream_deid.config.declare import setting
from stream_deid.config.formats import Formats, texts
from stream_deid.config.mllp import Mllp, MllpOut

_DAY_S = 86_400
IN_PROCESS = "crf"
"""The name in `[models]` of the feature CRF, which needs no server."""


@dataclass(frozen=True, slots=True)
class Kafka:
    """Where notes come from and go to."""

    bootstrap: str = setting("127.0.0.1:9092", "Brokers, as `host:port,host:port`.", kind="brokers")
    group: str = setting(
        "stream-deid",
        "Consumer group of the workers; transactional ids and the groups of `release` and `replay` "
        "begin with it.",
        kind="text",
    )
    member: str = setting(
        "auto",
        "Name of this worker for static group membership (KIP-345): restarted within the session "
        "timeout it takes its partitions up again at once, and nobody else's stand still; one that "
        "leaves for good keeps its partitions for a session timeout. `auto`: the pod's name in a "
        "StatefulSet, else none. Empty: an ordinary member, whose partitions move as soon as it "
        "leaves.",
        kind="text",
    )
    topic_in: str = setting("notes.raw", "Topic of raw notes.", kind="topic")
    topic_out: str = setting("notes.deid", "Inner topic of clean notes.", kind="topic")
    topic_audit: str = setting("notes.audit", "Inner topic of audit records.", kind="topic")
    topic_dead: str = setting("notes.dead", "Inner topic of dead letters.", kind="topic")
    topic_records: str = setting(
        "",
        "Compacted topic with records of patients, keyed by their ids (docs/records.md); empty: "
        "what messages state alone.",
        kind="topic",
    )
    batch: int = setting(64, "Notes in one transaction at most.", least=1, most=100_000)
    session_timeout_s: float = setting(
        7.0,
        "How long a worker that was killed keeps its partitions. The broker's limits "
        "(`group.min.session.timeout.ms`) hold, and a process that gets no processor for as long "
        "is out.",
        least=1,
        most=3600,
    )
    heartbeat_s: float = setting(
        2.0, "Time between heartbeats; at most half of the session timeout.", least=0.1, most=1800
    )
    transaction_timeout_s: float = setting(
        60.0, "How long a transaction may take before the broker aborts it.", least=1, most=900
    )
    max_message_bytes: int = setting(
        8_000_000, "Largest message that is written.", least=1000, most=1_000_000_000
    )
    state_dir: str = setting(
        "", "Faust's folder; empty: one in the temporary folder.", kind="scratch"
    )
    security: dict[str, str] = setting(
        {},
        "Options of librdkafka for every client: `security.protocol`, `sasl.*`, `ssl.*` (those of "
        "docs/reference.md).",
        secret=True,
        kind="options",
    )

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

    @property
    def needed(self) -> tuple[str, ...]:
        """All topics of a worker, that of records among them where there is one."""
        return (*self.topics, self.topic_records) if self.topic_records else self.topics


@dataclass(frozen=True, slots=True)
class Records:
    """Records of patients beside the notes, where `kafka.topic_records` names their topic."""

    absent: str = setting(
        "reject",
        "A note whose patient has no record: a dead letter at once (`reject`); one after "
        "`deadline_s`, unless a record comes (`wait`); or examined without (`pass`).",
        choices=("reject", "wait", "pass"),
    )
    most: int = setting(
        1_000_000,
        "Patients at most; each takes about 130 bytes of memory.",
        least=1,
        most=1_000_000_000,
    )
    start_s: float = setting(
        240.0, "How long reading the topic at start may take.", least=1, most=_DAY_S
    )


@dataclass(frozen=True, slots=True)
class Release:
    """What `stream-deid release` moves where (`streaming/releasing`)."""

    topic_notes: str = setting(
        "released.notes", "Topic of clean notes for recipients.", kind="topic"
    )
    topic_audit: str = setting("released.audit", "Topic of the audit for recipients.", kind="topic")
    audit: str = setting(
        "places",
        "What the audit for recipients tells of surrogates: their `places`, `counts` by type, or "
        "`none`. Who has notes and places reads off what was missed (docs/attacks.md, Audited).",
        choices=("places", "counts", "none"),
    )
    period_s: float = setting(
        7_862_400.0,
        "Time between two batches: 91 days (docs/attacks.md: what shorter ones tell).",
        least=1,
        most=10 * 366 * _DAY_S,
    )
    least: int = setting(
        500, "Notes in a batch at least; fewer wait for the next.", least=1, most=100_000_000
    )
    most: int = setting(20_000, "Records in memory at once, about.", least=1, most=10_000_000)
    former_keys: tuple[str, ...] = setting(
        (),
        "Files of keys that served before `keys`, as `keys.file`: while the inner topics hold "
        "notes that were sealed under them (docs/keys.md).",
        kind="file",
    )
    passed_over: tuple[str, ...] = setting(
        (),
        "Inner records that may be left out where their seal fails (`release.seal`) or they are no "
        "audit (`release.audit`): `TOPIC/PARTITION/OFFSET` or `TOPIC/PARTITION/FIRST-LAST`. "
        "What a worker sealed goes out all the same.",
        kind="text",
    )


@dataclass(frozen=True, slots=True)
class Http:
    """Where health and metrics are served."""

    host: str = setting("127.0.0.1", "Address to listen on; `0.0.0.0` in a pod.", kind="host")
    port: int = setting(
        8080,
        "Port of `/healthz`, `/readyz`, `/metrics`; 0: a free one.",
        least=1,
        most=65535,
        zero=True,
    )
    exemplars: bool = setting(
        False,
        "Times at `/metrics` name pseudonyms of notes (as the audit does), for who asks for "
        "OpenMetrics; `stream-deid trace` takes them.",
    )


@dataclass(frozen=True, slots=True)
class Traces:
    """OpenTelemetry, off unless an endpoint is named; needs `stream-deid[traces]`."""

    endpoint: str = setting(
        "",
        "Where spans go (OTLP over HTTP): `https://collector:4318/v1/traces`. A note goes on with "
        "the trace of its header `traceparent`; spans hold places, codes, pseudonyms and times.",
        kind="endpoint",
    )
    share: float = setting(
        1.0,
        "Of the notes that come without a trace, so many are sampled; 0: none.",
        least=1e-6,
        most=1,
        zero=True,
    )


@dataclass(frozen=True, slots=True)
class Triton:
    """The model server."""

    url: str = setting(
        "auto",
        "`host:port`, or `dns:///name:port` for all addresses of a name. `auto`: a local CPU "
        "server for the life of the command.",
        kind="server",
    )
    repository: str = setting(
        "",
        "Folder of the models and their manifests; empty: `triton_models/` of the checkout.",
        kind="folder",
    )
    request_timeout_s: float = setting(10.0, "Deadline of one request.", least=0.01, most=3600)
    max_in_flight: int = setting(2, "Requests at once to a model.", least=1, most=1000)
    max_tokens_in_flight: int = setting(
        65_536, "Tokens at once to a model.", least=1, most=100_000_000
    )
    threads: int = setting(
        0, "Threads of the local server; 0: as many as there are.", least=1, most=1024, zero=True
    )
    ca: str = setting("", "File of the certificates to trust; it turns TLS on.", kind="file")
    certificate: str = setting(
        "", "File of our certificate, where the server asks for one.", kind="file"
    )
    key: str = setting("", "File of our certificate's key.", kind="file")


@dataclass(frozen=True, slots=True)
class Keys:
    """The secret that every surrogate and pseudonym is derived from. Set `file` or `value`."""

    file: str = setting(
        "", "A mounted secret: its bytes, without white space at the end.", kind="file"
    )
    value: str = setting("", "The secret itself; for the environment.", secret=True, kind="text")
    epoch: str = setting("1", "Another epoch gives other surrogates (docs/keys.md).", kind="text")
    tenant: str = setting("", "Separates surrogates of customers that share a key.", kind="text")


@dataclass(frozen=True, slots=True)
class PolicySettings:
    """The named policy and what is changed in it (docs/policies.md)."""

    name: str = setting("expert-determination", "The policy.", kind="text")
    overrides: dict[str, Any] = setting({}, "What is changed in the policy.", kind="text")


@dataclass(frozen=True, slots=True)
class Registry:
    """A Confluent Schema Registry, for messages in its wire format (docs/json.md)."""

    url: str = setting("", "Its address, as `https://host:port`; empty: there is none.", kind="url")
    options: dict[str, Any] = setting(
        {},
        "Options of confluent-kafka's client: `basic.auth.user.info`, `ssl.ca.location`, "
        "`ssl.certificate.location`, `ssl.key.location`, `timeout`, ...",
        secret=True,
        kind="options",
    )


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything that can be set."""

    kafka: Kafka = field(default_factory=Kafka)
    records: Records = field(default_factory=Records)
    release: Release = field(default_factory=Release)
    http: Http = field(default_factory=Http)
    traces: Traces = field(default_factory=Traces)
    mllp: Mllp = field(default_factory=Mllp)
    mllp_out: MllpOut = field(default_factory=MllpOut)
    triton: Triton = field(default_factory=Triton)
    keys: Keys = field(default_factory=Keys)
    policy: PolicySettings = field(default_factory=PolicySettings)
    formats: Formats = field(default_factory=Formats)
    registry: Registry = field(default_factory=Registry)
    models: dict[str, tuple[str, ...]] = setting(
        {"en": ("bert_en", "bilstm_crf_en"), "es": ("bert_es", "bilstm_crf_es")},
        "Models by language, the one with the most labels first; each examines every character. "
        "`crf` among them is the feature CRF in the worker itself, with a vote of its own; where "
        "no other model is named, no server is asked.",
        kind="text",
    )
    voting: str = setting(
        "mean",
        "`mean` pools the models of a language; with `any` one model's vote is enough to hide.",
        choices=("mean", "any"),
    )
    profile: str = setting(
        "default",
        "`nference`: the models of a language are read as models by entity, each with a vote of "
        "its own, as the paper has it (docs/papers.md; English), in place of `voting`. "
        "`nference-heads`: the same of models that were trained by entity (`nference_en`).",
        choices=("default", "nference", "nference-heads"),
    )
    profile_file: str = setting(
        "",
        "A file that says which of your own models the profile is made of, in the form of "
        "nference.toml (docs/models.md); empty: the one that is shipped.",
        kind="file",
    )
    fast_paths: str = setting(
        "auto",
        "What reviewed lists settle, models don't read: docs/fast-paths.md. `auto`: what belongs "
        "to the profile, which is `off` with the default one.",
        choices=("auto", "off", "inclusion", "inclusion+templates"),
    )
    fast_lists: str = setting(
        "", "A folder of your own compiled lists; empty: those shipped.", kind="folder"
    )
    deadline_s: float = setting(
        120.0, "How long a note, and the start, may wait for what is away.", least=1, most=_DAY_S
    )
    budget_s: float = setting(
        20.0,
        "Processor time that a note may take outside of the models, beside a second for every "
        "1,000 bytes of its message; 0: no bound.",
        least=0.1,
        most=_DAY_S,
        zero=True,
    )
    shutdown_s: float = setting(25.0, "Time to drain after SIGTERM.", least=1, most=3600)

    @property
    def model_names(self) -> list[str]:
        """The models of the repository that any language needs, each once, in order."""
        return list(dict.fromkeys(name for code in self.models for name in self.served(code)))

    @property
    def profile_text(self) -> str | None:
        """What `profile_file` holds, where there is one and the profile reads it.

        Raises `Halt("profile.file")`.
        """
        if self.profile == "default" or not self.profile_file:
            return None
        (text,) = texts((self.profile_file,), "profile.file").values()
        return text

    def served(self, language: str) -> list[str]:
        """The models of a language that Triton serves."""
        return [name for name in self.models[language] if name != IN_PROCESS]
