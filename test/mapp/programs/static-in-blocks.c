/* Static arrays of functions: in nested blocks, branches, loops, a switch, a statement expression, an inline
   function; where no declaration can follow they stay.

   RUN: %{try} --gcc %{program} -Wno-switch-unreachable
   RUN: %{try} --clang %{program} -Wno-c23-extensions
   CHECK: MAPP001 buffer: block
   CHECK: MAPP001 histogram: block
   CHECK: MAPP004 deep: block by columns: index i of the parallel loop in work() drives dimension 2
   PLACE: MAPP001 branch: block
   HEAP: MAPP057 branch: left alone: its address is in the static initialiser of alias
   CHECK: MAPP001 in_switch: block
   CHECK: MAPP001 in_case: block
   CHECK: MAPP001 expression: block
   CHECK: MAPP001 in_inline: block
*/
#include <stdio.h>

static double work(int n) {
  static double buffer[5000];
  static int calls, histogram[5000];
  double sum = 0;
  calls++;
  for (int round = 0; round < 2; round++) {
    static float deep[3][4000];
#pragma omp parallel for
    for (int i = 0; i < 4000; i++)
      deep[round][i] += 1;
    sum += (double)deep[round][5];
  }
  if (n) {
    static double branch[9000], *const alias = branch;
#pragma omp parallel for
    for (int i = 0; i < 9000; i++)
      alias[i] = i;
    sum += branch[8];
  }
  switch (n) {
    static double in_switch[4000];
  case 1:;
    static double in_case[4000];
#pragma omp parallel for
    for (int i = 0; i < 4000; i++)
      in_switch[i] = in_case[i]++;
    sum += in_switch[1] + in_case[1];
    break;
  default:
    sum += 1;
  }
  sum += ({
    static double expression[4000];
#pragma omp parallel for
    for (int i = 0; i < 4000; i++)
      expression[i] += i;
    expression[7];
  });
#pragma omp parallel for
  for (int i = 0; i < 5000; i++) {
    buffer[i] += i;
    histogram[i]++;
  }
  return sum + buffer[4999] + histogram[1] + calls;
}

static inline double inlined(void) {
  static double in_inline[4000];
#pragma omp parallel for
  for (int i = 0; i < 4000; i++)
    in_inline[i] += 1;
  return in_inline[3];
}

int main(void) {
  printf("%g %g %g %g\n", work(0), work(1), work(2), inlined() + inlined());
  return 0;
}
