/* A target construct maps arrays even where no clause says so; of a pointer it would map nothing.

   RUN: mapp-rewrite --mode=heap %s 2>&1 | FileCheck %s
*/

// CHECK: c:[[#]]: mapped: left alone: a target construct maps or copies it
static int mapped[9000];

void fill(void) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < 9000; i++)
    mapped[i] = i;
}
