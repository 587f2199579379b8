/*===-- machine.h - what placing memory needs to know of the machine *- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * Read once by mai_init() and constant from then on.  Nodes are OS indices.
 */
#ifndef MAI_MACHINE_H
#define MAI_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "numarch.h"

struct mai_machine {
  numarch_t *topology;   /**< what this process may use */
  size_t page_size;      /**< bytes */
  size_t huge_page_size; /**< bytes of the pages that the kernel gives out unasked (THP "always");
                            0: none */
  size_t
      huge_page_size_on_request; /**< of those that it gives out when asked (THP "madvise" too) */
  uint32_t node_count;           /**< nodes with memory that this process may use, GPUs' left out */
  bool several_nodes;            /**< there is a choice, be it a GPU's memory */
  uint32_t *nodes;               /**< their OS indices, ascending */
  size_t interleave_mask; /**< the bits that the kernel looks at of a page's number to interleave */
  size_t most_mappings;   /**< that the kernel allows a process (vm.max_map_count) */
  bool watch_only;        /**< MAI_WATCH: place and pin nothing */
  int placement_error;    /**< 0; or the errno with which the kernel refuses to place memory */
};

/** The machine; NULL with errno as mai_init() when it cannot be read. Starts the library. */
const struct mai_machine *mai_machine(void);

/** Read the machine: once, when the library starts. @return it, or NULL with errno ENOMEM or EINVAL
 */
const struct mai_machine *mai_machine_read(void);

/** Whether there is anything to place: several nodes, and the kernel lets us. */
bool mai_machine_places(const struct mai_machine *machine);

/** Whether memory may be put on the node with this OS index; true for GPUs' nodes too. */
bool mai_machine_has_node(const struct mai_machine *machine, uint32_t node);

/** Bytes of the pages that are reserved for programs (hugetlb); 0: none.  Reads a file. */
size_t mai_machine_explicit_huge_page_size(void);

#endif /* MAI_MACHINE_H */
