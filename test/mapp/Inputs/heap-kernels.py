"""Compares the remote bytes of the kernels on blocks of the heap with the least of all others."""

import re
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    lines = re.findall(r"^(.*): stencil (\d+) product (\d+) transposition (\d+)", file.read(), re.M)
heap = [int(n) for n in lines[0][1:]]
assert lines[0][0] == "heap" and len(lines) == 4, lines
best = [min(int(line[1 + i]) for line in lines[1:]) for i in range(3)]
page_slack = 64 * 4096  # of both ends of every array, and where the shares of two nodes meet
for name, mine, other in zip(("stencil", "product", "transposition"), heap, best):
    fine = mine <= 1.10 * other + page_slack
    print(f"{name}: {'at most 1.10' if fine else 'too much'}: {mine} against {other}")
