"""Prints, as CSV of pairs, what threads share where each has branched from another.

usage: branching.py THREADS [CHILDREN] [SEED]: so many children each, or any at random (0); other numbers by SEED"""

import random
import sys

threads, children, seed = (int(argument) for argument in (sys.argv[1:] + ["2", "0"][len(sys.argv) - 2 :])[:3])
generator = random.Random(1)
parents = [(t - 1) // children if children else generator.randrange(t) for t in range(1, threads)]
number = list(range(threads))
if seed:
    random.Random(seed).shuffle(number)
print("thread,thread,volume")
for thread, parent in enumerate(parents, 1):
    print(f"{number[thread]},{number[parent]},100")
