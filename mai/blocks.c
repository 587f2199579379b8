/*===-- blocks.c - places what malloc() has returned ------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * A block is the program's: it may be freed at any time, by any function.  What MAi knows of it
 * must go before its memory can become somebody else's, so free() and realloc() come by here.  They
 * are called for all that a program frees: whether MAi knows a block is found in one line of the
 * cache, without a lock.
 */
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "arrays.h"
#include "fail.h"
#include "filled.h"
#include "interpose.h"
#include "kernel.h"
#include "mai.h"
#include "message.h"
#include "report.h"

/*===-- Which blocks are known ---------------------------------------------===*/

/* A block is in any of the ways of the set that its address names.  Where they are taken, it is
   placed but not known. */
enum { SETS = 512, WAYS = 8 };

static struct {
  _Alignas(64) _Atomic uintptr_t ways[WAYS];
} sets[SETS];

static atomic_size_t known_blocks;

static _Atomic uintptr_t *ways_of(uintptr_t block) {
  return sets[(block >> 4) * 0x9e3779b97f4a7c15U >> 55].ways;
}
_Static_assert(SETS == 1 << (64 - 55), "the shift leaves the number of a set");

/* Put `new` where `old` is among the ways of `block`. */
static bool exchange(uintptr_t block, uintptr_t old, uintptr_t new) {
  _Atomic uintptr_t *ways = ways_of(block);
  for (unsigned i = 0; i < WAYS; i++) {
    uintptr_t expected = old;
    if (atomic_load_explicit(&ways[i], memory_order_relaxed) == old &&
        atomic_compare_exchange_strong(&ways[i], &expected, new))
      return true;
  }
  return false;
}

static bool remember(uintptr_t block) {
  if (!exchange(block, 0, block))
    return false;
  atomic_fetch_add(&known_blocks, 1);
  return true;
}

/* The caller owns the block: nobody else remembers or forgets it meanwhile. */
static bool forget(uintptr_t block) {
  if (!block || atomic_load_explicit(&known_blocks, memory_order_relaxed) == 0 ||
      !exchange(block, block, 0))
    return false;
  atomic_fetch_sub(&known_blocks, 1);
  return true;
}

/* While the registry is locked. */
static void keep(struct mai_array *array) {
  if (remember(array->shape.start)) {
    if (mai_registry_add_locked(array) == 0)
      return;
    forget(array->shape.start);
  }
  mai_array_end_next_touch(array);
  mai_array_delete(array);
}

#if !defined __SANITIZE_ADDRESS__ && !defined __SANITIZE_THREAD__ /* whose run-times are in front  \
                                                                   */

/* What is known of a block that will be freed; NULL for all other addresses. */
static struct mai_array *take(void *block, bool freed) {
  if (!forget((uintptr_t)block))
    return NULL;
  int error = errno;
  struct mai_array *array =
      mai_registry_take(block, MAI_BLOCK_OF_HEAP, freed && mai_report_wanted());
  if (array)
    mai_array_end_next_touch(array);
  errno = error;
  return array;
}

static void delete(struct mai_array *array) {
  int error = errno;
  mai_array_delete(array);
  errno = error;
}

static __attribute__((__noinline__)) void forget_freed(void *block) {
  struct mai_array *array = take(block, true);
  if (array)
    delete (array);
}

static void keep_again(struct mai_array *array) {
  int error = errno;
  mai_registry_lock();
  keep(array);
  mai_registry_unlock();
  errno = error;
}

/* Programs free small blocks all the time: where no block is known this is two loads and a jump. */
static void (*_Atomic next_free)(void *);

static __attribute__((__noinline__)) void find_free(void) {
  atomic_store_explicit(&next_free, MAI_NEXT(free), memory_order_relaxed);
}

/* dlsym() may call free(), which had better know by then what comes next. */
__attribute__((constructor)) static void prepare(void) { find_free(); }

MAI_INTERPOSES void free(void *block) {
  if (atomic_load_explicit(&known_blocks, memory_order_relaxed) != 0)
    forget_freed(block);
  if (!atomic_load_explicit(&next_free, memory_order_relaxed))
    find_free();
  atomic_load_explicit(&next_free, memory_order_relaxed)(block);
}

/* A block that could not be moved is still there. */
static void settle(struct mai_array *array, const void *moved) {
  if (array && moved)
    delete (array);
  else if (array)
    keep_again(array);
}

