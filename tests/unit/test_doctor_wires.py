"""What the doctor says of notes on a network: the wires that are in the clear."""

import pytest

from stream_deid.config import Kafka, Registry, Settings, Traces, Triton
from stream_deid.operations.doctor import wires
from stream_deid.operations.doctor.findings import Level

TLS = {"security.protocol": "SASL_SSL"}


@pytest.mark.parametrize(
    ("settings", "named"),
    [
        (Settings(kafka=Kafka(bootstrap="kafka-1:9092,kafka-2:9092")), "kafka.bootstrap"),
        (Settings(kafka=Kafka(bootstrap="127.0.0.1:9092,kafka-2:9092")), "kafka.bootstrap"),
        (
            Settings(
                kafka=Kafka(bootstrap="k:9", security={"security.protocol": "sasl_plaintext"})
            ),
            "kafka.bootstrap",
        ),
        (Settings(triton=Triton(url="dns:///stream-deid-triton:8001")), "triton.url"),
        (Settings(triton=Triton(url="[2001:db8::1]:8001")), "triton.url"),
        (Settings(triton=Triton(url="ipv4:10.0.0.7:8001")), "triton.url"),
        (Settings(traces=Traces(endpoint="http://collector:4318/v1/traces")), "traces.endpoint"),
        (Settings(registry=Registry(url="http://registry:8081")), "registry.url"),
    ],
)
def test_a_wire_in_the_clear_is_told(settings, named):
    (only,) = wires.look(settings)
    assert only.level is Level.WARNING
    assert only.what.startswith(f"{named} is elsewhere and in the clear")
    assert only.remedy


@pytest.mark.parametrize(
    "settings",
    [
        Settings(),
        Settings(kafka=Kafka(bootstrap="localhost:9092,[::1]:9093,127.0.0.2:9094")),
        Settings(kafka=Kafka(bootstrap="kafka-1:9093", security=TLS)),
        Settings(triton=Triton(url="unix:/run/triton/socket")),
        Settings(triton=Triton(url="127.0.0.1:8001")),
        Settings(triton=Triton(url="triton:8001", ca="ca.pem")),
        Settings(traces=Traces(endpoint="https://collector:4318/v1/traces")),
        Settings(registry=Registry(url="https://registry:8081")),
    ],
)
def test_tls_and_this_machine_are_well(settings):
    (only,) = wires.look(settings)
    assert only.level is Level.WELL


def test_each_wire_is_told_by_itself():
    clear = Settings(kafka=Kafka(bootstrap="kafka-1:9092"), triton=Triton(url="triton:8001"))
    assert [one.level for one in wires.look(clear)] == [Level.WARNING, Level.WARNING]
