"""The manifests and the program agree: settings, arguments, ports, probes, times, names."""

import re
import tomllib
from dataclasses import replace
from urllib.parse import urlsplit

import pytest
import toolbox
from confluent_kafka.admin import AdminClient
from toolbox import containers, environment, of_kind, pod_of, settings_file, the, workloads

from stream_deid import cli, config
from stream_deid.errors import Halt
from stream_deid.rig.broker import free_port
from stream_deid.streaming.app import rebalance_s
from stream_deid.streaming.health import Health
from stream_deid.streaming.kafka.clients import base_options
from stream_deid.streaming.kafka.security import credentials
from stream_deid.streaming.observability.endpoint import Endpoint
from stream_deid.streaming.observability.metrics import Metrics

PRODUCTION = ("overlays/cpu", "overlays/gpu", "examples/site", "examples/records")


def load(objects, container, tmp_path):
    """The settings as the program reads them in this container."""
    path = tmp_path / "stream-deid.toml"
    path.write_text(settings_file(objects))
    env = {name: value or "1" for name, value in environment(container).items()}
    assert env.pop("STREAM_DEID_CONFIG") == "/etc/stream-deid/stream-deid.toml"
    return config.load(path, env)


def ours(objects):
    """The containers that run `stream-deid`."""
    found = [c for w in workloads(objects) for c in containers(w)]
    return [c for c in found if "stream-deid-" in c["image"]]


def worker_container(objects):
    return pod_of(the(objects, "StatefulSet", "stream-deid-worker"))["containers"][0]


@pytest.fixture
def worker(objects, tmp_path):
    """The worker's container, and its settings."""
    container = worker_container(objects)
    return container, load(objects, container, tmp_path)


def test_every_setting_and_every_variable_is_one_of_the_program(objects, tmp_path):
    for container in ours(objects):
        load(objects, container, tmp_path)


def test_a_variable_that_does_not_exist_is_seen(rendered, tmp_path):
    container = dict(worker_container(rendered["overlays/cpu"]))
    container["env"] = [*container["env"], {"name": "STREAM_DEID_KAFKA__GRUOP", "value": "x"}]
    with pytest.raises(Halt, match="gruop"):
        load(rendered["overlays/cpu"], container, tmp_path)


def test_each_pod_may_reach_what_its_settings_name_and_nothing_else(objects, tmp_path):
    """Kafka, every Triton, a collector of traces, DNS: by the policies that select the pod."""
    for workload in workloads(objects):
        for container in containers(workload):
            if container in ours(objects) and container["args"][0] != "models":
                settings = load(objects, container, tmp_path)
                policies = toolbox.policies_of(objects, workload)
                found = toolbox.ports(policies, "egress")
                assert found == {*ports_of(settings, container["args"]), 53}, workload["kind"]


def ports_of(settings, arguments):
    """The ports that this command connects to."""
    asked = [*settings.kafka.bootstrap.split(",")]
    if arguments[0] in ("worker", "replay"):
        asked += settings.triton.url.split(",")
    if arguments[0] == "worker" and settings.traces.endpoint:
        asked.append(urlsplit(settings.traces.endpoint).netloc)
    if arguments[0] == "mllp-out":
        asked.append(f"{settings.mllp_out.host}:{settings.mllp_out.port}")
    return {int(address.rpartition(":")[2]) for address in asked}


def test_every_argument_is_one_of_the_program(objects):
    for container in ours(objects):
        arguments = cli._parser().parse_args(container["args"])
        assert callable(arguments.run)


def test_no_service_link_becomes_a_setting(objects):
    """Kubernetes would add STREAM_DEID_TRITON_PORT and its like, which the worker refuses."""
    assert all(pod_of(workload)["enableServiceLinks"] is False for workload in workloads(objects))


def test_settings_are_mounted_from_a_map_that_is_named_after_its_content(objects):
    (map_,) = [m for m in of_kind(objects, "ConfigMap") if "stream-deid.toml" in m["data"]]
    assert re.fullmatch(r"stream-deid-[a-z0-9]{10}", map_["metadata"]["name"])
    for workload in workloads(objects):
        volumes = [v["configMap"]["name"] for v in pod_of(workload)["volumes"] if "configMap" in v]
        assert volumes == [map_["metadata"]["name"]]


def test_other_settings_give_the_map_another_name(rendered):
    names = {
        overlay: next(
            m["metadata"]["name"]
            for m in of_kind(rendered[overlay], "ConfigMap")
            if "stream-deid.toml" in m["data"]
        )
        for overlay in ("overlays/cpu", "examples/site")
    }
    assert names["overlays/cpu"] != names["examples/site"]


