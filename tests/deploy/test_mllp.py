"""The listener's manifests: settings, files, ports and rights are the program's, and are enough."""

import os
import re
import socket
import sys
import time

import pytest
import toolbox
from confluent_kafka import Consumer
from secured_kafka import SecuredKafka
from toolbox import environment, of_kind, pod_of, settings_file, the

from stream_deid import cli, config
from stream_deid.mllp import outlet
from stream_deid.mllp.framing import wrap
from stream_deid.mllp.health import MllpHealth
from stream_deid.mllp.listener import listener_topics
from stream_deid.mllp.receiver import acknowledgment
from stream_deid.rig.broker import free_port
from stream_deid.rig.supervised import Supervised

MESSAGE = b"MSH|^~\\&|LAB|SITE|DEID|HUB|20260101||ADT^A01|C1|P|2.5.1\rPID|1||4711\r"
GUIDE = (toolbox.ROOT / "docs/mllp.md").read_text()


@pytest.fixture
def manifests(rendered):
    return rendered["overlays/mllp"]


@pytest.fixture
def container(manifests):
    return pod_of(the(manifests, "Deployment", "stream-deid-mllp"))["containers"][0]


@pytest.fixture
def settings(manifests, container, tmp_path):
    path = tmp_path / "stream-deid.toml"
    path.write_text(settings_file(manifests))
    env = environment(container)
    env.pop("STREAM_DEID_CONFIG")
    return config.load(path, env)


def secrets_of(pod):
    """The secrets that a pod mounts, by volume."""
    return {v["name"]: v["secret"] for v in pod["volumes"] if "secret" in v}


def mounted(container, secrets):
    """The files that a container sees of them."""
    return {
        f"{mount['mountPath']}/{item['path']}"
        for mount in container["volumeMounts"]
        for item in secrets.get(mount["name"], {"items": []})["items"]
    }


def test_it_listens_where_service_policy_and_probes_look(manifests, container, settings):
    ports = {port["name"]: port["containerPort"] for port in container["ports"]}
    assert ports == {"http": settings.http.port, "mllp": settings.mllp.port}
    service = the(manifests, "Service", "stream-deid-mllp")["spec"]
    assert [(p["port"], p["targetPort"]) for p in service["ports"]] == [(2575, "mllp")]
    assert service["sessionAffinity"] == "ClientIP"
    assert settings.mllp.host == settings.http.host == "0.0.0.0"  # noqa: S104 - in its pod
    probe = container["startupProbe"]
    assert probe["periodSeconds"] * probe["failureThreshold"] > settings.deadline_s
    assert cli._parser().parse_args(container["args"]).run.__name__ == "_run_mllp"


def test_a_pod_that_ends_has_time_for_the_messages_in_hand(manifests, settings):
    pod = pod_of(the(manifests, "Deployment", "stream-deid-mllp"))
    assert pod["terminationGracePeriodSeconds"] > 2 * settings.shutdown_s


def test_every_file_of_the_settings_is_mounted(manifests, container, settings):
    pod = pod_of(the(manifests, "Deployment", "stream-deid-mllp"))
    secrets = secrets_of(pod)
    own, security = settings.mllp, settings.kafka.security
    wanted = {settings.keys.file, own.certificate, own.key, own.ca}
    wanted |= {v for k, v in security.items() if k.endswith(".location")}
    assert mounted(container, secrets) == wanted
    brought = {
        (item["spec"]["target"]["name"], entry["secretKey"])
        for path in (toolbox.K8S / "examples").glob("external-*.yaml")
        for item in toolbox.yaml.safe_load_all(path.read_text())
        for entry in item["spec"]["data"]
    }
    assert {(s["secretName"], i["key"]) for s in secrets.values() for i in s["items"]} <= brought


def test_memory_suffices_for_what_may_be_in_hand(container, settings):
    assert container["resources"]["limits"]["memory"] == "1Gi"
    own = settings.mllp
    assert 4 * own.max_bytes_in_hand < 2**29
    assert 300 * own.window * own.max_senders < 2**29  # bytes of what is known of all senders


def test_a_node_that_goes_takes_one_listener_at_a_time(manifests):
    deployment = the(manifests, "Deployment", "stream-deid-mllp")
    assert deployment["spec"]["replicas"] > 1
    budget = the(manifests, "PodDisruptionBudget", "stream-deid-mllp")
    assert budget["spec"]["maxUnavailable"] == 1
    the(manifests, "PodMonitor", "stream-deid-mllp")


def test_it_may_write_notes_and_read_none(manifests, settings):
    user = the(manifests, "KafkaUser", "stream-deid-mllp")
    rights = {
        (a["resource"]["type"], a["resource"]["name"], a["resource"]["patternType"]): set(
            a["operations"]
        )
        for a in user["spec"]["authorization"]["acls"]
    }
    kafka = settings.kafka
    raw, seen = listener_topics(settings)
    assert rights == {
        ("topic", raw, "literal"): {"Write", "Describe"},
        ("topic", seen, "literal"): {"Read", "Write", "Describe"},
        ("group", f"{kafka.group}-mllp", "literal"): {"Read", "Describe"},
        ("transactionalId", f"{kafka.group}-mllp-", "prefix"): {"Write", "Describe"},
    }
    topic = the(manifests, "KafkaTopic", seen)["spec"]["config"]
    assert topic["retention.ms"] > 1000 * settings.mllp.window_s
    assert settings.mllp.max_message_bytes < kafka.max_message_bytes


