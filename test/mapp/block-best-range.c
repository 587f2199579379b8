/* Of loops over different parts of an array, or by teams of different sizes, that one's shares are taken with which
   least comes from other nodes.

   RUN: mapp-rewrite %s 2>&1 | FileCheck %s
   RUN: mapp-rewrite --explain part %s | FileCheck %s --check-prefix=EXPLAIN
   RUN: echo '{"nodes": [{"cpus": [0, 1]}, {"cpus": [2, 3]}]}' > %t.json
   RUN: mapp-rewrite --machine %t.json --explain teams %s | FileCheck %s --check-prefix=TEAMS
   RUN: %{run-rewritten} %t %s
   RUN: %{run-rewritten} %t --mode=heap %s
*/
#include <stdio.h>

enum { N = 20000 };
// CHECK: c:[[#]]: part: block, 4000, 12000: elements follow index i
static double part[N];
// CHECK: c:[[#]]: teams: block for 3 threads: elements follow index i {{.*}}; another loop has 2 threads
static double teams[N];

// EXPLAIN: estimated for 4 nodes
// EXPLAIN: {{^}} * block, 4000, 12000 {{[0-9.]+}}
// EXPLAIN: {{^}} block {{[0-9.]+}}
// EXPLAIN: {{^}} cyclic on threads {{[0-9.]+}}
// TEAMS: estimated for 2 nodes
// TEAMS: {{^}} * block for 3 threads {{[0-9.]+}}
// TEAMS: {{^}} block for 2 threads {{[0-9.]+}}

int main(void) {
  double sum = 0;
#pragma omp parallel for
  for (int i = 0; i < N; i++)
    part[i] = i;
#pragma omp parallel for num_threads(2)
  for (int i = 0; i < N; i++)
    teams[i] = i;
  for (int step = 0; step < 3; step++) {
#pragma omp parallel for
    for (int i = 4000; i < 16000; i++)
      part[i] += step;
#pragma omp parallel for num_threads(3)
    for (int i = 0; i < N; i++)
      teams[i] += step;
  }
  for (int i = 0; i < N; i++)
    sum += part[i] * (i % 3) - teams[i];
  printf("%.0f\n", sum);
  return 0;
}
