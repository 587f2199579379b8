/*===-- queue.c - queues that have a part on each node ------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * Each part is D. Vyukov's bounded queue: a ring of cells, each with the number of the turn that
 * may use it next, so that threads that put and threads that take meet only in the counters of
 * their own side, and in the cell.  Nothing is locked.
 *
 * Who has nothing to do waits at a gate, a futex.  It says so first and looks once more then; who
 * puts or takes makes that visible first and looks for those that wait then.  Both orders are
 * sequentially consistent, so one of the two sees the other.
 */
#include <errno.h>
#include <linux/futex.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>

#include "keys.h"
#include "mai.h"
#include "mai/process/call.h"
#include "mai_sharing.h"
#include "runtime/fail.h"
#include "runtime/heap.h"
#include "runtime/system.h"

enum { LINE = 64, CELL_UNIT = 8, TRIES_AT_ONCE = 10, TRIES_BEFORE_WAITING = 20 };

/* Where threads wait for items, or for room. */
struct gate {
  _Alignas(LINE) _Atomic uint32_t calls; /* the futex: changes when somebody is called */
  _Atomic uint32_t waiting;
  atomic_bool called; /* somebody has been, and has not come yet: whoever comes looks for all */
};

struct cell {
  atomic_size_t turn; /* its index: it may be filled; one more: it may be emptied */
  unsigned char item[];
};

/* A node's: in its memory. */
struct part {
  _Alignas(LINE) atomic_size_t tail; /* the turn that is filled next */
  _Alignas(LINE) atomic_size_t head; /* the turn that is emptied next */
  struct gate items, room;
  _Alignas(LINE) unsigned char cells[];
};

struct mai_queue {
  size_t size, cell_bytes, mask;
  bool steals;
  atomic_bool closed;
  unsigned count;      /* of parts */
  uint32_t cpus;       /* how many are known */
  uint16_t *rank_here; /* of the part, by the OS index of the CPU */
  uint32_t *nodes;     /* their OS indices */
  struct part **parts;
  char before_next[LINE];
  atomic_uint next; /* in turn; in a line that nobody else needs */
  char behind_next[LINE];
};

/*===-- Parts ---------------------------------------------------------------===*/

static struct cell *cell_at(const mai_queue_t *queue, struct part *part, size_t turn) {
  return (struct cell *)(part->cells + (turn & queue->mask) * queue->cell_bytes);
}

/* Most items are pointers. */
static void copy_item(const mai_queue_t *queue, void *to, const void *from) {
  if (queue->size == sizeof(void *))
    memcpy(to, from, sizeof(void *));
  else
    memcpy(to, from, queue->size);
}

/* The cell whose turn it is at one of the ends, taken for the calling thread.
   @param ahead how far the cell's turn is ahead of the end's: 0 to fill it, 1 to empty it
   @return NULL where the ring is full or empty */
static struct cell *take_turn(const mai_queue_t *queue, struct part *part, atomic_size_t *end,
                              size_t ahead, size_t *turn) {
  size_t at = atomic_load_explicit(end, memory_order_relaxed);
  for (;;) {
    struct cell *cell = cell_at(queue, part, at);
    ptrdiff_t difference = (ptrdiff_t)(atomic_load(&cell->turn) - (at + ahead));
    if (difference < 0)
      return NULL;
    if (difference > 0)
      at = atomic_load_explicit(end, memory_order_relaxed);
    else if (atomic_compare_exchange_weak_explicit(end, &at, at + 1, memory_order_relaxed,
                                                   memory_order_relaxed)) {
      *turn = at;
      return cell;
    }
  }
}

static bool fill(const mai_queue_t *queue, struct part *part, const void *item) {
  size_t turn;
  struct cell *cell = take_turn(queue, part, &part->tail, 0, &turn);
  if (!cell)
    return false;
  copy_item(queue, cell->item, item);
  atomic_store(&cell->turn, turn + 1);
  return true;
}

static bool empty(const mai_queue_t *queue, struct part *part, void *item) {
  size_t turn;
  struct cell *cell = take_turn(queue, part, &part->head, 1, &turn);
  if (!cell)
    return false;
  copy_item(queue, item, cell->item);
  atomic_store(&cell->turn, turn + queue->mask + 1);
  return true;
}

/*===-- Gates ---------------------------------------------------------------===*/

