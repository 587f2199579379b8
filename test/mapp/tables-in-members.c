/* Pointers in an array that is a member of a struct: each element may be what is stored in any of them, wherever the struct
   lies, and nothing that another member holds.

   RUN: mapp-rewrite -q %s > %t
   RUN: FileCheck %s < %t
*/
#include <stdlib.h>

struct model {
  double *level[3], *scratch[2];
  int now, n;
};

static void *get(size_t bytes) {
  void *p = NULL;
  if (posix_memalign(&p, 64, bytes))
    abort();
  return p;
}

static struct model *create(int n) {
  struct model *m = get(sizeof *m);
  m->n = n;
  m->now = 0;
  for (int l = 0; l < 3; l++)
    // CHECK: {{^\+}}{{.*}}MAI_PLACED(m->level[l], {{.*}}, "block" /* mapp: elements follow index i of the parallel loop in step() */);
    m->level[l] = get(n * sizeof(double));
  for (int l = 0; l < 2; l++)
    // CHECK-NOT: {{^\+}}{{.*}}MAI_PLACED
    m->scratch[l] = get(n * sizeof(double));
  return m;
}

static void step(struct model *m) {
  const double *now = m->level[m->now];
  double *next = m->level[(m->now + 1) % 3];
#pragma omp parallel for
  for (int i = 0; i < m->n; i++)
    next[i] = now[i] + 1;
  m->now = (m->now + 1) % 3;
}

static void serial(struct model *m) {
  for (int i = 0; i < m->n; i++)
    m->scratch[0][i] = m->scratch[1][i] = i;
}

int main(int argc, char **argv) {
  struct model *m = create(100000 * argc);
  (void)argv;
  serial(m);
  for (int times = 0; times < 10; times++)
    step(m);
  return m->level[m->now][0] > m->scratch[1][0];
}
