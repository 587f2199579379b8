/*===-- memory.h - maps memory for arrays ----------------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * New memory where an array should begin, and what is to be known of memory that is there.
 */
#ifndef MAI_MEMORY_H
#define MAI_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "machine.h"
#include "mai.h"

/** The pages of which an array's memory is made. */
struct mai_page_sizes {
  size_t page; /**< bytes of the smallest that can be placed */
  size_t huge; /**< bytes of the larger ones that the kernel gives out where they fit; 0: none */
};

/** Bytes of a unit of MAI_UNIT_PAGES of an array of `bytes` bytes: huge pages only for arrays that
 *  have enough of them to be spread evenly. */
size_t mai_memory_part_size(const struct mai_machine *machine, size_t bytes,
                            const struct mai_page_sizes *pages);

/** What memory is wanted. */
struct mai_memory_request {
  size_t bytes;
  mai_options_t options;
  size_t cycle; /**< the array should begin where the kernel, interleaving units of MAI_UNIT_PAGES
                   by their address, begins a cycle of so many; 1: anywhere */
};

/** A mapping with an array in it. */
struct mai_memory {
  char *mapping; /**< what is to be unmapped */
  size_t mapping_bytes;
  char *start; /**< of the array, within it */
  struct mai_page_sizes pages;
};

/** @return 0, or -1 with errno EINVAL (options) or ENOMEM */
int mai_memory_map(const struct mai_machine *machine, const struct mai_memory_request *request,
                   struct mai_memory *memory);

/** Ask the kernel for pages as enum mai_huge_pages says, in memory that may not have them yet. */
void mai_memory_advise(void *start, size_t bytes, unsigned huge_pages);

/** What kind of memory a range of addresses is. */
struct mai_memory_kind {
  bool replaceable; /**< mapped everywhere, private, writable and not executable */
  bool from_file;   /**< somewhere */
};

struct mai_memory_kind mai_memory_kind(uintptr_t begin, uintptr_t end);

/** Memory of which something is asked. */
struct mai_range {
  uintptr_t begin;
  uintptr_t end;
  bool own;      /**< it is mai_alloc()'s */
  bool governed; /**< the library has set policies everywhere in it */
};

/** Have `mapped` told of memory [begin, end) that the library has just mapped to be its own:
 * nothing that was known of these addresses holds any longer. No lock of this room is held then. */
void mai_memory_listen(void (*mapped)(uintptr_t begin, uintptr_t end));
void mai_memory_tell_mapped(const void *start, size_t bytes);

/** Whether copies may take the place of a range's pages, and new pages be populated, with nothing
 *  lost but where they were.  Not where pages are locked, pinned for a device, watched by
 *  userfaultfd or kept from children, or might be: such pages can only be moved by the kernel. */
bool mai_memory_is_plain(const struct mai_range *range);

/** Whether huge pages are forbidden somewhere in plain memory that is not mai_alloc()'s. */
bool mai_memory_forbids_huge_pages(uintptr_t begin, uintptr_t end);

/** Into how many mappings [begin, end), mapped everywhere, is cut. */
size_t mai_memory_mappings(uintptr_t begin, uintptr_t end);

/** The ends of all mappings of this process, ascending. */
struct mai_mapping_list {
  uintptr_t *ends;
  size_t count;
};

/** Read where mappings end, in order to count those of many arrays. Free `ends` by minas_free().
 *  @return 0, or -1 with errno ENOMEM or that of opening /proc/self/maps */
int mai_memory_list_mappings(struct mai_mapping_list *list);

/** mai_memory_mappings() by a list. */
size_t mai_memory_count_mappings(const struct mai_mapping_list *list, uintptr_t begin,
                                 uintptr_t end);

#endif /* MAI_MEMORY_H */
