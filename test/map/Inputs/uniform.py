"""uniform.py SIZE SEED: a symmetric matrix of numbers below 100, by the generator of Taillard's uniform problems."""

import sys

size, number = int(sys.argv[1]), int(sys.argv[2])
rows = [[0] * size for _ in range(size)]
for i in range(size):
    for j in range(i):
        number = 16807 * number % (2**31 - 1)
        rows[i][j] = rows[j][i] = number * 100 // (2**31 - 1)
for row in rows:
    print(*row)
