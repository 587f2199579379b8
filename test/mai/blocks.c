/* The macros around malloc() and its like give what the call gives, evaluate each size once, keep
   errno and pass NULL on; free() and realloc() make MAi forget a block, and a realloc() that fails
   does not.  Of small blocks the first ones are placed, and those that come again and again are not.

   RUN: %{gcc} -Wshadow -Wconversion -pedantic %s -o %t %{mai} && env MAI_REPORT=1 %t 2>&1 | FileCheck %s
   RUN: %{clang} -Wshadow -Wconversion %s -o %t %{mai} && env MAI_REPORT=1 %t 2>&1 | FileCheck %s
   Without a report there is nothing to know on a machine of one node:
   RUN: env OMP_NUM_THREADS=2 %t > %t.out && FileCheck --check-prefix=PLAIN --input-file=%t.out %s
*/
// UNSUPPORTED: sanitizer
#include <mai.h>
#include <mai_static.h>
#undef NDEBUG
#include <assert.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { Bytes = 1 << 20 };

static size_t evaluated;

static size_t once(size_t value) {
  evaluated++;
  return value;
}

static void give_what_the_call_gives(void) {
  errno = 7;
  char *plain = MAI_PLACED(plain, malloc(MAI_BYTES(once(Bytes))), 1, "block");
  int *zeroes = (int *)MAI_PLACED(zeroes, calloc(MAI_COUNT(once(Bytes)), MAI_BYTES(once(4))),
                                  sizeof(int), "cyclic");
  char *nested = MAI_PLACED(
      nested,
      malloc(MAI_BYTES(
          once(strlen(MAI_PLACED(inner, calloc(MAI_COUNT(once(5)), MAI_BYTES(1)), 1, "block")) +
               Bytes))),
      1, "block", 5, 100000000);
  assert(plain && nested && zeroes && zeroes[Bytes - 1] == 0 && errno == 7);
  assert(evaluated == 5);
  memset(nested, 1, Bytes);
  memset(plain, 1, Bytes);
  free(plain);
  free(nested);
  free(zeroes);
}

/* What is new to compilers has the old contents, which they must not store too late. */
static void give_what_is_new(void) {
  errno = 7;
  size_t before = evaluated;
  int *fresh = MAI_PLACED_NEW(fresh, calloc(MAI_COUNT(once(Bytes)), MAI_BYTES(once(sizeof(int)))),
                              sizeof(int), "block");
  char *columns =
      MAI_PLACED_NEW_2D(columns, malloc(MAI_BYTES(once(Bytes))), 1024, 8, "block by columns");
  void *old = malloc(Bytes);
  assert(fresh && fresh[Bytes - 1] == 0 && columns && old && errno == 7);
  assert(evaluated == before + 3);
  memset(old, 3, Bytes);
  char *filled = MAI_PLACED_NEW_SIZED(filled, old, Bytes, 1, "block");
  assert((uintptr_t)filled == (uintptr_t)old && filled[0] == 3 && filled[Bytes - 1] == 3);
  free(fresh);
  free(columns);
  free(filled);
}

static void pass_errors_on(void) {
  volatile size_t most = (size_t)1 << 60;
  errno = 0;
  void *none = MAI_PLACED(none, malloc(MAI_BYTES(most)), 1, "block");
  assert(!none && errno == ENOMEM);
  none = MAI_PLACED_NEW(none, malloc(MAI_BYTES(most)), 1, "block");
  assert(!none && errno == ENOMEM);
  assert(MAI_PLACED_AT(none, posix_memalign(&none, 3, MAI_BYTES(Bytes)), 1, "block") == EINVAL);
}

static void forget(void) {
  volatile size_t most = (size_t)1 << 60;
  char *grown = MAI_PLACED(grown, malloc(MAI_BYTES(Bytes)), 1, "block");
  memset(grown, 1, Bytes);
  char *larger = MAI_PLACED(larger, realloc(grown, MAI_BYTES(most)), 1, "block");
  assert(!larger); // and `grown` is there still, and known
  larger = MAI_PLACED(larger, realloc(grown, MAI_BYTES(4 * Bytes)), 1, "block");
  assert(larger && larger[Bytes - 1] == 1);
  void *aligned;
  assert(MAI_PLACED_AT(aligned, posix_memalign(&aligned, 64, MAI_BYTES(Bytes)), 64, "block") == 0);
  assert((size_t)aligned % 64 == 0);
  memset(larger, 1, 4 * Bytes);
}

static void place_the_first_small_ones(void) {
  char *small = MAI_PLACED(small, malloc(MAI_BYTES(MAI_LEAST_SMALL_BLOCK - 1)), 1, "block");
  free(small);
  for (int i = 0; i < MAI_MOST_SMALL_BLOCKS; i++) {
    char *early = MAI_PLACED(early, malloc(MAI_BYTES(MAI_LEAST_SMALL_BLOCK)), 1, "block");
    free(early);
  }
  char *too_late = MAI_PLACED(too_late, malloc(MAI_BYTES(MAI_LEAST_BLOCK - 1)), 1, "block");
  char *however = MAI_PLACED(however, malloc(MAI_BYTES(MAI_LEAST_BLOCK)), 1, "block");
  free(too_late);
  free(however);
}

int main(void) {
  give_what_the_call_gives();
  give_what_is_new();
  pass_errors_on();
  forget();
  place_the_first_small_ones();
  puts("done");
  return 0;
}

/* PLAIN: done
   CHECK-DAG: plain (freed) 1.0 MiB block
   CHECK-DAG: zeroes (freed) 4.0 MiB cyclic
   CHECK-DAG: nested (freed) 1.0 MiB block {{[^.]* [0-9.]+$}}
   CHECK-DAG: fresh (freed) 4.0 MiB block
   CHECK-DAG: columns (freed) 1.0 MiB
   CHECK-DAG: filled (freed) 1.0 MiB block
   CHECK-DAG: larger 4.0 MiB block
   CHECK-DAG: aligned 1.0 MiB block
   CHECK-DAG: early {{.*}}8.0 KiB block
   CHECK-DAG: however (freed) 64.0 KiB block
   CHECK-NOT: {{grown|small|inner|too_late}} */
