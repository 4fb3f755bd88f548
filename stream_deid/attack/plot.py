"""Curves as SVG: one panel for each measure, one line for each series over the miss rates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape

_WIDTH, _HEIGHT = 300, 220
_LEFT, _TOP, _LEGEND = 46, 34, 18
_COLOURS = ("#1b6ca8", "#d1495b", "#3a7d44", "#b8860b", "#6a4c93", "#555555")


@dataclass(frozen=True, slots=True)
class Series:
    """A line: `values` are shares in [0, 1], one for each place on the x axis."""

    name: str
    values: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Panel:
    """A plot with its title; all panels of a picture have the same series in the same order.

    `low`: the share at the bottom, where curves that lie together above it are to be told apart.
    """

    title: str
    series: tuple[Series, ...]
    low: float = 0.0


def svg(panels: Sequence[Panel], ticks: Sequence[str], x_label: str) -> str:
    """The panels side by side with one legend, percent upwards, `ticks` evenly spaced."""
    names = [s.name for s in panels[0].series]
    width = len(panels) * (_WIDTH + _LEFT + 10)
    height = _TOP + _HEIGHT + 44 + _LEGEND * len(names)
    body = [
        _panel(panel, ticks, x_label, i * (_WIDTH + _LEFT + 10)) for i, panel in enumerate(panels)
    ]
    for i, name in enumerate(names):
        y, colour = _TOP + _HEIGHT + 50 + _LEGEND * i, _COLOURS[i % len(_COLOURS)]
        body.append(f'<rect x="{_LEFT}" y="{y - 9}" width="14" height="4" fill="{colour}"/>')
        body.append(_text(_LEFT + 20, y - 2, name, "start"))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'font-family="sans-serif" font-size="11"><rect width="100%" height="100%" fill="white"/>'
        f"{''.join(body)}</svg>\n"
    )


def _panel(panel: Panel, ticks: Sequence[str], x_label: str, left: int) -> str:
    x0 = left + _LEFT
    out = [_text(x0 + _WIDTH / 2, _TOP - 14, panel.title, "middle")]
    for fifth in range(6):
        share = panel.low + (1 - panel.low) * fifth / 5
        y, percent = _y(share, panel.low), round(100 * share, 1)
        out.append(f'<line x1="{x0}" y1="{y:.1f}" x2="{x0 + _WIDTH}" y2="{y:.1f}" stroke="#ddd"/>')
        out.append(_text(x0 - 6, y + 4, f"{percent:g} %", "end"))
    xs = [x0 + _WIDTH * (i + 0.5) / len(ticks) for i in range(len(ticks))]
    out += [
        _text(x, _TOP + _HEIGHT + 15, tick, "middle") for x, tick in zip(xs, ticks, strict=True)
    ]
    out.append(_text(x0 + _WIDTH / 2, _TOP + _HEIGHT + 31, x_label, "middle"))
    for i, series in enumerate(panel.series):
        colour = _COLOURS[i % len(_COLOURS)]
        points = [(x, _y(v, panel.low)) for x, v in zip(xs, series.values, strict=True)]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        out.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        out += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>' for x, y in points]
    return "".join(out)


def _y(share: float, low: float) -> float:
    return _TOP + _HEIGHT * (1 - share) / (1 - low)


def _text(x: float, y: float, text: str, anchor: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(text)}</text>'
