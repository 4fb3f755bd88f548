"""What the guide's commands are typed beside: a cluster, a Triton, a worker, files."""

import json
import os
import shutil
import sys
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import toolbox
from mllp_parties import Receiver

from stream_deid.config import Settings, new_key
from stream_deid.config.settings import Kafka
from stream_deid.operations.doctor.topics import wanted
from stream_deid.rig.broker import ApacheKafka, free_port
from stream_deid.rig.reconciliation import LedgerReader, publish
from stream_deid.rig.supervised import Supervised
from stream_deid.rig.synthetic import feed
from stream_deid.serving import manifest
from stream_deid.serving.local.server import LocalServer
from stream_deid.streaming.kafka.clients import create_topics

MODELS = {"EN": "bilstm_crf_en", "ES": "bilstm_crf_es"}
NOTES, PARTITIONS = 20, 4
OTHERS = frozenset({"release", "replay", "mllp"})
SETTINGS = ("stream-deid.toml", "new.toml", "site.toml", "policy.toml")


@dataclass(frozen=True)
class Site:
    """`folder`: where commands are typed; `worker`: the address of its endpoint."""

    folder: Path
    env: dict[str, str]
    kafka_bin: Path
    worker: str

    @property
    def bootstrap(self):
        return self.env["STREAM_DEID_KAFKA__BOOTSTRAP"]


@contextmanager
def opened(folder, home):
    """A worker that has released some notes; nothing is deleted for its age, as `release` wants."""
    broker = ApacheKafka(folder / "kafka", home, log_retention_hours="-1")
    triton = LocalServer(manifest.repository(), [*MODELS.values()], threads=1)
    with broker, triton:
        kafka, port, receiver = Kafka(bootstrap=broker.bootstrap), free_port(), Receiver()
        names = [one.name for one in wanted(Settings(kafka=kafka), OTHERS)]
        create_topics(kafka, dict.fromkeys(names, PARTITIONS))
        env = variables(broker, triton, receiver) | {"STREAM_DEID_HTTP__PORT": str(port)}
        program = [sys.executable, "-m", "stream_deid.cli", "worker"]
        with Supervised(program, env=env, log=folder / "worker.log"):
            released_some(kafka)
            typed_in = folder / "typed"
            lay_out(typed_in)
            yield Site(typed_in, os.environ | env, home / "bin", f"127.0.0.1:{port}")
        receiver.close()


def variables(broker, triton, receiver):
    return {
        "STREAM_DEID_KAFKA__BOOTSTRAP": broker.bootstrap,
        "STREAM_DEID_TRITON__URL": triton.url,
        "STREAM_DEID_KEYS__VALUE": new_key(),
        "STREAM_DEID_MLLP__PORT": str(free_port()),
        "STREAM_DEID_MLLP_OUT__HOST": "127.0.0.1",
        "STREAM_DEID_MLLP_OUT__PORT": str(receiver.port),
        **{f"STREAM_DEID_MODELS__{code}": f'["{name}"]' for code, name in MODELS.items()},
    }


def released_some(kafka):
    publish(kafka, (message.value for message in feed(NOTES, 5)), PARTITIONS)
    reader = LedgerReader(kafka, PARTITIONS)
    reader.until(lambda seen: seen.done >= NOTES, 240)
    reader.close()


def lay_out(folder):
    """The files that the guide's commands name, as a reader has them."""
    for name in ("deploy/compose", "corpora/dev/noisy/en", "corpora/train/en"):
        (folder / name).mkdir(parents=True)
    for name in SETTINGS:
        (folder / name).write_text('[policy]\nname = "expert-determination"\n')
    (folder / "triton_models").symlink_to(toolbox.ROOT / "triton_models")
    shutil.copy(toolbox.ROOT / "tests/data/hl7/adt_a01.hl7", folder / "message.hl7")
    noisy = sorted((toolbox.ROOT / "corpora/dev/noisy/en").iterdir())
    for file in noisy[:1]:
        shutil.copy(file, folder / "corpora/dev/noisy/en")
    with (toolbox.ROOT / "corpora/dev/en_dev.jsonl").open() as lines:
        marked = list(islice(lines, 4))
    for name in ("ours.jsonl", "corpora/dev/en_dev.jsonl"):
        (folder / name).write_text("".join(marked))
    notes = [
        {"note_id": str(number), "patient_id": str(number), "text": json.loads(line)["text"]}
        for number, line in enumerate(marked)
    ]
    (folder / "notes.jsonl").write_text("".join(json.dumps(note) + "\n" for note in notes))
