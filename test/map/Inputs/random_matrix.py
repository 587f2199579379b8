"""Prints the sharing matrix of so many threads that share at random."""

import random
import sys

count = int(sys.argv[1])
random.seed(1)
matrix = [[0] * count for _ in range(count)]
for i in range(count):
    for j in range(i):
        matrix[i][j] = matrix[j][i] = random.randrange(1000)
for row in matrix:
    print(*row, sep=",")
