"""Reads mai-trace info --csv of hot_first.c and says whether the samples divide as the accesses do: hot_share.py WAY < CSV

Nine of ten passes are over `hot`, and read. Samples agree within four of their standard errors, which chance exceeds once in 16,000 times.
"""
import csv
import math
import sys

EXPECTED = 0.9

rows = list(csv.DictReader(sys.stdin))
counts = {name: sum(int(r["reads"]) for r in rows if r["array"].startswith(name)) for name in ("hot", "cold")}
total = sum(counts.values())
share = counts["hot"] / total
error = math.sqrt(EXPECTED * (1 - EXPECTED) / total)
first = rows[0]["array"].split(" ")[0]
verdict = "as counted" if total >= 20 and abs(share - EXPECTED) <= 4 * error else f"WRONG: {share:.3f} of {total}"
print(f"way {sys.argv[1]}: {first} first, {verdict}")
