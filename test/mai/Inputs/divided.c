/* What belongs to which node: items of a queue by key, stolen ones, parts of a partition. */
#include <mai.h>
#include <mai_sharing.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

enum { KEYS = 4000, BYTES = 65536 };

static mai_queue_t *queue;
static atomic_uint taken[64], strange[64];

static void take_all(unsigned node, void *unused) {
  long key;
  (void)unused;
  while (mai_queue_take(queue, &key) == 0) {
    taken[node]++;
    strange[node] += mai_node_of_key((unsigned long)key) != (int)node;
  }
}

static void by_key(void) {
  queue = mai_queue_new(sizeof(long), KEYS, 0);
  for (long key = 0; key < KEYS; key++)
    mai_queue_put_by_key(queue, (unsigned long)key, &key);
  mai_queue_close(queue);
  mai_parallel_nodes(take_all, NULL);
  for (unsigned node = 0; node < 4; node++)
    printf("node %u: %s, %u of other nodes\n", node,
           taken[node] > 900 && taken[node] < 1100 ? "a quarter" : "another share", strange[node]);
  mai_report(stdout, MAI_REPORT_TEXT);
  mai_queue_free(queue);
}

static void take_here(void *argument) {
  long item;
  unsigned *count = argument;
  while (mai_queue_take(queue, &item) == 0)
    ++*count;
}

static void stolen(unsigned flags) {
  unsigned count = 0;
  queue = mai_queue_new(sizeof(long), KEYS, flags);
  for (long item = 0; item < 100; item++)
    mai_queue_put(queue, 1, &item);
  mai_queue_close(queue);
  mai_on_node(3, take_here, &count);
  printf("of node 1 node 3 takes %u with %u\n", count, flags);
  mai_queue_free(queue);
}

static void parts(void) {
  mai_partition_t *table = mai_partition_new(0, BYTES, 1);
  for (unsigned part = 0; part < mai_partition_count(table); part++) {
    char *start = mai_partition_start(table, part);
    memset(start, 1, BYTES);
    printf("part %u: node %d, there %d\n", part, mai_partition_node(table, part), mai_where(start));
  }
  char *start = mai_partition_start(table, 1);
  int moved = mai_partition_move(table, 1, 2);
  printf("moved %d: node %d, there %d, %d\n", moved, mai_partition_node(table, 1), mai_where(start),
         start[BYTES - 1]);
  mai_partition_free(table);
}

int main(void) {
  by_key();
  stolen(0);
  stolen(MAI_QUEUE_STEALS);
  parts();
}
