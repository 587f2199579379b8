/* Old C is read as its compilers read it: undeclared functions, missing types, parameters without
   prototypes.

   RUN: mapp-rewrite %s 2>&1 | FileCheck %s
   RUN: mapp-rewrite --mode=heap %s -- -std=gnu89 2>&1 | FileCheck %s --check-prefix=HEAP
   RUN: mapp-rewrite -q --mode=heap -o %t.c %s -- -std=gnu89
   RUN: gcc -w -std=gnu89 -fopenmp %t.c -o %t.run %{mai}
   RUN: %t.run | FileCheck %s --check-prefix=OUTPUT

   CHECK: {{^}}+MAI_STATIC(numbers, "block");
   CHECK: c:[[#]]: numbers: block: elements follow index i of the parallel loop in fill()
   HEAP: {{^}}+static int *__restrict numbers;
   OUTPUT: {{^}}number 9{{$}}
*/


static int numbers[9000];

fill(start)
int start;
{
  int i;
#pragma omp parallel for
  for (i = 0; i < 9000; i++)
    numbers[i] = start + i;
}

main() {
  fill(7);
  printf("number %d\n", numbers[2]);
  exit(0);
}
