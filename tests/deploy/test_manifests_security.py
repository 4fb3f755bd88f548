"""What every pod, policy and account of every overlay must hold."""

import os
from ipaddress import ip_network

import pytest
import toolbox
import yaml
from toolbox import containers, of_kind, pod_of, policies_of, ports, selects, the, workloads

SECRET_KINDS = ("Secret",)
RIGHTS = ("Role", "ClusterRole", "RoleBinding", "ClusterRoleBinding")


def test_no_container_is_root_or_can_become_it(objects):
    for workload in workloads(objects):
        context = pod_of(workload)["securityContext"]
        assert context["runAsNonRoot"] is True
        assert context["runAsUser"] >= 10_000
        assert context["seccompProfile"] == {"type": "RuntimeDefault"}
        for container in containers(workload):
            assert container["securityContext"] == {
                "allowPrivilegeEscalation": False,
                "readOnlyRootFilesystem": True,
                "capabilities": {"drop": ["ALL"]},
            }


def test_nothing_of_the_node_is_shared(objects):
    for workload in workloads(objects):
        pod = pod_of(workload)
        assert not {"hostNetwork", "hostPID", "hostIPC"} & set(pod)
        assert all("hostPath" not in volume for volume in pod["volumes"])
        assert all("hostPort" not in p for c in containers(workload) for p in c.get("ports", []))


def test_every_container_has_requests_and_limits(objects):
    for workload in workloads(objects):
        for container in containers(workload):
            for amounts in ("requests", "limits"):
                named = container["resources"][amounts]
                assert {"cpu", "memory", "ephemeral-storage"} <= set(named), container["name"]


def test_scratch_space_is_bounded(objects):
    for workload in workloads(objects):
        for volume in pod_of(workload)["volumes"]:
            if "emptyDir" in volume:
                assert "sizeLimit" in volume["emptyDir"], volume["name"]


def test_every_image_has_a_tag_and_none_is_latest(objects):
    for workload in workloads(objects):
        for container in containers(workload):
            tag = container["image"].rpartition(":")[2]
            assert tag != container["image"]
            assert tag != "latest"


@pytest.mark.parametrize("example", [n for n in toolbox.OVERLAYS if n.startswith("examples/")])
def test_an_example_names_the_registry_of_every_image_of_ours(rendered, example):
    """A bare name is looked for on Docker Hub, where it is anybody's."""
    for workload in workloads(rendered[example]):
        for container in containers(workload):
            host, slash, _ = container["image"].partition("/")
            assert slash, container["image"]
            assert "." in host, container["image"]


def test_every_component_is_in_something_that_is_rendered():
    used = {
        os.path.normpath(f"{name}/{entry}")
        for name, text in toolbox.KUSTOMIZATIONS.items()
        if toolbox.COMPONENT not in text
        for entry in yaml.safe_load(text).get("components", [])
    }
    components = {n for n, text in toolbox.KUSTOMIZATIONS.items() if toolbox.COMPONENT in text}
    assert components
    assert components <= used


def test_accounts_have_no_rights_and_no_token(objects):
    assert not of_kind(objects, *RIGHTS)
    assert all(
        a["automountServiceAccountToken"] is False for a in of_kind(objects, "ServiceAccount")
    )
    for workload in workloads(objects):
        pod = pod_of(workload)
        assert pod["automountServiceAccountToken"] is False
        the(objects, "ServiceAccount", pod["serviceAccountName"])


def test_no_secret_is_written_down(objects):
    """Secrets are named, never held: no object holds one, and no variable looks like one."""
    assert not of_kind(objects, *SECRET_KINDS)
    for workload in workloads(objects):
        for container in containers(workload):
            for name in toolbox.environment(container):
                assert not any(word in name for word in ("KEYS__VALUE", "PASSWORD", "TOKEN"))


def test_secret_files_are_for_the_owner_and_group_alone(objects):
    for workload in workloads(objects):
        for volume in pod_of(workload)["volumes"]:
            if "secret" in volume:
                assert volume["secret"]["defaultMode"] == 0o440


def test_everything_is_denied_first(objects):
    (policy,) = [
        p for p in of_kind(objects, "NetworkPolicy") if p["metadata"]["name"] == "default-deny"
    ]
    assert policy["spec"] == {"podSelector": {}, "policyTypes": ["Ingress", "Egress"]}


def test_no_policy_lets_everybody_in_or_out(objects):
    """No empty selector, no rule without peers or ports; a few addresses of brokers elsewhere."""
    for policy in of_kind(objects, "NetworkPolicy"):
        for direction, side in (("ingress", "from"), ("egress", "to")):
            for rule in policy["spec"].get(direction, []):
                assert rule.get(side), policy["metadata"]["name"]
                assert rule.get("ports")
                for peer in rule[side]:
                    if side == "to" and "ipBlock" in peer:
                        assert ip_network(peer["ipBlock"]["cidr"]).num_addresses <= 256
                        assert [port["port"] for port in rule["ports"]] == [9094]
                        continue
                    assert peer["podSelector"]["matchLabels"]
                    assert "ipBlock" not in peer
                for port in rule["ports"]:
                    assert port["port"]
                    assert "endPort" not in port


def test_every_port_is_covered_by_a_policy_and_no_policy_opens_another(objects):
    for workload in workloads(objects):
        served = {p["containerPort"] for c in containers(workload) for p in c.get("ports", [])}
        assert ports(policies_of(objects, workload), "ingress") == served


def test_the_models_can_call_nobody(objects):
    triton = the(objects, "Deployment", "stream-deid-triton")
    assert ports(policies_of(objects, triton), "egress") == set()


def test_policies_monitors_services_and_budgets_select_pods_that_exist(objects):
    pods = [w["spec"]["template"]["metadata"]["labels"] for w in workloads(objects)]
    for item in of_kind(objects, "Service", "PodDisruptionBudget", "PodMonitor", "NetworkPolicy"):
        spec = item["spec"]
        selector = spec.get("selector") or spec.get("podSelector")
        selector = selector if "matchLabels" in selector else {"matchLabels": selector}
        if item["metadata"]["name"] != "default-deny":
            assert any(selects(selector, labels) for labels in pods), item["metadata"]["name"]


@pytest.mark.parametrize("overlay", ["overlays/cpu", "overlays/gpu"])
def test_a_node_that_goes_takes_one_pod_at_a_time(rendered, overlay):
    objects = rendered[overlay]
    for workload in workloads(objects):
        pod = pod_of(workload)
        keys = {c["topologyKey"] for c in pod["topologySpreadConstraints"]}
        assert keys == {"topology.kubernetes.io/zone", "kubernetes.io/hostname"}
        the(objects, "PriorityClass", pod["priorityClassName"])
        budget = the(objects, "PodDisruptionBudget", workload["metadata"]["name"])
        assert budget["spec"]["maxUnavailable"] == 1


def test_the_namespace_enforces_the_restricted_standard(objects):
    labels = of_kind(objects, "Namespace")[0]["metadata"]["labels"]
    assert labels["pod-security.kubernetes.io/enforce"] == "restricted"


@pytest.mark.parametrize("overlay", ["overlays/cpu", "overlays/gpu"])
def test_rights_in_kafka_name_what_they_allow(rendered, overlay):
    for user in of_kind(rendered[overlay], "KafkaUser"):
        for acl in user["spec"]["authorization"]["acls"]:
            assert acl["resource"]["name"] != "*"
            assert "All" not in acl["operations"]
            assert acl["resource"]["type"] != "cluster"
