/*===-- original.c - what mai_compat.h stands on ----------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * Arrays of the original MAi: of two and three dimensions they are reached through tables of row
 * pointers, and a program names an array by its outermost table.  Here the data of each is an array
 * of mai_alloc_shape(), and the tables are beside it.
 *
 * Its calls return nothing, so that what goes wrong is said as a message and left in errno.
 */
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <search.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "mai_compat.h"
#include "numarch.h"

/* Of arrays of Fortran; those of C, with their tables, have up to three. */
enum { MOST_DIMENSIONS = 5, MOST_WITH_TABLES = 3 };

struct original {
  void *pointer; /* what the program holds: the outermost table, or the data of a vector */
  char *data;
  unsigned dimensions;
  size_t extents[MOST_DIMENSIONS];
  size_t item;
  size_t blocks[MOST_DIMENSIONS]; /* of mai_subarray(); 0: not said */
  size_t block_bytes;             /* of mai_bytes(); 0: not said */
};

enum { MOST_NODES = 1024 }; /* that the kernel knows */

static int fail(int error) {
  errno = error;
  return -1;
}

/* Keeps errno. */
__attribute__((format(printf, 1, 2))) static void tell(const char *format, ...) {
  int error = errno;
  char text[512];
  va_list list;
  va_start(list, format);
  vsnprintf(text, sizeof text, format, list);
  va_end(list);
  mai_tell(text);
  errno = error;
}

/* Says what became of a call that was to place something. */
static int told(int result, const void *pointer) {
  if (result != 0)
    tell("the array at %p cannot be placed as asked: %s", pointer, strerrordesc_np(errno));
  return result;
}

static size_t smaller(size_t a, size_t b) { return a < b ? a : b; }

/*===-- The arrays that are known ------------------------------------------===*/

static struct {
  pthread_mutex_t lock;
  void *tree;
} known = {.lock = PTHREAD_MUTEX_INITIALIZER};

static int by_pointer(const void *a, const void *b) {
  uintptr_t left = (uintptr_t)((const struct original *)a)->pointer;
  uintptr_t right = (uintptr_t)((const struct original *)b)->pointer;
  return (left > right) - (left < right);
}

static int remember(const struct original *array) {
  struct original *copy = calloc(1, sizeof *copy);
  if (!copy)
    return -1;
  *copy = *array;
  pthread_mutex_lock(&known.lock);
  void *node = tsearch(copy, &known.tree, by_pointer);
  pthread_mutex_unlock(&known.lock);
  if (!node)
    free(copy);
  return node ? 0 : fail(ENOMEM);
}

static struct original *look_up(const void *pointer) {
  struct original wanted = {.pointer = (void *)(uintptr_t)pointer};
  struct original **node = tfind(&wanted, &known.tree, by_pointer);
  return node ? *node : NULL;
}

static int unknown(const void *pointer) {
  tell("%p is no array of mai_alloc_1D(), mai_alloc_2D() or mai_alloc_3D()", pointer);
  return fail(EINVAL);
}

static int find(const void *pointer, struct original *array) {
  pthread_mutex_lock(&known.lock);
  const struct original *found = look_up(pointer);
  if (found)
    *array = *found;
  pthread_mutex_unlock(&known.lock);
  return found ? 0 : unknown(pointer);
}

static int set_blocks(const void *pointer, const size_t *blocks, size_t bytes) {
  pthread_mutex_lock(&known.lock);
  struct original *found = look_up(pointer);
  if (found) {
    memcpy(found->blocks, blocks, sizeof found->blocks);
    found->block_bytes = bytes;
  }
  pthread_mutex_unlock(&known.lock);
  return found ? 0 : unknown(pointer);
}

static int forget(const void *pointer, struct original *array) {
  pthread_mutex_lock(&known.lock);
  struct original *found = look_up(pointer);
  if (found) {
    *array = *found;
    tdelete(found, &known.tree, by_pointer);
    free(found);
  }
  pthread_mutex_unlock(&known.lock);
  return found ? 0 : unknown(pointer);
}

