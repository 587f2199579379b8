/* A pointer is given memory for elements of the type that the array had: of a tag that the
   declaration itself introduces, of pointers.  What has no name is left alone.

   RUN: mapp-rewrite --mode=heap %s 2>&1 | FileCheck %s
   RUN: %{run-rewritten} %t --mode=heap %s
*/
#include <stdio.h>

// CHECK-DAG: {{^\+ *}}MAI_HEAP(pairs, sizeof(struct pair[9000]), "block");
static struct pair { int left, right; } pairs[9000];
// CHECK-DAG: {{^\+ *}}MAI_HEAP(colours, sizeof(enum colour[9000]), "block");
static enum colour { RED, GREEN } colours[9000];
// CHECK-DAG: c:[[#]]: nameless: left alone: its declaration is not of the form `static type name[...]`
static enum { OFF, ON } nameless[9000];
// CHECK-DAG: {{^\+ *}}MAI_HEAP(names, sizeof(const char *[9000]), "block");
static const char *names[9000];
// CHECK-DAG: {{^\+ *}}MAI_HEAP(numbers, sizeof(char[9000]), "block");
static char *last, numbers[9000];

int main(void) {
  long sum = 0;
#pragma omp parallel for
  for (int i = 0; i < 9000; i++) {
    pairs[i].right = i;
    colours[i] = GREEN;
    nameless[i] = ON;
    names[i] = "name";
    numbers[i] = 1;
  }
  last = &numbers[8999];
  for (int i = 0; i < 9000; i++)
    sum += pairs[i].right + (int)colours[i] + (int)nameless[i] + names[i][0] + numbers[i];
  printf("%ld %d\n", sum, *last);
  return 0;
}
