/* An array whose size stands in a type stays one, wherever the type is: of a pointer, a typedef, a parameter, a
   cast, a member.

   RUN: mapp-rewrite --mode=heap %s 2>&1 | FileCheck %s
   RUN: %{run-rewritten} %t --mode=heap %s
*/
#include <stdio.h>

// CHECK: {{^}}+MAI_HEAP(placed, sizeof(int[9000]), "block");
// CHECK-NOT: {{^\+}}
// CHECK: c:[[#]]: placed: block: elements follow
static int placed[9000];
// CHECK-NEXT: c:[[#]]: pointed: left alone: its size is taken with sizeof
static int pointed[9000];
// CHECK-NEXT: c:[[#]]: named: left alone: its size is taken with sizeof
static int named[9000];
// CHECK-NEXT: c:[[#]]: passed: left alone: its size is taken with sizeof
static int passed[9000];
// CHECK-NEXT: c:[[#]]: cast: left alone: its size is taken with sizeof
static int cast[9000];
// CHECK-NEXT: c:[[#]]: within: left alone: its size is taken with sizeof
static int within[9000];
// CHECK-NEXT: c:[[#]]: typed: left alone: its type is taken with typeof
static int typed[9000];

typedef char bytes[sizeof named];
struct record {
  char as_many[sizeof within];
};

static unsigned long size(char (*of)[sizeof passed]) { return sizeof *of; }

int main(void) {
  char(**rows)[sizeof pointed] = 0;
  __typeof__(typed) *whole = 0;
  long sum = 0;
#pragma omp parallel for
  for (int i = 0; i < 9000; i++)
    placed[i] = pointed[i] = named[i] = passed[i] = cast[i] = within[i] = typed[i] = i;
  for (int i = 0; i < 9000; i++)
    sum += placed[i] + pointed[i] + named[i] + passed[i] + cast[i] + within[i] + typed[i];
  printf("%ld %lu %lu %lu %lu %lu %lu\n", sum, sizeof **rows, sizeof(bytes), size(0),
         sizeof *(char(*)[sizeof cast])0, sizeof(struct record), sizeof *whole);
  return 0;
}