def test_probes_and_metrics_reach_the_program(worker):
    container, settings = worker
    (port,) = container["ports"]
    assert port == {"name": "http", "containerPort": settings.http.port, **port}
    assert settings.http.host == "0.0.0.0"  # noqa: S104 - the kubelet is outside of the pod
    paths = {
        container[f"{p}Probe"]["httpGet"]["path"] for p in ("startup", "liveness", "readiness")
    }
    assert all(container[f"{p}Probe"]["httpGet"]["port"] == "http" for p in ("startup", "liveness"))
    endpoint = Endpoint("127.0.0.1", free_port(), Health(), Metrics())
    routes = endpoint._server.RequestHandlerClass.do_GET.__closure__[0].cell_contents
    endpoint._server.server_close()
    assert paths <= set(routes)
    assert container["livenessProbe"]["httpGet"]["path"] == "/healthz"


def test_monitors_scrape_ports_and_paths_that_are_served(rendered):
    for overlay in PRODUCTION:
        for monitor in of_kind(rendered[overlay], "PodMonitor"):
            (end,) = monitor["spec"]["podMetricsEndpoints"]
            component = monitor["spec"]["selector"]["matchLabels"]["app.kubernetes.io/component"]
            served = [
                port["name"]
                for w in workloads(rendered[overlay])
                if w["spec"]["template"]["metadata"]["labels"]["app.kubernetes.io/component"]
                == component
                for c in containers(w)
                for port in c.get("ports", [])
            ]
            assert end["port"] in served
            assert end["path"] == "/metrics"


def test_a_pod_that_starts_has_time_for_all_that_the_program_waits_for(worker):
    """Kafka and the models may each take `deadline_s`, records of patients `start_s`, the group as
    long as `Health` allows.
    """
    container, settings = worker
    probe = container["startupProbe"]
    patience = probe["periodSeconds"] * probe["failureThreshold"]
    settle_s = settings.deadline_s + 2 * rebalance_s(settings)
    records_s = settings.records.start_s if settings.kafka.topic_records else 0
    assert patience > 2 * settings.deadline_s + records_s + settle_s


def test_a_pod_that_ends_has_time_for_the_drain(objects, worker):
    """The drain takes at most `shutdown_s`, and what comes after it as much again."""
    _, settings = worker
    pod = pod_of(the(objects, "StatefulSet", "stream-deid-worker"))
    assert pod["terminationGracePeriodSeconds"] > 2 * settings.shutdown_s


def test_a_worker_is_named_after_its_pod(objects, worker):
    _, settings = worker
    stateful = the(objects, "StatefulSet", "stream-deid-worker")
    assert stateful["spec"]["serviceName"] in {
        s["metadata"]["name"] for s in of_kind(objects, "Service")
    }
    pod = stateful["metadata"]["name"] + "-2"
    named = settings.kafka.member_name({"HOSTNAME": pod, "KUBERNETES_SERVICE_HOST": "10.0.0.1"})
    assert named == pod


def test_the_key_is_where_the_settings_say(objects, worker):
    container, settings = worker
    pod = pod_of(the(objects, "StatefulSet", "stream-deid-worker"))
    secrets = {v["name"]: v["secret"] for v in pod["volumes"] if "secret" in v}
    mounted = {
        f"{mount['mountPath']}/{item['path']}"
        for mount in container["volumeMounts"]
        if mount["name"] in secrets
        for item in secrets[mount["name"]]["items"]
    }
    files = {v for k, v in settings.kafka.security.items() if k.endswith(".location")}
    triton = {settings.triton.ca, settings.triton.certificate, settings.triton.key} - {""}
    assert {settings.keys.file, *files, *triton} == mounted


def test_every_file_that_is_written_lies_on_a_volume(objects):
    """The root is read-only: `/tmp` is what the program and Triton write to."""
    for workload in workloads(objects):
        for container in containers(workload):
            mounts = {m["mountPath"]: m for m in container["volumeMounts"]}
            assert not mounts["/tmp"].get("readOnly")  # noqa: S108


def test_triton_is_found_by_name_at_every_replica(objects, worker):
    _, settings = worker
    host, _, port = settings.triton.url.removeprefix("dns:///").partition(":")
    service = the(objects, "Service", host)
    assert settings.triton.url.startswith("dns:///")
    assert service["spec"]["clusterIP"] == "None"
    assert int(port) in {p["port"] for p in service["spec"]["ports"]}


