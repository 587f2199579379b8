"""correlate.py A B: the correlation of two CSV matrices, without their diagonals."""
import csv
import sys


def cells(path):
    rows = [[float(cell) for cell in row] for row in csv.reader(open(path))]
    return [cell for i, row in enumerate(rows) for j, cell in enumerate(row) if i != j]


a, b = (cells(path) for path in sys.argv[1:])
assert len(a) == len(b) > 0
mean_a, mean_b = sum(a) / len(a), sum(b) / len(b)
covariance = sum((x - mean_a) * (y - mean_b) for x, y in zip(a, b))
spread = sum((x - mean_a) ** 2 for x in a) * sum((y - mean_b) ** 2 for y in b)
correlation = 1.0 if spread == 0 and a == b else covariance / spread**0.5
print("correlated" if correlation >= 0.999 else f"correlation {correlation}")
