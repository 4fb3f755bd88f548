"""Apache Kafka of three nodes on loopback, each a broker and a controller, for trials of losses.

As `deploy/k8s/examples/kafka-cluster.yaml` has it: three replicas of everything, two of them in
sync before a write is confirmed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from stream_deid.rig.authority import Authority
from stream_deid.rig.broker import ApacheKafka, new_id

REPLICAS, IN_SYNC = 3, 2
PATIENT = {
    "controller_quorum_fetch_timeout_ms": "10000",
    "controller_quorum_request_timeout_ms": "10000",
    "controller_quorum_election_timeout_ms": "5000",
}
"""Kafka's own 1 and 2 s elect one controller after the other on a machine that is busy."""
SAFE = {
    "default_replication_factor": str(REPLICAS),
    "min_insync_replicas": str(IN_SYNC),
    "offsets_topic_replication_factor": str(REPLICAS),
    "transaction_state_log_replication_factor": str(REPLICAS),
    "transaction_state_log_min_isr": str(IN_SYNC),
    "unclean_leader_election_enable": "false",
}


class ThreeNodes:
    """Nodes 1, 2, 3 with one address for all; clients are told as of `ApacheKafka`."""

    def __init__(
        self,
        folder: Path,
        home: Path,
        *,
        users: Mapping[str, str] | None = None,
        authority: Authority | None = None,
    ) -> None:
        self.folder = folder
        self.nodes = {
            number: ApacheKafka(
                folder / str(number), home, users=users, authority=authority,
                node_id=str(number), **SAFE, **PATIENT,
            )
            for number in range(1, REPLICAS + 1)
        }  # fmt: skip
        for number, node in self.nodes.items():
            node.name = f"kafka-{number}"
        cluster = new_id()
        voters = {n: f"127.0.0.1:{node.controller}" for n, node in self.nodes.items()}
        first = ",".join(f"{n}@{address}:{new_id()}" for n, address in voters.items())
        for node in self.nodes.values():
            node.form = (f"--cluster-id={cluster}", f"--initial-controllers={first}")
            node.settings["controller.quorum.bootstrap.servers"] = ",".join(voters.values())

    @property
    def bootstrap(self) -> str:
        return ",".join(node.bootstrap for node in self.nodes.values())

    @property
    def users(self) -> dict[str, str]:
        return self.nodes[1].users

    def security(self, user: str, mechanism: str = "PLAIN") -> dict[str, str]:
        return self.nodes[1].security(user, mechanism)

    def start(self, numbers: Iterable[int] = (1, 2, 3)) -> None:
        """Start nodes at once, for one alone has no majority to answer with; wait for each."""
        with ThreadPoolExecutor(REPLICAS) as pool:
            list(pool.map(lambda number: self.nodes[number].start(), numbers))

    def kill(self, *numbers: int) -> None:
        """SIGKILL."""
        for number in numbers:
            self.nodes[number].kill()

    def stop(self) -> None:
        """SIGTERM, to all at once: each waits for others to take over what it led."""
        with ThreadPoolExecutor(REPLICAS) as pool:
            list(pool.map(lambda node: node.stop(), self.nodes.values()))
