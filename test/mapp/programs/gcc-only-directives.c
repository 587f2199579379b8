/* Directives that Clang 19 reads and cannot compile: scope.

   RUN: %{try} --gcc %{program}
   CHECK: MAPP005 everyone: cyclic on threads: every thread goes over it in main()
   CHECK: MAPP001 divided: block
*/
#include <stdio.h>
static double everyone[4096], divided[4096];

int main(void) {
  double sum = 0;
#pragma omp parallel
  {
#pragma omp scope reduction(+ : sum)
    for (int i = 0; i < 4096; i++)
      sum += everyone[i];
#pragma omp scope nowait
    {
#pragma omp for
      for (int i = 0; i < 4096; i++)
        divided[i] = i;
    }
  }
  for (int i = 0; i < 4096; i++)
    sum += divided[i];
  printf("%g\n", sum);
  return 0;
}
