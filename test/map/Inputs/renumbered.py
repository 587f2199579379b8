"""Prints a matrix with its threads numbered anew, at random by the seed given."""

import random
import sys

rows = [line.split(",") for line in sys.stdin.read().split()]
order = list(range(len(rows)))
random.Random(int(sys.argv[1])).shuffle(order)
for i in order:
    print(*[rows[i][j] for j in order], sep=",")
