"""Messages in the wire format of Confluent's Schema Registry, as JSON that maps can read.

A message begins with a zero byte and the number of its schema (four bytes); what follows is JSON,
Avro or Protobuf. confluent-kafka's own deserialisers read it; schemas are fetched once, since a
number never changes its meaning. Blocking, safe for many threads.
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import BytesIO
from threading import Lock
from typing import Any

import orjson
from confluent_kafka.schema_registry import SchemaRegistryClient, SchemaRegistryError
from confluent_kafka.schema_registry.avro import AvroDeserializer
from confluent_kafka.schema_registry.common._httpx_compat import httpx
from confluent_kafka.schema_registry.json_schema import JSONDeserializer
from confluent_kafka.schema_registry.protobuf import ProtobufDeserializer
from confluent_kafka.schema_registry.serde import SchemaId
from google.protobuf.empty_pb2 import Empty
from google.protobuf.json_format import MessageToDict
from google.protobuf.message_factory import GetMessageClass

from stream_deid import config
from stream_deid.errors import NoteRejected, Unavailable

_MAGIC = b"\0"
_HEAD = 5
_ONE_TRY = {"timeout": 5.0, "max.retries": 0}  # whoever waits for a note tries again
_DENIED = (401, 403)
_BY_NUMBER = {"subject.name.strategy": lambda *_: None}  # a schema is known by its number alone

Read = Callable[[bytes], bytes]


class SchemaRegistry:
    """One registry; `away`: the last question to it had no answer."""

    def __init__(self, settings: config.Registry) -> None:
        self._client = SchemaRegistryClient({**_ONE_TRY, **settings.options, "url": settings.url})
        self._readers: dict[tuple[int, tuple[int, ...]], Read] = {}
        self._lock = Lock()
        self.away = False

    @staticmethod
    def wrote(raw: bytes) -> bool:
        """Whether a message is in the wire format."""
        return raw.startswith(_MAGIC)

    def json(self, raw: bytes) -> bytes:
        """The message as JSON; numbers of JSON Schema's messages keep their digits.

        Raises `NoteRejected`: `registry.schema` (no schema of this number, or one that can't be
        read), `registry.payload` (not what its schema says); `Unavailable("registry.away")`.
        """
        if len(raw) <= _HEAD:
            raise NoteRejected("registry.payload", "the message ends before its content")
        with self._asking(), self._lock:
            return self._reader(raw)(raw)

    def _reader(self, raw: bytes) -> Read:
        number = int.from_bytes(raw[1:_HEAD])
        key: tuple[int, tuple[int, ...]] = (number, ())
        if key not in self._readers:
            kind = self._client.get_schema(number).schema_type
            if kind == "PROTOBUF":
                indexes = _indexes(raw)
                key = (number, tuple(indexes))
                if key not in self._readers:
                    self._readers[key] = self._protobuf(number, indexes)
            else:
                self._readers[key] = self._avro() if kind == "AVRO" else self._json()
        return self._readers[key]

    def _json(self) -> Read:
        valid = JSONDeserializer(None, schema_registry_client=self._client, conf=_BY_NUMBER)

        def read(raw: bytes) -> bytes:
            valid(raw)
            return raw[_HEAD:]

        return read

    def _avro(self) -> Read:
        value = AvroDeserializer(self._client, conf=_BY_NUMBER)
        return lambda raw: orjson.dumps(value(raw), default=_text)

    def _protobuf(self, number: int, indexes: list[int]) -> Read:
        schema = self._client.get_schema(number, fmt="serialized")
        message = GetMessageClass(_Described(self._client).descriptor(schema, indexes))
        value = ProtobufDeserializer(message, _BY_NUMBER, self._client)
        return lambda raw: orjson.dumps(MessageToDict(value(raw), preserving_proto_field_name=True))

    @contextmanager
    def _asking(self) -> Iterator[None]:
        """What goes wrong, by whose fault it is; words of libraries may quote the message."""
        try:
            yield
        except SchemaRegistryError as error:
            status = error.http_status_code
            if status == 404:
                raise NoteRejected("registry.schema", "the registry has no such schema") from None
            self.away = True
            what = "refuses us" if status in _DENIED else "has an error"
            raise Unavailable("registry.away", f"the registry {what} ({status})") from None
        except httpx.HTTPError:
            self.away = True
            raise Unavailable("registry.away", "the registry doesn't answer") from None
        except Exception:  # noqa: BLE001 - the libraries raise what they like
            raise NoteRejected("registry.payload", "it is not what its schema says") from None
        self.away = False


class _Described(ProtobufDeserializer):
    """Knows the types of a schema, of which no generated class is here."""

    def __init__(self, client: SchemaRegistryClient) -> None:
        super().__init__(Empty, _BY_NUMBER, client)

    def descriptor(self, schema: Any, indexes: list[int]) -> Any:
        """The type that `indexes` lead to."""
        file, pool = self._get_parsed_schema(schema)
        return self._get_message_desc(pool, pool.FindFileByName(file.name), indexes)


def _indexes(raw: bytes) -> list[int]:
    """Which message type of its schema a Protobuf message is."""
    head = SchemaId("PROTOBUF")
    head.from_bytes(BytesIO(raw))
    return list(head.message_indexes or [])


def _text(value: object) -> str:
    """What JSON has no form for: bytes in base64, decimals by their digits."""
    return base64.b64encode(value).decode("ascii") if isinstance(value, bytes) else str(value)
