/*===-- blocks.c - places what malloc() has returned ------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * A block is the program's: it may be freed at any time, by any function.  What MAi knows of it
 * must go before its memory can become somebody else's: heap_hooks.c sees to that.
 */
#include "blocks.h"

#include <errno.h>
#include <stdatomic.h>
#include <string.h>

#include "arrays.h"
#include "filled.h"
#include "heap_hooks.h"
#include "lifetime.h"
#include "mai.h"
#include "mai/memory/memory.h"
#include "mai/process/call.h"
#include "mai/process/message.h"
#include "mai/process/settings.h"
#include "next_touch.h"
#include "runtime/heap.h"
#include "runtime/lock.h"

/*===-- What is too small --------------------------------------------------===*/

static atomic_size_t small_blocks, small_below;

void mai_leave_small_block(size_t below) {
  atomic_fetch_add_explicit(&small_blocks, 1, memory_order_relaxed);
  atomic_store_explicit(&small_below, below, memory_order_relaxed);
}

struct mai_small_blocks mai_small_blocks(void) {
  return (struct mai_small_blocks){atomic_load(&small_blocks), atomic_load(&small_below)};
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

/* As with rows. */
static bool slices_are_short(const struct mai_machine *machine, const struct mai_shape *shape,
                             const mai_policy_t *policy) {
  unsigned long slices =
      mai_policy_has_unequal_slices(policy) ? policy->share_count : policy->block[0];
  return shape->bytes / slices < machine->node_count * machine->page_size;
}

static bool fits(const mai_policy_t *policy, size_t units) {
  return policy->first < units && policy->count <= units - policy->first;
}

/* Rows, too, that other loops may divide, where no threads wait for one memory: each core's cache
   holds the block. */
static mai_policy_t without_columns(const struct mai_shape *shape) {
  static const mai_policy_t rows = MAI_BLOCK, cyclic = MAI_CYCLIC_OVER_THREADS;
  return shape->bytes < MAI_LEAST_SHARED ? rows : cyclic;
}

static mai_policy_t suited(const struct mai_machine *machine, const mai_policy_t *asked,
                           const struct mai_shape *shape) {
  static const mai_policy_t cyclic = MAI_CYCLIC_OVER_THREADS;
  mai_policy_t policy = *asked;
  unsigned dimension = policy.unit == MAI_UNIT_DIMENSION ? policy.dimension : 0;
  if (goes_by_columns(&policy) && rows_are_short(machine, shape, dimension))
    return without_columns(shape);
  if (policy.unit == MAI_UNIT_SLICES && slices_are_short(machine, shape, &policy))
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
  array->file = how->file ? minas_copy_text(how->file) : NULL;
  array->line = how->line;
  array->origin = MAI_BLOCK_OF_HEAP;
  array->shape = *shape;
  array->pages = (struct mai_page_sizes){machine->page_size, machine->huge_page_size};
  return array;
}

/* A block whose end nobody would tell is placed, and not known. */
static void keep(struct mai_array *array) {
  if (mai_heap_hooks_hear_of_free()) {
    mai_lifetime_begin_in_place(array);
    return;
  }
  mai_lifetime_make_way(array);
  mai_array_end_next_touch(array);
  mai_array_delete(array);
}

/* @return 0, or why the block is not placed, an errno */
static int place(struct mai_array *array, const mai_policy_t *policy) {
  struct mai_moves moves = {0};
  int error = 0;
  if (mai_array_make_room(array->shape.start, array->shape.start + array->shape.bytes) != 0) {
    mai_array_delete(array);
    return 0;
  }
  bool chosen = (array->site ? mai_array_plan_by : mai_array_choose)(array, policy) == 0;
  if (chosen)
    mai_filled_plan_early(array);
  if (!chosen || mai_array_take_over(array, &moves) != 0) {
    error = errno;
    mai_array_leave_alone(array, policy, error);
  }
  keep(array);
  return error;
}

static int read_policy(const struct mai_block *how, mai_policy_t *policy) {
  return mai_policy_take_entry(how->policy, how->first, how->count, how->file, how->line, policy);
}

/* @return as place() */
static int place_as(const struct mai_machine *machine, const struct mai_shape *shape,
                    const struct mai_block *how) {
  mai_policy_t asked = MAI_FIRST_TOUCH;
  if (!machine->watch_only && read_policy(how, &asked) != 0)
    return errno;
  mai_policy_t policy = suited(machine, &asked, shape);
  struct mai_array *array = describe(machine, shape, how);
  int failure = array ? place(array, &policy) : ENOMEM;
  mai_policy_release(&asked);
  return failure;
}

/* To place a block takes some twenty system calls, however small it is: that pays for what many
   loops use, and not for what comes and goes. */
static bool is_one_of_few(void) {
  static atomic_uint seen;
  return atomic_load_explicit(&seen, memory_order_relaxed) < MAI_MOST_SMALL_BLOCKS &&
         atomic_fetch_add_explicit(&seen, 1, memory_order_relaxed) < MAI_MOST_SMALL_BLOCKS;
}

static bool is_worth_it(size_t bytes, const struct mai_block *how) {
  if (how->least)
    return bytes >= how->least;
  return bytes >= MAI_LEAST_BLOCK || (bytes >= MAI_LEAST_SMALL_BLOCK && is_one_of_few());
}

void mai_place_block(void *block, unsigned long bytes, const struct mai_block *how) {
  MAI_CALL;
  int error = errno;
  const struct mai_machine *machine = block && is_worth_it(bytes, how) ? mai_machine() : NULL;
  bool wanted = machine && (mai_machine_places(machine) || mai_settings_report_wanted());
  if (wanted && bytes <= UINTPTR_MAX - (uintptr_t)block) {
    struct mai_shape shape = shape_of(block, bytes, how);
    int failure = place_as(machine, &shape, how);
    if (failure)
      mai_message("%s:%u: block '%s' is not placed: %s", how->file, how->line, how->name,
                  strerrordesc_np(failure));
  }
  errno = error;
}

/* By bytes: nothing else is known of it. */
bool mai_place_block_of(struct mai_site *site, void *block, size_t bytes,
                        const mai_policy_t *policy) {
  MAI_CALL;
  struct mai_block how = {.name = site->key};
  const struct mai_machine *machine = mai_machine();
  if (!machine || bytes > UINTPTR_MAX - (uintptr_t)block ||
      !(mai_machine_places(machine) || mai_settings_report_wanted()))
    return false;
  struct mai_shape shape = {
      .start = (uintptr_t)block, .bytes = bytes, .dimensions = 1, .strides = {1}};
  struct mai_array *array = describe(machine, &shape, &how);
  if (array) {
    array->site = site;
    mai_site_begin(site, bytes);
  }
  int failure = array ? place(array, policy) : ENOMEM;
  if (failure)
    mai_message("block '%s' is not placed: %s", site->key, strerrordesc_np(failure));
  return !failure && !machine->watch_only && mai_heap_hooks_hear_of_free() &&
         !mai_policy_goes_by_use(policy);
}

void *mai_new_block(void *block) { return block; }

/*===-- Rows of a matrix, each a block ---------------------------------------===*/

/* Where the rows of a matrix belong: one page stands for a row. */
struct matrix {
  struct mai_block how;
  unsigned long rows;
  unsigned long bytes; /* of the rows that have come */
  struct mai_array *array;
};

/* The last ones that were placed: a function allocates the tables and rows of several in turn. */
enum { REMEMBERED = 8 };

static struct {
  struct minas_lock lock;
  unsigned next; /* is forgotten */
  struct matrix matrices[REMEMBERED];
} last = {.lock = MINAS_LOCK_INITIALISER};

static struct mai_array *plan_rows(const struct mai_machine *machine, unsigned long rows,
                                   const struct mai_block *how) {
  size_t page = machine->page_size;
  struct mai_shape shape = {.start = page, .dimensions = 1, .strides = {page}};
  if (__builtin_mul_overflow(rows, page, &shape.bytes) || shape.bytes > UINTPTR_MAX - page)
    return NULL;
  mai_policy_t asked;
  if (read_policy(how, &asked) != 0)
    return NULL;
  mai_policy_t policy = suited(machine, &asked, &shape);
  struct mai_array *matrix = describe(machine, &shape, how);
  if (matrix)
    matrix->pages.huge = 0;
  if (matrix && mai_array_choose(matrix, &policy) != 0) {
    mai_array_delete(matrix);
    matrix = NULL;
  }
  mai_policy_release(&asked);
  return matrix;
}

static bool is_alike(const struct matrix *matrix, unsigned long rows, const struct mai_block *how) {
  const struct mai_block *before = &matrix->how;
  return matrix->array && matrix->rows == rows && before->name == how->name &&
         before->file == how->file && before->line == how->line && before->policy == how->policy &&
         before->first == how->first && before->count == how->count;
}

static struct matrix *find_matrix(unsigned long rows, const struct mai_block *how) {
  for (unsigned i = 0; i < REMEMBERED; i++)
    if (is_alike(&last.matrices[i], rows, how))
      return &last.matrices[i];
  return NULL;
}

/* What is asked of a row: where it belongs, and how much of its matrix there is with it. */
struct row {
  unsigned long number;
  unsigned long bytes;
  uint32_t node;
  unsigned long bytes_of_matrix;
};

static void look_at(struct matrix *matrix, struct row *row) {
  unsigned long last_row = matrix->rows - 1;
  matrix->bytes += row->bytes;
  row->bytes_of_matrix = matrix->bytes;
  row->node = mai_placement_node(&matrix->array->placement,
                                 row->number < last_row ? row->number : last_row);
}

/* Whether the matrix is one of the last ones. */
static bool look_up(unsigned long rows, const struct mai_block *how, struct row *row) {
  minas_lock(&last.lock);
  struct matrix *matrix = find_matrix(rows, how);
  if (matrix)
    look_at(matrix, row);
  minas_unlock(&last.lock);
  return matrix;
}

static void remember(const struct matrix *matrix) {
  minas_lock(&last.lock);
  struct matrix *place = &last.matrices[last.next++ % REMEMBERED];
  struct mai_array *before = place->array;
  place->array = NULL; /* nothing else is looked at then */
  place->how = matrix->how;
  place->rows = matrix->rows;
  place->bytes = matrix->bytes;
  place->array = matrix->array;
  minas_unlock(&last.lock);
  mai_array_delete(before);
}

/* Where a row belongs: on no node in particular, when there is no saying. */
static void find_node(const struct mai_machine *machine, unsigned long rows,
                      const struct mai_block *how, struct row *row) {
  row->node = MAI_ANY_NODE;
  if (look_up(rows, how, row))
    return;
  struct matrix matrix = {*how, rows, 0, plan_rows(machine, rows, how)};
  if (!matrix.array)
    return;
  look_at(&matrix, row);
  remember(&matrix);
}

/* What allocators keep in front of a block is its row's, too. */
enum { BLOCK_HEADER = 32 };

/* The first page whose middle is at `address` or behind it. */
static uintptr_t page_from(uintptr_t address, size_t page) {
  return mai_page_by_middle(address, page) * page;
}

static uintptr_t first_page(const struct mai_shape *row, size_t page) {
  return page_from(row->start - BLOCK_HEADER, page);
}

/* It shares them with no other row, short as it may be. */
static bool has_own_pages(size_t bytes, const struct mai_block *how) {
  return how->least == MAI_LEAST_OF_OWN_PAGES && bytes < MAI_LEAST_BLOCK;
}

/* The pages that hold any of the row. */
static void use_own_pages(struct mai_placement *placement, const struct mai_shape *row) {
  size_t page = placement->page_size;
  placement->start = row->start / page * page;
  placement->pages = (row->start + row->bytes - placement->start + page - 1) / page;
}

/* The pages whose middle is in the row.  Without memory for it, the row stays where it is. */
static struct mai_array *describe_row(const struct mai_machine *machine,
                                      const struct mai_shape *row, const struct mai_block *how,
                                      uint32_t node) {
  struct mai_array *array = describe(machine, row, how);
  if (!array)
    return NULL;
  uintptr_t begin = first_page(row, machine->page_size);
  uintptr_t end = page_from(row->start + row->bytes, machine->page_size);
  array->origin = MAI_ROW_OF_HEAP;
  array->policy = (mai_policy_t)MAI_BIND(node);
  array->pages.huge = 0;
  array->placement = (struct mai_placement){.start = begin,
                                            .page_size = machine->page_size,
                                            .pages = (end - begin) / machine->page_size,
                                            .rule = MAI_RULE_ONE,
                                            .count = 1,
                                            .nodes = minas_copy(&node, sizeof node)};
  if (has_own_pages(row->bytes, how))
    use_own_pages(&array->placement, row);
  if (array->placement.nodes)
    return array;
  mai_array_delete(array);
  return NULL;
}

static void put_on(const struct mai_machine *machine, const struct mai_shape *row,
                   const struct mai_block *how, uint32_t node) {
  struct mai_moves moves = {0};
  struct mai_array *array = describe_row(machine, row, how, node);
  if (array && mai_array_take_over(array, &moves) == 0)
    keep(array);
  else
    mai_array_delete(array);
}

void mai_expect_row(void *block, size_t bytes) {
  MAI_CALL;
  int error = errno;
  const struct mai_machine *machine = mai_machine();
  const struct mai_shape row = {.start = (uintptr_t)block, .bytes = bytes};
  if (machine && mai_machine_places(machine) &&
      bytes <= UINTPTR_MAX - row.start - machine->page_size) {
    uintptr_t begin = first_page(&row, machine->page_size);
    uintptr_t end = page_from(row.start + bytes, machine->page_size);
    if (begin < end)
      mai_memory_advise((void *)begin, end - begin, MAI_HUGE_OFF);
  }
  errno = error;
}

/* Rows may be short; the matrix is what has to be large. */
static bool is_large(const struct row *row, unsigned long rows) {
  return row->bytes >= MAI_LEAST_BLOCK / rows || row->bytes_of_matrix >= MAI_LEAST_BLOCK;
}

static bool holds_middle_of_page(const struct mai_shape *row, size_t page) {
  return first_page(row, page) < page_from(row->start + row->bytes, page);
}

void mai_place_row(void *block, unsigned long bytes, unsigned long row, unsigned long rows,
                   const struct mai_block *how) {
  MAI_CALL;
  int error = errno;
  uintptr_t start = (uintptr_t)block;
  const struct mai_machine *machine = block && rows && bytes ? mai_machine() : NULL;
  if (machine && mai_machine_places(machine) && bytes <= UINTPTR_MAX - start - machine->page_size) {
    struct row this = {.number = row, .bytes = bytes};
    struct mai_shape shape = {.start = start, .bytes = bytes, .dimensions = 1, .strides = {bytes}};
    find_node(machine, rows, how, &this);
    bool wanted = has_own_pages(bytes, how) ||
                  (is_large(&this, rows) && holds_middle_of_page(&shape, machine->page_size));
    if (this.node != MAI_ANY_NODE && wanted)
      put_on(machine, &shape, how, this.node);
  }
  errno = error;
}