def test_kafka_and_triton_can_be_reached(objects, worker):
    """The ports of the settings are those that the network policy lets out; and names resolve."""
    _, settings = worker
    policy = the(objects, "NetworkPolicy", "stream-deid-worker")
    allowed = {p["port"] for rule in policy["spec"]["egress"] for p in rule["ports"]}
    kafka = {int(address.rpartition(":")[2]) for address in settings.kafka.bootstrap.split(",")}
    triton = int(settings.triton.url.rpartition(":")[2])
    assert allowed == {*kafka, triton, 53}


def test_both_clients_of_kafka_understand_the_security(objects, worker, tmp_path):
    _, settings = worker
    security = dict(settings.kafka.security)
    mounted = [
        v["name"] for v in pod_of(the(objects, "StatefulSet", "stream-deid-worker"))["volumes"]
    ]
    tls = "kafka-user" in mounted
    assert security.get("security.protocol", "plaintext") == ("ssl" if tls else "plaintext")
    key, certificate = tmp_path / "user.key", tmp_path / "user.crt"
    toolbox.run(
        "openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=test",
        "-keyout", str(key), "-out", str(certificate),
    )  # fmt: skip
    for name in security:
        if name.endswith(".location"):
            security[name] = str(key if "key" in name else certificate)
    assert (credentials(security) is not None) == tls
    AdminClient(base_options(replace(settings.kafka, security=security)))


@pytest.mark.parametrize("overlay", PRODUCTION)
def test_topics_users_and_scaling_speak_of_the_settings(rendered, tmp_path, overlay):
    objects = rendered[overlay]
    settings = load(objects, worker_container(objects), tmp_path)
    kafka = settings.kafka
    topics = {t["metadata"]["name"]: t["spec"] for t in of_kind(objects, "KafkaTopic")}
    outer = {settings.release.topic_notes, settings.release.topic_audit}
    releases = bool([d for d in of_kind(objects, "Deployment") if "release" in str(d["metadata"])])
    assert set(topics) == set(kafka.needed) | (outer if releases else set())
    if releases:
        kept_ms = topics[kafka.topic_out]["config"]["retention.ms"]
        assert kept_ms >= 2000 * settings.release.period_s
    for spec in topics.values():
        assert spec["config"]["max.message.bytes"] >= kafka.max_message_bytes
        assert spec["config"]["min.insync.replicas"] < spec["replicas"]
    (trigger,) = the(objects, "ScaledObject", "stream-deid-worker")["spec"]["triggers"]
    assert trigger["metadata"]["bootstrapServers"] == kafka.bootstrap
    assert trigger["metadata"]["consumerGroup"] == kafka.group
    assert trigger["metadata"]["topic"] == kafka.topic_in
    # Kafka 4 answers no client older than 2.1 (KIP-896), and KEDA's default is 1.0
    assert tuple(map(int, trigger["metadata"]["version"].split("."))) >= (2, 1, 0)
    scaled = the(objects, "ScaledObject", "stream-deid-worker")["spec"]
    assert scaled["maxReplicaCount"] == topics[kafka.topic_in]["partitions"]


@pytest.mark.parametrize(("overlay", "file"), [("dev", "dev"), ("cpu", "cluster")])
def test_an_example_of_kafka_listens_where_its_overlay_looks(rendered, tmp_path, overlay, file):
    objects = rendered[f"overlays/{overlay}"]
    settings = load(objects, worker_container(objects), tmp_path)
    text = (toolbox.K8S / f"examples/kafka-{file}.yaml").read_text()
    there = [one for one in toolbox.yaml.safe_load_all(text) if one]
    (cluster,) = of_kind(there, "Kafka")
    host, _, port = settings.kafka.bootstrap.partition(":")
    named = cluster["metadata"]
    assert host == f"{named['name']}-kafka-bootstrap.{named['namespace']}.svc"
    (listener,) = cluster["spec"]["kafka"]["listeners"]
    assert (str(listener["port"]), listener["tls"]) == (port, bool(settings.kafka.security))
    topics = of_kind([*there, *objects], "KafkaTopic")
    assert {topic["metadata"]["name"] for topic in topics} >= {*settings.kafka.needed}


