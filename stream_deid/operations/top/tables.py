"""Figures as tables of a terminal."""

from __future__ import annotations

import math
from collections.abc import Mapping

from rich.columns import Columns
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from stream_deid.operations.top.figures import Figures

_WORST = 12
"""So many partitions are shown, those with the most lag."""


def render(figures: Figures) -> RenderableType:
    """Everything, as wide as the terminal is."""
    parts = [
        _lag(figures), _stages(figures), _models(figures),
        _counts("PHI", "type", figures.phi, figures),
        _dead(figures), _counts("tried again", "code", figures.retries, figures),
        _counts("transactions", "result", figures.transactions, figures),
    ]  # fmt: skip
    shown = Columns([part for part in parts if part.row_count], padding=(0, 3))
    return Group(_head(figures), _workers(figures), shown)


def _head(figures: Figures) -> Text:
    behind = sum(figures.lag.values())
    up = sum(not worker.problem for worker in figures.workers)
    said = [f"{up} of {len(figures.workers)} workers"]
    if figures.since_start:
        said.append(f"{figures.released + figures.dead:.0f} notes since their starts")
    else:
        said.append(f"{figures.rate:.1f} notes/s")
    said.append(f"{behind} behind")
    if behind and not figures.since_start:
        ahead = figures.seconds_of_lag
        said.append("which stand still" if math.isinf(ahead) else f"{_span(ahead)} at this rate")
    if figures.notes_a_transaction:
        said.append(f"{figures.notes_a_transaction:.1f} notes a transaction")
    if figures.expired:
        said.append(f"{figures.expired:.0f} DELETED UNREAD")
    return Text(", ".join(said), style="bold")


def _workers(figures: Figures) -> Table:
    table = _table("", "worker", "notes/s", "in flight", "partitions", "release", "")
    for worker in figures.workers:
        if worker.problem:
            table.add_row(worker.address, "", "", "", "", Text(worker.problem, style="red"))
            continue
        state = Text("live", style="green") if worker.live else Text("NOT LIVE", style="red")
        rate = "" if figures.since_start else f"{worker.rate:.1f}"
        held = str(worker.in_flight), str(worker.owned)
        table.add_row(worker.address, rate, *held, worker.release, state)
    return table


def _lag(figures: Figures) -> Table:
    table = _table("lag", "partition", "behind")
    worst = sorted(figures.lag.items(), key=lambda item: (-item[1], item[0]))[:_WORST]
    for partition, lag in sorted(worst):
        table.add_row(str(partition), str(lag))
    if len(figures.lag) > _WORST:
        left = sum(figures.lag.values()) - sum(lag for _, lag in worst)
        table.add_row(f"{len(figures.lag) - _WORST} others", str(left))
    return table


def _stages(figures: Figures) -> Table:
    table = _table("latency", "stage", "p50", "p99", "mean")
    for stage, found in figures.stages.items():
        table.add_row(stage, _time(found.p50), _time(found.p99), _time(found.mean))
    return table


def _models(figures: Figures) -> Table:
    requests = "requests" if figures.since_start else "requests/s"
    table = _table("models", "model", requests, "failed", "batch", "queue", "compute")
    for name, found in figures.models.items():
        rate = found.requests / figures.seconds if figures.seconds else found.requests
        table.add_row(
            name, f"{rate:.1f}", f"{found.failures:.0f}", f"{found.batch:.1f}",
            _time(found.queue_s), _time(found.compute_s),
        )  # fmt: skip
    return table


def _counts(title: str, what: str, values: Mapping[str, float], figures: Figures) -> Table:
    if figures.since_start:
        table = _table(title, what, "in all")
        for name, value in values.items():
            table.add_row(name, f"{value:.0f}")
        return table
    table = _table(title, what, "a second")
    for name, value in values.items():
        table.add_row(name, f"{value / figures.seconds:.2f}" if figures.seconds else "")
    return table


def _dead(figures: Figures) -> Table:
    table = _table("dead letters", "code", "new", "in all")
    for code, count in figures.codes_in_all.items():
        new = "" if figures.since_start else f"{figures.codes.get(code, 0):.0f}"
        table.add_row(code, new, f"{count:.0f}")
    return table


def _table(title: str, first: str, *others: str) -> Table:
    table = Table(title=title, box=None, title_justify="left", title_style="bold", pad_edge=False)
    table.add_column(first)
    for other in others:
        table.add_column(other, justify="right")
    return table


def _time(seconds: float) -> str:
    return f"{seconds * 1000:.0f} ms" if seconds < 1 else f"{seconds:.1f} s"


def _span(seconds: float) -> str:
    if seconds < 120:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 7200 else f"{seconds / 3600:.1f} h"
