# Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What was found, as text and as a page that needs nothing else."""

from html import escape

STYLE = """\
body { font: 15px sans-serif; margin: 2em; max-width: 80em; }
table { border-collapse: collapse; margin: 0.5em 0 1.5em; }
caption { text-align: left; font-weight: bold; padding: 0.3em 0; }
td, th { padding: 0.1em 0.8em; text-align: right; border-bottom: 1px solid #ddd; }
td:first-child, th:first-child { text-align: left; }
svg { margin: 0 1em 1em 0; }
svg text { font: 12px sans-serif; }
"""


def text_of_table(table):
    widths = [max(len(row[i]) for row in [table.header, *table.rows]) for i in range(len(table.header))]
    lines = ["  ".join([row[0].ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(row[1:], widths[1:]))]).rstrip()
             for row in [table.header, *table.rows]]
    return "\n".join([table.title, *("  " + line for line in lines), ""])


def text_of(sections):
    parts = []
    for section in sections:
        parts += [f"=== {section.metric}", *section.sentences, "", *map(text_of_table, section.tables)]
    return "\n".join(parts)


def html_of_table(table):
    def line(tag, cells):
        return "<tr>" + "".join(f"<{tag}>{escape(cell)}</{tag}>" for cell in cells) + "</tr>"

    rows = "".join(line("td", row) for row in table.rows)
    return f"<table><caption>{escape(table.title)}</caption>{line('th', table.header)}{rows}</table>"


def page_of(title, sections, notes=()):
    parts = ["<!DOCTYPE html><html lang=en><meta charset=utf-8>", f"<title>{escape(title)}</title>",
             f"<style>{STYLE}</style><h1>{escape(title)}</h1>"]
    for section in sections:
        parts.append(f"<h2>{escape(section.metric)}</h2>")
        parts += [f"<p>{escape(sentence)}</p>" for sentence in section.sentences]
        parts += [*map(html_of_table, section.tables), *section.drawings]
    if notes:
        parts.append("<h2>Beside what was published</h2>")
        parts += [f"<p>{escape(note)}</p>" for note in notes]
    return "\n".join([*parts, "</html>"]) + "\n"
