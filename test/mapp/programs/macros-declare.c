/* Lists of arrays by X macros, names and types and storage classes by macros, macros with the names of
   attributes and of what MAi's header uses.

   RUN: %{try} %{program}
   PLACE: MAPP001 first: block
   PLACE: MAPP001 second: block
   PLACE: MAPP001 record.d: block
   PLACE: MAPP001 v: block
   HEAP: MAPP050 first: left alone: declared by a macro
   HEAP: MAPP050 second: left alone: declared by a macro
   HEAP: MAPP068 record.d: left alone: it is a member of a struct
   HEAP: MAPP056 v: left alone: its declaration is not of the form `static type name[...]`
   CHECK: MAPP001 m1: block
   CHECK: MAPP001 m2: block
   CHECK: MAPP001 kind: block
   CHECK: MAPP001 flags: block
   CHECK: MAPP001 node: block
   CHECK: MAPP001 count: block
   CHECK: MAPP001 unused: block
   CHECK: MAPP001 array: block
   CHECK: MAPP001 object: block
*/
#include <stdio.h>
#define real double
#define LOCAL static
#define used 4
#define section 5
#define weak 6
#define constructor 7
#define visibility 8
#define LIST X(first) X(second)
#define X(name) static real name[5000];
LIST
#undef X
#define RECORD(name) static struct { real d[5000]; } name
RECORD(record);
LOCAL real v[5000]; static real
m1[60][60]
, m2 [60] [60]
  ;
static real kind[5000], flags[5000], node[5000], count[5000], unused[5000], array[5000], object[5000];

int main(void) {
  real sum = 0;
#pragma omp parallel for
  for (int i = 0; i < 5000; i++)
    v[i] = first[i] = second[i] = record.d[i] = kind[i] = flags[i] = node[i] = count[i] = unused[i] =
        array[i] = object[i] = i;
#pragma omp parallel for
  for (int i = 0; i < 60; i++)
    for (int j = 0; j < 60; j++)
      m1[i][j] = m2[i][j] = i + j;
  for (int i = 0; i < 60; i++)
    sum += v[i] + first[i] + second[i] + record.d[i] + m1[i][i] + m2[i][i] + object[i];
  printf("%g %d %d %d %d %d\n", sum, used, section, weak, constructor, visibility);
  return 0;
}
