/* A struct that is copied moves as a whole: what the threads copy of particles outweighs the two numbers of each that one thread sets.
   Where a particle goes is drawn from a counter that all threads share, so that may be anywhere.

   RUN: mapp-rewrite -q --explain 'r->vault' --explain 'r->done' %s | FileCheck %s
*/
// CHECK: r->vault,
// CHECK-NEXT: block: elements follow index i of the parallel loop in step()
// CHECK: read: elements follow index i {{.*}} about 1024 steps, 64.0 KiB
// CHECK: r->done,
// CHECK-NEXT: cyclic on threads: indexed indirectly by r in step()
// CHECK: write: indexed indirectly by r {{.*}} about 1024 steps, 64.0 KiB
#include <stdlib.h>

struct particle {
  double x[3], v[3], energy, weight;
};

struct run {
  struct particle *vault, *done;
  int count, next;
};

void start(struct run *r, int count) {
  r->count = count;
  r->vault = malloc(count * sizeof *r->vault);
  r->done = malloc(count * sizeof *r->done);
  for (int i = 0; i < count; i++) {
    r->vault[i].energy = 10;
    r->vault[i].weight = 1;
  }
}

void step(struct run *r) {
  r->next = 0;
#pragma omp parallel for
  for (int i = 0; i < r->count; i++) {
    struct particle p = r->vault[i];
    p.x[0] += p.v[0];
    int at;
#pragma omp atomic capture
    at = r->next++;
    r->done[at] = p;
  }
}