/*===-- Allocation ---------------------------------------------------------===*/

/* Bytes from one index of a dimension to the next. */
static size_t stride_of(const struct original *array, unsigned dimension) {
  size_t stride = array->item;
  for (unsigned i = dimension + 1; i < array->dimensions; i++)
    stride *= array->extents[i];
  return stride;
}

static size_t bytes_of(const struct original *array) {
  return array->extents[0] * stride_of(array, 0);
}

/* The rows' pointers and, behind them, those of the columns of each row.  No size overflows: the
   data are there, and larger. */
static void **make_tables(const struct original *array) {
  size_t rows = array->extents[0];
  size_t columns = array->dimensions > 2 ? array->extents[1] : 0;
  void **tables = calloc(1, rows * (1 + columns) * sizeof *tables);
  for (size_t i = 0; tables && i < rows; i++)
    tables[i] =
        columns ? (void *)(tables + rows + i * columns) : array->data + i * stride_of(array, 0);
  for (size_t i = 0; tables && i < rows * columns; i++)
    tables[rows + i] = array->data + i * stride_of(array, 1);
  return tables;
}

static int describe(unsigned dimensions, const int *extents, size_t item, struct original *array) {
  *array = (struct original){.dimensions = dimensions, .item = item};
  for (unsigned i = 0; i < dimensions; i++) {
    if (extents[i] <= 0)
      return fail(EINVAL);
    array->extents[i] = (size_t)extents[i];
  }
  return 0;
}

static void discard(const struct original *array) {
  int error = errno;
  mai_free(array->data);
  if (array->pointer != array->data)
    free(array->pointer);
  errno = error;
}

static int allocate(struct original *array, bool tables) {
  array->data =
      mai_alloc_shape(array->dimensions, array->extents, array->item, "first-touch", NULL, NULL);
  if (!array->data)
    return -1;
  array->pointer = tables ? (void *)make_tables(array) : (void *)array->data;
  if (array->pointer && remember(array) == 0)
    return 0;
  discard(array);
  return -1;
}

static void *none(unsigned dimensions, size_t item) {
  tell("no array of %u dimensions with elements of %zu bytes: %s", dimensions, item,
       strerrordesc_np(errno));
  return NULL;
}

void *mai_original_alloc(unsigned dimensions, const int *extents, size_t item) {
  struct original array;
  errno = EINVAL;
  if (dimensions > 0 && dimensions <= MOST_WITH_TABLES &&
      describe(dimensions, extents, item, &array) == 0 && allocate(&array, dimensions > 1) == 0)
    return array.pointer;
  return none(dimensions, item);
}

void *mai_original_alloc_fortran(unsigned dimensions, const int *extents, size_t item) {
  struct original array;
  int reversed[MOST_DIMENSIONS];
  errno = EINVAL;
  for (unsigned i = 0; i < dimensions && dimensions <= MOST_DIMENSIONS; i++)
    reversed[i] = extents[dimensions - 1 - i];
  if (dimensions > 0 && dimensions <= MOST_DIMENSIONS &&
      describe(dimensions, reversed, item, &array) == 0 && allocate(&array, false) == 0)
    return array.pointer;
  return none(dimensions, item);
}

int mai_original_free(void *pointer) {
  struct original array;
  if (!pointer)
    return 0;
  if (forget(pointer, &array) != 0)
    return -1;
  discard(&array);
  return 0;
}

/*===-- Policies -----------------------------------------------------------===*/

/* The nodes of one call, or those of mai_nodes(). */
struct nodes {
  unsigned count; /* 0: not said, all */
  unsigned list[MOST_NODES];
};

