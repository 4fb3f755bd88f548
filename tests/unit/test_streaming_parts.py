"""The parts of the streaming room that need no broker."""

import asyncio
import re
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from types import SimpleNamespace

import orjson
import pytest
from aiokafka.errors import KafkaConnectionError
from hypothesis import given
from hypothesis import strategies as st

from stream_deid import exits
from stream_deid.config import Kafka, Settings
from stream_deid.errors import Halt, Unavailable
from stream_deid.labels import PhiType
from stream_deid.outcome import Contact, Dead, Released, Source, Stats
from stream_deid.rig.broker import free_port
from stream_deid.rig.hashing_worker import Hashing
from stream_deid.rig.reconciliation import Ledger
from stream_deid.rig.supervised import Supervised
from stream_deid.streaming import app, deadletter, suspects, worker
from stream_deid.streaming.examine import TOO_SLOW, Examiner
from stream_deid.streaming.health import Health
from stream_deid.streaming.kafka import security
from stream_deid.streaming.kafka.awaiting import Patience, await_worker_topics
from stream_deid.streaming.lag_watch import LagWatch, PartitionProgress, Watched, WatchTimes
from stream_deid.streaming.observability.endpoint import Endpoint
from stream_deid.streaming.observability.metrics import TOGETHER, Metrics

SOURCE = Source("notes.raw", 3, 41)
counts = st.dictionaries(st.integers(0, 10**12), st.integers(1, 9), max_size=16)


@given(counts, st.integers(0, 10**12), st.integers(0, 9))
def test_suspects_come_back_from_their_metadata(tries, position, begun):
    kept = {offset: count for offset, count in tries.items() if offset >= position}
    told = suspects.encode(tries, position, begun)
    assert (suspects.decode(told), suspects.unexplained(told)) == (kept, begun)


@pytest.mark.parametrize(
    "metadata",
    [None, "", "consumer-1", "[1]", '{"a": 1}', '{"1": "x"}', "{", "null", "7", '{"begun": "x"}'],
)
def test_metadata_of_others_counts_as_none(metadata):
    assert suspects.decode(metadata) == {}
    assert suspects.unexplained(metadata) == 0


@given(st.text())
def test_any_metadata_is_read_as_offsets_and_counts(metadata):
    found = suspects.decode(metadata)
    assert all(type(one) is int for pair in found.items() for one in pair)


def test_metadata_stays_small():
    tries = dict.fromkeys(range(1000), 3)
    assert len(suspects.encode(tries, 0)) < 500
    assert suspects.encode(tries, 5000) == ""


class Busy(Hashing):
    """No note gets scores from it, and its models don't answer now; `silent_s`: since when."""

    def __init__(self, silent_s):
        super().__init__()
        self.silent_s = silent_s

    async def process(self, *_):
        raise Unavailable("triton.timeout", "no scores before the note's deadline")

    async def answers(self):
        return False

    async def contact(self):
        return Contact(self.silent_s)


@pytest.mark.parametrize(("silent_s", "is_slow"), [(0.1, True), (60.0, False)])
def test_models_that_a_large_note_keeps_busy_are_not_away(silent_s, is_slow):
    """A giant's worker ended (75) when its time was over, and the giant began anew."""
    examiner = Examiner(Busy(silent_s), Metrics(), asyncio.Event(), deadline_s=0.0)
    note = b"." * 2000  # half a second
    if is_slow:
        assert asyncio.run(examiner.outcome(note, SOURCE)) == TOO_SLOW
    else:
        with pytest.raises(Unavailable):
            asyncio.run(examiner.outcome(note, SOURCE))


def test_a_broker_that_goes_away_while_faust_starts_is_no_crash():
    """Found by `chaos`: killed between the wait for topics and Faust's start, the status was 1."""
    assert worker._status_of_crash(KafkaConnectionError("refused")) == exits.UNAVAILABLE
    assert worker._status_of_crash(ValueError()) == exits.CRASHED


