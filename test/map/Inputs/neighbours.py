"""Counts neighbouring CPUs of the map on standard input whose threads share something."""

import sys

matrix = [[float(n) for n in line.split()] for line in open(sys.argv[1])]
cpus = [int(c) for line in sys.stdin if not line.startswith("#") for c in line.split()]
thread = {cpu: i for i, cpu in enumerate(cpus)}
pairs = [(thread[c], thread[c + 1]) for c in range(len(cpus) - 1)]
shared = sum(matrix[a][b] > 0 for a, b in pairs)
print(f"{shared} of {len(pairs)} neighbouring CPUs share")
