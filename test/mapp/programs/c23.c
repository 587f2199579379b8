/* What is new in C23. gcc 12 knows but a part of it.

   RUN: %{try} --clang %{program} -std=c23
   PLACE: MAPP001 attributed: block
   PLACE: MAPP001 empty: block
   PLACE: MAPP001 as_that: block
   HEAP: MAPP054 attributed: left alone: its declaration has attributes
   HEAP: MAPP053 empty: left alone: it has an initialiser
   HEAP: MAPP056 as_that: left alone: its declaration is not of the form `static type name[...]`
   CHECK: MAPP001 separated: block
   CHECK: MAPP001 counted: block
   CHECK: MAPP020 fixed: left alone: const: it lies in read-only memory
   PLACE: MAPP001 wide: block
   HEAP: MAPP056 wide: left alone: its declaration is not of the form `static type name[...]`
   CHECK: MAPP002 kinds: block, 0, 5000
   CHECK: MAPP002 flags: block, 0, 5000
   CHECK: MAPP022 own: left alone: thread-local: each thread has its own
   PLACE: MAPP001 aligned: block
   HEAP: MAPP054 aligned: left alone: its declaration has attributes
*/
#include <stdio.h>
[[maybe_unused]] static double attributed[5000];
static double empty[5000] = {};
static typeof(empty) as_that;
static constexpr int N = 5'000;
static double separated[5'000] [[]], counted[N];
constexpr double fixed[1000] = {1};
static _BitInt(100) wide[2000];
enum kind : unsigned char { A, B };
static enum kind kinds[9000];
static bool flags[0b1111101000000];
static thread_local double own[600];
alignas(64) static double aligned[5000];
static_assert(sizeof wide == 2000 * sizeof(_BitInt(100)));
static double *none = nullptr;

static void fill(int n, double a[n], double) {
#pragma omp parallel for
  for (int i = 0; i < n; i++)
    a[i] = i;
}

int main() {
  double sum = 0;
  auto rows = &attributed[0];
  fill(N, as_that, 0);
#pragma omp parallel for
  for (int i = 0; i < 5000; i++) {
    rows[i] = empty[i] = separated[i] = counted[i] = aligned[i] = i;
    if (i < 2000)
      wide[i] = i;
    kinds[i] = B;
    flags[i] = true;
    own[i % 600] = fixed[i % 1000];
  }
  for (int i = 0; i < 2000; i++)
    sum += attributed[i] + empty[i] + as_that[i] + separated[i] + (double)wide[i] + kinds[i] + flags[i];
  printf("%g %d\n", sum, none == nullptr);
  return 0;
}