/* A thread that is called for each item would be woken for each.
   @return whether a thread that slept comes */
static bool call_one(struct gate *gate) {
  if (!atomic_load(&gate->waiting))
    return false;
  if (atomic_exchange(&gate->called, true))
    return true;
  atomic_fetch_add(&gate->calls, 1);
  return minas_kernel_call(SYS_futex, (long)&gate->calls, FUTEX_WAKE_PRIVATE, 1, 0, 0, 0) > 0;
}

static void call_all(struct gate *gate) {
  atomic_fetch_add(&gate->calls, 1);
  minas_kernel_call(SYS_futex, (long)&gate->calls, FUTEX_WAKE_PRIVATE, INT32_MAX, 0, 0, 0);
}

static void sleep_at(struct gate *gate, uint32_t calls) {
  minas_kernel_call(SYS_futex, (long)&gate->calls, FUTEX_WAIT_PRIVATE, calls, 0, 0, 0);
}

/* There is an item in a part: for a thread of its node, or of another one that would steal. */
static void call_for_item(mai_queue_t *queue, unsigned rank) {
  bool woken = call_one(&queue->parts[rank]->items);
  for (unsigned i = 1; i < queue->count && queue->steals && !woken; i++)
    woken = call_one(&queue->parts[(rank + i) % queue->count]->items);
}

/* Whether any of the threads that call_for_item() would call waits. */
static bool is_awaited(const mai_queue_t *queue, unsigned rank) {
  unsigned parts = queue->steals ? queue->count : 1;
  for (unsigned i = 0; i < parts; i++)
    if (atomic_load(&queue->parts[(rank + i) % queue->count]->items.waiting))
      return true;
  return false;
}

/* Whether it is a cell's turn at one of the ends; see take_turn(). */
static bool is_ready(const mai_queue_t *queue, struct part *part, atomic_size_t *end,
                     size_t ahead) {
  size_t at = atomic_load(end);
  return atomic_load(&cell_at(queue, part, at)->turn) == at + ahead;
}

/*===-- Putting and taking --------------------------------------------------===*/

/* Turns may be done in another order than they were taken: who was called for a later one has found
   nothing then and sleeps again.  So each thread that could go on calls the next one that can. */

static bool put_now(mai_queue_t *queue, unsigned rank, const void *item) {
  struct part *part = queue->parts[rank];
  if (!fill(queue, part, item))
    return false;
  call_for_item(queue, rank);
  if (atomic_load(&part->room.waiting) && is_ready(queue, part, &part->tail, 0))
    call_one(&part->room);
  return true;
}

static bool take_from_part(mai_queue_t *queue, unsigned rank, void *item) {
  struct part *part = queue->parts[rank];
  if (!empty(queue, part, item))
    return false;
  call_one(&part->room);
  /* Asked first: the next cell is in a line that somebody may be filling. */
  if (is_awaited(queue, rank) && is_ready(queue, part, &part->head, 1))
    call_for_item(queue, rank);
  return true;
}

static bool take_now(mai_queue_t *queue, unsigned rank, void *item) {
  unsigned parts = queue->steals ? queue->count : 1;
  for (unsigned i = 0; i < parts; i++)
    if (take_from_part(queue, (rank + i) % queue->count, item))
      return true;
  return false;
}

static void pause_shortly(void) {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#endif
}

/* `to` receives an item, or `from` is put. */
struct request {
  mai_queue_t *queue;
  unsigned rank;
  void *to;
  const void *from;
};

static bool try_now(const struct request *request) {
  return request->to ? take_now(request->queue, request->rank, request->to)
                     : put_now(request->queue, request->rank, request->from);
}

static struct gate *gate_of(const struct request *request) {
  struct part *part = request->queue->parts[request->rank];
  return request->to ? &part->items : &part->room;
}

/* Whoever is waited for may want this CPU: the last tries leave it to others, who then fill or
   empty more than an item, and wake nobody. */
static bool try_shortly(const struct request *request) {
  for (unsigned tries = 0; tries < TRIES_BEFORE_WAITING; tries++) {
    if (try_now(request))
      return true;
    if (tries < TRIES_AT_ONCE)
      pause_shortly();
    else
      minas_kernel_call(SYS_sched_yield, 0, 0, 0, 0, 0, 0);
  }
  return false;
}

