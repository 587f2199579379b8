/* Blocks of the heap, and rows of a matrix, on the nodes of a machine. */
#include <mai.h>
#include <mai_static.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { Rows = 1024, Columns = 1000 };

/* How many of the rows lie, with their middle, where the thread runs whose share they are in. */
static int right(double *const *row, int first, int count) {
  int sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (int i = first; i < first + count; i++) {
    unsigned cpu = (unsigned)mai_cpu_of_thread((unsigned)omp_get_thread_num());
    sum += mai_where(&row[i][Columns / 2]) == (int)(cpu / 2); // two CPUs a node
  }
  return sum;
}

static void fill(double **row, double *block) {
  for (int i = 0; i < Rows; i++) {
    row[i] = block + (size_t)i * Columns;
    memset(row[i], i % 100, Columns * sizeof(double));
  }
}

static int wrong(double *const *row) {
  int sum = 0;
  for (int i = 0; i < Rows; i++)
    for (int j = 0; j < Columns; j++)
      sum += ((char *)&row[i][j])[3] != i % 100;
  return sum;
}

int main(void) {
  size_t bytes = sizeof(double[Rows][Columns]), row_bytes = Columns * sizeof(double);
  double *row[Rows];

  double *fresh = MAI_PLACED(fresh, malloc(MAI_BYTES(bytes)), row_bytes, "block", 1, Rows - 2);
  fill(row, fresh);
  printf("fresh: %d of %d rows, %d wrong\n", right(row, 1, Rows - 2), Rows - 2, wrong(row));

  for (int i = 0; i < Rows; i++) {
    row[i] = MAI_PLACED_ROW(row, malloc(MAI_BYTES(row_bytes)), i, Rows, "block");
    memset(row[i], i % 100, row_bytes);
  }
  printf("rows: %d of %d rows, %d wrong\n", right(row, 0, Rows), Rows, wrong(row));
  for (int i = 0; i < Rows; i++)
    free(row[i]);

  // What was freed comes back: its pages are in memory, on the rows' nodes.
  double *used =
      MAI_PLACED(used, calloc(MAI_COUNT(Rows), MAI_BYTES(row_bytes / 2)), row_bytes, "block");
  used = MAI_PLACED(used, realloc(used, MAI_BYTES(bytes)), row_bytes, "block");
  fill(row, used);
  printf("used: %d of %d rows, %d wrong\n", right(row, 0, Rows), Rows, wrong(row));

  double *columns = MAI_PLACED_2D(columns, malloc(MAI_BYTES(1 << 22)), 1 << 16, sizeof(double),
                                  "block by columns");
  double *narrow = MAI_PLACED_2D(narrow, malloc(MAI_BYTES(1 << 22)), 1 << 12, sizeof(double),
                                 "block by columns");
  double *cached = MAI_PLACED_2D(cached, malloc(MAI_BYTES(1 << 19)), 1 << 12, sizeof(double),
                                 "block by columns");
  memset(cached, 1, 1 << 19);
  memset(columns, 1, 1 << 22);
  memset(narrow, 1, 1 << 22);
  free(fresh);
  mai_report(stdout, MAI_REPORT_TEXT);
  struct mai_moves moves;
  mai_map_threads((unsigned[]){7, 6, 5, 4, 3, 2, 1, 0}, 8);
  printf("moved: %d\n", mai_replace_all(&moves) == 0 && moves.moved > 0 && moves.failed == 0);
  printf("wrong: %d\n", wrong(row));
  return 0;
}
