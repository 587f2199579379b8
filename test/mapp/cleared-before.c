/* One thread clears an array before the threads use parts of it that begin where the run decides: it is left to their first touch, as if
   it had not been cleared. What it fills with something else, or with shares of the whole, is divided, and so are blocks that are
   threads' as a whole; single elements do not count.

   RUN: mapp-rewrite %s 2>&1 | FileCheck %s
   RUN: %{run-rewritten} %t %s
*/
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LEVELS = 5, FINEST = 1 << 15 };

// CHECK-DAG: {{^\+}}MAI_STATIC(levels, "local filled");
static double levels[2 * FINEST];
// CHECK-DAG: {{^\+}}MAI_STATIC(filled, "block");
static double filled[2 * FINEST];
// CHECK-DAG: {{^\+}}MAI_STATIC(whole, "block");
static double whole[FINEST];
// CHECK-DAG: {{^\+.*}}fields->memory = MAI_PLACED{{.*}}"local filled"
struct fields {
  long cells;
  double *memory, *now, *next, *force;
};

// CHECK-DAG: both: block: elements that boxes delimits follow index b of the parallel loop in exchange()
struct box {
  double *grids[2];
};
enum { BOXES = 64 };
static struct box boxes[BOXES];

static int begin[LEVELS], size[LEVELS];

static void smooth(double *u, int n) {
#pragma omp parallel for
  for (int i = 0; i < n; i++)
    u[i] = 0.5 * u[i] + i % 3;
}

static void step(struct fields *f) {
#pragma omp parallel for
  for (long i = 0; i < f->cells; i++)
    f->next[i] = f->now[i] + 0.1 * f->force[i];
#pragma omp parallel for
  for (long i = 0; i < f->cells; i++)
    f->now[i] = f->next[i];
}

static int make_box(struct box *box, long cells) {
  double *both = malloc(2 * cells * sizeof *both);
  if (!both)
    return 1;
  memset(both, 0, 2 * cells * sizeof *both);
  for (int g = 0; g < 2; g++)
    box->grids[g] = both + g * cells;
  return 0;
}

static void exchange(long cells) {
#pragma omp parallel for
  for (int b = 0; b < BOXES; b++)
    for (long i = 0; i < cells; i++)
      boxes[b].grids[1][i] += boxes[b].grids[0][i] + b;
}

static int make(struct fields *fields, long cells) {
  fields->cells = cells;
  fields->memory = malloc(3 * cells * sizeof *fields->memory);
  if (!fields->memory)
    return 1;
  for (long i = 0; i < 3 * cells; i++)
    fields->memory[i] = 0.0;
  fields->now = fields->memory;
  fields->next = fields->now + cells;
  fields->force = fields->next + cells;
  fields->now[0] = 1.0;
  return 0;
}

int main(int argc, char **argv) {
  struct fields fields;
  int finest = argc > 1 ? atoi(argv[1]) : FINEST;
  for (int l = 0, at = 0; l < LEVELS; at += size[l++]) {
    begin[l] = at;
    size[l] = finest >> l;
  }
  memset(levels, 0, sizeof levels);
  for (int i = 0; i < 2 * FINEST; i++)
    filled[i] = 1;
  memset(whole, 0, sizeof whole);
  if (make(&fields, finest) != 0)
    return 1;
  for (int b = 0; b < BOXES; b++)
    if (make_box(&boxes[b], finest / 8) != 0)
      return 1;
  for (int round = 0; round < 10; round++) {
    for (int l = 0; l < LEVELS; l++) {
      smooth(&levels[begin[l]], size[l]);
      smooth(&filled[begin[l]], size[l]);
    }
    step(&fields);
    exchange(finest / 8);
#pragma omp parallel for
    for (int i = 0; i < FINEST; i++)
      whole[i] += i % 7;
  }
  double sum = 0;
  for (int i = 0; i < FINEST; i++)
    sum += levels[i] + filled[i] + whole[i] + boxes[i % BOXES].grids[1][i / BOXES];
  printf("%g %g\n", sum, fields.now[0]);
  free(fields.memory);
  for (int b = 0; b < BOXES; b++)
    free(boxes[b].grids[0]);
}
