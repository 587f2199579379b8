"""totals.py FILE.json...: whether profiles have the same accesses, and which are coarse."""
import json
import sys

profiles = [json.load(open(path)) for path in sys.argv[1:]]
for kind in ("reads", "writes"):
    counts = [p[kind] for p in profiles]
    print("same" if max(counts) - min(counts) <= 0.0001 * max(counts) else counts, kind)
print("coarse", [p["coarse"] for p in profiles])