static int read_nodes(int count, const int *list, struct nodes *nodes) {
  if (count <= 0 || count > MOST_NODES || !list)
    return fail(EINVAL);
  for (int i = 0; i < count; i++) {
    if (list[i] < 0 || list[i] >= MOST_NODES)
      return fail(ENODEV);
    nodes->list[i] = (unsigned)list[i];
  }
  nodes->count = (unsigned)count;
  return 0;
}

static bool is_prime(unsigned long number) {
  for (unsigned long divisor = 2; divisor <= number / divisor; divisor++)
    if (number % divisor == 0)
      return false;
  return number > 1;
}

/* The original took any number.  One that is no prime, or less than the number of nodes, would
   distribute unevenly. */
static unsigned long fitting_prime(int wanted, unsigned nodes) {
  unsigned long prime = wanted > 0 ? (unsigned long)wanted : 1;
  prime = prime < nodes ? nodes : prime;
  while (!is_prime(prime))
    prime++;
  return prime;
}

static unsigned count_nodes(const struct nodes *nodes) {
  int all = nodes->count ? 0 : mai_list_nodes(NULL, 0);
  return all > 0 ? (unsigned)all : nodes->count;
}

/* What a vector has not, its last dimension stands for. */
static unsigned dimension_of(const struct original *array, int dimension) {
  return (unsigned)smaller((size_t)dimension, array->dimensions - 1);
}

/* A policy in the words of mai.h. */
struct policy {
  size_t length;
  char text[32 << 10]; /* holds the longest lists */
};

__attribute__((format(printf, 2, 3))) static void add(struct policy *policy, const char *format,
                                                      ...) {
  size_t room = sizeof policy->text - policy->length;
  va_list list;
  va_start(list, format);
  int length = vsnprintf(policy->text + policy->length, room, format, list);
  va_end(list);
  policy->length += smaller(length > 0 ? (size_t)length : 0, room - 1);
}

static void add_nodes(struct policy *policy, const struct nodes *nodes) {
  for (unsigned i = 0; i < nodes->count; i++)
    add(policy, "%s%u", i ? "," : " on ", nodes->list[i]);
}

static int place_by(const struct original *array, const struct policy *policy) {
  return mai_replace(array->data, policy->text, NULL);
}

/* Blocks of so many indices. */
static void add_blocks(const struct original *array, const size_t *blocks, struct policy *policy) {
  for (unsigned i = 0; i < array->dimensions; i++)
    add(policy, "%s%zu", i ? "x" : " by blocks ", blocks[i]);
}

/* Distributes `units` indices of a dimension at a time. */
static int distribute_units(const struct original *array, int dimension, int units,
                            struct policy *policy) {
  size_t blocks[MOST_DIMENSIONS];
  if (units <= 0)
    return fail(EINVAL);
  memcpy(blocks, array->extents, sizeof blocks);
  blocks[dimension_of(array, dimension)] = (size_t)units;
  add_blocks(array, blocks, policy);
  return 0;
}

/* The nodes get equal shares, in their order. */
static void divide_evenly(size_t units, const struct nodes *nodes, struct policy *policy) {
  add(policy, "irregular");
  for (unsigned i = 0; i < nodes->count; i++)
    add(policy, "%s%zu", i ? "," : " ",
        (units * (i + 1)) / nodes->count - (units * i) / nodes->count);
}

/* Binding gives shares to the nodes of the threads that work on them; to named nodes it gives them
   in order. */
static int bind_shares(const struct original *array, const struct mai_original_policy *request,
                       const struct nodes *nodes, struct policy *policy) {
  unsigned dimension = dimension_of(array, request->dimension);
  bool in_chunks = request->kind == MAI_ORIGINAL_BLOCK_CYCLIC;
  if (in_chunks && request->units <= 0)
    return fail(EINVAL);
  if (in_chunks && nodes->count) {
    add(policy, "cyclic");
    return distribute_units(array, request->dimension, request->units, policy);
  }
  if (in_chunks)
    add(policy, "block-cyclic %d", request->units);
  else if (nodes->count)
    divide_evenly(array->extents[dimension], nodes, policy);
  else
    add(policy, "block");
  add(policy, " by dimension %u", dimension);
  return 0;
}

