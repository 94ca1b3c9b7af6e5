# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A chart of ratios, written as SVG."""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape

# Pixels.
_ROW = 26
_NAMES = 120
_WIDTH = 560
_LEGEND = 18
_TOP = 130
# Between the dots of a row, which may have the same place on the scale.
_APART = 6

# As many as there are columns at most; they are also told apart in gray.
_COLORS = ("#1b4f9c", "#2a9d5c", "#f2a33c")


def draw(
    title: str,
    columns: Sequence[str],
    rows: dict[str, Sequence[float | None]],
) -> str:
    """Dots on a line for each row, one for each column, on a scale of powers.

    A row has one ratio for each column, or None for no dot.
    """
    known = [ratio for ratios in rows.values() for ratio in ratios if ratio]
    lowest = math.floor(math.log2(min([*known, 1])))
    highest = math.ceil(math.log2(max([*known, 2])))
    height = _TOP + _ROW * len(rows) + _ROW

    def place(ratio: float) -> float:
        part = (math.log2(ratio) - lowest) / (highest - lowest)
        return round(_NAMES + part * _WIDTH, 1)

    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" font-family="sans-serif" '
        f'font-size="12" viewBox="0 0 {_NAMES + _WIDTH + 30} {height}">',
        '<rect width="100%" height="100%" fill="white"/>',
        f'<text x="10" y="20" font-size="14">{escape(title)}</text>',
    ]
    for number, (column, color) in enumerate(
        zip(columns, _COLORS, strict=False)
    ):
        y = 42 + number * _LEGEND
        lines.append(f'<circle cx="16" cy="{y}" r="4" fill="{color}"/>')
        lines.append(f'<text x="26" y="{y + 4}">{escape(column)}</text>')
    for power in range(lowest, highest + 1):
        x = place(2.0**power)
        lines.append(
            f'<path d="M{x} {_TOP - 10}V{height - _ROW}" '
            f'stroke="{"black" if power == 0 else "#cccccc"}"/>'
        )
        lines.append(
            f'<text x="{x}" y="{_TOP - 16}" text-anchor="middle">'
            f"{2.0**power:g}</text>"
        )
    for number, (name, ratios) in enumerate(rows.items()):
        y = _TOP + _ROW * number + 6
        lines.append(
            f'<text x="{_NAMES - 10}" y="{y + 4}" text-anchor="end">'
            f"{escape(name)}</text>"
        )
        for place_in_row, ratio in enumerate(ratios):
            if ratio:
                height_of_dot = y + (place_in_row - 1) * _APART
                lines.append(
                    f'<circle cx="{place(ratio)}" cy="{height_of_dot}" r="4" '
                    f'fill="{_COLORS[place_in_row]}" class="ratio"/>'
                )
    return "\n".join([*lines, "</svg>"]) + "\n"
