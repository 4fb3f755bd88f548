"""Every command that the guide prints is typed as it stands, beside a worker on Kafka.

What stands for a reader's own (pseudonyms, places, settings files) is there, or is said not to be.
Kafka's own tools find a group at rest, trials are made small, and what serves until it is told to
end is told so when it says that it serves.
"""

import os
import signal
import subprocess
import sys
from pathlib import Path

import guide_commands
import guide_site
import pytest
import toolbox
from harness import until

from stream_deid.rig.broker import free_port

pytestmark = pytest.mark.slow

SERVES = {"worker": "ready_to_join", "release": "releasing", "mllp": "listening",
          "mllp-out": "sending", "broker": "broker on"}  # fmt: skip
"""What commands that end when they are told to say before."""
CLASSES = {"kafka-console-producer.sh": "ConsoleProducer",
           "kafka-console-consumer.sh": "consumer.ConsoleConsumer"}  # fmt: skip
"""What these scripts run, where a distribution was cut down to what a broker needs."""
ENDED = (0, 1, 3)
"""Well; warnings of `doctor`; done, but something was not there."""
LESS = {"--count": "100", "--jobs": "1", "--patients": "40", "--nice": "1"}
LEAST = {
    "attack": {"--only": "counters", "--patients": "40"},
    "fuzz": {"--count": "100"},
    "broker": {"--port": str(free_port())},
}
"""What a trial is given where the guide leaves it out."""


def to_run():
    return [
        pytest.param(words, id=f"{page}: {' '.join(words)[:70]}")
        for page, words in guide_commands.to_run()
    ]


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    home = os.environ.get("KAFKA_HOME")
    if not home:
        pytest.skip("KAFKA_HOME names no distribution of Apache Kafka")
    with guide_site.opened(tmp_path_factory.mktemp("site"), Path(home)) as site:
        yield site


def typed(words, site):
    """The command as a process here."""
    if words[0].startswith("kafka-"):
        arguments = ["at-rest" if word == "stream-deid" else word for word in words[1:]]
        return [*tool(words[0], site), *arguments, "--bootstrap-server", site.bootstrap]
    if words[1] == "top":
        words = ["stream-deid", "top", "--once", site.worker]
    if "--diff" in words:
        at = words.index("--diff") + 1
        words = [*words[:at], f"{words[at]}-{len(list(site.folder.iterdir()))}"]
    return [sys.executable, "-m", "stream_deid.cli", *smaller(words[1:])]


def tool(name, site):
    script = site.kafka_bin / name
    if script.exists() or name not in CLASSES:
        return [str(script)]
    return [str(site.kafka_bin / "kafka-run-class.sh"), f"org.apache.kafka.tools.{CLASSES[name]}"]


def smaller(words):
    pairs = zip(["", *words], words, strict=False)
    least = LEAST.get(words[0], {}).items()
    more = [word for pair in least if pair[0] not in words for word in pair]
    return [LESS.get(before, word) for before, word in pairs] + more


def guide_command(words):
    """The command of a line: `worker` of `stream-deid --config site.toml worker`."""
    rest = iter(words[1:])
    for word in rest:
        if word == "--config":
            next(rest)
        elif not word.startswith("-"):
            return word
    return ""


@pytest.mark.parametrize("words", to_run())
def test_a_command_of_the_guide_runs(site, words):
    words, read, into = guide_commands.redirected(words)
    command = typed(words, site)
    if event := SERVES.get(guide_command(words)):
        serves_until_it_is_told_to_end(command, site, event)
        return
    done = subprocess.run(
        command, cwd=site.folder, env=site.env,
        input=(site.folder / read).read_text() if read else "",
        capture_output=True, text=True, timeout=900, check=False,
    )  # fmt: skip
    if into:
        (site.folder / into).write_text(done.stdout)
    told = done.stdout + done.stderr
    assert done.returncode in ENDED, told[-2000:]
    assert "Traceback" not in told


def serves_until_it_is_told_to_end(command, site, event):
    log = site.folder / "served.log"
    env = site.env | {"STREAM_DEID_HTTP__PORT": "0"}
    with (
        log.open("w") as into,
        subprocess.Popen(command, cwd=site.folder, env=env, stdout=into, stderr=into) as process,
    ):
        until(lambda: event in log.read_text() or process.poll() is not None, log.read_text)
        process.send_signal(signal.SIGTERM)
        assert process.wait(120) == 0, log.read_text()[-2000:]


def test_there_are_commands_to_run():
    assert len(to_run()) > 80
    assert {page for page, _ in guide_commands.to_run()} > {"operations", "mllp", "README"}


def test_every_other_command_is_tried_by_a_test_that_is_there():
    run = {tuple(words) for _, words in guide_commands.to_run()}
    for page, words in guide_commands.printed():
        if tuple(words) in run or guide_commands.own(words):
            continue
        where = guide_commands.elsewhere(words)
        assert where, f"{page}: nothing tries {' '.join(words)}"
        assert (toolbox.ROOT / where).exists(), where