STARTS = """
import asyncio, sys
from stream_deid.config import Kafka, Settings
from stream_deid.streaming import app as faust_app, worker
from stream_deid.streaming.health import Health
loop = asyncio.new_event_loop()
asyncio.set_event_loop(loop)
app = faust_app.build(Settings(kafka=Kafka(bootstrap=sys.argv[1])), "")
sys.exit(worker._Worker(app, loop, health=Health(settle_s=1.0), shutdown_s=20.0).status())
"""


def test_the_status_of_a_start_that_fails_is_that_of_its_reason():
    """Found by `chaos`: what fails while Faust starts is raised, and nothing has crashed."""
    ended = subprocess.run(
        [sys.executable, "-c", STARTS, f"127.0.0.1:{free_port()}"],
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert ended.returncode == exits.UNAVAILABLE, ended.stderr[-2000:]


def test_a_type_that_was_never_found_stands_at_0():
    """One that a release no longer finds has no series otherwise, and no alert can see it."""
    text = Metrics().text().decode()
    assert all(f'stream_deid_phi_total{{type="{kind}"}} 0.0' in text for kind in PhiType)


def test_a_dead_letter_says_where_and_why_and_nothing_else():
    body = orjson.loads(
        deadletter.render(
            SOURCE.place, Dead("json.syntax", "byte 7"), mac="ab", size=9, release="r1"
        )
    )
    assert body == {
        "source": {"topic": "notes.raw", "partition": 3, "offset": 41},
        "outcome": "dead",
        "code": "json.syntax",
        "detail": "byte 7",
        "release": "r1",
        "input_mac": "ab",
        "input_bytes": 9,
    }


def test_outcomes_do_not_show_their_text():
    released = Released(b"secret", b"secret", b"secret", Stats())
    assert "secret" not in repr(released)


def test_a_partition_stalls_only_with_notes_and_without_movement():
    progress = PartitionProgress(stall_s=10)
    assert not progress.note(0, 5, 9, now=0)
    assert not progress.note(0, 5, 9, now=10)
    assert progress.note(0, 5, 9, now=11)
    assert not progress.note(0, 6, 9, now=12), "it moved"
    assert not progress.note(0, 6, 6, now=99), "it has nothing to read"
    assert not progress.note(0, 6, 7, now=100)
    assert progress.note(0, 6, 7, now=111)
    progress.forgive(0, now=111)
    assert not progress.note(0, 6, 7, now=112)


def test_liveness_needs_a_turning_loop_and_an_assignment(monkeypatch):
    now = [0.0]
    monkeypatch.setattr("stream_deid.streaming.health.time.monotonic", lambda: now[0])
    health = Health(beat_s=30.0, settle_s=180.0)
    assert health.ready() == ["waiting for the group's assignment"]
    health.assigned(settled=True)
    now[0] += 30.0
    assert health.live() == []
    now[0] += 0.1
    assert ["event loop" in reason for reason in health.live()] == [True]
    health.beat()
    health.assigned(settled=False)
    assert health.live() == []
    now[0] += 180.1
    health.beat()
    assert ["no assignment" in reason for reason in health.live()] == [True]
    health.assigned(settled=True)
    health.stalled(["partition 1 has no owner"])
    assert health.live() == ["partition 1 has no owner"]
    health.stopping()
    assert health.ready() == ["stopping", "partition 1 has no owner"]


def test_what_the_start_took_is_not_held_against_the_loop_that_begins():
    health = Health(beat_s=30.0)
    health._beat -= 60
    assert ["event loop" in reason for reason in health.live()] == [True]
    watch = LagWatch(
        Kafka(bootstrap=f"127.0.0.1:{free_port()}"), Watched(owned=set, end=pytest.fail),
        WatchTimes(stall_s=60.0, every_s=60.0), health, Metrics(),
    )  # fmt: skip
    watch.start()
    assert health.live() == []
    watch.stop()


class _Models:
    """Models that are silent for a while, and answer again."""

    def __init__(self, *silent):
        self.silent, self.ended = list(silent), asyncio.Event()

    async def contact(self):
        if len(self.silent) == 1:
            self.ended.set()
        silent = self.silent.pop(0) if len(self.silent) > 1 else self.silent[0]
        retries = {"triton.unavailable": 7 - len(self.silent)}
        return Contact(silent, retries, {"one": silent, "other": 0.0})


@pytest.mark.parametrize(
    ("silent", "events", "ready"),
    [
        ((0.0, 4.0, 0.0), [], True),
        ((4.0, 11.0, 15.0, 22.0), ["models_silent", "models_silent"], False),
        ((11.0, 0.0, 0.0), ["models_silent", "models_answer"], True),
    ],
)
def test_models_that_are_silent_are_told_and_a_worker_without_them_is_not_ready(
    monkeypatch, silent, events, ready
):
    told = []
    monkeypatch.setattr(worker, "_LISTEN_S", 0.0)

    def tell(event, **fields):
        told.append(event)
        assert fields.get("models", ["one"]) == ["one"]
        assert ("models" in fields) == (event == "models_silent")

    monkeypatch.setattr(worker, "_log", SimpleNamespace(warning=tell, info=tell))
    health, metrics, models = Health(), Metrics(), _Models(*silent)
    health.assigned(settled=True)

    async def listen():
        listening = asyncio.ensure_future(worker._listen(models, health, metrics))
        await models.ended.wait()
        await asyncio.sleep(0)
        listening.cancel()

    asyncio.run(listen())
    assert told == events
    assert (health.ready() == []) is ready
    assert health.live() == []
    health.stopping()
    asyncio.run(worker._listen(models, health, metrics))  # a clean end raises no alarm
    assert told == events
    assert b'requests_retried_total{code="triton.unavailable"} 6.0' in metrics.text()


def test_the_endpoint_answers_with_reasons():
    health = Health()
    health.beat()
    metrics = Metrics()
    metrics.count(Released(b"", b"", b"", Stats({"parse": 0.01}, {"DATE": 2})), 3)
    metrics.count(Dead("json.syntax", ""), 3)
    endpoint = Endpoint("127.0.0.1", 0, health, metrics)
    endpoint.start()
    try:
        assert _get(endpoint.address + "/healthz") == (200, "ok\n")
        assert _get(endpoint.address + "/readyz")[0] == 503
        text = _get(endpoint.address + "/metrics")[1]
    finally:
        endpoint.stop()
    assert 'stream_deid_notes_total{outcome="released",partition="3"} 1.0' in text
    assert 'stream_deid_dead_letters_total{code="json.syntax"} 1.0' in text


def test_counts_by_type_are_of_many_notes_or_not_shown():
    metrics = Metrics()
    for _ in range(TOGETHER - 1):
        metrics.count(Released(b"", b"", b"", Stats({}, {"DATE": 2}, 7)), 0)
    metrics.count(Dead("json.syntax", ""), 0)
    assert b'stream_deid_phi_total{type="DATE"} 0.0' in metrics.text()
    assert b"stream_deid_words_total 0.0" in metrics.text()
    metrics.count(Released(b"", b"", b"", Stats({}, {"NAME": 1})), 0)
    metrics.count(Released(b"", b"", b"", Stats({}, {"NAME": 1})), 0)
    shown = metrics.text().decode()
    assert f'stream_deid_phi_total{{type="DATE"}} {2.0 * (TOGETHER - 1)}' in shown
    assert 'stream_deid_phi_total{type="NAME"} 1.0' in shown


def test_lag_is_told_of_the_partitions_that_are_owned_and_of_no_other():
    metrics = Metrics()
    metrics.lagging({0: 5, 1: 7})
    metrics.lagging({1: 6, 2: 0})
    told = re.findall(r"^stream_deid_lag(.*)$", metrics.text().decode(), re.MULTILINE)
    assert told == ['{partition="1"} 6.0', '{partition="2"} 0.0']


@pytest.mark.parametrize("wanted", [True, False])
def test_times_name_a_pseudonym_only_where_that_was_asked_for(wanted):
    metrics = Metrics(exemplars=wanted)
    metrics.observe("total", 0.3, "note-pseudonym")
    kind, page = metrics.page("application/openmetrics-text;version=1.0.0")
    assert (b'# {note="note-pseudonym"} 0.3' in page) is wanted
    assert ("openmetrics" in kind) is wanted
    assert b"pseudonym" not in metrics.page("text/plain")[1] + metrics.text()


def test_a_port_in_use_is_a_clear_error():
    first = Endpoint("127.0.0.1", 0, Health(), Metrics())
    port = int(first.address.rsplit(":", 1)[1])
    with pytest.raises(Halt) as refused:
        Endpoint("127.0.0.1", port, Health(), Metrics())
    assert refused.value.code == "http.bind"


def _get(url: str) -> tuple[int, str]:
    try:
        with urllib.request.urlopen(url, timeout=5) as answer:  # noqa: S310
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


class _Cluster:
    def __init__(self, known):
        self._known = known

    def partitions_for_topic(self, topic):
        return self._known.get(topic)


class _Member:
    def __init__(self, *topics):
        self.subscription = list(topics)


class _Ended(Exception):
    pass


def test_the_assignor_ends_the_process_where_a_topic_is_unknown():
    def end(error):
        assert isinstance(error, Unavailable)  # to be started again: status 75
        raise _Ended(error.code)

    built = app.build(Settings(), "")
    built.end = end
    assignor = app.StrictAssignor(built)
    for known in ({}, {"notes.raw": set()}, {"notes.raw": None}):
        with pytest.raises(_Ended, match=r"kafka\.metadata"):
            assignor.assign(_Cluster(known), {"m1": _Member("notes.raw")})


def test_faust_commits_no_offsets_and_waits_for_no_stream():
    built = app.build(Settings(), "")
    assert app.input_topic(built).acks is False
    assert built.conf.stream_wait_empty is False
    assert built.conf.web_enabled is False
    assert built.conf.PartitionAssignor is app.StrictAssignor
    assert built.conf.broker_request_timeout > built.conf.broker_session_timeout


def test_security_is_said_to_both_clients_or_refused():
    assert security.credentials({}) is None
    plain = security.credentials(
        {
            "security.protocol": "SASL_PLAINTEXT",
            "sasl.mechanism": "SCRAM-SHA-512",
            "sasl.username": "u",
            "sasl.password": "p",
        }
    )
    assert plain.protocol.value == "SASL_PLAINTEXT"
    assert plain.mechanism.value == "SCRAM-SHA-512"
    secure = security.credentials({"security.protocol": "SSL"})
    assert secure.context.check_hostname
    tokens = security.credentials(OAUTH)
    assert tokens.mechanism.value == "OAUTHBEARER"
    assert tokens.protocol.value == "SASL_SSL"


OAUTH = {
    "security.protocol": "sasl_ssl",
    "sasl.mechanism": "OAUTHBEARER",
    "sasl.oauthbearer.method": "oidc",
    "sasl.oauthbearer.token.endpoint.url": "https://tokens.example.org/token",
    "sasl.oauthbearer.client.id": "stream-deid",
    "sasl.oauthbearer.client.secret": "s",
}


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"enable.ssl.certificate.verification": "false"}, "not supported"),
        ({"security.protocol": "sasl_ssl", "sasl.mechanism": "GSSAPI"}, "GSSAPI"),
        ({"security.protocol": "nonsense"}, "nonsense"),
        ({"ssl.ca.location": "ca.crt"}, "has no TLS"),
        ({"security.protocol": "sasl_plaintext", "ssl.ca.location": "ca.crt"}, "has no TLS"),
        ({"security.protocol": "ssl", "ssl.key.location": "a.key"}, "go together"),
        ({"security.protocol": "ssl", "sasl.username": "u"}, "has no SASL"),
        ({"sasl.password": "p"}, "has no SASL"),
        ({"security.protocol": "sasl_ssl", "sasl.username": "u"}, "needs sasl.password"),
        ({"security.protocol": "sasl_ssl", "sasl.mechanism": "OAUTHBEARER"}, "client.id"),
        (OAUTH | {"sasl.password": "p"}, "says nothing to OAUTHBEARER"),
        (OAUTH | {"sasl.oauthbearer.method": "default"}, "must be oidc"),
    ],
)
def test_security_that_is_set_by_half_is_refused(options, told):
    with pytest.raises(Halt, match=told) as refused:
        security.credentials(options)
    assert refused.value.code == "kafka.security"


