/*===-- keys.c - which node a key belongs to ----------------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "keys.h"

#include "mai/process/call.h"
#include "mai_sharing.h"

/* By the upper half of a product: S. Vigna's splitmix64 lets each bit of the key count. */
unsigned mai_key_share(uint64_t key, unsigned shares) {
  key += UINT64_C(0x9e3779b97f4a7c15);
  key = (key ^ key >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  key = (key ^ key >> 27) * UINT64_C(0x94d049bb133111eb);
  key ^= key >> 31;
  return (unsigned)((key >> 32) * shares >> 32);
}

unsigned mai_rank_of_node(const struct mai_machine *machine, uint32_t node) {
  unsigned rank = 0;
  while (rank < machine->node_count && machine->nodes[rank] != node)
    rank++;
  return rank;
}

int mai_node_of_key(uint64_t key) {
  MAI_CALL;
  const struct mai_machine *machine = mai_machine();
  return machine ? (int)machine->nodes[mai_key_share(key, machine->node_count)] : -1;
}