/* Pages, or as many indices of a dimension, in turn. */
static int distribute(const struct original *array, const struct mai_original_policy *request,
                      const struct nodes *nodes, struct policy *policy) {
  if (request->kind == MAI_ORIGINAL_PRIME)
    add(policy, "prime %lu", fitting_prime(request->prime, count_nodes(nodes)));
  else if (request->kind == MAI_ORIGINAL_RANDOM)
    add(policy, "random 1");
  else
    add(policy, request->kind == MAI_ORIGINAL_SKEW ? "skew" : "cyclic");
  return request->dimension == MAI_ORIGINAL_PAGES
             ? 0
             : distribute_units(array, request->dimension, request->units, policy);
}

static void add_all_nodes(struct nodes *nodes) {
  int count = mai_list_nodes(nodes->list, MOST_NODES);
  nodes->count = count > 0 ? (unsigned)smaller((size_t)count, MOST_NODES) : 0;
}

/* Without nodes, binding means those on which the program's threads run. */
static void bind(struct nodes *nodes, struct policy *policy) {
  bool threads = nodes->count == 0;
  if (threads)
    add_all_nodes(nodes);
  for (unsigned i = 0; i < nodes->count; i++)
    add(policy, "%s%u", i ? "," : "bind ", nodes->list[i]);
  if (threads)
    add(policy, " on threads");
}

static int translate(const struct original *array, const struct mai_original_policy *request,
                     struct nodes *nodes, struct policy *policy) {
  int result = 0;
  switch (request->kind) {
  case MAI_ORIGINAL_BIND:
    bind(nodes, policy);
    return 0;
  case MAI_ORIGINAL_BLOCK:
  case MAI_ORIGINAL_BLOCK_CYCLIC:
    result = bind_shares(array, request, nodes, policy);
    break;
  default:
    result = distribute(array, request, nodes, policy);
  }
  add_nodes(policy, nodes);
  return result;
}

static int place(const struct original *array, const struct mai_original_policy *request,
                 struct nodes *nodes) {
  struct policy policy;
  policy.length = 0;
  return translate(array, request, nodes, &policy) == 0 ? place_by(array, &policy) : -1;
}

int mai_original_place(void *pointer, const struct mai_original_policy *request) {
  struct original array;
  struct nodes nodes = {0};
  if (find(pointer, &array) != 0)
    return -1;
  bool all = request->node_count == MAI_ORIGINAL_ALL_NODES;
  int result = all ? 0 : read_nodes(request->node_count, request->nodes, &nodes);
  return told(result != 0 ? result : place(&array, request, &nodes), pointer);
}

static int node_of_this_thread(void) {
  unsigned cpu;
  unsigned node;
  return getcpu(&cpu, &node) == 0 ? (int)node : -1;
}

int mai_original_bind_here(void *pointer) {
  struct original array;
  if (find(pointer, &array) != 0)
    return -1;
  int node = node_of_this_thread();
  char policy[32];
  snprintf(policy, sizeof policy, "bind %d", node);
  return told(node < 0 ? -1 : mai_replace(array.data, policy, NULL), pointer);
}

int mai_original_next_touch(void *pointer) {
  struct original array;
  return find(pointer, &array) == 0 ? told((mai_next_touch)(array.data, 0, 0), pointer) : -1;
}

/*===-- The program's own policies -----------------------------------------===*/

static struct {
  pthread_mutex_t lock;
  struct nodes nodes;
} chosen = {.lock = PTHREAD_MUTEX_INITIALIZER};

int mai_original_nodes(unsigned long count, const int *list) {
  static struct nodes nodes;
  pthread_mutex_lock(&chosen.lock);
  int result = read_nodes(count > INT_MAX ? INT_MAX : (int)count, list, &nodes);
  if (result == 0)
    chosen.nodes = nodes;
  pthread_mutex_unlock(&chosen.lock);
  return result;
}

