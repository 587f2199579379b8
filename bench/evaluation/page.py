# Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The results as a page with drawings that needs nothing else."""

from html import escape

from .tables import arrays_of, by_program

STYLE = """\
body { font: 15px sans-serif; margin: 2em; max-width: 80em; }
pre { font-size: 13px; overflow-x: auto; }
svg text { font: 12px sans-serif; }
.remote { fill: #c0504d; }
.best { stroke: #222; stroke-width: 2; }
.policy { stroke: #4f81bd; stroke-width: 2; }
"""
LEFT, WIDTH, ROW = 150, 600, 22


def bars(rows):
    """A bar for each scenario: remote accesses in percent; marks where the best placements are."""
    height = ROW * len(rows) + 20
    parts = [f'<svg width="{LEFT + WIDTH + 60}" height="{height}" role="img">']
    for i, row in enumerate(rows):
        accesses = row["accesses"]["all"]
        total = accesses["local"] + accesses["remote"] or 1
        y = i * ROW
        x = LEFT + WIDTH * accesses["remote"] / total
        parts.append(f'<text x="0" y="{y + 15}">{escape(row["scenario"])}</text>'
                     f'<rect class="remote" x="{LEFT}" y="{y + 3}" width="{x - LEFT:.1f}" height="{ROW - 6}"/>'
                     f'<text x="{x + 4:.1f}" y="{y + 15}">{accesses["remote"] / total:.1%}</text>')
        for kind in ("policy", "best"):
            at = LEFT + WIDTH * accesses[f"{kind}_remote"] / total
            parts.append(f'<line class="{kind}" x1="{at:.1f}" x2="{at:.1f}" y1="{y}" y2="{y + ROW}"/>')
    return "".join([*parts, "</svg>"])


def page_of(groups):
    """`groups`: (title, rows, table) of each machine."""
    parts = ["<!DOCTYPE html><html lang=en><meta charset=utf-8><title>Where accesses go</title>",
             f"<style>{STYLE}</style><h1>Where accesses go</h1>",
             "<p>Remote accesses in percent of all; the black mark is the best placement page by page, "
             "the blue one the best that policies can express.</p>"]
    for title, rows, table in groups:
        parts.append(f"<h2>{escape(title)}</h2><pre>{escape(table)}</pre>")
        for (program, compiler), members in by_program(rows).items():
            arrays = escape("\n".join(arrays_of(members)))
            parts.append(f"<h3>{escape(program)}, {escape(compiler)}</h3>{bars(members)}<pre>{arrays}</pre>")
    return "\n".join([*parts, "</html>"]) + "\n"
