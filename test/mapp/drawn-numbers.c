/* A number that is drawn from a counter in memory is another each time, however it is drawn: where it is an index, all threads write
   anywhere; one thread writes one element behind the other.

   RUN: mapp-rewrite -q %s | FileCheck %s
*/
#include <stdatomic.h>

enum { Most = 100000 };

struct list {
  int count;
  atomic_int drawn;
};

// CHECK: {{^\+}}MAI_STATIC(captured, "cyclic on threads"); /* mapp: indexed indirectly by l in fill() */
static int captured[Most];
// CHECK: {{^\+}}MAI_STATIC(fetched, "cyclic on threads"); /* mapp: indexed indirectly by l in fill() */
static int fetched[Most];
// CHECK: {{^\+}}MAI_STATIC(atomic, "cyclic on threads"); /* mapp: indexed indirectly by l in fill() */
static int atomic[Most];

void fill(struct list *l, const int *from) {
#pragma omp parallel for
  for (int i = 0; i < Most / 2; i++) {
    int at;
#pragma omp atomic capture
    at = l->count++;
    captured[at] = from[i];
    fetched[__sync_fetch_and_add(&l->count, 1)] = from[i];
    atomic[atomic_fetch_add(&l->drawn, 1)] = from[i];
  }
}