int mai_original_subarray(void *pointer, const int *block) {
  struct original array;
  size_t blocks[MOST_DIMENSIONS] = {0};
  if (find(pointer, &array) != 0)
    return -1;
  for (unsigned i = 0; i < array.dimensions && i < MOST_WITH_TABLES; i++)
    blocks[i] = block[i] > 0 ? (size_t)block[i] : 1;
  return set_blocks(pointer, blocks, 0);
}

int mai_original_bytes(void *pointer, size_t bytes) {
  static const size_t none[MOST_DIMENSIONS];
  return set_blocks(pointer, none, bytes);
}

/* So many whole pages to each node in turn. */
static void part_bytes(const struct original *array, const struct nodes *nodes,
                       struct policy *policy) {
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  size_t pages = smaller((array->block_bytes - 1) / page + 1, UINT_MAX);
  for (unsigned i = 0; i < nodes->count; i++)
    add(policy, "%s%zu", i ? "," : "weighted ", pages);
  add(policy, " by pages");
}

static int distribute_own_blocks(const struct original *array, const struct nodes *nodes) {
  struct policy policy;
  policy.length = 0;
  if (array->block_bytes) {
    part_bytes(array, nodes, &policy);
  } else if (array->blocks[0] == 0) {
    return fail(EINVAL);
  } else {
    add(&policy, "cyclic");
    add_blocks(array, array->blocks, &policy);
  }
  add_nodes(&policy, nodes);
  return place_by(array, &policy);
}

int mai_original_regular(void *pointer) {
  struct original array;
  if (find(pointer, &array) != 0)
    return -1;
  pthread_mutex_lock(&chosen.lock);
  struct nodes nodes = chosen.nodes;
  pthread_mutex_unlock(&chosen.lock);
  if (nodes.count == 0)
    add_all_nodes(&nodes);
  return told(distribute_own_blocks(&array, &nodes), pointer);
}

/* `pointer` may be one that mai_move_pointer() has moved into an array. */
static int find_around(const void *pointer, void **start, size_t *offset, size_t *left) {
  struct original array;
  pthread_mutex_lock(&known.lock);
  const struct original *found = look_up(pointer);
  if (found)
    array = *found;
  pthread_mutex_unlock(&known.lock);
  const char *address = found ? array.data : pointer;
  size_t bytes;
  *start = mai_array_around(address, &bytes);
  if (!*start)
    return unknown(pointer);
  *offset = (size_t)(address - (const char *)*start);
  *left = bytes - *offset;
  return 0;
}

int mai_original_irregular(void *pointer, size_t bytes, int node) {
  void *start;
  size_t offset;
  size_t left;
  if (find_around(pointer, &start, &offset, &left) != 0)
    return -1;
  if (node < 0)
    return told(fail(ENODEV), pointer);
  return told(mai_migrate_range(start, offset, smaller(bytes, left), (unsigned)node, NULL),
              pointer);
}

void *mai_original_moved(void *pointer, int dimension, size_t count) {
  struct original array;
  if (find(pointer, &array) != 0)
    return NULL;
  size_t step = dimension < 0 ? 1 : stride_of(&array, dimension_of(&array, dimension));
  if (count > bytes_of(&array) / step) {
    errno = EINVAL;
    return NULL;
  }
  return array.data + count * step;
}

size_t mai_original_size(const void *pointer) {
  struct original array;
  return find(pointer, &array) == 0 ? bytes_of(&array) : 0;
}

/*===-- Migration ----------------------------------------------------------===*/

struct block {
  size_t first_row, rows, first_column, columns;
};

static int migrate_row(const struct original *array, size_t row, const struct block *block,
                       unsigned node) {
  size_t column = array->dimensions > 1 ? stride_of(array, 1) : array->item;
  size_t offset = row * stride_of(array, 0) + block->first_column * column;
  return mai_migrate_range(array->data, offset, block->columns * column, node, NULL);
}

