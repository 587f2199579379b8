"""Says of a report in JSON what slices.c should make of its slices."""
import json
import sys

report = json.load(sys.stdin)
slices = report["slices"]
if len(slices) > 1 and sum(s["reads"] + s["writes"] for s in slices) == report["reads"] + report["writes"]:
    print("several slices, with all accesses")
if all(a["from"] < b["from"] for a, b in zip(slices, slices[1:])):
    print("each starts after the one before")
much = [i for i, s in enumerate(slices) if s["reads"] + s["writes"] > 0.02 * (report["reads"] + report["writes"])]
if any(slices[i]["alike"][j] is not None and slices[i]["alike"][j] < 0.5 for i in much for j in much):
    print("some are not alike")
