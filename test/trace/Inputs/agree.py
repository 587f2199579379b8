"""agree.py [--static] A.json B.json: whether two profiles' accesses agree within 2 %: all of them, or
those of static arrays. What compilers keep on the stack is their own affair."""
import json
import sys

only_static = sys.argv[1] == "--static"
profiles = [json.load(open(path)) for path in sys.argv[-2:]]
a, b = (
    sum(x["reads"] + x["writes"] for x in p["arrays"] if not only_static or x["kind"] == "static")
    for p in profiles
)
print("accesses", "agree" if b > 0 and abs(a - b) <= 0.02 * b else f"{a} {b}")
