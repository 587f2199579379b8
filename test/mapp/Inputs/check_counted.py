"""What a report in JSON says of arrays that a profile knows."""
import json
import sys

report = json.load(open(sys.argv[1]))
arrays = {array["name"]: array for array in report["arrays"]}
triangle = arrays["triangle"]
assert triangle["policy"].startswith("block shares "), triangle["policy"]
assert triangle["profile"]["decides"] and triangle["profile"]["estimate"].startswith("cyclic on threads: ")
assert [thread["thread"] for thread in triangle["profile"]["threads"]] == [0, 1, 2, 3]
assert abs(triangle["profile"]["threads"][0]["end"] - 1 / 16) < 0.01
best = triangle["candidates"][0]
assert best["policy"] == triangle["policy"]
assert best["counted"]["cost_bytes"] <= triangle["candidates"][1]["counted"]["cost_bytes"]
cells = arrays["state.cells"]
assert cells["policy"] == "block" and not cells["profile"]["decides"]
assert cells["profile"]["accesses"] > 0
assert report["notes"] == [] and report["warnings"] == []
