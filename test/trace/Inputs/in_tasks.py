"""Whether no thread of a program makes far more or less accesses in tasks than the others."""
import json
import sys

work = [thread["in_tasks"] for thread in json.load(sys.stdin)["threads"] if thread["openmp"]]
assert len(work) == 4 and 70000 < sum(work) < 90000, work
assert all(0.5 * sum(work) < 4 * each < 1.5 * sum(work) for each in work), work
