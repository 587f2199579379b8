/* The compiler is asked about an array: sizeof, typeof, _Generic, alignof, offsetof, static assertions, its
   length in other extents and in case labels.

   RUN: %{try} %{program} -Wno-gnu-alignof-expression
   PLACE: MAPP001 sized: block
   HEAP: MAPP059 sized: left alone: its size is taken with sizeof
   CHECK: MAPP001 copy: block
   PLACE: MAPP001 asked: block
   PLACE: MAPP001 typed: block
   PLACE: MAPP001 aligned: block
   HEAP: MAPP059 asked: left alone: its size is taken with sizeof
   HEAP: MAPP062 typed: left alone: its type is taken with typeof
   HEAP: MAPP060 aligned: left alone: its alignment is asked for
   CHECK: MAPP001 chosen: block
   CHECK: MAPP001 element: block
   PLACE: MAPP001 whole: block
   PLACE: MAPP001 same: block
   PLACE: MAPP001 plane: block
   HEAP: MAPP061 whole: left alone: its address is taken with &
   HEAP: MAPP056 same: left alone: its declaration is not of the form `static type name[...]`
   HEAP: MAPP056 plane: left alone: its declaration is not of the form `static type name[...]`
*/
#include <assert.h>
#include <stddef.h>
#include <stdio.h>
#define LENGTH(x) (sizeof(x) / sizeof((x)[0]))
#define KIND(x) _Generic((x), double *: 1, double (*)[5000]: 2, default: 3)
static double sized[LENGTH("123456789") * 500], copy[sizeof sized / sizeof *sized];
static double asked[5000], typed[5000], aligned[5000], chosen[5000], element[5000], whole[5000];
static __typeof__(typed) same;
static __typeof__(double[70][80]) plane;
static_assert(sizeof asked == 40000, "size");
_Static_assert(sizeof(element[0]) == 8, "an element is no array");
static const size_t bytes = sizeof asked;

int main(void) {
  double sum = 0;
  __auto_type pointer = element;
  __typeof__(element[0]) one = 1;
  switch (sizeof asked) {
  case sizeof asked:
    sum = 1;
  }
#pragma omp parallel for
  for (size_t i = 0; i < LENGTH(sized); i++)
    sized[i] = copy[i] = asked[i] = typed[i] = same[i] = aligned[i] = chosen[i] = whole[i] = one;
#pragma omp parallel for
  for (int i = 0; i < 5000; i++)
    pointer[i] = i;
#pragma omp parallel for
  for (int i = 0; i < 70; i++)
    for (int j = 0; j < 80; j++)
      plane[i][j] = j;
  for (int i = 0; i < 70; i++)
    sum += sized[i] + copy[i] + asked[i] + same[i] + element[i] + plane[i][i];
  printf("%g %zu %zu %d %d\n", sum, bytes, __alignof__(aligned), KIND(chosen), KIND(&whole));
  return 0;
}
