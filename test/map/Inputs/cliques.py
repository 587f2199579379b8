"""Prints a sharing matrix: groups of five threads that share much, and a little from each group to the next.

usage: cliques.py THREADS"""

import sys

MEMBERS = 5
threads = int(sys.argv[1])
for a in range(threads):
    row = [1000 if a // MEMBERS == b // MEMBERS else 150 if abs(a - b) == MEMBERS else 0 for b in range(threads)]
    print(",".join(str(0 if a == b else volume) for b, volume in enumerate(row)))
