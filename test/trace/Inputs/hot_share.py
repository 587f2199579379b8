"""Reads what mai-trace info --csv says of hot_first.c, counted and sampled, and says whether the samples divide as the accesses do:
hot_share.py WAY COUNTED SAMPLED

Samples agree within four of their standard errors, which chance exceeds once in 16,000 times.
"""
import csv
import math
import sys


def divided(file):
    """How many accesses `hot` and `cold` have, and which array comes first."""
    with open(file) as text:
        rows = list(csv.DictReader(text))
    counts = [sum(int(r["reads"]) + int(r["writes"]) for r in rows if r["array"].startswith(name)) for name in ("hot", "cold")]
    return counts, rows[0]["array"].split(" ")[0]


way, counted, sampled = sys.argv[1:]
counts, _ = divided(counted)
expected = counts[0] / sum(counts)
samples, first = divided(sampled)
total = sum(samples)
share, error = samples[0] / total, math.sqrt(expected * (1 - expected) / total)
verdict = "as counted" if total >= 20 and abs(share - expected) <= 4 * error else f"WRONG: {share:.3f} of {total}, counted {expected:.3f}"
print(f"way {way}: {first} first, {verdict}")
