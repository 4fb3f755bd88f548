"""What the demo prints: raw beside clean, one audit record, and the account."""

from __future__ import annotations

import difflib
import re
from collections import Counter
from collections.abc import Mapping, Sequence

import orjson
from rich.columns import Columns
from rich.console import Console
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from stream_deid.rig.demo.record import DemoEntry

SHOWN = 3
_TOKEN = re.compile(r"\s+|\w+|[^\w\s]")


def notes(console: Console, entries: Sequence[DemoEntry]) -> None:
    """A few notes of different kinds, raw and clean side by side, differences coloured."""
    kinds = {(e.message.format, e.message.language): e for e in reversed(entries) if e.note}
    for (form, language), entry in sorted(kinds.items())[:SHOWN]:
        left, right = _marked(_text(entry.message.value), _text(entry.note))
        width = max(40, (console.width - 4) // 2)
        console.rule(f"{form} {language}")
        panels = [
            Panel(left, title="raw", width=width, border_style="red"),
            Panel(right, title="clean", width=width, border_style="green"),
        ]
        console.print(Columns(panels))


def audit(console: Console, entries: Sequence[DemoEntry]) -> None:
    """The audit record of the first JSON note: offsets, types and detectors, never a value."""
    entry = next(e for e in entries if e.note.startswith(b"{"))
    body = orjson.loads(entry.audit)
    spans = body.pop("spans")
    console.rule("audit of one note")
    console.print_json(orjson.dumps(body).decode())
    table = Table("start", "end", "type", "detectors", "strategy", "out", box=None)
    for span in spans[:12]:
        table.add_row(
            str(span["start"]), str(span["end"]), span["type"], ", ".join(span["detectors"]),
            span["strategy"], f"{span['out_start']}-{span['out_end']}",
        )  # fmt: skip
    console.print(table)


def account(
    console: Console,
    entries: Sequence[DemoEntry],
    burst: Sequence[DemoEntry],
    single: Sequence[DemoEntry],
) -> None:
    """Counts, rate and latency."""
    types = Counter(
        span["type"] for e in entries if e.audit for span in orjson.loads(e.audit)["spans"]
    )
    seconds = max(e.arrived for e in burst) - min(e.sent for e in burst)
    size = sum(len(e.message.value) for e in burst)
    waits = sorted(e.latency for e in single)
    p50, p99 = _at(waits, 50), _at(waits, 99)
    table = Table("", "", box=None, show_header=False)
    table.add_row("published", str(len(entries)))
    table.add_row("released", str(sum(1 for e in entries if e.note)))
    table.add_row("dead letters", str(sum(1 for e in entries if e.dead)))
    table.add_row("spans replaced", ", ".join(f"{k} {v}" for k, v in types.most_common(9)))
    table.add_row("rate (burst)", f"{len(burst) / seconds:.1f} notes/s, {size / seconds:,.0f} B/s")
    table.add_row("latency (one by one)", f"p50 {p50:.0f} ms, p99 {p99:.0f} ms")
    console.rule("account")
    console.print(table)


def verdict(console: Console, problems: Mapping[str, int]) -> None:
    """What the account of both output topics says."""
    if problems:
        told = ", ".join(f"{name.replace('_', ' ')} {count}" for name, count in problems.items())
        console.print(f"[red]the account is wrong: {told}[/]")
    else:
        console.print("[green]every note arrived exactly once, each with its audit record[/]")


def _at(values: Sequence[float], percent: int) -> float:
    """The percentile (nearest rank) of sorted seconds, in milliseconds."""
    rank = max(0, -(-len(values) * percent // 100) - 1)
    return values[rank] * 1000


def _text(message: bytes) -> str:
    """What a person would read of a message."""
    if message.startswith(b"{"):
        return str(orjson.loads(message).get("text", ""))
    return message.decode("utf-8", "replace").replace("\r", "\n")


def _marked(raw: str, clean: str) -> tuple[Text, Text]:
    """Both texts with their differences coloured."""
    a, b = _TOKEN.findall(raw), _TOKEN.findall(clean)
    left, right = Text(), Text()
    for kind, a1, a2, b1, b2 in difflib.SequenceMatcher(None, a, b, autojunk=False).get_opcodes():
        style = None if kind == "equal" else "bold"
        left.append("".join(a[a1:a2]), f"{style} red" if style else None)
        right.append("".join(b[b1:b2]), f"{style} green" if style else None)
    return left, right
