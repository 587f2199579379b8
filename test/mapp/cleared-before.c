/* One thread clears an array before the threads use parts of it that begin where the run decides: it is left to their first touch, as if
   it had not been cleared. What it fills with something else, or with shares of the whole, is divided; single elements do not count.

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
  for (int round = 0; round < 10; round++) {
    for (int l = 0; l < LEVELS; l++) {
      smooth(&levels[begin[l]], size[l]);
      smooth(&filled[begin[l]], size[l]);
    }
    step(&fields);
#pragma omp parallel for
    for (int i = 0; i < FINEST; i++)
      whole[i] += i % 7;
  }
  double sum = 0;
  for (int i = 0; i < FINEST; i++)
    sum += levels[i] + filled[i] + whole[i];
  printf("%g %g\n", sum, fields.now[0]);
  free(fields.memory);
}
