/* Arrays whose storage is not the program's to move are left alone, each with the reason.

   RUN: mapp-rewrite %s 2>&1 | FileCheck %s --implicit-check-not='{{^\+}}'
*/

// CHECK: c:[[#]]: constant: left alone: const: it lies in read-only memory
static const int constant[9000] = {1};
// CHECK: c:[[#]]: local: left alone: thread-local: each thread has its own
static _Thread_local int local[9000];
// CHECK: c:[[#]]: copies: left alone: thread{{.*}}: each thread has its own
static int copies[9000];
#pragma omp threadprivate(copies)
// CHECK: c:[[#]]: apart: left alone: it lies in a section of its own
static int apart[9000] __attribute__((section("apart")));
// CHECK: c:[[#]]: replaced: left alone: weak: another definition may replace it
__attribute__((weak)) int replaced[9000];
void fill(void) {
#pragma omp parallel for
  for (int i = 0; i < 9000; i++)
    local[i] = copies[i] = apart[i] = replaced[i] = constant[i];
}