def test_statuses_tell_the_supervisor_what_to_do():
    assert exits.status_of(Unavailable("triton.away", "")) == 75
    assert exits.status_of(Halt("manifest.mismatch", "")) == 78
    assert exits.status_of(Halt("stream.gap", "")) == 1
    assert exits.status_of(ValueError()) == 1


def test_waiting_for_a_broker_ends_with_its_address_and_reason():
    told = []
    with pytest.raises(Unavailable) as failed:
        await_worker_topics(
            Kafka(bootstrap="127.0.0.1:1"),
            ["notes.raw"],
            Patience(2.5, lambda event, fields: told.append((event, fields["remedy"]))),
        )
    assert failed.value.code == "kafka.unreachable"
    assert "127.0.0.1:1" in failed.value.detail
    assert told
    assert {event for event, _ in told} == {"waiting_for_kafka"}
    assert all(remedy.startswith("kafka.bootstrap; names, firewalls") for _, remedy in told)


def test_the_supervisor_restarts_until_told_to_stop():
    kept = Supervised(
        [sys.executable, "-c", "import time; time.sleep(0.05); raise SystemExit(3)"],
        first_pause_s=0.01,
        max_pause_s=0.02,
    )
    with kept:
        deadline = time.monotonic() + 30
        while len(kept.statuses) < 3:
            assert time.monotonic() < deadline
            time.sleep(0.01)
    number = kept.starts
    assert set(kept.statuses) <= {3, -signal.SIGTERM}
    time.sleep(0.2)
    assert kept.starts == number