def test_the_patches_of_the_guide_open_it_to_senders_outside(kubectl, tmp_path):
    (patches,) = re.findall(r"^patches:\n.*?(?=^```)", GUIDE, re.MULTILINE | re.DOTALL)
    base = os.path.relpath(toolbox.K8S / "overlays/mllp", tmp_path)
    (tmp_path / "kustomization.yaml").write_text(f"resources:\n  - {base}\n{patches}")
    objects = toolbox.kustomize(kubectl, tmp_path, tmp_path)
    assert the(objects, "Service", "stream-deid-mllp")["spec"]["type"] == "LoadBalancer"
    rules = the(objects, "NetworkPolicy", "stream-deid-mllp")["spec"]["ingress"]
    (rule,) = [rule for rule in rules if rule["ports"][0]["port"] == 2575]
    assert rule["from"][-1] == {"ipBlock": {"cidr": "10.20.0.0/16"}}


def test_the_settings_of_the_guide_are_settings(tmp_path):
    path = tmp_path / "site.toml"
    path.write_text(re.findall(r"^```toml\n(.*?)^```", GUIDE, re.MULTILINE | re.DOTALL)[0])
    assert config.load(path, {}).mllp.names == ("ehr-1.example.org",)


def send(port, seconds):
    """The answer to a message, once somebody listens."""
    end = time.monotonic() + seconds
    while True:
        try:
            with socket.create_connection(("127.0.0.1", port), 20) as connection:
                connection.sendall(wrap(MESSAGE))
                return connection.recv(4096).strip(b"\x0b\x1c\r")
        except OSError:
            assert time.monotonic() < end
            time.sleep(0.2)


def test_its_rights_are_enough(manifests, tmp_path):
    home = os.environ.get("KAFKA_HOME")
    if not home:
        pytest.skip("KAFKA_HOME names no distribution of Apache Kafka")
    file, log, port = tmp_path / "stream-deid.toml", tmp_path / "mllp.log", free_port()
    file.write_text(settings_file(manifests))
    with SecuredKafka(tmp_path / "secured" / "kafka", toolbox.Path(home)) as broker:
        broker.provision(of_kind(manifests, "KafkaTopic"), of_kind(manifests, "KafkaUser"))
        security = broker.authority.security("stream-deid-mllp")
        named = [f'"{key}" = "{value}"' for key, value in security.items()]
        env = {
            "STREAM_DEID_CONFIG": str(file),
            "STREAM_DEID_KAFKA__BOOTSTRAP": broker.bootstrap,
            "STREAM_DEID_KAFKA__SECURITY": "{" + ", ".join(named) + "}",
            "STREAM_DEID_KEYS__FILE": "",
            "STREAM_DEID_KEYS__VALUE": "a key of these tests",
            "STREAM_DEID_HTTP__PORT": str(free_port()),
            "STREAM_DEID_MLLP__PORT": str(port),
            "PYTHONPATH": str(toolbox.ROOT),
        }
        with Supervised([sys.executable, "-m", "stream_deid.cli", "mllp"], env=env, log=log) as run:
            for _ in range(2):  # the second one is known; the listener began anew meanwhile
                assert acknowledgment(send(port, 60)) == ("AA", b"C1"), log.read_text()[-3000:]
                run.kill()
        options = {"group.id": "stream-deid", "auto.offset.reset": "earliest"}
        worker = broker.authority.security("stream-deid-worker")
        consumer = Consumer({"bootstrap.servers": broker.bootstrap, **worker, **options})
        consumer.subscribe(["notes.raw"])
        found = []
        while not found:
            found += [m for m in consumer.consume(1, 5.0) if m.error() is None]
        found += [m for m in consumer.consume(10, 3.0) if m.error() is None]
        consumer.close()
        assert [(m.key(), m.value()) for m in found] == [(b"4711", MESSAGE)]


@pytest.fixture
def sender(rendered, tmp_path):
    """Of `mllp-out`: its container and its settings."""
    objects = rendered["examples/mllp-out"]
    container = pod_of(the(objects, "Deployment", "stream-deid-mllp-out"))["containers"][0]
    path = tmp_path / "stream-deid.toml"
    path.write_text(settings_file(objects))
    env = environment(container)
    env.pop("STREAM_DEID_CONFIG")
    return container, config.load(path, env)


def test_the_sender_reads_what_recipients_may_have_and_nothing_else(rendered, sender):
    container, settings = sender
    assert cli._parser().parse_args(container["args"]).run.__name__ == "_run_mllp_out"
    user = the(rendered["examples/mllp-out"], "KafkaUser", "stream-deid-mllp-out")
    rights = {
        (acl["resource"]["type"], acl["resource"]["name"]): set(acl["operations"])
        for acl in user["spec"]["authorization"]["acls"]
    }
    group = outlet._reader(settings.kafka, 1.0)["group.id"]
    topic = settings.mllp_out.topic or settings.release.topic_notes
    assert rights == {
        ("topic", topic): {"Read", "Describe"},
        ("group", group): {"Read", "Describe"},
    }


def test_the_sender_speaks_tls_with_files_that_are_mounted_and_holds_no_key(rendered, sender):
    container, settings = sender
    pod = pod_of(the(rendered["examples/mllp-out"], "Deployment", "stream-deid-mllp-out"))
    secrets = secrets_of(pod)
    out, kafka = settings.mllp_out, settings.kafka.security
    files = {out.ca, out.certificate, out.key, *(v for k, v in kafka.items() if "location" in k)}
    assert files == mounted(container, secrets)
    assert "stream-deid-key" not in {secret["secretName"] for secret in secrets.values()}


def test_a_sender_whose_receiver_is_away_is_not_ready_and_lives():
    standing = MllpHealth()
    standing.hinder("start", "")
    standing.hinder("receiver", "the receiver takes nothing")
    assert standing.live() == []
    assert standing.ready()