/* reallocarray() calls it. */
MAI_INTERPOSES void *realloc(void *block, size_t bytes) {
  struct mai_array *array = take(block, bytes == 0);
  void *moved = MAI_NEXT(realloc)(block, bytes);
  settle(array, bytes ? moved : block);
  return moved;
}

#endif

static pthread_once_t once = PTHREAD_ONCE_INIT;
static bool hears_of_free;

/* Whether the program's calls of free() come by here, at once or by way of other libraries. */
static void listen(void) {
  void (*called)(void *);
  *(void **)&called = dlsym(RTLD_DEFAULT, "free");
  void *probe = malloc(1);
  uintptr_t address = (uintptr_t)probe;
  if (!called || !probe || !remember(address)) {
    free(probe);
    return;
  }
  called(probe);
  hears_of_free = !forget(address);
}

/*===-- What a policy means for a block ------------------------------------===*/

static struct mai_shape shape_of(const void *block, size_t bytes, const struct mai_block *how) {
  struct mai_shape shape = {.start = (uintptr_t)block, .bytes = bytes};
  size_t whole = bytes;
  while (shape.dimensions < MAI_MOST_DIMENSIONS) {
    size_t stride = how->strides[shape.dimensions];
    if (stride == 0 || stride > whole)
      break;
    shape.strides[shape.dimensions++] = whole = stride;
  }
  if (shape.dimensions == 0)
    shape.strides[shape.dimensions++] = 1;
  return shape;
}

static bool goes_by_range(const mai_policy_t *policy) {
  return policy->kind == MAI_POLICY_BLOCK || policy->kind == MAI_POLICY_BLOCK_CYCLIC;
}

static bool goes_by_columns(const mai_policy_t *policy) {
  return goes_by_range(policy) && policy->unit == MAI_UNIT_DIMENSION && policy->dimension > 0;
}

/* A page holds columns of several threads where rows are short, and nothing is won. */
static bool rows_are_short(const struct mai_machine *machine, const struct mai_shape *shape,
                           unsigned dimension) {
  return dimension >= shape->dimensions ||
         shape->strides[dimension - 1] < machine->node_count * machine->page_size;
}

static bool fits(const mai_policy_t *policy, size_t units) {
  return policy->first < units && policy->count <= units - policy->first;
}

static mai_policy_t suited(const struct mai_machine *machine, const mai_policy_t *asked,
                           const struct mai_shape *shape) {
  static const mai_policy_t cyclic = MAI_CYCLIC_OVER_THREADS;
  mai_policy_t policy = *asked;
  unsigned dimension = policy.unit == MAI_UNIT_DIMENSION ? policy.dimension : 0;
  if (goes_by_columns(&policy) && rows_are_short(machine, shape, dimension))
    return cyclic;
  size_t whole = dimension ? shape->strides[dimension - 1] : shape->bytes;
  if (goes_by_range(&policy) && !policy.along && !fits(&policy, whole / shape->strides[dimension]))
    policy.first = policy.count = 0;
  return policy;
}

/*===-- Blocks --------------------------------------------------------------===*/

static struct mai_array *describe(const struct mai_machine *machine, const struct mai_shape *shape,
                                  const struct mai_block *how) {
  struct mai_array *array = mai_array_new(how->name, (const void *)shape->start);
  if (!array)
    return NULL;
  array->file = how->file;
  array->line = how->line;
  array->origin = MAI_BLOCK_OF_HEAP;
  array->shape = *shape;
  array->pages = (struct mai_page_sizes){machine->page_size, machine->huge_page_size};
  return array;
}

/* While the registry is locked. @return 0, or why the block is not placed, an errno */
static int place(struct mai_array *array, const mai_policy_t *policy) {
  uintptr_t end = array->shape.start + array->shape.bytes;
  struct mai_moves moves = {0};
  int error = 0;
  if (mai_registry_check_adoptable(array->shape.start, end) != 0) {
    mai_array_delete(array);
    return 0;
  }
  bool chosen = mai_array_choose(array, policy) == 0;
  if (chosen)
    mai_filled_foresee(array);
  if (!chosen || mai_array_take_over(array, &moves) != 0) {
    error = errno;
    mai_array_leave_alone(array, policy, error);
  }
  forget(array->shape.start); /* where it was placed before, by hand */
  mai_registry_forget(array->shape.start, end);
  if (hears_of_free) {
    keep(array);
    return error;
  }
  mai_array_end_next_touch(array);
  mai_array_delete(array);
  return error;
}

