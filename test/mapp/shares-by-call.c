/* A function computes the thread's share and gives it back by pointers or as a struct: rows follow the threads, whether it
   gets the thread's number or asks for it. What a call gives back without that says nothing of threads.

   RUN: mapp-rewrite -q %s > %t
   RUN: FileCheck %s < %t
*/
#include <omp.h>

enum { N = 1024 };

// CHECK: {{^\+}}MAI_STATIC(passed, "block"); /* mapp: rows follow index i of the parallel loop in by_number() */
static double passed[N][N];
// CHECK: {{^\+}}MAI_STATIC(asked, "block"); /* mapp: rows follow index i of the parallel loop in by_struct() */
static double asked[N][N];
// CHECK: {{^\+}}MAI_STATIC(same, "cyclic on threads"); /* mapp: every thread goes over it in by_all() */
static double same[N][N];

struct part {
  const char *name;
  long first, end;
};

void divide(int units, int parts, int number, int *first, int *end);

static struct part my_part(long units) {
  const long team = omp_get_num_threads(), me = omp_get_thread_num();
  struct part mine = {"mine", units * me / team, units * (me + 1) / team};
  return mine;
}

static void whole(int units, int *first, int *end) {
  *first = 0;
  *end = units;
}

static void by_number(void) {
  const int me = omp_get_thread_num(), team = omp_get_num_threads();
  int first, end;
  divide(N, team, me, &first, &end);
  for (int i = first; i < end; i++)
    for (int j = 0; j < N; j++)
      passed[i][j] += 1;
}

static void by_struct(void) {
  struct part mine;
  mine = my_part(N);
  for (long i = mine.first; i < mine.end; i++)
    for (int j = 0; j < N; j++)
      asked[i][j] += 1;
}

static void by_all(void) {
  int first, end;
  whole(N, &first, &end);
  for (int i = first; i < end; i++)
    for (int j = 0; j < N; j++)
#pragma omp atomic
      same[i][j] += 1;
}

int main(void) {
#pragma omp parallel
  {
    by_number();
    by_struct();
    by_all();
  }
  return passed[1][1] > asked[1][1];
}
