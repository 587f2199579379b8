/* A loop that a step in a variable takes up or down, between a bound on each side, goes over all between these: so the shares
   of the lines outweigh the serial loop that fills them. Where the condition has one bound only the step decides nothing.

   RUN: mapp-rewrite -q %s > %t
   RUN: FileCheck %s < %t
*/
enum { N = 512 };

struct way {
  int step;
};

// CHECK: {{^\+}}MAI_STATIC(swept, "block"); /* mapp: rows follow index i of the parallel loop in sweep() */
static double swept[N][N];
// CHECK-NOT: {{^\+}}MAI_STATIC(upwards
static double upwards[N][N];

static void sweep(const struct way *to) {
#pragma omp parallel for
  for (int i = 0; i < N; i++)
    for (int times = 0; times < 4; times++)
      for (int k = to->step > 0 ? 0 : N - 1; k >= 0 && k < N; k += to->step)
        swept[i][k] = swept[i][k] * 0.5 + i;
}

static void serial(const struct way *to) {
  for (int i = 0; i < N; i++)
    for (int k = 0; k < N; k += to->step)
      upwards[i][k] = swept[i][k];
}

int main(void) {
  struct way to = {-1};
  for (int i = 0; i < N; i++)
    for (int k = 0; k < N; k++)
      swept[i][k] = i + k;
  sweep(&to);
  serial(&to);
  return upwards[1][1] > 3;
}
