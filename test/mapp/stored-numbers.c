/* Bounds that are kept in variables with static storage, of their own, in an array or in a struct, are taken for the only
   constant that the program stores there, whatever the input may say; what changes as the program runs is no bound.

   RUN: mapp-rewrite %s -- -w | FileCheck %s
*/
#include <stdio.h>
#include <stdlib.h>

enum { N = 1000, ROW = 64 };

static int rows = N, never_changed = N;
static int grid[2], points[3], from_input, first = 300, last, counted, either, chosen;
static struct {
  int begin, end;
} part;

// CHECK: +MAI_STATIC(by_initialiser, "block", 100, (N) - 100)
static double by_initialiser[N][ROW];
// CHECK: +MAI_STATIC(by_array, "block", 100, (N) - 100)
static double by_array[N][ROW];
// CHECK: +MAI_STATIC(by_struct, "block", 200, (N) - 200)
static double by_struct[N][ROW];
// CHECK: +MAI_STATIC(by_others, "block", 300, 699)
static double by_others[N][ROW];
// CHECK: +MAI_STATIC(by_default, "block", 100, (N) - 100)
static double by_default[N][ROW];
// CHECK: +MAI_STATIC(by_loop, "block", 100, (N) - 100)
static double by_loop[N][ROW];
// CHECK: +MAI_STATIC(by_counter, "block");
static double by_counter[N][ROW];
// CHECK: +MAI_STATIC(by_either, "block");
static double by_either[N][ROW];

static void read_input(const char *name) {
  FILE *file = fopen(name, "r");
  if (file) {
    if (fscanf(file, "%d %d", &grid[0], &from_input) != 2)
      exit(1);
    fclose(file);
  } else {
    grid[0] = N;
    from_input = N;
  }
  rows = from_input;
}

static void use(double (*data)[ROW], int begin, int end) {
#pragma omp parallel for
  for (int i = begin; i < end; i++)
    for (int j = 0; j < ROW; j++)
      data[i][j] += i;
}

static void use_default(void) { use(by_default, 100, chosen); }

int main(int argc, char **argv) {
  read_input(argv[0]);
  chosen = argc > 1 ? atoi(argv[1]) : N;
  last = from_input - 1;
  part.begin = 200;
  part.end = rows;
  either = argc > 2 ? N - 1 : N - 2;
  for (int d = 0; d < 3; d++)
    points[d] = N;
  for (int step = 0; step < 20; step++) {
    counted += 40;
    use(by_counter, 100, counted);
    use(by_initialiser, 100, never_changed);
    use(by_array, 100, grid[0]);
    use(by_loop, 100, points[2]);
    use(by_struct, part.begin, part.end);
    use(by_others, first, last);
    use_default();
    use(by_either, 100, either);
  }
  printf("%g\n", by_initialiser[1][1] + by_array[1][1] + by_struct[2][1] + by_others[1][1] + by_default[1][1] +
                     by_loop[1][1] +                      by_counter[1][1] + by_either[1][1]);
  return 0;
}