void mai_place_block(void *block, unsigned long bytes, const struct mai_block *how) {
  static const mai_policy_t first_touch = MAI_FIRST_TOUCH;
  int error = errno;
  const struct mai_machine *machine = block && bytes >= MAI_LEAST_BLOCK ? mai_machine() : NULL;
  bool wanted = machine && (mai_machine_places(machine) || mai_report_wanted());
  if (wanted && bytes <= UINTPTR_MAX - (uintptr_t)block) {
    pthread_once(&once, listen);
    struct mai_shape shape = shape_of(block, bytes, how);
    mai_policy_t policy = machine->watch_only ? first_touch : suited(machine, &how->policy, &shape);
    struct mai_array *array = describe(machine, &shape, how);
    mai_registry_lock();
    int failure = array ? place(array, &policy) : ENOMEM;
    mai_registry_unlock();
    if (failure) /* not while the registry is locked: a handler of the program's may free */
      mai_message("%s:%u: block '%s' is not placed: %s", how->file, how->line, how->name,
                  strerror(failure));
  }
  errno = error;
}

void *mai_new_block(void *block) { return block; }

/*===-- Rows of a matrix, each a block ---------------------------------------===*/

/* Where the rows of the matrix that was placed last belong: one page stands for a row. */
static struct {
  pthread_mutex_t lock;
  struct mai_block how;
  unsigned long rows;
  struct mai_array *matrix;
} last = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void lock_last(void) { pthread_mutex_lock(&last.lock); }
static void unlock_last(void) { pthread_mutex_unlock(&last.lock); }

/* A child of fork() must not find the lock held by a thread that it does not have. */
__attribute__((constructor)) static void survive_fork(void) {
  pthread_atfork(lock_last, unlock_last, unlock_last);
}

static struct mai_array *plan_rows(const struct mai_machine *machine, unsigned long rows,
                                   const struct mai_block *how) {
  size_t page = machine->page_size;
  struct mai_shape shape = {.start = page, .dimensions = 1, .strides = {page}};
  if (__builtin_mul_overflow(rows, page, &shape.bytes) || shape.bytes > UINTPTR_MAX - page)
    return NULL;
  mai_policy_t policy = suited(machine, &how->policy, &shape);
  struct mai_array *matrix = describe(machine, &shape, how);
  if (!matrix)
    return NULL;
  matrix->pages.huge = 0;
  if (mai_array_choose(matrix, &policy) == 0)
    return matrix;
  mai_array_delete(matrix);
  return NULL;
}

static bool is_last(unsigned long rows, const struct mai_block *how) {
  const struct mai_block *before = &last.how;
  return last.matrix && last.rows == rows && before->name == how->name &&
         before->file == how->file && before->line == how->line &&
         memcmp(&before->policy, &how->policy, sizeof how->policy) == 0;
}

/* The node of a row; MAI_ANY_NODE when there is no saying. */
static uint32_t node_of_row(const struct mai_machine *machine, unsigned long row,
                            unsigned long rows, const struct mai_block *how) {
  uint32_t node = MAI_ANY_NODE;
  lock_last();
  if (!is_last(rows, how)) {
    mai_array_delete(last.matrix);
    last.matrix = plan_rows(machine, rows, how);
    last.rows = rows;
    last.how = *how;
  }
  if (last.matrix)
    node = mai_placement_node(&last.matrix->placement, row < rows ? row : rows - 1);
  unlock_last();
  return node;
}

/* The first page whose middle is at `address` or behind it. */
static uintptr_t page_from(uintptr_t address, size_t page) {
  return (address + page / 2 - 1) / page * page;
}

void mai_place_row(void *block, unsigned long bytes, unsigned long row, unsigned long rows,
                   const struct mai_block *how) {
  int error = errno;
  uintptr_t start = (uintptr_t)block;
  bool large = block && rows && bytes >= MAI_LEAST_BLOCK / rows;
  const struct mai_machine *machine = large ? mai_machine() : NULL;
  if (machine && mai_machine_places(machine) && bytes <= UINTPTR_MAX - start - machine->page_size) {
    uintptr_t begin = page_from(start, machine->page_size);
    uintptr_t end = page_from(start + bytes, machine->page_size);
    uint32_t node = begin < end ? node_of_row(machine, row, rows, how) : MAI_ANY_NODE;
    if (node != MAI_ANY_NODE)
      mai_kernel_draw_range(begin, end - begin, node);
  }
  errno = error;
}
