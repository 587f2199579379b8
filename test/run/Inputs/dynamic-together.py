"""Fails where one of the two large arrays of a report has been seen less than a third as often as the other.  Few accesses, as on
a busy machine, or none, where the kernel lets nobody sample, say nothing."""

import json
import sys

LEAST = 24

with open(sys.argv[1], encoding="utf-8") as file:
    arrays = json.load(file)["arrays"]
seen = sorted(array["dynamic"]["accesses_sampled"] for array in arrays if array["bytes"] >= 1 << 22)
if sum(seen) >= LEAST and 3 * seen[0] < seen[1]:
    sys.exit(f"the arrays have been seen so often: {seen}")
