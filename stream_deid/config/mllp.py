"""What can be set of `stream-deid mllp` and `stream-deid mllp-out`; docs/mllp.md explains it."""

from __future__ import annotations

from dataclasses import dataclass

from stream_deid.config.declare import setting

REACTIONS = ("stop", "skip")


@dataclass(frozen=True, slots=True)
class Mllp:
    """The listener."""

    host: str = setting("127.0.0.1", "Address to listen on.", kind="host")
    port: int = setting(2575, "Port to listen on.", least=1, most=65535)
    certificate: str = setting(
        "", "File of the certificate; with `key` it turns TLS on.", kind="file"
    )
    key: str = setting("", "File of the certificate's key.", kind="file")
    ca: str = setting(
        "", "File of the authority that must have signed every sender's certificate.", kind="file"
    )
    networks: tuple[str, ...] = setting(
        (), "Networks (CIDR) that may send; empty: any.", kind="text"
    )
    names: tuple[str, ...] = setting(
        (),
        "Names in senders' certificates (DNS or common name) that may send; empty: any.",
        kind="text",
    )
    topic_seen: str = setting(
        "notes.seen", "Topic of the keyed ids of what was taken.", kind="topic"
    )
    window: int = setting(
        10_000, "Messages of each sender that are known again.", least=1, most=10_000_000
    )
    window_s: float = setting(86_400.0, "How long they are known.", least=1, most=366 * 86_400)
    max_connections: int = setting(500, "Connections at once.", least=1, most=100_000)
    max_silent: int = setting(
        100,
        "Connections of one address at once that have brought no message yet; the longest silent "
        "one is ended for the next.",
        least=1,
        most=100_000,
    )
    max_senders: int = setting(100, "Senders at once.", least=1, most=100_000)
    max_message_bytes: int = setting(4_000_000, "Largest message.", least=1000, most=1_000_000_000)
    max_bytes_in_hand: int = setting(
        64_000_000, "Bytes of messages in hand at once.", least=1000, most=100_000_000_000
    )
    idle_s: float = setting(
        3600.0, "A silent connection is closed after so long.", least=1, most=7 * 86_400
    )
    frame_s: float = setting(30.0, "Time for one message to arrive.", least=0.1, most=3600)
    ack_s: float = setting(
        10.0,
        "How long a message may wait for the broker before it is answered AE.",
        least=0.1,
        most=3600,
    )
    lenient_end: bool = setting(False, "A block ends with FS alone.")


@dataclass(frozen=True, slots=True)
class MllpOut:
    """The sender of released HL7 v2."""

    host: str = setting("", "The receiver.", kind="host")
    port: int = setting(2575, "Its port.", least=1, most=65535)
    ca: str = setting("", "File of the certificates to trust; it turns TLS on.", kind="file")
    certificate: str = setting("", "File of our certificate.", kind="file")
    key: str = setting("", "File of our certificate's key.", kind="file")
    topic: str = setting("", "Topic to send from; empty: `release.topic_notes`.", kind="topic")
    ack_s: float = setting(30.0, "How long to wait for an ACK.", least=0.1, most=3600)
    on_reject: str = setting(
        "stop",
        "At a message that the receiver rejects (AR): `stop`, or `skip` it.",
        choices=REACTIONS,
    )
