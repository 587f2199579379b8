/* Structs and unions with arrays in them are called what they are.

   RUN: mapp-rewrite %s 2>&1 | FileCheck %s
*/

// CHECK: c:[[#]]: state: left alone: a struct: only arrays of their own are placed
static struct { int cells[9000]; } state;
// CHECK: c:[[#]]: views: left alone: a union: only arrays of their own are placed
static union { int words[9000]; char bytes[36000]; } views;

void fill(void) {
#pragma omp parallel for
  for (int i = 0; i < 9000; i++)
    state.cells[i] = views.words[i] = i;
}
