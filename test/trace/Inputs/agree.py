"""agree.py A.json B.json: whether two profiles' accesses agree within 2 %."""
import json
import sys

a, b = (json.load(open(path)) for path in sys.argv[1:])
for kind in ("reads", "writes"):
    print(kind, "agree" if abs(a[kind] - b[kind]) <= 0.02 * b[kind] else f"{a[kind]} {b[kind]}")
total = [p["reads"] + p["writes"] for p in (a, b)]
print("accesses", "agree" if abs(total[0] - total[1]) <= 0.02 * total[1] else total)
