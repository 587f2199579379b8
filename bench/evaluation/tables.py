# Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The results as a plain table and as CSV."""

import csv
import io

from .figures import KINDS
from .scenarios import CACHE_OF_CLASS

COLUMNS = (
    ["program", "class", "compiler", "scenario", "verified", "problem", "runs", "seconds_median",
     "seconds_least", "seconds_most", "pages_per_node"]
    + [f"{kind}_{name}" for kind in KINDS
       for name in ("local", "remote", "unknown", "imbalance", "remote_share", "best_remote",
                    "elsewhere", "elsewhere_shared")]
)


def pages_text(pages):
    return " ".join(f"{node}:{count}" for node, count in pages.items())


def csv_of(rows):
    text = io.StringIO()
    writer = csv.DictWriter(text, COLUMNS, lineterminator="\n")
    writer.writeheader()
    for row in rows:
        flat = {name: row[name] for name in COLUMNS if name in row}
        flat["pages_per_node"] = pages_text(row["pages_per_node"])
        for name, value in (row["seconds"] or {}).items():
            flat[f"seconds_{name}"] = value
        for kind, accesses in row["accesses"].items():
            flat |= {f"{kind}_{name}": value for name, value in accesses.items()
                     if f"{kind}_{name}" in COLUMNS}
        writer.writerow(flat)
    return text.getvalue()


def fixed(value, digits):
    return "-" if value is None else f"{value:.{digits}f}"


def accesses_text(row, kind):
    accesses = row["accesses"].get(kind)
    if not accesses:
        return f"{'-':>8} {'-':>7} {'-':>7} {'-':>6}"
    total = accesses["local"] + accesses["remote"]
    best = accesses["best_remote"] / total if total else 0.0
    return (f"{accesses['remote_share'] * 100:>7.2f}% {best * 100:>6.2f}% "
            f"{fixed(accesses['of_best'], 2):>7} {fixed(accesses['imbalance'], 2):>6}")


def time_text(row):
    if not row["seconds"]:
        return f"{'-':>8}"
    text = f"{row['seconds']['median']:>8.3f}"
    if row["runs"] > 1:
        text += f" {row['seconds']['least']:>8.3f} {row['seconds']['most']:>8.3f}"
    return text


def table_of(rows, machine, threads, cache):
    """One table for each class and compiler."""
    parts = []
    groups = {}
    for row in rows:
        groups.setdefault((row["class"], row["compiler"]), []).append(row)
    for (size, compiler), members in groups.items():
        several = any(row["runs"] > 1 for row in members)
        time = f"{'time/s':>8}" + (f" {'least':>8} {'most':>8}" if several else "")
        beyond = f"beyond a cache of {cache or CACHE_OF_CLASS[size]} for each thread"
        head = f"{'program':<8}{'scenario':<18}{'verified':<9}{time}"
        side = f"{'remote':>8} {'best':>7} {'/ best':>7} {'imbal.':>6}"
        parts += [
            f"class {size}, {compiler}, {machine.name}, {threads} threads",
            f"{'':<{len(head)}}  {'all accesses to arrays':^31}  {beyond:^31}",
            f"{head}  {side}  {side}  pages of node",
        ]
        for row in members:
            mark = "yes" if row["verified"] else "NO"
            text = (f"{row['program']:<8}{row['scenario']:<18}{mark:<9}"
                    f"{time_text(row):<{len(time)}}  {accesses_text(row, 'all')}  "
                    f"{accesses_text(row, 'cache')}  {pages_text(row['pages_per_node'])}")
            parts.append(text + (f"  {row['problem'].splitlines()[0]}" if row["problem"] else ""))
        parts.append("")
    return "\n".join(parts)


def traced_table_of(rows):
    """Counts of a program that was traced on the machine itself, beside those that were joined."""
    lines = ["traced on the machine, beside traced here and joined with where pages were",
             f"{'case':<34}{'local':>14}{'joined':>14}{'remote':>14}{'joined':>14}{'differ by':>11}"]
    for row in rows:
        if not row["traced"]:
            continue
        name = f"{row['program']}.{row['class']} {row['compiler']} {row['scenario']}"
        there, joined = row["traced"], row["accesses"]["all"]
        total = there["local"] + there["remote"]
        lines.append(f"{name:<34}{there['local']:>14}{joined['local']:>14}{there['remote']:>14}"
                     f"{joined['remote']:>14}"
                     f"{(joined['remote'] - there['remote']) / total * 100 if total else 0:>10.3f}%")
    return "\n".join(lines) + "\n"


def targets_of(targets):
    lines = ["figures aimed at"]
    lines += [f"{'reached' if each['met'] else 'MISSED':<8} {each['text']}" for each in targets]
    reached = sum(each["met"] for each in targets)
    return "\n".join([*lines, f"{reached} of {len(targets)} reached"]) + "\n"
