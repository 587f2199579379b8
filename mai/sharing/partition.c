/*===-- partition.c - arrays divided by key over nodes ------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include <errno.h>
#include <stdatomic.h>

#include "keys.h"
#include "mai.h"
#include "mai/process/call.h"
#include "mai_sharing.h"
#include "runtime/fail.h"
#include "runtime/heap.h"

struct part {
  void *start;
  atomic_uint node;
};

struct mai_partition {
  unsigned count;
  struct part parts[];
};

static int allocate_parts(mai_partition_t *partition, const struct mai_machine *machine,
                          size_t count, size_t size) {
  for (unsigned i = 0; i < partition->count; i++) {
    unsigned node = machine->nodes[i % machine->node_count];
    atomic_init(&partition->parts[i].node, node);
    partition->parts[i].start = mai_alloc_bind(count, size, node);
    if (!partition->parts[i].start)
      return -1;
  }
  return 0;
}

mai_partition_t *mai_partition_new(unsigned parts, size_t count, size_t size) {
  MAI_CALL;
  const struct mai_machine *machine = mai_machine();
  if (!machine)
    return NULL;
  unsigned wanted = parts ? parts : machine->node_count;
  mai_partition_t *partition = minas_alloc(sizeof *partition + wanted * sizeof *partition->parts);
  if (!partition)
    return NULL;
  partition->count = wanted;
  if (allocate_parts(partition, machine, count, size) == 0)
    return partition;
  int error = errno;
  mai_partition_free(partition);
  errno = error;
  return NULL;
}

static void free_parts(mai_partition_t *partition) {
  for (unsigned i = 0; i < partition->count; i++)
    if (partition->parts[i].start)
      mai_free(partition->parts[i].start);
}

void mai_partition_free(mai_partition_t *partition) {
  MAI_CALL;
  if (partition)
    free_parts(partition);
  minas_free(partition);
}

unsigned mai_partition_count(const mai_partition_t *partition) { return partition->count; }

unsigned mai_partition_of(const mai_partition_t *partition, uint64_t key) {
  return mai_key_share(key, partition->count);
}

void *mai_partition_start(const mai_partition_t *partition, unsigned part) {
  if (part < partition->count)
    return partition->parts[part].start;
  errno = EINVAL;
  return NULL;
}

int mai_partition_node(const mai_partition_t *partition, unsigned part) {
  if (part < partition->count)
    return (int)atomic_load(&partition->parts[part].node);
  return fail(EINVAL);
}

int mai_partition_move(mai_partition_t *partition, unsigned part, unsigned node) {
  if (part >= partition->count)
    return fail(EINVAL);
  if (mai_migrate(partition->parts[part].start, node, NULL) != 0)
    return -1;
  atomic_store(&partition->parts[part].node, node);
  return 0;
}
