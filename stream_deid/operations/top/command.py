"""Scrapes and draws, again and again, until Ctrl-C."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

from rich.console import Console
from rich.live import Live

from stream_deid import exits
from stream_deid.operations.top import scraping, tables
from stream_deid.operations.top.figures import Figures
from stream_deid.operations.top.scraping import WorkerPage

_LEAST_S = 0.2
_KEPT_S = 30.0
"""Rates are of so many seconds at most: long enough for slow notes, short enough to see changes."""


@dataclass(frozen=True, slots=True)
class Look:
    """Whose metrics, how often. `once`: one table of `every_s` seconds, then the end."""

    addresses: Sequence[str]
    every_s: float = 2.0
    once: bool = False


def main(look: Look, console: Console | None = None) -> int:
    """Draw until Ctrl-C; once: 1 where somebody does not answer or is not live. Raises
    `Halt("top.address")`.
    """
    screen = console or Console()
    urls = scraping.addresses(look.addresses)
    if look.once:
        return _once(look, urls, screen)
    seen: list[list[WorkerPage]] = [scraping.scrape(urls)]
    try:
        with Live(tables.render(Figures.of([], seen[-1])), console=screen, screen=True) as live:
            while True:
                time.sleep(max(look.every_s, _LEAST_S))
                urls = scraping.addresses(look.addresses)  # workers come and go behind a name
                seen = _kept([*seen, scraping.scrape(urls)])
                live.update(tables.render(Figures.of(seen[0], seen[-1])), refresh=True)
    except KeyboardInterrupt:
        return exits.OK


def _once(look: Look, urls: list[str], screen: Console) -> int:
    before = scraping.scrape(urls)
    if look.every_s > 0:
        time.sleep(look.every_s)
    now = scraping.scrape(urls)
    figures = Figures.of(before if look.every_s > 0 else [], now)
    screen.print(tables.render(figures))
    return exits.OK if all(worker.live for worker in figures.workers) else exits.CRASHED


def _kept(seen: list[list[WorkerPage]]) -> list[list[WorkerPage]]:
    """The pages of the last seconds, two at least."""
    newest = seen[-1][0].time
    while len(seen) > 2 and newest - seen[1][0].time >= _KEPT_S:
        seen = seen[1:]
    return seen
