"""A real listener on a socket, without a broker: limits, refusals, garbage, AE while it waits."""

import asyncio
import itertools
import random
import re
import ssl
from contextlib import asynccontextmanager
from dataclasses import replace

import pytest

from stream_deid.config import Kafka, Mllp, MllpOut, Settings
from stream_deid.mllp.access import client_tls
from stream_deid.mllp.arrival import Registrar
from stream_deid.mllp.framing import wrap
from stream_deid.mllp.house import Budget, House
from stream_deid.mllp.intake import Intake
from stream_deid.mllp.listener import Listener
from stream_deid.mllp.metrics import ListenerMetrics
from stream_deid.mllp.receiver import Receiver, acknowledgment
from stream_deid.rig.authority import Authority
from stream_deid.rig.broker import free_port

GOOD = b"MSH|^~\\&|LAB|SITE|DEID|HUB|20260101||ADT^A01|C1|P|2.5.1\rPID|1||12345\r"
NO_NUMBER = GOOD.replace(b"|C1|", b"||")
NO_ANSWER = GOOD.replace(b"2.5.1", b"2.5.1|||NE|NE")


@asynccontextmanager
async def listening(**options):
    """A listener whose broker is away; gives it and its metrics."""
    own = replace(Mllp(port=free_port(), ack_s=0.5), **options)
    settings = Settings(kafka=Kafka(bootstrap=f"127.0.0.1:{free_port()}"), mllp=own)
    metrics = ListenerMetrics()
    registrar, intake = Registrar(b"a key of these tests"), Intake(settings, 1)
    house = House(own, registrar, intake, metrics, Budget(own.max_bytes_in_hand, metrics))
    listener = Listener(house)
    await listener.start()
    try:
        yield listener, metrics
    finally:
        await listener.stop(1.0)


async def ask(listener, *pieces, **options):
    """Send pieces, and give all that comes back until the listener closes or has answered."""
    reader, writer = await asyncio.open_connection("127.0.0.1", listener.port, **options)
    for piece in pieces:
        writer.write(piece)
        await writer.drain()
    try:
        return (await asyncio.wait_for(reader.readuntil(b"\x1c\r"), 15)).strip(b"\x0b\x1c\r")
    except (asyncio.IncompleteReadError, ConnectionError):
        return b""
    finally:
        writer.close()


def value(metrics, name, **labels):
    return metrics.registry.get_sample_value(f"stream_deid_{name}", labels) or 0


def test_without_a_broker_it_says_ae_and_goes_on():
    async def run():
        async with listening() as (listener, metrics):
            answers = [await ask(listener, wrap(GOOD)) for _ in range(2)]
            assert {acknowledgment(answer) for answer in answers} == {("AE", b"C1")}
            assert b"mllp.kafka^^L" in answers[0]
            assert value(metrics, "mllp_answers_total", ack="AE", code="mllp.kafka") == 2
            assert value(metrics, "mllp_messages_total", kind="new") == 0

    asyncio.run(run())


def test_a_sender_that_wants_no_answer_sees_its_connection_end():
    async def run():
        async with listening() as (listener, metrics):
            assert await ask(listener, wrap(NO_ANSWER)) == b""
            assert value(metrics, "mllp_closed_total", reason="unanswered") == 1

    asyncio.run(run())


@pytest.mark.parametrize(
    ("block", "code"),
    [
        (b"hello", b"mllp.header"),
        (b"", b"mllp.header"),
        (NO_NUMBER, b"mllp.control_id"),
        (GOOD + b"x" * 6000, b"mllp.too_large"),
        (GOOD + GOOD, b"hl7.batch"),
        (GOOD + b"NTE|1||\xff\xc3\xa9", b"hl7.encoding"),
    ],
)
def test_what_can_not_be_taken_is_rejected_at_once(block, code):
    async def run():
        async with listening(max_message_bytes=5000) as (listener, _):
            answer = await ask(listener, wrap(block))
            assert acknowledgment(answer)[0] == "AR"
            assert code + b"^^L" in answer

    asyncio.run(run())


def test_one_connection_takes_another_message_after_a_rejected_one():
    async def run():
        async with listening() as (listener, _):
            reader, writer = await asyncio.open_connection("127.0.0.1", listener.port)
            writer.write(wrap(NO_NUMBER) + wrap(b"hello") + wrap(GOOD))  # nobody waits for ACKs
            codes = [acknowledgment(await reader.readuntil(b"\x1c\r"))[0] for _ in range(3)]
            assert codes == ["AR", "AR", "AE"]
            writer.close()

    asyncio.run(run())


@pytest.mark.parametrize(
    ("reason", "piece", "options"),
    [
        ("idle", b"", {"idle_s": 0.2}),
        ("slow", b"\x0bMSH|^~\\&", {"frame_s": 0.2}),
        ("noise", b"GET / HTTP/1.1\r\n" * 400, {}),
    ],
)
def test_who_wastes_a_connection_loses_it(reason, piece, options):
    async def run():
        async with listening(**options) as (listener, metrics):
            assert await ask(listener, piece) == b""
            assert value(metrics, "mllp_closed_total", reason=reason) == 1

    asyncio.run(run())


