/* The size of a block is computed in a variable of a loop's body, from members of a struct: what the variable was
   initialised with is seen wherever the variable is, so that rows are told by these members.

   RUN: mapp-rewrite -q %s > %t
   RUN: FileCheck %s < %t
*/
#include <stdlib.h>

typedef struct {
  int groups, angles;
  double *flux;
} part;

typedef struct {
  int zones, parts;
  part *all;
} grid;

static void make(grid *g, int n) {
  g->zones = n;
  g->parts = 8;
  g->all = calloc(8, sizeof(part));
  for (int p = 0; p < g->parts; p++) {
    part *s = &g->all[p];
    s->groups = n / 3;
    s->angles = n / 7;
    size_t size = (size_t)s->groups * s->angles;
    // CHECK: {{^\+}}{{.*}}MAI_PLACED{{.*}}(unsigned long)(s->groups) * (unsigned long)(g->zones), "block"
    s->flux = malloc(size * g->zones * sizeof(double));
  }
}

static void add(grid *g, part *s) {
#pragma omp parallel for
  for (int d = 0; d < s->angles; d++)
    for (int e = 0; e < s->groups; e++)
      for (int z = 0; z < g->zones; z++)
        s->flux[((size_t)d * s->groups + e) * g->zones + z] += 1;
}

int main(int argc, char **argv) {
  grid g;
  (void)argv;
  make(&g, 100 * argc);
  for (int step = 0; step < 100; step++)
    for (int p = 0; p < g.parts; p++)
      add(&g, &g.all[p]);
  return g.all[0].flux[1] > 3;
}