def test_a_kafka_elsewhere_is_named_wherever_the_other_one_was(rendered, tmp_path):
    """Its address is changed in one place; policies let the pods out to it and to no other."""
    objects = rendered["examples/kafka-elsewhere"]
    settings = load(objects, worker_container(objects), tmp_path)
    hosts = {one.partition(":")[0] for one in settings.kafka.bootstrap.split(",")}
    for workload in workloads(objects):
        for container in containers(workload):
            told = environment(container).get("STREAM_DEID_KAFKA__BOOTSTRAP")
            assert told in (None, settings.kafka.bootstrap), workload["metadata"]["name"]
            assert told or container["args"][0] == "models"
    (trigger,) = the(objects, "ScaledObject", "stream-deid-worker")["spec"]["triggers"]
    assert trigger["metadata"]["bootstrapServers"] == settings.kafka.bootstrap
    assert all(host.endswith(".example.org") for host in hosts)
    assert not of_kind(objects, "KafkaTopic", "KafkaUser")
    assert "strimzi.io" not in str(of_kind(objects, "NetworkPolicy"))
    assert "address-of-kafka" not in {one["metadata"]["name"] for one in objects}


def test_a_second_input_shares_nothing_with_the_first(rendered, tmp_path):
    first, second = rendered["overlays/cpu"], rendered["examples/second-input"]
    space = "stream-deid-north"
    for item in second:
        assert item["metadata"].get("namespace", space) == space
    assert the(second, "Namespace", space)
    own, other = (load(o, worker_container(o), tmp_path).kafka for o in (second, first))
    assert own.group != other.group
    assert not {*own.needed} & {*other.needed}
    (trigger,) = the(second, "ScaledObject", "stream-deid-worker")["spec"]["triggers"]
    assert trigger["metadata"]["consumerGroup"] == own.group
    assert trigger["metadata"]["topic"] == own.topic_in
    for objects, name in ((first, "stream-deid"), (second, space)):
        (trigger,) = the(objects, "ScaledObject", "stream-deid-triton")["spec"]["triggers"]
        assert f'{{namespace="{name}"}}' in trigger["metadata"]["query"]


@pytest.mark.parametrize("overlay", PRODUCTION)
def test_scaling_has_a_fallback_and_owns_the_number_of_pods(rendered, overlay):
    for scaled in of_kind(rendered[overlay], "ScaledObject"):
        spec = scaled["spec"]
        target = the(
            rendered[overlay], spec["scaleTargetRef"]["kind"], spec["scaleTargetRef"]["name"]
        )
        assert "replicas" not in target["spec"]
        low, high = spec["minReplicaCount"], spec["maxReplicaCount"]
        assert low <= spec["fallback"]["replicas"] <= high
        assert spec["fallback"]["behavior"] == "currentReplicasIfHigher"  # none leaves unseen
        for trigger in spec["triggers"]:
            assert trigger.get("metricType", "AverageValue") == "AverageValue"
            if trigger["type"] == "prometheus":  # by default a series that is gone counts as 0
                assert trigger["metadata"]["ignoreNullValues"] == "false"


def test_rights_to_release_are_those_that_it_needs_and_recipients_see_released_notes_alone(
    rendered, tmp_path
):
    objects = rendered["examples/site"]
    settings = load(objects, worker_container(objects), tmp_path)
    kafka, outer = settings.kafka, settings.release

    def rights(name):
        acls = the(objects, "KafkaUser", name)["spec"]["authorization"]["acls"]
        return {(a["resource"]["type"], a["resource"]["name"]): set(a["operations"]) for a in acls}

    read = {"Read", "Describe", "DescribeConfigs"}
    assert rights("stream-deid-release") == {
        ("topic", kafka.topic_out): read,
        ("topic", kafka.topic_audit): read,
        ("topic", outer.topic_notes): {"Write", "Describe"},
        ("topic", outer.topic_audit): {"Write", "Describe"},
        ("group", f"{kafka.group}-release"): {"Read", "Describe"},
        ("transactionalId", f"{kafka.group}-release"): {"Write", "Describe"},
    }

    def seen(name):
        return {topic for kind, topic in rights(name) if kind == "topic"}

    assert seen("stream-deid-recipient") == {outer.topic_notes}
    assert seen("stream-deid-auditor") == {outer.topic_notes, outer.topic_audit}


