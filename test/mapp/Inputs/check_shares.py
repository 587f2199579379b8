"""Reads a rewritten program; the shares of the array named first must end near the parts that follow."""
import re
import sys

name, ends = sys.argv[1], [float(end) for end in sys.argv[2:]]
found = re.search(rf'{re.escape(name)}\b.*"block shares ([0-9,]+)', sys.stdin.read())
shares = [int(share) for share in found[1].split(",")]
sums = [sum(shares[: i + 1]) / sum(shares) for i in range(len(shares))]
if len(sums) != len(ends) + 1 or any(abs(a - b) > 0.01 for a, b in zip(sums, ends)):
    sys.exit(f"shares end at {sums}, expected {ends}")
