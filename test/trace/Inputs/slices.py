"""Says of a report in JSON what slices.c should make of its slices."""
import json
import sys

report = json.load(sys.stdin)
slices = report["slices"]
if len(slices) > 3 and sum(s["reads"] + s["writes"] for s in slices) == report["reads"] + report["writes"]:
    print("several slices, with all accesses")
if all(a["from"] < b["from"] for a, b in zip(slices, slices[1:])):
    print("each starts after the one before")
if slices[-1]["alike"][0] is not None and slices[-1]["alike"][0] < 0.5:
    print("the first and the last are not alike")
