"""Confluent's wire format: written by their serialisers, a stub answers as the registry."""

import asyncio
import datetime as dt
import decimal
import json
from collections.abc import Iterator
from dataclasses import replace
from urllib.parse import urlparse

import pytest
from confluent_kafka.schema_registry import SchemaRegistryClient
from confluent_kafka.schema_registry.avro import AvroSerializer
from confluent_kafka.schema_registry.json_schema import JSONSerializer
from confluent_kafka.schema_registry.protobuf import ProtobufSerializer
from confluent_kafka.serialization import MessageField, SerializationContext
from fhir_helpers import KEY, pipeline
from google.protobuf import descriptor_pb2, message_factory
from google.protobuf.descriptor_pool import DescriptorPool
from loopback import Answers, Loopback

from stream_deid.config import Formats, Registry, Settings
from stream_deid.errors import NoteRejected, Unavailable
from stream_deid.outcome import Source
from stream_deid.processor import Processor

CONTEXT = SerializationContext("notes.raw", MessageField.VALUE)
NOTE = {"id": 77120043, "mrn": "88123471", "text": "Seen by Dr. Feathergill. Murmur 2/6."}
MAP = 'note_id = "/id"\npatient_id = "/mrn"\ntexts = ["/text"]\nkeep = ["/dose", "/day"]\n'
AVRO = {
    "type": "record", "name": "Note", "namespace": "org.example", "fields": [
        {"name": "id", "type": "long"},
        {"name": "mrn", "type": ["null", "string"]},
        {"name": "text", "type": "string"},
        {"name": "dose", "type": {
            "type": "bytes", "logicalType": "decimal", "precision": 6, "scale": 2,
        }},
        {"name": "day", "type": {"type": "int", "logicalType": "date"}},
    ],
}  # fmt: skip
JSON_SCHEMA = {
    "title": "Note", "type": "object", "required": ["id", "mrn", "text"],
    "properties": {
        "id": {"type": "integer"}, "mrn": {"type": "string"}, "text": {"type": "string"},
    },
}  # fmt: skip


class Stub(Loopback):
    """Answers as a registry does; `status`: what it says to everything instead."""

    def __init__(self) -> None:
        super().__init__(_Answers)
        self.schemas: list[dict] = []
        self.asked = 0
        self.status = 0


class _Answers(Answers):
    server: Stub

    def get(self) -> None:
        self.server.asked += 1
        steps = urlparse(self.path).path.strip("/").split("/")
        number = int(steps[2]) - 1 if steps[:2] == ["schemas", "ids"] else -1
        if 0 <= number < len(self.server.schemas):
            self._say(200, self.server.schemas[number])
        else:
            self._say(404, {"error_code": 40403, "message": "Schema not found"})

    def post(self) -> None:
        body = json.loads(self.asked())
        if not self.path.startswith("/subjects/"):
            self._say(404, {"error_code": 404, "message": "no"})
            return
        if body not in self.server.schemas:
            self.server.schemas.append(body)
        number = self.server.schemas.index(body) + 1
        self._say(200, {"id": number, "version": 1, "subject": "s", **body})

    def _say(self, status: int, body: dict) -> None:
        kind = "application/vnd.schemaregistry.v1+json"
        self.say(self.server.status or status, json.dumps(body).encode(), kind)


@pytest.fixture
def stub() -> Iterator[Stub]:
    with Stub() as server:
        yield server


@pytest.fixture
def processor(stub, tmp_path):
    path = tmp_path / "map.toml"
    path.write_text(MAP)
    settings = replace(
        Settings(),
        registry=Registry(url=stub.url, options={"timeout": 2.0}),
        formats=Formats(json_maps=(str(path),), language="en"),
    )
    return Processor(pipeline(), None, settings, KEY)


def released(processor, raw: bytes) -> dict:
    out = asyncio.run(processor.process(raw, Source("notes.raw", 0, 1)))
    assert json.loads(out.audit)["input_mac"] == processor.mac(raw)
    return json.loads(out.note)


