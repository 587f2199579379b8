/* Arrays that only one thread uses lie where it first touches them: serial code, single, master.

   RUN: mapp-rewrite %s 2>&1 | FileCheck %s --implicit-check-not=+
*/

// CHECK-DAG: c:[[#]]: serial: left alone: used by one thread only
// CHECK-DAG: c:[[#]]: single: left alone: used by one thread only
// CHECK-DAG: c:[[#]]: master: left alone: used by one thread only
// CHECK-DAG: c:[[#]]: unused: left alone: not used in the files given
static double serial[9000], single[9000], master[9000];
double unused[9000];

static void use(void) {
  for (int i = 0; i < 9000; ++i)
    serial[i] = i;
#pragma omp parallel
  {
#pragma omp single
    for (int i = 0; i < 9000; ++i)
      single[i] = i;
#pragma omp master
    for (int i = 0; i < 9000; ++i)
      master[i] = i;
  }
}

void (*const entry)(void) = use;
