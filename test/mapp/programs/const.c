/* Constant arrays lie in the program's file, however the const is said; an array of pointers to constants
   does not, nor a struct with a constant member.

   RUN: %{try} %{program}
   CHECK: MAPP010 constant: left alone: used by one thread only
   CHECK: MAPP020 element: left alone: const: it lies in read-only memory
   CHECK: MAPP020 rows: left alone: const: it lies in read-only memory
   CHECK: MAPP020 object.values: left alone: const: it lies in read-only memory
   CHECK: MAPP020 members.kept: left alone: const: it lies in read-only memory
   PLACE: MAPP002 members.changed: block, 0, 1000
   HEAP: MAPP068 members.changed: left alone: it is a member of a struct
   CHECK: MAPP001 to_constants: block
   CHECK: MAPP010 constants: left alone: used by one thread only
   CHECK: MAPP002 store: block, 0, 1000
*/
#include <stdio.h>
typedef const double fixed;
typedef const double fixed_row[100];
static const double constant[5000] = {1, 2};
static fixed element[5000] = {3};
static fixed_row rows[50] = {{4}};
static const struct {
  double values[5000];
} object = {{5}};
static struct {
  const double kept[5000];
  double changed[5000];
} members = {{6}, {7}};
static const double *to_constants[1000];
static double *const constants[1000];
static double store[5000];

int main(void) {
  double sum = 0;
#pragma omp parallel for
  for (int i = 0; i < 1000; i++) {
    to_constants[i] = &constant[i];
    store[i] = i + element[i] + rows[i / 100][i % 100] + object.values[i] + members.kept[i];
    members.changed[i] += store[i];
  }
  for (int i = 0; i < 1000; i++)
    sum += *to_constants[i] + store[i] + members.changed[i] + (constants[i] != NULL);
  printf("%g\n", sum);
  return 0;
}
