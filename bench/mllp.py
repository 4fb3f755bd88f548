"""Messages a second through `stream-deid mllp`, by connections and senders.

    KAFKA_HOME=... python bench/mllp.py [--messages 1000] [--bytes 2000]

Starts a broker (Apache Kafka where KAFKA_HOME names one) and a listener. Each connection sends a
message, waits for its ACK and sends the next one, as EHRs do; every message is new.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import sys
import tempfile
import time
from pathlib import Path

from stream_deid.config import Kafka, local_broker
from stream_deid.mllp.framing import wrap
from stream_deid.mllp.receiver import acknowledgment
from stream_deid.rig.broker import free_port, open_broker
from stream_deid.rig.reconciliation import environment, named_after
from stream_deid.rig.supervised import Supervised
from stream_deid.streaming.kafka.clients import create_topics

CASES = ((1, 1), (10, 1), (50, 1), (50, 50))


def message(sender: str, number: str, size: int) -> bytes:
    head = f"MSH|^~\\&|{sender}|SITE|DEID|HUB|20260101||ORU^R01|{number}|P|2.5.1\r"
    head += f"PID|1||{hash(number) % 500}^^^HOSP^MR||DOE^JANE\r"
    line = "OBX|1|TX|^^^NOTE||The patient feels well and walks without help today.||||||F\r"
    return (head + line * ((size - len(head)) // len(line) + 1)).encode()


async def connection(port: int, sender: str, name: str, count: int, size: int) -> list[float]:
    """Seconds to each ACK."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    took = []
    for number in range(count):
        raw = message(sender, f"{name}-{number}", size)
        started = time.perf_counter()
        writer.write(wrap(raw))
        answer = await reader.readuntil(b"\x1c\r")
        took.append(time.perf_counter() - started)
        assert acknowledgment(answer.strip(b"\x0b"))[0] == "AA", answer
    writer.close()
    return took


async def case(port: int, connections: int, senders: int, messages: int, size: int) -> str:
    label = f"{connections}-{senders}"
    each = max(1, messages // connections)

    def run(name: str, count: int) -> list[asyncio.Task[list[float]]]:
        return [
            asyncio.create_task(
                connection(port, f"{label}-{i % senders}", f"{name}-{i}", count, size)
            )
            for i in range(connections)
        ]

    await asyncio.gather(*run("warm", 1))  # opens the senders' claims
    started = time.perf_counter()
    took = [t for one in await asyncio.gather(*run("run", each)) for t in one]
    rate = len(took) / (time.perf_counter() - started)
    p50, p99 = statistics.median(took), statistics.quantiles(took, n=100)[98]
    return (
        f"| {connections} | {senders} | {len(took)} | {rate:,.0f} "
        f"| {p50 * 1000:.0f} | {p99 * 1000:.0f} |"
    )


async def until_up(port: int) -> None:
    while True:
        try:
            _, writer = await asyncio.open_connection("127.0.0.1", port)
        except OSError:
            await asyncio.sleep(0.1)
        else:
            writer.close()
            return


async def measure(port: int, messages: int, size: int) -> None:
    await until_up(port)
    print("| connections | senders | messages | a second | p50 ms | p99 ms |")
    print("|---|---|---|---|---|---|")
    for connections, senders in CASES:
        amount = messages if connections > 1 else messages // 2
        print(await case(port, connections, senders, amount, size), flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--messages", type=int, default=1000)
    parser.add_argument("--bytes", type=int, default=2000)
    arguments = parser.parse_args()
    bootstrap, home = local_broker()
    with (
        tempfile.TemporaryDirectory() as scratch,
        open_broker(bootstrap=bootstrap, kafka_home=home) as address,
    ):
        kafka = named_after(Kafka(bootstrap=address), "bench")
        create_topics(kafka, {kafka.topic_in: 12, "bench.seen": 12})
        port = free_port()
        env = environment(
            kafka,
            STREAM_DEID_KEYS__VALUE="a-key-of-the-benchmark",
            STREAM_DEID_MLLP__PORT=str(port),
            STREAM_DEID_MLLP__TOPIC_SEEN="bench.seen",
        )
        command = [sys.executable, "-m", "stream_deid.cli", "mllp"]
        with Supervised(command, env=env, log=Path(scratch) / "mllp.log"):
            asyncio.run(measure(port, arguments.messages, arguments.bytes))


if __name__ == "__main__":
    main()
