"""Every command that the guide prints in a block is typed as it stands, beside a worker on Kafka.

Left out is only what does not end by itself (`WAITS`). What stands for a reader's own (pseudonyms,
places, settings files) is there, or is said not to be. Kafka's own tools find a group at rest.
"""

import os
import re
import shlex
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path

import pytest
import toolbox
from confluent_kafka import Producer

from stream_deid.config import Kafka, new_key
from stream_deid.rig.broker import ApacheKafka, free_port
from stream_deid.rig.reconciliation import Reader
from stream_deid.rig.supervised import Supervised
from stream_deid.rig.synthetic import feed
from stream_deid.serving import manifest
from stream_deid.serving.local.server import LocalServer
from stream_deid.streaming.kafka.clients import base_options, create_topics
from stream_deid.streaming.replay.order import named

pytestmark = pytest.mark.slow

NAMES = ("operations", "changes", "replay", "deployment")
PAGES = [toolbox.ROOT / "docs" / f"{name}.md" for name in NAMES]
BLOCK = re.compile(r"^ *```\w*\n(.*?)^ *```", re.MULTILINE | re.DOTALL)
MODELS = {"EN": "bilstm_crf_en", "ES": "bilstm_crf_es"}
NOTES, PARTITIONS = 20, 4
WAITS = {"worker", "demo"}
ENDED = (0, 1, 3)
"""Well; warnings of `doctor`; done, but something was not there."""
SMALLER = {"--for": (78,)}
"""What a site as small as this lacks for `release`: topics that keep for half a year."""


def commands():
    """Each line of a block that begins with one of our programs, or Kafka's, once."""
    found = {}
    for page in PAGES:
        for block in BLOCK.findall(page.read_text()):
            for line in block.replace("\\\n", " ").splitlines():
                words = shlex.split(line, comments=True)
                name = Path(words[0]).name if words else ""
                if name == "stream-deid" or name.startswith("kafka-"):
                    found.setdefault(tuple(words), page.stem)
    return [
        pytest.param(words, id=f"{page}: {' '.join(words)[:70]}") for words, page in found.items()
    ]


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """A cluster with the default topics, a worker that has released some notes, settings files."""
    home = os.environ.get("KAFKA_HOME")
    if not home:
        pytest.skip("KAFKA_HOME names no distribution of Apache Kafka")
    folder, port = tmp_path_factory.mktemp("site"), free_port()
    with ExitStack() as stack:
        broker = stack.enter_context(ApacheKafka(folder / "kafka", Path(home)))
        kafka = Kafka(bootstrap=broker.bootstrap)
        beside = named(kafka, "any", live=False)
        create_topics(kafka, dict.fromkeys({*kafka.topics, *beside.topics}, PARTITIONS))
        triton = stack.enter_context(
            LocalServer(manifest.repository(), [*MODELS.values()], threads=1)
        )
        env = {
            "STREAM_DEID_KAFKA__BOOTSTRAP": broker.bootstrap,
            "STREAM_DEID_TRITON__URL": triton.url,
            "STREAM_DEID_KEYS__VALUE": new_key(),
            "STREAM_DEID_HTTP__PORT": str(port),
            **{f"STREAM_DEID_MODELS__{code}": f'["{name}"]' for code, name in MODELS.items()},
        }
        (folder / "deploy" / "compose").mkdir(parents=True)
        for name in ("stream-deid.toml", "new.toml"):
            (folder / name).write_text('[policy]\nname = "expert-determination"\n')
        program = [sys.executable, "-m", "stream_deid.cli", "worker"]
        stack.enter_context(Supervised(program, env=env, log=folder / "worker.log"))
        producer = Producer(base_options(kafka))
        for number, message in enumerate(feed(NOTES, 5)):
            producer.produce(kafka.topic_in, message.value, partition=number % PARTITIONS)
        assert producer.flush(60) == 0
        reader = Reader(kafka, PARTITIONS)
        stack.callback(reader.close)
        reader.until(lambda seen: seen.done >= NOTES, 120)
        yield folder, os.environ | env, Path(home) / "bin", f"127.0.0.1:{port}"


def typed(words, folder, bin_of_kafka, broker, worker):
    """The command as a process here: our program, Kafka's at this broker, `top` once."""
    if words[0].startswith("kafka-"):
        arguments = ["at-rest" if word == "stream-deid" else word for word in words[1:]]
        return [str(bin_of_kafka / words[0]), *arguments, "--bootstrap-server", broker]
    if words[1] == "top":
        words = ["stream-deid", "top", "--once", worker]
    if "--diff" in words:
        at = words.index("--diff") + 1
        words = [*words[:at], str(folder / f"{words[at]}-{len(list(folder.iterdir()))}")]
    return [sys.executable, "-m", "stream_deid.cli", *words[1:]]


@pytest.mark.parametrize("words", commands())
def test_a_command_of_the_guide_runs(site, words):
    folder, env, bin_of_kafka, worker = site
    if WAITS & set(words):
        return
    broker = env["STREAM_DEID_KAFKA__BOOTSTRAP"]
    words, into = (words[:-2], words[-1]) if ">" in words else (words, None)
    done = subprocess.run(
        typed(list(words), folder, bin_of_kafka, broker, worker),
        cwd=folder, env=env, capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip
    if into:
        (folder / into).write_text(done.stdout)
    told = done.stdout + done.stderr
    also = SMALLER.get(words[2] if len(words) > 2 else "", ())
    assert done.returncode in (*ENDED, *also), told[-2000:]
    assert "Traceback" not in told


def test_there_are_commands_to_run():
    assert len(commands()) > 25
