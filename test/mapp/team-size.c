/* The team that runs the loop is what the array is divided among, where it can be seen: a num_threads
   clause, or omp_set_num_threads() before; where the run decides, MAi follows the run.

   RUN: mapp-rewrite %s 2>&1 | FileCheck %s
   RUN: %{run-rewritten} %t %s
   RUN: %{run-rewritten} %t --mode=heap %s
*/
#include <omp.h>
#include <stdio.h>

enum { Threads = 2 };

// CHECK: {{^}}+MAI_STATIC(before, "block");
// CHECK: before: block: elements
static double before[9000];
// CHECK: clause: block for 3 threads: elements
static double clause[9000];
// CHECK: after: block for 2 threads: elements
static double after[9000];
// CHECK: part: block for 2 threads, 2000, 5000: elements
static double part[10000];
// CHECK: orphan: block for 3 threads: elements
static double orphan[9000];
// CHECK: late: block: elements
static double late[9000];

static void work(double start) {
#pragma omp for
  for (int i = 0; i < 9000; i++)
    orphan[i] = start + i;
}

int main(void) {
  int known = 1;
#pragma omp parallel for
  for (int i = 0; i < 9000; i++)
    before[i] = i;
#pragma omp parallel num_threads(3)
  work(1);
#pragma omp parallel for num_threads(3)
  for (int i = 0; i < 9000; i++)
    clause[i] = i;
  omp_set_num_threads(Threads);
#pragma omp parallel for
  for (int i = 0; i < 9000; i++)
    after[i] = i;
#pragma omp parallel for
  for (int i = 2000; i < 7000; i++)
    part[i] = i;
  if (scanf("%d", &known) != 1)
    known = 2;
  omp_set_num_threads(known);
#pragma omp parallel for
  for (int i = 0; i < 9000; i++)
    late[i] = i;
  printf("%.0f\n", before[8] + clause[9] + after[10] + part[2000] + orphan[7] + late[6]);
  return 0;
}