/* Calls for what there is in the parts that the calling thread looks at, or for the room. */
static void call_for_rest(const struct request *request) {
  mai_queue_t *queue = request->queue;
  struct part *own = queue->parts[request->rank];
  if (!request->to && is_ready(queue, own, &own->tail, 0))
    call_one(&own->room);
  for (unsigned i = 0; request->to && i < (queue->steals ? queue->count : 1); i++) {
    unsigned rank = (request->rank + i) % queue->count;
    if (is_ready(queue, queue->parts[rank], &queue->parts[rank]->head, 1))
      call_for_item(queue, rank);
  }
}

/* Who leaves was perhaps called, and others were not because of that: it calls them if there is
   something left.  `called` is false again once the futex has been read, so that who is called from
   then on does not fall asleep.
   @return whether it could be done after all */
static bool try_at_gate(const struct request *request) {
  struct gate *gate = gate_of(request);
  atomic_fetch_add(&gate->waiting, 1);
  uint32_t calls = atomic_load(&gate->calls);
  atomic_store(&gate->called, false);
  bool done = try_now(request);
  if (!done && !atomic_load(&request->queue->closed))
    sleep_at(gate, calls);
  atomic_fetch_sub(&gate->waiting, 1);
  atomic_store(&gate->called, false);
  if (done)
    call_for_rest(request);
  return done;
}

/* A queue that is closed is emptied, but not filled. */
static int wait_for(const struct request *request) {
  mai_queue_t *queue = request->queue;
  for (;;) {
    bool closed = atomic_load(&queue->closed);
    if (closed && !request->to)
      return fail(EPIPE);
    if (try_shortly(request))
      return 0;
    if (closed)
      return fail(EPIPE);
    if (try_at_gate(request))
      return 0;
  }
}

static unsigned rank_of(const mai_queue_t *queue, unsigned node) {
  unsigned rank = 0;
  while (rank < queue->count && queue->nodes[rank] != node)
    rank++;
  return rank;
}

static unsigned rank_here(const mai_queue_t *queue) {
  int cpu = sched_getcpu();
  return cpu >= 0 && (uint32_t)cpu < queue->cpus ? queue->rank_here[cpu] : 0;
}

int mai_queue_put(mai_queue_t *queue, unsigned node, const void *item) {
  struct request request = {.queue = queue, .rank = rank_of(queue, node), .from = item};
  return request.rank < queue->count ? wait_for(&request) : fail(ENODEV);
}

int mai_queue_try_put(mai_queue_t *queue, unsigned node, const void *item) {
  unsigned rank = rank_of(queue, node);
  if (rank == queue->count)
    return fail(ENODEV);
  if (atomic_load(&queue->closed))
    return fail(EPIPE);
  return put_now(queue, rank, item) ? 0 : fail(EAGAIN);
}

int mai_queue_put_by_key(mai_queue_t *queue, uint64_t key, const void *item) {
  struct request request = {.queue = queue, .rank = mai_key_share(key, queue->count), .from = item};
  return wait_for(&request);
}

int mai_queue_put_in_turn(mai_queue_t *queue, const void *item) {
  unsigned turn = atomic_fetch_add_explicit(&queue->next, 1, memory_order_relaxed);
  struct request request = {.queue = queue, .rank = turn % queue->count, .from = item};
  return wait_for(&request);
}

int mai_queue_take(mai_queue_t *queue, void *item) {
  struct request request = {.queue = queue, .rank = rank_here(queue), .to = item};
  return wait_for(&request);
}

int mai_queue_take_from(mai_queue_t *queue, unsigned node, void *item) {
  struct request request = {.queue = queue, .rank = rank_of(queue, node), .to = item};
  return request.rank < queue->count ? wait_for(&request) : fail(ENODEV);
}

int mai_queue_try_take(mai_queue_t *queue, void *item) {
  bool closed = atomic_load(&queue->closed);
  if (take_now(queue, rank_here(queue), item))
    return 0;
  return fail(closed ? EPIPE : EAGAIN);
}

void mai_queue_close(mai_queue_t *queue) {
  atomic_store(&queue->closed, true);
  for (unsigned rank = 0; rank < queue->count; rank++) {
    call_all(&queue->parts[rank]->items);
    call_all(&queue->parts[rank]->room);
  }
}

/*===-- Beginning and end ---------------------------------------------------===*/

