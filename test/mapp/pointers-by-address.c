/* Pointers that are set through a table of their addresses are known to point where they do: what is read through them is no longer
   one thread's. Where each begins in the block behind the others nothing tells, so no range is given; and if threads write the parts
   first, each its share of each part, first touch knows better than any division of the whole.

   RUN: mapp-rewrite %s 2>&1 | FileCheck %s
   RUN: %{run-rewritten} %t %s
*/
#include <stdio.h>
#include <stdlib.h>

enum { N = 200000, TENSORS = 3 };

struct tensors {
  float *weight, *bias, *state;
};

static float *point(struct tensors *t, const size_t *sizes, float *memory) {
  float **addresses[] = {&t->weight, &t->bias, &t->state};
  float *next = memory;
  for (int i = 0; i < TENSORS; i++) {
    *(addresses[i]) = next;
    next += sizes[i];
  }
  return memory;
}

static void step(struct tensors *t) {
#pragma omp parallel for
  for (int i = 0; i < N; i++)
    t->state[i] += t->weight[i] * 2 + t->bias[i];
}

int main(void) {
  const size_t sizes[TENSORS] = {N, N, N};
  struct tensors filled, touched;
  // CHECK-DAG: c:[[#@LINE+1]]: filled_memory: block: elements follow index i of the parallel loop in step()
  float *filled_memory = malloc(TENSORS * N * sizeof(float));
  // CHECK-DAG: c:[[#@LINE+1]]: touched_memory: local: threads write it first: elements follow index i of the parallel loop in main()
  float *touched_memory = malloc(TENSORS * N * sizeof(float));
  point(&filled, sizes, filled_memory);
  point(&touched, sizes, touched_memory);
  for (size_t i = 0; i < TENSORS * N; i++)
    filled_memory[i] = 1;
#pragma omp parallel for
  for (int i = 0; i < N; i++)
    touched.weight[i] = touched.bias[i] = touched.state[i] = 1;
  for (int s = 0; s < 10; s++) {
    step(&filled);
    step(&touched);
  }
  printf("%g %g\n", filled.state[7], touched.state[7]);
}
