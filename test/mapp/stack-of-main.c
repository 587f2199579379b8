/* Large automatic arrays of main(), which runs once, are made static and placed; but not where that would mean something
   else: beside what is initialised or no array, or in a task outside of a parallel region, which has a copy.

   RUN: mapp-rewrite -o %t.c %s 2>&1 | FileCheck %s
   RUN: FileCheck --check-prefix=TEXT --input-file=%t.c %s
   RUN: %{gcc} -w %s -o %t.before && %{gcc} -w %t.c -o %t.after %{mai}
   RUN: %t.before > %t.expected && %t.after | diff - %t.expected
   RUN: mapp-rewrite --mode=heap %s 2>&1 | FileCheck --check-prefix=HEAP %s
   HEAP: first: left alone: it lies on the stack of the thread that calls main(): make it static, or allocate it [MAPP043]
 */
#include <stdio.h>
enum { N = 20000 };

int main(void) {
  // CHECK: first: block:
  // CHECK-NEXT: second: block reversed
  // CHECK-NEXT: {{[0-9]+: }}number: left alone: it lies on the stack
  // CHECK-NEXT: {{[0-9]+: }}filled: left alone: it lies on the stack
  // CHECK-NEXT: {{[0-9]+: }}copied: left alone: it lies on the stack
  // CHECK-NEXT: {{[0-9]+: }}beside: left alone: it lies on the stack
  // TEXT: {{^}}  static double first[N], second[N], small[3];
  // TEXT-NEXT: {{^}}  MAI_STATIC(first, "block");
  double first[N], second[N], small[3];
  // TEXT: {{^}}  double number[N], sum = 0;
  double number[N], sum = 0;
  double filled[N] = {1};
  double copied[N], beside[N];
  for (int i = 0; i < N; i++)
    copied[i] = i;
#pragma omp task
  copied[0] = 5;
#pragma omp taskwait
  small[1] = copied[0];
  for (int round = 0; round < 50; round++) {
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < N; i++) {
      first[i] = second[N - 1 - i] = i + small[1];
      filled[i] += number[i] = beside[i] = copied[i] + round;
      sum += first[i] + second[N - 1 - i] + filled[i] + number[i];
    }
  }
  printf("%.17g\n", sum);
  return 0;
}
