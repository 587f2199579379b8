/* Queues pass each item on once and in order, between any number of threads that wait for room and for items; partitions are
   divided by keys; what cannot be is refused.

   RUN: %{gcc} %s -o %t %{mai}
   RUN: timeout 120 %t | FileCheck %s
   CHECK: stealing 0: 40000 items, once each; out of order: 0
   CHECK: stealing 1: 40000 items, once each; out of order: 0
   CHECK: refused 9 of 9, full after 4, closed, emptied 4, moved 0, failures 0
*/
#include <errno.h>
#include <mai.h>
#include <mai_sharing.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

enum { SENDERS = 4, TAKERS = 4, EACH = 10000 };

/* More than a pointer, and no multiple of 8. */
struct item {
  unsigned sender, number;
  char mark;
};

static mai_queue_t *queue;
static atomic_uint seen[SENDERS][EACH];
static atomic_uint disorder;

static void *send(void *argument) {
  struct item item = {.sender = *(unsigned *)argument, .mark = 'm'};
  for (; item.number < EACH; item.number++)
    if ((item.number % 2 ? mai_queue_put_in_turn(queue, &item)
                         : mai_queue_put_by_key(queue, item.sender, &item)) != 0)
      abort();
  return NULL;
}

/* Those that a sender puts by one key come in order, to each thread that takes. */
static void *take(void *argument) {
  const int *node = argument;
  struct item item;
  unsigned next[SENDERS] = {0};
  while ((*node < 0 ? mai_queue_take(queue, &item)
                    : mai_queue_take_from(queue, (unsigned)*node, &item)) == 0) {
    atomic_fetch_add(&seen[item.sender][item.number], item.mark == 'm');
    if (item.number % 2 == 0 && item.number < next[item.sender])
      atomic_fetch_add(&disorder, 1);
    if (item.number % 2 == 0)
      next[item.sender] = item.number;
  }
  if (errno != EPIPE)
    abort();
  return NULL;
}

static unsigned count_once(void) {
  unsigned once = 0;
  for (unsigned sender = 0; sender < SENDERS; sender++)
    for (unsigned number = 0; number < EACH; number++)
      once += atomic_exchange(&seen[sender][number], 0) == 1;
  return once;
}

/* Where nothing is stolen, each node needs its own threads: they take from nodes in turn. */
static void pass_on(unsigned flags) {
  pthread_t senders[SENDERS], takers[64];
  unsigned numbers[SENDERS];
  int nodes[64];
  unsigned known[64];
  int count = mai_list_nodes(known, 64);
  int takes = flags ? TAKERS : count > TAKERS ? count : TAKERS;
  queue = mai_queue_new(sizeof(struct item), 8, flags);
  for (int i = 0; i < takes; i++) {
    nodes[i] = flags ? -1 : (int)known[i % count];
    pthread_create(&takers[i], NULL, take, &nodes[i]);
  }
  for (unsigned i = 0; i < SENDERS; i++) {
    numbers[i] = i;
    pthread_create(&senders[i], NULL, send, &numbers[i]);
  }
  for (unsigned i = 0; i < SENDERS; i++)
    pthread_join(senders[i], NULL);
  mai_queue_close(queue);
  for (int i = 0; i < takes; i++)
    pthread_join(takers[i], NULL);
  mai_queue_free(queue);
  printf("stealing %u: %u items, once each; out of order: %u\n", flags, count_once(), disorder);
}

static int failures;

static void check(int holds) { failures += !holds; }

static unsigned refused(void) {
  unsigned count = 0;
  char item[8] = "";
  mai_queue_t *small = mai_queue_new(8, 3, 0);
  count += !mai_queue_new(0, 4, 0) && errno == EINVAL;
  count += !mai_queue_new(8, 0, 0) && errno == EINVAL;
  count += !mai_queue_new(8, 4, 2) && errno == EINVAL;
  count += !mai_queue_new(8, (size_t)-1, 0) && errno == EOVERFLOW;
  count += !mai_queue_new((size_t)-1, 4, 0) && errno == EOVERFLOW;
  count += mai_queue_put(small, 4096, item) == -1 && errno == ENODEV;
  count += mai_queue_take_from(small, 4096, item) == -1 && errno == ENODEV;
  count += mai_queue_try_take(small, item) == -1 && errno == EAGAIN;
  count += !mai_partition_new(3, 0, 8) && errno == EINVAL;
  mai_queue_free(small);
  mai_queue_free(NULL);
  mai_partition_free(NULL);
  return count;
}

static void fill_and_empty(void) {
  unsigned node = (unsigned)mai_node_of_key(7), full = 0, emptied = 0;
  long item = 5;
  queue = mai_queue_new(sizeof item, 3, 0);
  while (mai_queue_try_put(queue, node, &item) == 0)
    full++;
  check(errno == EAGAIN);
  mai_queue_close(queue);
  check(mai_queue_put(queue, node, &item) == -1 && errno == EPIPE);
  check(mai_queue_try_put(queue, node, &item) == -1 && errno == EPIPE);
  while (mai_queue_take_from(queue, node, &item) == 0)
    emptied += item == 5;
  check(errno == EPIPE);
  check(mai_queue_try_take(queue, &item) == -1 && errno == EPIPE);
  mai_queue_free(queue);
  printf("full after %u, closed, emptied %u, ", full, emptied);
}

/* Keys in a row are distributed evenly: 1000 of each of 4 parts, give or take a tenth. */
static void divide(void) {
  unsigned count[4] = {0};
  mai_partition_t *parts = mai_partition_new(4, 1000, 8), *by_node = mai_partition_new(0, 10, 8);
  for (uint64_t key = 0; key < 4000; key++) {
    count[mai_partition_of(parts, key)]++;
    check(mai_partition_node(by_node, mai_partition_of(by_node, key)) == mai_node_of_key(key));
  }
  for (unsigned part = 0; part < 4; part++) {
    long *start = mai_partition_start(parts, part);
    check(count[part] > 900 && count[part] < 1100);
    check(start[0] == 0 && start[999] == 0);
    start[999] = part;
  }
  check(mai_partition_count(parts) == 4);
  check(!mai_partition_start(parts, 4) && errno == EINVAL);
  check(mai_partition_node(parts, 4) == -1 && errno == EINVAL);
  check(mai_partition_move(parts, 4, 0) == -1 && errno == EINVAL);
  check(mai_partition_move(parts, 3, 4096) == -1 && errno == ENODEV);
  printf("moved %d, ", mai_partition_move(parts, 3, (unsigned)mai_partition_node(parts, 0)));
  check(((long *)mai_partition_start(parts, 3))[999] == 3);
  mai_partition_free(parts);
  mai_partition_free(by_node);
}

int main(void) {
  pass_on(0);
  pass_on(MAI_QUEUE_STEALS);
  printf("refused %u of 9, ", refused());
  fill_and_empty();
  divide();
  printf("failures %d\n", failures);
}
