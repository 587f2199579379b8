// Matrices whose rows are blocks, filled by one thread, and how many of their pages are not on the node whose threads use them.
#include "node_of.h"

#include <cstdio>
#include <vector>

constexpr int Rows = 64, Columns = 4096, Nodes = 4, Steps = 8;
constexpr int ShortRows = 128, ShortColumns = 300;

struct Line {
  std::vector<double> values, weights;
};

// In the middle of each row.
template <class RowOf> static void tell(const char *name, const RowOf &rowOf) {
  int wrong = 0;
  for (int i = 0; i < Rows; i++)
    wrong += nodeOf(rowOf(i) + Columns / 2) != i / (Rows / Nodes);
  std::printf("%s: wrong rows %d\n", name, wrong);
}

// Pages hold parts of several: those at the borders of nodes, too.
static void tellShort(const std::vector<std::vector<double>> &rows) {
  constexpr int OfNode = ShortRows / Nodes;
  int wrong = 0;
  for (int i = 0; i < ShortRows; i++)
    if (i % OfNode > 1 && i % OfNode < OfNode - 2)
      wrong += nodeOf(rows[i].data() + ShortColumns / 2) != i / OfNode;
  std::printf("short: wrong rows %d\n", wrong);
}

static double **matrix() {
  double **rows = new double *[Rows];
  for (int i = 0; i < Rows; i++) {
    delete[] new double[Columns]; // comes and goes, and is no row
    rows[i] = new double[Columns]();
  }
  return rows;
}

int main() {
  std::vector<std::vector<double>> vectors(Rows, std::vector<double>(Columns, 1));
  std::vector<Line> lines(Rows);
  for (Line &line : lines) {
    line.values.resize(Columns, 1);
    line.weights.resize(Columns, 1);
  }
  double **pointers = matrix();
  double *whole = new double[Rows * Columns]; // threads touch their rows first
  std::vector<std::vector<double>> shortRows(ShortRows, std::vector<double>(ShortColumns, 1));
  double sum = 0;
  for (int step = 0; step < Steps; step++)
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < ShortRows; i++)
      for (int j = 0; j < ShortColumns; j++)
        sum += shortRows[i][j];
  for (int step = 0; step < Steps; step++)
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < Rows; i++)
      for (int j = 0; j < Columns; j++)
        sum += vectors[i][j] + lines[i].values[j] + lines[i].weights[j] +
               (whole[i * Columns + j] = pointers[i][j]++);
  std::printf("sum %g\n", sum);
  tell("vectors", [&](int i) { return vectors[i].data(); });
  tell("values", [&](int i) { return lines[i].values.data(); });
  tell("weights", [&](int i) { return lines[i].weights.data(); });
  tell("pointers", [&](int i) { return pointers[i]; });
  tell("whole", [&](int i) { return whole + i * Columns; });
  tellShort(shortRows);
}