/* @return 0, or -1 with errno EINVAL or EOVERFLOW */
static int choose_sizes(mai_queue_t *queue, size_t size, size_t capacity, size_t *bytes) {
  size_t cells = 2;
  if (!size || !capacity)
    return fail(EINVAL);
  if (size > PTRDIFF_MAX / 2 || capacity > PTRDIFF_MAX / 2)
    return fail(EOVERFLOW);
  while (cells < capacity)
    cells *= 2;
  queue->size = size;
  queue->mask = cells - 1;
  queue->cell_bytes = (sizeof(struct cell) + size + CELL_UNIT - 1) / CELL_UNIT * CELL_UNIT;
  if (__builtin_mul_overflow(cells, queue->cell_bytes, bytes) || *bytes > PTRDIFF_MAX)
    return fail(EOVERFLOW);
  *bytes += sizeof(struct part);
  return 0;
}

/* Threads of CPUs whose node has no part use the first one. */
static int note_cpus(mai_queue_t *queue, const struct mai_machine *machine) {
  const numarch_t *topology = machine->topology;
  uint32_t count = numarch_cpu_count(topology);
  for (uint32_t i = 0; i < count; i++)
    if (numarch_get_cpu(topology, i)->os_index >= queue->cpus)
      queue->cpus = numarch_get_cpu(topology, i)->os_index + 1;
  queue->rank_here = minas_alloc_list(queue->cpus, sizeof *queue->rank_here);
  for (uint32_t i = 0; i < count && queue->rank_here; i++) {
    const struct numarch_cpu *cpu = numarch_get_cpu(topology, i);
    const struct numarch_node *node =
        cpu->node == NUMARCH_NONE ? NULL : numarch_get_node(topology, cpu->node);
    unsigned rank = node ? mai_rank_of_node(machine, node->os_index) : queue->count;
    queue->rank_here[cpu->os_index] = (uint16_t)(rank < queue->count ? rank : 0);
  }
  return queue->rank_here ? 0 : -1;
}

static struct part *new_part(const mai_queue_t *queue, uint32_t node, size_t bytes) {
  struct part *part = mai_alloc_bind(1, bytes, node);
  for (size_t turn = 0; part && turn <= queue->mask; turn++)
    atomic_init(&cell_at(queue, part, turn)->turn, turn);
  return part;
}

static int make_parts(mai_queue_t *queue, const struct mai_machine *machine, size_t bytes) {
  queue->count = machine->node_count;
  queue->nodes = minas_copy(machine->nodes, queue->count * sizeof *queue->nodes);
  queue->parts = minas_alloc_list(queue->count, sizeof *queue->parts);
  if (!queue->nodes || !queue->parts || note_cpus(queue, machine) != 0)
    return -1;
  for (unsigned rank = 0; rank < queue->count; rank++) {
    queue->parts[rank] = new_part(queue, queue->nodes[rank], bytes);
    if (!queue->parts[rank])
      return -1;
  }
  return 0;
}

static mai_queue_t *new_queue(const struct mai_machine *machine, const mai_queue_t *sizes,
                              size_t bytes) {
  mai_queue_t *queue = minas_alloc(sizeof *queue);
  if (!queue)
    return NULL;
  *queue = *sizes;
  if (make_parts(queue, machine, bytes) == 0)
    return queue;
  int error = errno;
  mai_queue_free(queue);
  errno = error;
  return NULL;
}

mai_queue_t *mai_queue_new(size_t size, size_t capacity, unsigned flags) {
  MAI_CALL;
  const struct mai_machine *machine = mai_machine();
  mai_queue_t sizes = {.steals = flags & MAI_QUEUE_STEALS};
  size_t bytes;
  if (!machine)
    return NULL;
  if (flags & ~(unsigned)MAI_QUEUE_STEALS) {
    errno = EINVAL;
    return NULL;
  }
  return choose_sizes(&sizes, size, capacity, &bytes) == 0 ? new_queue(machine, &sizes, bytes)
                                                           : NULL;
}

void mai_queue_free(mai_queue_t *queue) {
  MAI_CALL;
  if (!queue)
    return;
  for (unsigned rank = 0; queue->parts && rank < queue->count; rank++)
    if (queue->parts[rank])
      mai_free(queue->parts[rank]);
  minas_free(queue->parts);
  minas_free(queue->nodes);
  minas_free(queue->rank_here);
  minas_free(queue);
}
