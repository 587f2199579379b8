"""Prints lines of sources.c and their counts, from a report in JSON or, with an argument, a file for speedscope."""
import json
import sys

ARRAYS = ("block", "from", "to")


def name(array):
    return array.split(" ")[0]


def print_lines(report):
    lines = {}
    for line in report["lines"]:
        entry = lines.setdefault(line["line"], [set(), 0, 0])
        entry[1] += line["reads"]
        entry[2] += line["writes"]
        for its in line["arrays"]:
            # Pages that arrays share count for one of them.
            if name(its["array"]) in ARRAYS and its["accesses"] > 0.05 * (line["reads"] + line["writes"]):
                entry[0].add(name(its["array"]))
    for line in (16, 20, 21, 25, 27, 31):
        arrays, reads, writes = lines[line]
        print(line, *(sorted(arrays) or ["-"]), reads, writes)


def print_speedscope(file):
    frames = file["shared"]["frames"]
    for profile in file["profiles"]:
        assert profile["endValue"] == sum(profile["weights"])
        for stack, weight in zip(profile["samples"], profile["weights"]):
            if frames[stack[-1]].get("line") == 20:
                print("%s: %s in %s %d" % (profile["name"], frames[stack[-1]]["name"], frames[stack[-2]]["name"], weight))


(print_speedscope if len(sys.argv) > 1 else print_lines)(json.load(sys.stdin))
