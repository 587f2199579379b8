/* What a number in static storage says of how much of a static array is in use is told to MAi, behind the later one of their
   declarations; not where other loops go further, nor what is private to threads, shorter than an int, or declared where a compiler may
   not come.

   RUN: mapp-rewrite %s 2>&1 | FileCheck %s
   RUN: %{run-rewritten} %t %s
   RUN: mapp-rewrite --mode=heap %s 2>&1 | FileCheck --check-prefix=HEAP %s
   HEAP-NOT: {{^\+.*}}IN_USE
*/
#include <stdio.h>

#define MOST 40000

// CHECK-DAG: mass: block: elements follow index i of the parallel loop in move(); as far as atoms says
static double mass[MOST];
static double position[MOST][3];
static float force[MOST * 3];
double edges[MOST];
static double wave[MOST];
static double plane[MOST / 200][200];
static double deep[MOST];
// CHECK-DAG: {{^\+}}MAI_STATIC(inner, "block");
static double inner[MOST];
// CHECK-DAG: {{^\+}}MAI_STATIC(seldom, "block");
static double seldom[MOST];
// CHECK-DAG: {{^\+}}MAI_STATIC(own, "block");
static double own[MOST];
// CHECK-DAG: {{^\+}}MAI_STATIC(narrow, "block");
static double narrow[MOST];
// CHECK-DAG: {{^\+}}MAI_STATIC_IN_USE(mass, atoms, 1, "block");
// CHECK-DAG: {{^\+}}MAI_STATIC_IN_USE(position, atoms, 1, "block");
// CHECK-DAG: {{^\+}}MAI_STATIC_IN_USE(force, atoms, 3, "block");
static int atoms;
// CHECK-DAG: {{^\+}}MAI_STATIC_IN_USE(edges, links, 2, "block");
unsigned long links;
// CHECK-DAG: {{^\+}}MAI_STATIC_IN_USE(wave, grid.length, 1, "block");
// CHECK-DAG: {{^\+}}MAI_STATIC_IN_USE(deep, grid.box.size[1], 1, "block");
static struct {
  double step;
  int length;
  struct {
    int size[3];
  } box;
} grid;
// CHECK-DAG: {{^\+}}MAI_STATIC_IN_USE(plane, extent[1], 1, "block");
static int extent[3], points;
#ifdef MOST
static int cells;
#endif
static int private_count;
#pragma omp threadprivate(private_count)
static short few;
static int sometimes;

static void move(int from) {
#pragma omp parallel for
  for (int i = from; i < atoms; i++) {
    for (int k = 0; k < 3; k++) {
      position[i][k] += mass[i];
      force[3 * i + k] = 0;
    }
  }
#pragma omp parallel for
  for (unsigned long i = 0; i < links; i++)
    edges[2 * i] = edges[2 * i + 1] + 1;
#pragma omp parallel for
  for (int i = 1; i < cells - 1; i++)
    inner[i] *= 2;
#pragma omp parallel for
  for (int i = 1; i < grid.length - 1; i++)
    wave[i] += grid.step;
#pragma omp parallel for
  for (int i = 1; i < grid.box.size[1] - 1; i++)
    deep[i] += grid.step;
#pragma omp parallel for
  for (int i = 0; i < extent[1]; i++)
    for (int k = 0; k < extent[0]; k++)
      plane[i][k] += 1;
  double *all = plane[0];
#pragma omp parallel for
  for (int i = 0; i < points; i++)
    all[i] *= 0.5;
#pragma omp parallel for
  for (int i = 0; i < private_count; i++)
    own[i] *= 2;
#pragma omp parallel for
  for (int i = 0; i < few; i++)
    narrow[i] *= 2;
}

// Half of what is done to it is done to all of it.
static void rarely(void) {
#pragma omp parallel for
  for (int i = 0; i < sometimes; i++)
    seldom[i] *= 2;
  for (int step = 0; step < 10; step++) {
#pragma omp parallel for
    for (int i = 0; i < MOST; i++)
      seldom[i] += 1;
  }
}

int main(int argc, char **argv) {
  (void)argv;
  atoms = argc * 20000;
  links = (unsigned long)argc * 10000;
  cells = private_count = argc * 20000;
  grid.length = grid.box.size[1] = argc * 20000;
  extent[0] = extent[1] = argc * 100;
  points = argc * 20000;
  few = (short)(argc * 20000);
  sometimes = argc * 100;
  move(0);
  rarely();
  printf("%g %g\n", position[5][1],
         edges[4] + force[7] + inner[3] + seldom[1] + wave[2] + plane[3][4] + deep[3]);
  return 0;
}
