# Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The results as a page that needs nothing else: drawings, tables, the paper's figures beside ours."""

import statistics
from html import escape

from .programs import DIFFERENCES, FIRST_TOUCH, ONE_NODE, PAPER, PUBLISHED
from .real import ratios

STYLE = """\
body { font: 15px sans-serif; margin: 2em; max-width: 75em; }
table { border-collapse: collapse; margin: 0.5em 0; }
td, th { border: 1px solid #bbb; padding: 2px 8px; text-align: right; }
td:first-child, th:first-child { text-align: left; }
pre { font-size: 12px; overflow-x: auto; }
svg text { font: 12px sans-serif; }
.local_memory { fill: #4f81bd; } .remote_cache { fill: #c07a2c; } .remote_memory { fill: #c0504d; }
"""
LEFT, WIDTH, ROW = 190, 560, 22
DRAWN = {"local_memory": "local memory", "remote_cache": "remote cache", "remote_memory": "remote memory"}


def bars(rows):
    """Lines that are not from the node's own cache: a bar for each way, from left to right by source."""
    most = max(1, *(sum(row[source] for source in DRAWN) for row in rows))
    parts = [f'<svg width="{LEFT + WIDTH + 90}" height="{ROW * (len(rows) + 1)}" role="img" aria-label="lines by source">']
    for i, (source, words) in enumerate(DRAWN.items()):
        parts.append(f'<rect class="{source}" x="{LEFT + 130 * i}" y="4" width="12" height="12"/>'
                     f'<text x="{LEFT + 130 * i + 16}" y="15">{words}</text>')
    for i, row in enumerate(rows, 1):
        x = LEFT
        parts.append(f'<text x="0" y="{i * ROW + 15}">{escape(row["way"])}</text>')
        for source in DRAWN:
            width = WIDTH * row[source] / most
            parts.append(f'<rect class="{source}" x="{x:.1f}" y="{i * ROW + 3}" width="{width:.1f}" height="{ROW - 6}"/>')
            x += width
        parts.append(f'<text x="{x + 4:.1f}" y="{i * ROW + 15}">{row["remote_share"]:.1%} remote</text>')
    return "".join([*parts, "</svg>"])


def table(heads, lines):
    cells = ["".join(f"<th>{escape(str(head))}</th>" for head in heads)]
    cells += ["".join(f"<td>{escape(str(cell))}</td>" for cell in line) for line in lines]
    return "<table>" + "".join(f"<tr>{row}</tr>" for row in cells) + "</table>"


def pages_table(rows):
    lines = []
    for row in rows:
        for kind, each in row["pages"].items():
            accesses = each["to_exclusive"] + each["to_shared"]
            lines.append((row["way"], kind, each["exclusive"], each["shared"], accesses, f"{each['to_shared'] / max(1, accesses):.1%}"))
    return table(("way", "memory", "pages of one node", "of several", "accesses", "to those of several"), lines)


def virtual_part(result):
    rows = result["rows"]
    program = result["program"]
    wholes = [row for row in rows if row["way"] in (ONE_NODE, FIRST_TOUCH)]
    return [f"<h3>{escape(program)}</h3><h4>Lines by source (in the manner of the paper's Figures 12, 14 and 16)</h4>", bars(rows),
            table(("way", "local cache", "remote cache", "local memory", "remote memory", "regular misses", "most loaded node"),
                  [(row["way"], row["local_cache"], row["remote_cache"], row["local_memory"], row["remote_memory"],
                    f"{row['regular']:.1%}", f"{row['most_loaded']:.1%}") for row in rows]),
            "<h4>Pages and accesses to them (Figure 5)</h4>", pages_table(rows),
            "<h4>One node and all (Figure 2): lines that come from other nodes</h4>",
            table(("way", "lines", "of all lines from memory and other nodes"), [(row["way"], row["remote"], f"{row['remote_share']:.1%}") for row in wholes]),
            "<h4>Aimed at</h4>", table(("figure", "found", ""), [(aim, f"{value:.3f}", "reached" if reached else "missed")
                                                                  for aim, value, reached in result["figures"]])]


def counters_text(rounds, way):
    names = sorted({name for each in rounds for name in each[way]["counters"]})
    return ", ".join(f"{name} {statistics.median(each[way]['counters'].get(name, 0) for each in rounds):.0f}" for name in names) or "none here"


def real_part(result):
    lines = []
    for each in result["measured"]:
        for way in each["rounds"][0]:
            wall = statistics.median(one[way]["wall"] for one in each["rounds"])
            lines.append((way, each["place"], each["threads"], f"{wall:.3f}", f"{ratios(each, FIRST_TOUCH, way, 'wall'):.2f}",
                          counters_text(each["rounds"], way)))
    return [f"<h3>{escape(result['program'])}</h3>",
            table(("way", "place (Figure 2)", "threads", "seconds", "times the original's speed", "counters"), lines)]


def page_of(results, texts):
    parts = ["<!DOCTYPE html><html lang=en><meta charset=utf-8><title>Programs that share</title>",
             f"<style>{STYLE}</style><h1>Programs that share</h1><h2>The paper</h2><p>{escape(PAPER)}. What it tells of speed, in times that of the original "
             "under first touch:</p>",
             table(("program", "machine", "way", "speed"), PUBLISHED),
             "<p>Where ours differ from PARSEC's programs:</p><ul>", *(f"<li>{escape(each)}</li>" for each in DIFFERENCES), "</ul>"]
    machine = None
    for result in results:
        if result["machine"] != machine:
            machine = result["machine"]
            parts.append(f"<h2>{'This machine' if machine == 'host' else 'Virtual machine, ' + escape(machine)}</h2>")
        parts += virtual_part(result) if "rows" in result else real_part(result)
    return "\n".join([*parts, f"<h2>As text</h2><pre>{escape(chr(10).join(texts))}</pre></html>"]) + "\n"
