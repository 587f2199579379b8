# Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The results as a plain table and as CSV."""

import csv
import io

from .figures import KINDS

COLUMNS = (
    ["machine", "program", "compiler", "scenario", "verified", "problem", "runs", "seconds_median",
     "seconds_least", "seconds_most", "pages_per_node"]
    + [f"{kind}_{name}" for kind in KINDS
       for name in ("local", "remote", "unknown", "imbalance", "remote_share", "best_remote",
                    "policy_remote", "elsewhere", "elsewhere_shared")]
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
        return f"{'-':>8} {'-':>7} {'-':>7} {'-':>7} {'-':>6}"
    total = accesses["local"] + accesses["remote"]
    best, policy = (accesses[name] / total if total else 0.0 for name in ("best_remote", "policy_remote"))
    return (f"{accesses['remote_share'] * 100:>7.2f}% {policy * 100:>6.2f}% {best * 100:>6.2f}% "
            f"{fixed(accesses['of_best'], 2):>7} {fixed(accesses['imbalance'], 2):>6}")


def time_text(row):
    if not row["seconds"]:
        return f"{'-':>8}"
    text = f"{row['seconds']['median']:>8.3f}"
    if row["runs"] > 1:
        text += f" {row['seconds']['least']:>8.3f} {row['seconds']['most']:>8.3f}"
    return text


def table_of(rows, machine, threads, caches):
    """One table for each compiler; `caches` of the programs that have one."""
    parts = []
    groups = {}
    for row in rows:
        groups.setdefault(row["compiler"], []).append(row)
    width = max(8, *(len(row["program"]) + 1 for row in rows))
    way = max(18, *(len(row["scenario"]) + 1 for row in rows))
    for compiler, members in groups.items():
        several = any(row["runs"] > 1 for row in members)
        time = f"{'time/s':>8}" + (f" {'least':>8} {'most':>8}" if several else "")
        beyond = "beyond a cache for each thread" if caches else ""
        head = f"{'program':<{width}}{'scenario':<{way}}{'verified':<9}{time}"
        side = f"{'remote':>8} {'policy':>7} {'best':>7} {'/ best':>7} {'imbal.':>6}"
        parts += [
            f"{compiler}, {machine.name}, {threads} threads",
            f"{'':<{len(head)}}  {'all accesses to arrays':^39}  {beyond:^39}".rstrip(),
            f"{head}  {side}  {side if caches else ''}  pages of node",
        ]
        for row in members:
            mark = "yes" if row["verified"] else "NO"
            cache = accesses_text(row, "cache") if caches else ""
            text = (f"{row['program']:<{width}}{row['scenario']:<{way}}{mark:<9}"
                    f"{time_text(row):<{len(time)}}  {accesses_text(row, 'all')}  "
                    f"{cache}  {pages_text(row['pages_per_node'])}")
            parts.append(text + (f"  {row['problem'].splitlines()[0]}" if row["problem"] else ""))
        parts.append("")
    if caches:
        sizes = ", ".join(f"{program} {size}" for program, size in caches.items())
        parts += [f"caches: {sizes}", ""]
    return "\n".join(parts)


ARRAYS_SHOWN = 8


def costliest(rows):
    """The arrays of a program with the most remote accesses in any scenario, or by the best policy."""
    cost = {}
    for row in rows:
        for name, array in row["arrays"].get("all", {}).items():
            cost[name] = max(cost.get(name, 0), array["remote"])
    return [name for name in sorted(cost, key=cost.get, reverse=True)[:ARRAYS_SHOWN] if cost[name]]


def of_all(row, accesses):
    """In percent of the program's accesses."""
    whole = row["accesses"]["all"]["local"] + row["accesses"]["all"]["remote"]
    return accesses / whole * 100 if whole else 0.0


def by_program(rows):
    groups = {}
    for row in rows:
        if row["accesses"].get("all"):
            groups.setdefault((row["program"], row["compiler"]), []).append(row)
    return groups


def arrays_of(rows):
    """The lines of one program's arrays."""
    names = costliest(rows)
    if not names:
        return []
    width = max(8, *map(len, names)) + 1
    head = " ".join(f"{row['scenario']:>17}" for row in rows)
    lines = [f"  {'array':<{width}}{'KiB':>8} {head} {'policy':>7} {'best':>7}"]
    for name in names:
        lines += array_lines(name, width, rows)
    return lines


def arrays_table_of(rows):
    """For each program the arrays that cost most: remote accesses in percent of all of the program's.
    Nothing where none are remote."""
    parts = []
    for (program, compiler), members in by_program(rows).items():
        if lines := arrays_of(members):
            parts += [f"{program} {compiler}", *lines, ""]
    if parts:
        parts = ["arrays with most remote accesses, in percent of all accesses of the program", "", *parts]
    return "\n".join(parts)


def array_lines(name, width, rows):
    """One array: a line of figures, and one of what MApp said and which policy would be the best."""
    with_it = [row for row in rows if name in row["arrays"]["all"]]
    last = with_it[-1]
    array = last["arrays"]["all"][name]
    shares = " ".join(f"{of_all(row, row['arrays']['all'][name]['remote']):>17.2f}" if row in with_it
                      else f"{'-':>17}" for row in rows)
    lines = [f"  {name:<{width}}{(array['bytes'] or 0) // 1024:>8} {shares} "
             f"{of_all(last, array['policy_remote']):>7.2f} {of_all(last, array['best_remote']):>7.2f}"]
    said = next((row["said"][name] for row in with_it if row["said"].get(name)), None)
    lines.append(f"    the best policy: {array['best_policy'] or 'none of its own'}"
                 f"; MApp: {said or 'nothing'}")
    return lines


def targets_of(targets):
    lines = ["figures aimed at"]
    lines += [f"{'reached' if each['met'] else 'MISSED':<8} {each['text']}" for each in targets]
    reached = sum(each["met"] for each in targets)
    return "\n".join([*lines, f"{reached} of {len(targets)} reached"]) + "\n"