@pytest.mark.parametrize("overlay", PRODUCTION)
def test_rights_are_those_of_one_worker(rendered, tmp_path, overlay):
    """Names from the settings; that they are enough is tried on a broker (test_kafka_rights.py)."""
    objects = rendered[overlay]
    kafka = load(objects, worker_container(objects), tmp_path).kafka
    user = the(objects, "KafkaUser", "stream-deid-worker")
    rights = {
        (a["resource"]["type"], a["resource"]["name"], a["resource"]["patternType"]): set(
            a["operations"]
        )
        for a in user["spec"]["authorization"]["acls"]
    }
    seen = {"Describe", "DescribeConfigs"}  # the second for `doctor` in a worker's pod
    transactional_id = f"{kafka.group}-{kafka.topic_in}-"
    records = {("topic", name, "literal"): {"Read", "Describe"} for name in kafka.needed[4:]}
    assert rights == records | {
        ("topic", kafka.topic_in, "literal"): {"Read", *seen},
        ("topic", kafka.topic_out, "literal"): {"Write", *seen},
        ("topic", kafka.topic_audit, "literal"): {"Write", *seen},
        ("topic", kafka.topic_dead, "literal"): {"Write", *seen},
        ("group", kafka.group, "literal"): {"Read", "Describe"},
        ("transactionalId", transactional_id, "prefix"): {"Write", "Describe"},
    }


def brought(*files):
    """(name, entry) of each secret that these examples bring."""
    return {
        (item["spec"]["target"]["name"], entry["secretKey"])
        for file in files
        for item in toolbox.yaml.safe_load_all(file.read_text())
        for entry in item["spec"]["data"]
    }


def wanted(objects):
    """(name, entry) of each secret that a pod mounts or KEDA reads: a pod waits for its own."""
    found = {
        (volume["secret"]["secretName"], item["key"])
        for w in workloads(objects)
        for volume in pod_of(w)["volumes"]
        if "secret" in volume
        for item in volume["secret"]["items"]
    }
    for auth in of_kind(objects, "TriggerAuthentication"):
        found |= {(item["name"], item["key"]) for item in auth["spec"]["secretTargetRef"]}
    return found


def test_secrets_that_are_mounted_are_those_that_the_examples_bring(rendered):
    examples = toolbox.K8S / "examples"
    assert wanted(rendered["overlays/cpu"]) == brought(examples / "external-secrets.yaml")
    files = sorted(examples.glob("external-secrets*.yaml"))
    assert set().union(*map(wanted, rendered.values())) == brought(*files)


def test_the_guide_names_every_example_of_secrets():
    guide = "".join(page.read_text() for page in (toolbox.ROOT / "docs").glob("*.md"))
    for file in (toolbox.K8S / "examples").glob("external-secrets*.yaml"):
        assert f"examples/{file.name}" in guide, file.name


def test_both_images_of_the_gpu_are_of_one_release(rendered):
    pod = pod_of(the(rendered["overlays/gpu"], "Deployment", "stream-deid-triton"))
    release = pod["containers"][0]["image"].rpartition(":")[2].removesuffix("-py3")
    assert pod["initContainers"][0]["image"].endswith(f"-{release}")
    dockerfile = (toolbox.DEPLOY / "docker/triton.Dockerfile").read_text()
    assert f"TENSORRT_IMAGE=tensorrt:{release}-py3\n" in dockerfile


def test_threads_of_the_engines_are_the_cores_of_the_limit(rendered):
    for overlay in ("overlays/cpu", "overlays/dev"):
        container = pod_of(the(rendered[overlay], "Deployment", "stream-deid-triton"))[
            "containers"
        ][0]
        (threads,) = [e for e in container["env"] if e["name"] == "STREAM_DEID_TRITON__THREADS"]
        assert threads["valueFrom"]["resourceFieldRef"]["resource"] == "limits.cpu"


def test_the_settings_of_compose_are_settings_of_the_program():
    path = toolbox.DEPLOY / "compose/stream-deid.toml"
    body = toolbox.yaml.safe_load((toolbox.DEPLOY / "compose.yaml").read_text())
    for name in ("worker", "triton"):
        env = dict(body["services"][name]["environment"])
        assert env.pop("STREAM_DEID_CONFIG") == "/etc/stream-deid/stream-deid.toml"
        env = {key: re.sub(r"\$\{\w+:-(.*?)\}", r"\1", value) for key, value in env.items()}
        settings = config.load(path, env)
    assert settings.kafka.bootstrap.partition(":")[0] in body["services"]
    assert settings.triton.url.removeprefix("dns:///").partition(":")[0] in body["services"]
    assert settings.keys.file == "/run/secrets/key"
    assert tomllib.loads(path.read_text())["keys"]["file"].rpartition("/")[2] in body["secrets"]