static int migrate_block(const struct original *array, const struct block *block, unsigned node) {
  size_t columns = array->dimensions > 1 ? array->extents[1] : 1;
  if (block->columns == columns && block->first_column == 0)
    return (mai_migrate_rows)(array->data, block->first_row, block->rows, node, NULL);
  if (block->first_row > array->extents[0] || block->rows > array->extents[0] - block->first_row ||
      block->first_column > columns || block->columns > columns - block->first_column)
    return fail(EINVAL);
  for (size_t i = 0; i < block->rows; i++)
    if (migrate_row(array, block->first_row + i, block, node) != 0)
      return -1;
  return 0;
}

static int migrate(const struct original *array, unsigned long node, const int *range) {
  if (node > UINT_MAX)
    return fail(ENODEV);
  for (int i = 0; range && i < 4; i++)
    if (range[i] < 0)
      return fail(EINVAL);
  if (!range)
    return (mai_migrate)(array->data, (unsigned)node, NULL);
  struct block block = {(size_t)range[0], (size_t)range[1], (size_t)range[2], (size_t)range[3]};
  return migrate_block(array, &block, (unsigned)node);
}

int mai_original_migrate(void *pointer, unsigned long node, const int *range) {
  struct original array;
  return find(pointer, &array) == 0 ? told(migrate(&array, node, range), pointer) : -1;
}

typedef int migrate_units(void *array, size_t first, size_t count, unsigned node,
                          struct mai_moves *moves);

static int migrate_some(void *pointer, unsigned long node, int count, int first,
                        migrate_units *some) {
  struct original array;
  if (find(pointer, &array) != 0)
    return -1;
  bool valid = node <= UINT_MAX && count >= 0 && first >= 0;
  return told(valid ? some(array.data, (size_t)first, (size_t)count, (unsigned)node, NULL)
                    : fail(EINVAL),
              pointer);
}

int mai_original_migrate_rows(void *pointer, unsigned long node, int count, int first) {
  return migrate_some(pointer, node, count, first, mai_migrate_rows);
}

int mai_original_migrate_columns(void *pointer, unsigned long node, int count, int first) {
  return migrate_some(pointer, node, count, first, mai_migrate_columns);
}

int mai_original_scatter(void *pointer, unsigned long mask) {
  struct original array;
  struct nodes nodes = {0};
  struct policy policy;
  policy.length = 0;
  if (find(pointer, &array) != 0)
    return -1;
  for (unsigned node = 0; node < sizeof mask * CHAR_BIT; node++)
    if (mask >> node & 1)
      nodes.list[nodes.count++] = node;
  add(&policy, "cyclic");
  add_nodes(&policy, &nodes);
  return told(mask ? place_by(&array, &policy) : fail(EINVAL), pointer);
}

/*===-- The library and its threads ----------------------------------------===*/

int mai_original_change(const char *file) {
  return file && *file ? mai_map_file(file) : (mai_init)();
}

/* The user's variable wins over the program's file. */
int mai_original_init(const char *file) {
  const char *variable = secure_getenv("MAI_MAP_FILE");
  return variable && *variable ? (mai_init)() : mai_original_change(file);
}

int mai_original_bind_thread(pid_t thread, unsigned long cpu) {
  if (cpu >= CPU_SETSIZE)
    return fail(EINVAL);
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(cpu, &set);
  return sched_setaffinity(thread, sizeof set, &set);
}

int mai_original_bind_next(pid_t thread) {
  static atomic_uint next;
  int cpu = mai_cpu_of_thread(atomic_fetch_add(&next, 1));
  return cpu < 0 ? -1 : mai_original_bind_thread(thread, (unsigned long)cpu);
}

/*===-- The machine --------------------------------------------------------===*/

static struct {
  pthread_once_t once;
  int node_count, cpu_count;
  unsigned long *nodes, *cpus;
} place_info = {.once = PTHREAD_ONCE_INIT};

