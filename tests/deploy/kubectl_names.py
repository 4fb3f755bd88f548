"""What a command for kubectl names, held against the manifests: objects, pods, containers, ports,
labels, namespaces, entries of secrets, files and folders, and the program that it runs in a pod.
"""

import re

import toolbox
from guide_commands import cli_takes

VALUED = {"-n", "-l", "-f", "-k", "-c", "--namespace", "--selector", "--container"}
KINDS = {"deployment", "statefulset", "job", "secret", "configmap", "service"}
SHORT = {"-n": "--namespace", "-l": "--selector", "-c": "--container"}
OF_A_POD = {"exec", "debug", "port-forward", "logs"}


def taken_apart(words):
    """(verbs and names, options, the command in the pod); an option may come more than once."""
    words = list(words)
    inner = words[words.index("--") + 1 :] if "--" in words else []
    words = words[: words.index("--")] if "--" in words else words
    plain, options = [], []
    while words:
        word = words.pop(0)
        name, has, value = word.partition("=")
        if word in VALUED:
            options.append((SHORT.get(word, word), words.pop(0)))
        elif word.startswith("-"):
            options.append((name, value if has else ""))
        else:
            plain.append(word)
    return plain, options, inner


class There:
    """What the manifests hold."""

    def __init__(self, rendered):
        self.objects = [one for name in toolbox.OVERLAYS for one in rendered[name]]
        self.names = {f"{o['kind'].lower()}/{o['metadata']['name']}" for o in self.objects}
        self.namespaces = {o["metadata"].get("namespace") for o in self.objects}
        self.workloads = {o["metadata"]["name"]: o for o in toolbox.workloads(self.objects)}
        pods = [o["spec"]["template"]["metadata"]["labels"] for o in self.workloads.values()]
        self.labels = {f"{key}={value}" for labels in pods for key, value in labels.items()}

    def faults(self, words):
        """What a command names and isn't there, in words."""
        plain, options, inner = taken_apart(words)
        yield from self._options(options, plain)
        for word in plain:
            kind = word.partition("/")[0]
            if kind in KINDS and kind != word and word not in self.names:
                yield f"no object {word}"
        if plain[0] in OF_A_POD:
            yield from self._pod(plain, dict(options), inner)
        if plain[:2] == ["create", "secret"]:
            yield from self._secret(plain[-1], dict(options).get("--from-file"))

    def _options(self, options, plain):
        for name, value in options:
            if name == "--namespace" and value not in self.namespaces:
                yield f"no namespace {value}"
            if name == "--selector" and value not in self.labels:
                yield f"no pod has {value}"
            if name == "-f" and not (toolbox.ROOT / value).is_file():
                yield f"no file {value}"
        folders = [v for n, v in options if n == "-k"] + (
            plain[1:] if plain[0] == "kustomize" else []
        )
        for folder in folders:
            name = folder.removeprefix("deploy/k8s/").rstrip("/")
            if name not in toolbox.OVERLAYS:
                yield f"nothing to apply in {folder}"

    def _pod(self, plain, options, inner):
        pod = next((w.partition("/")[2] or w for w in plain[1:] if "stream-deid" in w), "")
        found = re.fullmatch(r"(.+)-\d+", pod)
        workload = self.workloads.get(found[1]) if found else None
        if workload is None or workload["kind"] != "StatefulSet":  # other pods have drawn names
            yield f"no pod {pod}"
            return
        here = toolbox.containers(workload)
        wanted = options.get("--container")
        if wanted and wanted not in [one["name"] for one in here]:
            yield f"{pod} has no container {wanted}"
        open_ = {port["containerPort"] for one in here for port in one.get("ports", [])}
        if plain[0] == "port-forward" and int(plain[-1].rpartition(":")[2]) not in open_:
            yield f"{pod} has no port {plain[-1]}"
        if inner and not (inner[0] == "stream-deid" and cli_takes(inner[1:])):
            yield f"no command {' '.join(inner)}"

    def _secret(self, name, entry):
        mounted = {
            item.get("key")
            for workload in self.workloads.values()
            for volume in toolbox.pod_of(workload).get("volumes", [])
            for secret in secrets_of(volume)
            if secret.get("secretName", secret.get("name")) == name
            for item in secret.get("items", [{"key": entry}])
        }
        if entry not in mounted:
            yield f"no pod mounts {entry} of the secret {name}"


def secrets_of(volume):
    """The secrets of a volume, projected ones among them."""
    sources = volume.get("projected", {}).get("sources", [])
    return [one["secret"] for one in (volume, *sources) if "secret" in one]