def test_the_account_finds_every_kind_of_wrong():
    ledger = Ledger()
    ledger.notes.update(["a", "b", "b"])
    ledger.audits.update(["a", "c"])
    ledger.dead.update(["d"])
    assert ledger.done == 3
    assert ledger.problems(4) == {
        "lost": 1,
        "duplicates": 1,
        "notes_without_audit": 1,
        "audits_without_note": 1,
    }


async def _hashed(raw: bytes) -> Released:
    outcome = await Hashing().process(raw, SOURCE)
    assert isinstance(outcome, Released)
    return outcome


def test_hashing_workers_release_no_text():
    text = b"John Smith was seen today"
    outcome = asyncio.run(_hashed(text))
    released = outcome.note + outcome.key + outcome.audit
    assert not any(word in released for word in text.split() if len(word) > 3)
    assert outcome == asyncio.run(_hashed(text))


def test_each_blow_of_the_supervisor_strikes_another_process():
    with Supervised(
        [sys.executable, "-c", "import time; time.sleep(60)"], first_pause_s=0.01
    ) as kept:
        kept.kill()
        kept.kill()
        assert kept.statuses == [-signal.SIGKILL] * 2


def test_a_blow_that_finds_nobody_is_told():
    nobody = Supervised([sys.executable, "-c", ""])
    with pytest.raises(TimeoutError, match="no process"):
        nobody.kill(patience_s=0.05)
