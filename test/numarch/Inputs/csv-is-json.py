"""Compare what `numarch --csv` and `numarch --json` wrote: csv-is-json.py FILE.csv FILE.json"""

import csv
import json
import sys

with open(sys.argv[1], newline="") as file:
    rows = list(csv.DictReader(file))
with open(sys.argv[2]) as file:
    machine = json.load(file)
assert all(len(row) == 7 and None not in row.values() for row in rows), "not seven columns"


def values(kind, index, name, to=""):
    return [row["value"] for row in rows
            if (row["object"], row["index"], row["property"], row["to"])
            == (kind, str(index), name, str(to))]


def check(kind, index, name, expected, to=""):
    expected = [str(value).lower() if isinstance(value, bool) else str(value)
                for value in expected]
    assert values(kind, index, name, to) == expected, (kind, index, name, to, expected)


nodes = [node["os_index"] for node in machine["nodes"]]
for node in machine["nodes"]:
    for name in ("allowed", "memory_total", "memory_kind", "memory_tier"):
        check("node", node["os_index"], name, [node[name]])
    check("node", node["os_index"], "cpu", node["cpus"])
for cpu in machine["cpus"]:
    for name in ("allowed", "core", "smt", "package", "node"):
        check("cpu", cpu["os_index"], name, [cpu[name]])
for index, cache in enumerate(machine["caches"]):
    for name in ("level", "kind", "size", "line_size"):
        check("cache", index, name, [cache[name]])
    check("cache", index, "cpu", cache["cpus"])
for i, row in enumerate(machine["distances"]):
    for j, distance in enumerate(row):
        check("node", nodes[i], "distance", [distance], nodes[j])
