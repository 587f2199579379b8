/* One thread fills an array in a nest of loops whose lengths the run decides, counting its elements by a variable of its own: that is one
   pass over it, no more than one of the threads' loop.

   RUN: mapp-rewrite %s 2>&1 | FileCheck %s
*/
// CHECK: particles: block: elements follow index i of the parallel loop in main()
#include <stdio.h>
#include <stdlib.h>

struct particle {
  double x, v;
};

int main(int argc, char **argv) {
  int side = argc > 1 ? atoi(argv[1]) : 40, steps = argc > 2 ? atoi(argv[2]) : 5;
  long count = 0, next = 0;
  for (int x = 0; x < side; x++)
    for (int y = 0; y < side; y++)
      count += (x + y) % 7;
  struct particle *particles = malloc((size_t)count * sizeof *particles);
  for (int x = 0; x < side; x++)
    for (int y = 0; y < side; y++)
      for (int k = 0; k < (x + y) % 7; k++, next++) {
        particles[next].x = x;
        particles[next].v = y;
      }
  for (int step = 0; step < steps; step++) {
#pragma omp parallel for
    for (long i = 0; i < count; i++)
      particles[i].x += particles[i].v;
  }
  printf("%g\n", particles[count / 2].x);
  free(particles);
}