static void list_places(void) {
  static unsigned nodes[MOST_NODES];
  const numarch_t *machine = mai_topology();
  if (!machine)
    return;
  int count = mai_list_nodes(nodes, MOST_NODES);
  uint32_t cpus = numarch_cpu_count(machine);
  place_info.nodes = calloc((size_t)count, sizeof *place_info.nodes);
  place_info.cpus = calloc(cpus, sizeof *place_info.cpus);
  for (int i = 0; place_info.nodes && i < count && i < MOST_NODES; i++)
    place_info.nodes[place_info.node_count++] = nodes[i];
  for (uint32_t i = 0; place_info.cpus && i < cpus; i++)
    place_info.cpus[place_info.cpu_count++] = numarch_get_cpu(machine, i)->os_index;
}

unsigned long *mai_original_node_list(int *count) {
  pthread_once(&place_info.once, list_places);
  *count = place_info.node_count;
  return place_info.nodes;
}

unsigned long *mai_original_cpu_list(int *count) {
  pthread_once(&place_info.once, list_places);
  *count = place_info.cpu_count;
  return place_info.cpus;
}

/* -1 where the kernel does not tell. */
int mai_original_cpu_here(void) {
  unsigned cpu;
  return getcpu(&cpu, NULL) == 0 ? (int)cpu : -1;
}

int mai_original_team_size(void) { return (int)smaller(mai_team_size(), INT_MAX); }

double mai_original_performance(int from, int to, int factor) {
  const numarch_t *machine = mai_topology();
  if (!machine || from < 0 || to < 0)
    return 0;
  uint32_t here = numarch_node_by_os_index(machine, (uint32_t)from);
  uint32_t there = numarch_node_by_os_index(machine, (uint32_t)to);
  double value =
      factor ? numarch_factor(machine, here, there) : numarch_bandwidth(machine, here, there);
  return value > 0 ? value : 0;
}

/*===-- Statistics ---------------------------------------------------------===*/

int mai_original_misplaced(const unsigned long *addresses, int count) {
  int misplaced = 0;
  for (int i = 0; i < count; i++) {
    int meant = mai_node_meant((const void *)addresses[i]);
    int is = mai_where((const void *)addresses[i]);
    misplaced += meant >= 0 && is >= 0 && meant != is;
  }
  return misplaced;
}

static void add_seconds(const void *node, VISIT visit, void *sum) {
  const struct original *array = *(struct original *const *)node;
  struct mai_statistics statistics;
  if ((visit == postorder || visit == leaf) && mai_get_statistics(array->data, &statistics) == 0)
    *(double *)sum += statistics.placing_seconds;
}

double mai_original_placing_seconds(void) {
  double seconds = 0;
  pthread_mutex_lock(&known.lock);
  twalk_r(known.tree, add_seconds, &seconds);
  pthread_mutex_unlock(&known.lock);
  return seconds;
}

/* A policy's text, or why there is none. */
void mai_original_print_policy(const void *pointer) {
  struct original array;
  char text[256] = "not known";
  if (find(pointer, &array) != 0)
    return;
  mai_policy_of(array.data, text, sizeof text);
  printf("array %p: policy %s\n", pointer, text);
}

void mai_original_print_nodes(const void *pointer) {
  struct original array;
  struct mai_pages pages;
  size_t per_node[MOST_NODES] = {0};
  if (find(pointer, &array) != 0)
    return;
  if (mai_verify(array.data, &pages, per_node, MOST_NODES) != 0) {
    printf("array %p: the nodes of its pages are not known: %s\n", pointer, strerrordesc_np(errno));
    return;
  }
  printf("array %p: pages on nodes", pointer);
  for (unsigned node = 0; node < MOST_NODES; node++)
    if (per_node[node])
      printf(" %u:%zu", node, per_node[node]);
  printf("\n");
}
