/* The bytes from a plane to the next lie in a member of a struct, which is a product of two numbers of the run's: planes are
   slower than lines, whose bytes are one number. So planes are what the threads divide where they divide planes, and columns
   of them are driven where they divide lines. What a row is long is told at the allocation, by the same members, and how far the loops go.
   Members that an initialiser sets count as others do.

   RUN: mapp-rewrite -q %s > %t
   RUN: FileCheck %s < %t
*/
#include <stdlib.h>

typedef struct {
  int nx, ny, nz;
  size_t line, plane;
  double *planes, *lines;
} grid;

typedef struct {
  int n;
  size_t line, plane, cells;
} extents;

typedef struct {
  extents of;
  double *fields;
} cube;

#define AT(g, i, j, k) ((size_t)(k) * (g)->plane + (size_t)(j) * (g)->line + (i))

static void make(grid *g, int n) {
  g->nx = g->ny = g->nz = n;
  g->line = n + 2;
  g->plane = (size_t)(n + 2) * (n + 2);
  // CHECK: {{^\+}}{{.*}}MAI_PLACED_NEW(g->planes, {{.*}}, (unsigned long)(sizeof(double) * g->plane), "block", 1, (unsigned long)n /* mapp: elements follow index k of the parallel loop in by_planes() */);
  g->planes = malloc(sizeof(double) * g->plane * (n + 2));
  // CHECK: {{^\+}}{{.*}}MAI_PLACED_NEW_2D(g->lines, {{.*}}, (unsigned long)(sizeof(double) * g->plane), 8 * (unsigned long)(g->line), "block by columns", 1, (unsigned long)n /* mapp: index j of the parallel loop in by_lines() drives dimension 2 */);
  g->lines = malloc(sizeof(double) * g->plane * (n + 2));
  for (size_t i = 0; i < g->plane * (n + 2); i++)
    g->planes[i] = g->lines[i] = 0;
}

static void make_cube(cube *c, int n) {
  c->of = (extents){n, n + 2, (size_t)(n + 2) * (n + 2), (size_t)(n + 2) * (n + 2) * (n + 2)};
  // CHECK: {{^\+}}{{.*}}MAI_PLACED_NEW_2D(c->fields, {{.*}}"block by columns"{{.*}}index k of the parallel loop in by_cubes() drives dimension 2 */);
  c->fields = malloc(sizeof(double) * 5 * c->of.cells);
  for (size_t i = 0; i < 5 * c->of.cells; i++)
    c->fields[i] = 0;
}

static void by_cubes(cube *c) {
#pragma omp parallel for
  for (int k = 1; k <= c->of.n; k++)
    for (int j = 1; j <= c->of.n; j++)
      for (int i = 1; i <= c->of.n; i++)
        for (int m = 0; m < 5; m++)
          c->fields[m * c->of.cells + k * c->of.plane + j * c->of.line + i] += m;
}

static void by_planes(grid *g) {
#pragma omp parallel for collapse(2)
  for (int k = 1; k <= g->nz; k++)
    for (int j = 1; j <= g->ny; j++)
      for (int i = 1; i <= g->nx; i++)
        g->planes[AT(g, i, j, k)] += i;
}

static void by_lines(grid *g) {
#pragma omp parallel for
  for (int j = 1; j <= g->ny; j++)
    for (int k = 1; k <= g->nz; k++)
      for (int i = 1; i <= g->nx; i++)
        g->lines[AT(g, i, j, k)] += g->lines[AT(g, i, j, k - 1)];
}

int main(int argc, char **argv) {
  grid g;
  cube c;
  (void)argv;
  make(&g, 100 * argc);
  make_cube(&c, 100 * argc);
  for (int step = 0; step < 100; step++) {
    by_planes(&g);
    by_lines(&g);
    by_cubes(&c);
  }
  return g.planes[1] > g.lines[1] + c.fields[1];
}
