/* Each thread goes over all items and does those whose place falls to its share: the places are divided, although each
   item's is read from memory. Bounds that are the same for all threads say nothing.

   RUN: mapp-rewrite -q %s | FileCheck %s
*/
#include <omp.h>

enum { Items = 100000, Places = 40000 };

static int place_of[Items];
// CHECK: {{^\+}}MAI_STATIC(sums, "block"); /* mapp: elements follow index p of the parallel loop in add() */
static double sums[Places];
// CHECK: {{^\+}}MAI_STATIC(counts, "block"); /* mapp: elements follow index place of the parallel loop in count() */
static int counts[Places];
// CHECK: {{^\+}}MAI_STATIC(inside, "cyclic on threads"); /* mapp: indexed indirectly by place_of in count_inside() */
static int inside[Places];

static void add(int low, int high) {
  for (int i = 0; i < Items; i++) {
    const int p = place_of[i];
    if (p < low || p >= high)
      continue;
    sums[p] += 1.0 / (i + 1);
  }
}

static void count(void) {
  const int share = Places / omp_get_num_threads(), first = omp_get_thread_num() * share;
  for (int i = 0; i < Items; i++) {
    int place = place_of[i];
    if (first <= place && place <= first + share - 1)
      counts[place]++;
  }
}

static void count_inside(int low, int high) {
#pragma omp parallel for
  for (int i = 0; i < Items; i++)
    if (place_of[i] > low && place_of[i] < high) {
      const int place = place_of[i];
      if (place > low && place < high)
#pragma omp atomic
        inside[place]++;
    }
}

int main(int argc, char **argv) {
  (void)argv;
#pragma omp parallel
  {
    const int me = omp_get_thread_num(), team = omp_get_num_threads();
    add(Places / team * me, Places / team * (me + 1));
    count();
  }
  count_inside(argc, Places - argc);
  return counts[1] + inside[1];
}
