"""What can be set of `stream-deid mllp` and `stream-deid mllp-out`; docs/mllp.md explains it."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterator
from dataclasses import dataclass, fields

REACTIONS = ("stop", "skip")


@dataclass(frozen=True, slots=True)
class Mllp:
    """The listener.

    `certificate` and `key` turn TLS on; `ca` asks every sender for a certificate that it signed.
    `networks` (CIDR) and `names` (of certificates: DNS names or the common name) say who may
    send; empty: anybody who gets through. `topic_seen` holds the keyed ids of what was taken:
    `window` of them, at most `window_s` old, are known of each sender. `ack_s`: how long a message
    may wait for the broker before it is answered AE. `lenient_end`: a block ends with FS alone.
    """

    host: str = "127.0.0.1"
    port: int = 2575
    certificate: str = ""
    key: str = ""
    ca: str = ""
    networks: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    topic_seen: str = "notes.seen"
    window: int = 10_000
    window_s: float = 86_400.0
    max_connections: int = 500
    max_senders: int = 100
    max_message_bytes: int = 4_000_000
    max_bytes_in_hand: int = 64_000_000
    idle_s: float = 3600.0
    frame_s: float = 30.0
    ack_s: float = 10.0
    lenient_end: bool = False

    def problems(self) -> Iterator[str]:
        """What is wrong with these settings, in words."""
        yield from _not_positive("mllp", self)
        if bool(self.certificate) != bool(self.key) or (self.ca and not self.key):
            yield "mllp.certificate and mllp.key go together, and mllp.ca with them"
        if self.names and not self.ca:
            yield "mllp.names needs mllp.ca: without it no sender shows a certificate"
        if self.max_message_bytes > self.max_bytes_in_hand:
            yield "mllp.max_message_bytes must be at most mllp.max_bytes_in_hand"
        for network in self.networks:
            try:
                ipaddress.ip_network(network)
            except ValueError:
                yield "mllp.networks must hold networks such as 10.1.0.0/16"


@dataclass(frozen=True, slots=True)
class MllpOut:
    """The sender. `topic` empty: `release.topic_notes`. `ca` turns TLS on; `certificate` and `key`
    are ours. `on_reject`: `stop` at a message that the receiver rejects (AR), or `skip` it.
    """

    host: str = ""
    port: int = 2575
    ca: str = ""
    certificate: str = ""
    key: str = ""
    topic: str = ""
    ack_s: float = 30.0
    on_reject: str = "stop"

    def problems(self) -> Iterator[str]:
        """What is wrong with these settings, in words."""
        yield from _not_positive("mllp_out", self)
        if bool(self.certificate) != bool(self.key) or (self.certificate and not self.ca):
            yield "mllp_out.certificate and mllp_out.key go together, and with mllp_out.ca"
        if self.on_reject not in REACTIONS:
            yield "mllp_out.on_reject must be 'stop' or 'skip'"


def _not_positive(section: str, settings: Mllp | MllpOut) -> Iterator[str]:
    for item in fields(settings):
        value = getattr(settings, item.name)
        if type(value) in (int, float) and value <= 0:
            yield f"{section}.{item.name} must be above 0"
