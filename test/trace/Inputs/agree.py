"""agree.py A.json B.json: whether two profiles' accesses agree within 2 %, all of them and those of each
array that has a tenth of all; those of every other array within 2 % of all."""

import json
import sys

BIG = 0.1
TOLERANCE = 0.02
FEW = 200  # of EP, of which nothing else is left


def accesses(path):
    """All accesses, and those by array."""
    arrays = {}
    for array in json.load(open(path))["arrays"]:
        name = array["name"]
        arrays[name] = arrays.get(name, 0) + array["reads"] + array["writes"]
    return sum(arrays.values()), arrays


def main():
    (all_a, a), (all_b, b) = (accesses(path) for path in sys.argv[1:3])
    wrong = [] if abs(all_a - all_b) <= max(TOLERANCE * all_b, FEW) else [f"all: {all_a} {all_b}"]
    for name in sorted(a.keys() | b.keys()):
        difference = abs(a.get(name, 0) - b.get(name, 0))
        of = b.get(name, 0) if b.get(name, 0) >= BIG * all_b else all_b
        if difference > max(TOLERANCE * of, FEW):
            wrong.append(f"{name}: {a.get(name, 0)} {b.get(name, 0)}")
    print("accesses agree" if all_b > 0 and not wrong else "\n".join(wrong))


main()
