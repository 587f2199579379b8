/* Threads that find their part in variables of their own (threadprivate, thread-local), also in structs, arrays and behind
   pointers that are so, in a struct, or in an array, each have a block; so they have where the chunk of schedule(static) is a thread's share.

   RUN: mapp-rewrite %s | FileCheck %s
*/
#include <omp.h>
#include <stdlib.h>

enum { N = 100000 };

static int my_first, my_end;
#pragma omp threadprivate(my_first, my_end)
static _Thread_local long my_start, my_stop;

struct range {
  int first, last;
};
static struct range my_part, *my_copy;
static int my_limits[2];
#pragma omp threadprivate(my_part, my_copy, my_limits)

// CHECK: +MAI_STATIC(by_threadprivate, "block")
static double by_threadprivate[N];
// CHECK: +MAI_STATIC(by_thread_local, "block")
static double by_thread_local[N];
// CHECK: +MAI_STATIC(by_own_struct, "block")
static double by_own_struct[N];
// CHECK: +MAI_STATIC(by_own_pointer, "block")
static double by_own_pointer[N];
// CHECK: +MAI_STATIC(by_own_array, "block")
static double by_own_array[N];
// CHECK: +MAI_STATIC(by_struct, "block")
static double by_struct[N];
// CHECK: +MAI_STATIC(by_initialised_struct, "block")
static double by_initialised_struct[N];
// CHECK: +MAI_STATIC(by_array, "block")
static double by_array[N];
// CHECK: +MAI_STATIC(by_share, "block")
static double by_share[N];
// CHECK: +MAI_STATIC(by_half_a_share, "cyclic on threads")
static double by_half_a_share[N];
// CHECK: +MAI_STATIC(by_everybody, "cyclic on threads")
static double by_everybody[N];

static void begin(void) {
#pragma omp parallel
  {
    int work = (N + omp_get_num_threads() - 1) / omp_get_num_threads();
    my_first = work * omp_get_thread_num();
    my_end = my_first + work < N ? my_first + work : N;
    my_start = my_first;
    my_stop = my_end;
    my_part.first = my_first;
    my_part.last = my_end;
    my_limits[0] = my_first;
    my_limits[1] = my_end;
    my_copy = malloc(sizeof *my_copy);
    *my_copy = my_part;
  }
}

static void use_own_variables(void) {
#pragma omp parallel
  {
    for (int i = my_first; i < my_end; i++)
      by_threadprivate[i] += i;
    for (long i = my_start; i < my_stop; i++)
      by_thread_local[i] += i;
    for (int i = my_part.first; i < my_part.last; i++)
      by_own_struct[i] += i;
    for (int i = my_copy->first; i < my_copy->last; i++)
      by_own_pointer[i] += i;
    for (int i = my_limits[0]; i < my_limits[1]; i++)
      by_own_array[i] += i;
  }
}

static void use_structs(void) {
#pragma omp parallel
  {
    int me = omp_get_thread_num(), threads = omp_get_num_threads();
    struct range part;
    part.first = N / threads * me;
    part.last = me == threads - 1 ? N : N / threads * (me + 1);
    for (int i = part.first; i < part.last; i++)
      by_struct[i] += i;
    struct range same = {N / threads * me, N / threads * (me + 1)};
    for (int i = same.first; i < same.last; i++)
      by_initialised_struct[i] += i;
    int limits[2];
    limits[0] = N / threads * me;
    limits[1] = limits[0] + N / threads;
    for (int i = limits[0]; i < limits[1]; i++)
      by_array[i] += i;
    struct range all = {0, N};
    for (int i = all.first; i < all.last; i++)
#pragma omp atomic
      by_everybody[i] += i;
  }
}

static void use_chunks(void) {
  int threads = omp_get_max_threads(), share = (N + threads - 1) / threads;
#pragma omp parallel for schedule(static, share)
  for (int i = 0; i < N; i++)
    by_share[i] += i;
#pragma omp parallel for schedule(static, share / 2)
  for (int i = 0; i < N; i++)
    by_half_a_share[i] += i;
}

int main(void) {
  begin();
  use_own_variables();
  use_structs();
  use_chunks();
  return 0;
}