def avro(stub, value=None) -> bytes:
    serialise = AvroSerializer(SchemaRegistryClient({"url": stub.url}), json.dumps(AVRO))
    more = {"dose": decimal.Decimal("1.50"), "day": dt.date(2024, 3, 15)}
    return serialise({**NOTE, **more} if value is None else value, CONTEXT)


def json_schema(stub) -> bytes:
    client = SchemaRegistryClient({"url": stub.url})
    return JSONSerializer(json.dumps(JSON_SCHEMA), client)(NOTE, CONTEXT)


def protobuf(stub) -> bytes:
    """`message Other {}`, and behind it `message Note {int64 id = 1; string mrn = 2, text = 3}`."""
    file = descriptor_pb2.FileDescriptorProto(name="note.proto", package="example", syntax="proto3")
    file.message_type.add(name="Other")
    note = file.message_type.add(name="Note")
    for number, (name, kind) in enumerate((("id", 3), ("mrn", 9), ("text", 9)), 1):
        note.field.add(name=name, number=number, type=kind, label=1)
    pool = DescriptorPool()
    pool.Add(file)
    made = message_factory.GetMessageClass(pool.FindMessageTypeByName("example.Note"))
    client = SchemaRegistryClient({"url": stub.url})
    return ProtobufSerializer(made, client, {"use.deprecated.format": False})(made(**NOTE), CONTEXT)


@pytest.mark.parametrize("written", [avro, json_schema, protobuf], ids=lambda one: one.__name__)
def test_a_message_is_read_by_its_schema_and_goes_out_as_json(stub, processor, written):
    raw = written(stub)
    assert raw[:5] == b"\0\0\0\0\1"
    out = released(processor, raw)
    assert out["text"].startswith("Seen by Dr. ")
    assert out["text"].endswith(" Murmur 2/6.")
    assert not any(secret in json.dumps(out) for secret in ("Feathergill", "77120043", "88123471"))
    plain = released(processor, json.dumps(NOTE).encode())
    assert {key: out[key] for key in plain} == plain, "the same as without a schema"


def test_decimals_and_days_of_avro_are_written_by_their_digits(stub, processor):
    out = released(processor, avro(stub))
    assert (out["dose"], out["day"]) == ("1.50", "2024-03-15")


def test_a_schema_is_fetched_once(stub, processor):
    raw = avro(stub)
    released(processor, raw)
    asked = stub.asked
    released(processor, raw)
    assert stub.asked == asked


@pytest.mark.parametrize(
    ("spoilt", "code"),
    [
        (lambda raw: raw[:5], "registry.payload"),
        (lambda raw: raw[:9], "registry.payload"),
        (lambda raw: raw[:1] + b"\0\0\0\x09" + raw[5:], "registry.schema"),
    ],
)
def test_what_is_no_message_of_its_schema_is_dead_without_its_words(stub, processor, spoilt, code):
    raw = spoilt(json_schema(stub))
    with pytest.raises(NoteRejected) as caught:
        released(processor, raw)
    assert caught.value.code == code
    assert "Feathergill" not in caught.value.detail


@pytest.mark.parametrize("status", [401, 500])
def test_a_note_waits_for_a_registry_that_does_not_answer(stub, processor, status):
    raw = avro(stub)
    stub.status = status
    with pytest.raises(Unavailable, match=r"registry\.away"):
        released(processor, raw)
    assert not asyncio.run(processor.answers()), "the note is not to blame"
    stub.status = 0
    released(processor, raw)
    assert asyncio.run(processor.answers())


def test_a_note_waits_for_a_registry_that_is_not_there(stub, processor):
    raw = avro(stub)
    stub.shutdown()
    stub.server_close()
    with pytest.raises(Unavailable, match=r"registry\.away"):
        released(processor, raw)
