/* Threads share out a list of the objects that are in use, and go over what each of them points to: lists tell objects in their order,
   so that these blocks are rows, in the order in which they are allocated, however small each of them is. What an object anywhere
   points to is none.

   RUN: mapp-rewrite %s 2>&1 | FileCheck %s
   RUN: %{run-rewritten} %t %s
*/
#include <stdio.h>
#include <stdlib.h>

enum { Side = 14, Cells = Side * Side, Most = 600 };

struct patch {
  int level, parent;
  double *heat, *flow;
};

static struct patch *patches;
static int used;

static double *zeros(void) {
  double *made = calloc(Cells, sizeof *made);
  return made;
}

static int add(int level, int parent) {
  struct patch *p = &patches[used];
  p->level = level;
  p->parent = parent;
  // CHECK-DAG: {{^\+}}  p->heat = MAI_PLACED_NEXT_ROW(p->heat, malloc(MAI_BYTES(Cells * sizeof(double))), sizeof(double), "block"
  p->heat = malloc(Cells * sizeof(double));
  // CHECK-DAG: {{^.?}}  p->flow = zeros();
  p->flow = zeros();
  for (int c = 0; c < Cells; c++)
    p->heat[c] = c % 9;
  return used++;
}

static void step(const int *active, int count) {
#pragma omp parallel for
  for (int a = 0; a < count; a++) {
    struct patch *p = &patches[active[a]];
    for (int c = Side; c < Cells - Side; c++)
      p->heat[c] += 0.1 * (p->heat[c - Side] + p->heat[c + Side] - 2 * p->heat[c]);
  }
}

int main(void) {
  patches = malloc(Most * sizeof *patches);
  int *active = malloc(Most * sizeof *active), count = 0;
  for (int k = 0; k < Most / 5; k++)
    add(0, -1);
  for (int k = 0; k < Most / 5; k += 2)
    for (int child = 0; child < 4; child++)
      add(1, k);
  for (int k = 0; k < used; k++)
    if (patches[k].level == 1 || k % 2)
      active[count++] = k;
  for (int s = 0; s < 30; s++)
    step(active, count);
  printf("%d %g %g\n", count, patches[1].heat[50], patches[used - 1].flow[7]);
  return 0;
}