def test_a_sender_that_trickles_is_ended_by_the_time_of_its_block():
    async def run():
        async with listening(frame_s=0.6) as (listener, metrics):
            reader, writer = await asyncio.open_connection("127.0.0.1", listener.port)
            ended = asyncio.ensure_future(reader.read())
            for byte in wrap(GOOD):
                if ended.done():
                    break
                writer.write(bytes([byte]))
                await asyncio.wait({ended}, timeout=0.05)
            assert await ended == b""
            assert value(metrics, "mllp_closed_total", reason="slow") == 1
            assert value(metrics, "mllp_cut_total") == 1
            writer.close()

    asyncio.run(run())


def test_connections_and_peers_beyond_the_limits_are_refused():
    async def run():
        async with listening(max_connections=1) as (listener, metrics):
            first = await asyncio.open_connection("127.0.0.1", listener.port)
            first[1].write(wrap(NO_NUMBER))
            await first[0].readuntil(b"\x1c\r")
            assert await ask(listener, wrap(NO_NUMBER)) == b""
            assert value(metrics, "mllp_refused_total", reason="full") == 1
            first[1].close()
        async with listening(networks=("192.0.2.0/24",)) as (listener, metrics):
            assert await ask(listener, wrap(NO_NUMBER)) == b""
            assert value(metrics, "mllp_refused_total", reason="network") == 1

    asyncio.run(run())


def test_bytes_in_hand_are_bounded_and_given_back():
    async def run():
        limits = {"max_message_bytes": 300_000, "max_bytes_in_hand": 400_000, "frame_s": 1.0}
        async with listening(**limits) as (listener, metrics):
            half = b"\x0b" + GOOD + b"x" * 250_000
            writers = []
            for _ in range(6):
                _, writer = await asyncio.open_connection("127.0.0.1", listener.port)
                writer.write(half)
                writers.append(writer)
            most = 0.0
            while value(metrics, "mllp_closed_total", reason="slow") < 6:
                most = max(most, value(metrics, "mllp_held_bytes"))
                await asyncio.sleep(0.01)
            assert 250_000 < most <= 400_000 + 6 * 65_536
            assert value(metrics, "mllp_held_bytes") == 0
            for writer in writers:
                writer.close()

    asyncio.run(run())


@pytest.mark.parametrize("seed", range(5))
def test_garbage_is_answered_or_ended_and_nothing_breaks(seed):
    dice = random.Random(seed)

    def scrap():
        return dice.choice(
            [b"\x0b", b"\x1c\r", b"\x1c", b"\r", GOOD, NO_NUMBER, dice.randbytes(50), b"MSH|",
             b"\x0bMSH|^~\\&|" + dice.randbytes(80) + b"\x1c\r", b"|" * 3000]
        )  # fmt: skip

    async def run():
        async with listening(ack_s=0.05, frame_s=0.3, idle_s=0.3, max_message_bytes=9000) as (
            listener, metrics,
        ):  # fmt: skip
            for _ in range(30):
                stream = b"".join(scrap() for _ in range(12))
                cuts = sorted(dice.randrange(len(stream) + 1) for _ in range(6))
                edges = [0, *cuts, len(stream)]
                pieces = [stream[a:b] for a, b in itertools.pairwise(edges)]
                await ask(listener, *pieces)
            assert acknowledgment(await ask(listener, wrap(NO_NUMBER))) == ("AR", b"")
            assert value(metrics, "mllp_closed_total", reason="failed") == 0
            page = metrics.text().decode()
            assert not re.search(r"(?<![\d.])12345(?!\d)", page)

    asyncio.run(run())


def test_tls_asks_for_a_certificate_that_it_knows_and_a_name_on_the_list(tmp_path):
    authority = Authority(tmp_path / "ca")
    server, sender, other = map(authority.issue, ("server", "ehr-1", "ehr-2"))
    stranger = Authority(tmp_path / "elsewhere").issue("stranger")

    def tls(mine):
        crt, key = map(str, mine)
        return client_tls(MllpOut(ca=str(authority.certificate), certificate=crt, key=key))

    async def attempt(listener, context):
        try:
            return await ask(listener, wrap(NO_NUMBER), ssl=context, server_hostname="localhost")
        except (ssl.SSLError, ConnectionError):
            return b""

    async def run():
        options = {"certificate": str(server[0]), "key": str(server[1]),
                   "ca": str(authority.certificate), "names": ("ehr-1",)}  # fmt: skip
        async with listening(**options) as (listener, metrics):
            assert acknowledgment(await attempt(listener, tls(sender)))[0] == "AR"
            ours = Receiver("127.0.0.1", listener.port, tls(sender), ack_s=10)  # of mllp-out
            assert await asyncio.to_thread(ours.send, NO_NUMBER) == "AR"
            ours.close()
            assert await attempt(listener, tls(other)) == b""
            assert value(metrics, "mllp_refused_total", reason="certificate") == 1
            assert await attempt(listener, tls(stranger)) == b""
            assert (
                await attempt(listener, client_tls(MllpOut(ca=str(authority.certificate)))) == b""
            )
            assert await ask(listener, wrap(NO_NUMBER)) == b""  # in the clear
            assert value(metrics, "mllp_refused_total", reason="tls") == 3

    asyncio.run(run())
