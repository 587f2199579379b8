"""Compares exported accesses with what the program does: threads 0 and 1 share 1024 lines, as do 2 and 3; each thread makes half of
2 * 20 * 8192 accesses to them."""

import json
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    exported = json.load(file)
assert exported["version"] == 1 and exported["complete"] and exported["line_bytes"] == 64
assert [thread["number"] for thread in exported["threads"] if thread["openmp"]] == [0, 1, 2, 3]

threads = [dict(zip(each["lines"], each["accesses"])) for each in exported["accesses"]]
assert all(list(each) == sorted(each) for each in threads)
for one, other in (0, 1), (2, 3):
    shared = threads[one].keys() & threads[other].keys()
    assert 1024 <= len(shared) < 1040, len(shared)
    for thread in one, other:
        assert 163840 <= sum(threads[thread][line] for line in shared) < 164500

start, end = next((each["start"], each["start"] + each["bytes"]) for each in exported["arrays"]
                  if each["kind"] == "static" and each["start"] <= min(shared) * 64 + 63 < each["start"] + each["bytes"])
assert sum(start <= line * 64 < end for line in shared) >= 1000
