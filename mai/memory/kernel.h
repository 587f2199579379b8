/*===-- kernel.h - the kernel's calls for memory on nodes ------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * Nothing else in the library calls mbind, set_mempolicy or move_pages.  Nodes are OS indices.
 */
#ifndef MAI_KERNEL_H
#define MAI_KERNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "mai/policy/placement.h"

/** 0 when the kernel lets this process place memory, else the errno with which it refuses. */
int mai_kernel_probe(size_t page_size);

/** How many nodes mai_kernel_interleave_mask() needs. */
#define MAI_INTERLEAVE_PROBE_NODES 3

/**
 * The bits of a page's number in the address space that the kernel looks at when it interleaves:
 * some kernels (Linux 6.1) take the low 32, others all.  It makes a difference where the number of
 * nodes is no power of 2, so it is found out with three nodes of the machine, ascending.
 */
size_t mai_kernel_interleave_mask(size_t page_size, const uint32_t *nodes);

/** What the kernel is to do for a range of addresses or a thread. */
enum mai_mode {
  MAI_MODE_DEFAULT,    /**< range: that of the thread that touches */
  MAI_MODE_LOCAL,      /**< the node of the thread that touches, among those to which the user has
                            bound the process; explicit, so that automatic balancing leaves the
                            pages alone */
  MAI_MODE_PREFER,     /**< the nodes given, others when they are full */
  MAI_MODE_BIND,       /**< the nodes given and no others */
  MAI_MODE_INTERLEAVE, /**< the nodes given in turn */
  MAI_MODE_WEIGHTED    /**< in turn by the kernel's weights */
};

/** Set the policy of a range of whole pages; pages that are in memory stay where they are.
 *  @return 0, or -1 with the errno of mbind() or ENOMEM */
int mai_kernel_set_range(uintptr_t start, size_t bytes, enum mai_mode mode, const uint32_t *nodes,
                         uint32_t count);

/** Whether the range in which an address lies has a policy of its own. */
bool mai_kernel_has_policy(uintptr_t address);

/** Whether anything is mapped at an address; where the kernel does not tell, it is. */
bool mai_kernel_has_memory(uintptr_t address);

/** The kernel's own weight of a node in MAI_MODE_WEIGHTED; 0 when it has no such mode. */
uint64_t mai_kernel_weight(uint32_t node);

/** A set of nodes as the system calls want it. */
struct mai_node_mask {
  unsigned long words[MAI_MOST_NODES / (8 * sizeof(unsigned long))];
};

/** Whether the calling thread has a policy of its own or of the process's (numactl). */
bool mai_kernel_thread_has_policy(void);

/** The calling thread's policy, to be given back.  One of zeroes is the kernel's default. */
struct mai_thread_policy {
  int mode;
  struct mai_node_mask nodes;
};

/** @return 0, or -1 with errno; then there is nothing to give back */
int mai_kernel_save_thread_policy(struct mai_thread_policy *saved);

/** Keeps errno. */
void mai_kernel_restore_thread_policy(const struct mai_thread_policy *saved);

/** From now on the calling thread's new pages come to any of `nodes`, or with PREFER to others when
 *  these are full. @return 0, or -1 with errno */
int mai_kernel_set_thread_policy(enum mai_mode mode, const uint32_t *nodes, uint32_t count);

/** Bring whole pages into memory by the policies in force. @return 0, or -1 with errno ENOMEM,
 *  EFAULT or what madvise() says */
int mai_kernel_populate(uintptr_t start, size_t bytes, size_t page_size);

/** Take whole pages of anonymous memory from the program, which then finds zeros there, in new
 * pages by the policies in force. @return 0, or -1 with errno */
int mai_kernel_give_back(uintptr_t start, size_t bytes);

/** Bytes that are free on all of these nodes, or that the kernel frees on demand (cached files);
 *  SIZE_MAX when it does not tell. */
size_t mai_kernel_free_memory(const uint32_t *nodes, uint32_t count);

/** The same of one node. */
size_t mai_kernel_free_on(uint32_t node);

/** Bytes of explicit huge pages of this size that are free on one node. */
size_t mai_kernel_free_huge_on(uint32_t node, size_t page_size);

/** What mai_kernel_where() says of a page that is not in memory. */
#define MAI_PAGE_UNTOUCHED (-1)
/** What mai_kernel_where() says of a page of which the kernel tells nothing. */
#define MAI_PAGE_UNKNOWN (-2)

/**
 * Ask the kernel where pages are.
 *
 * @param start address of the first page, at a page boundary
 * @param pages how many
 * @param nodes receives for each page its node, MAI_PAGE_UNTOUCHED or MAI_PAGE_UNKNOWN
 * @return 0, or -1 with the errno of move_pages()
 */
int mai_kernel_where(uintptr_t start, size_t page_size, size_t pages, int *nodes);

/** @param count at most MAI_MOST_ELSEWHERE
 *  @return whether one of these pages is known to be on another node than the one that is given for
 *    it.  To ask costs a system call; to move pages, work of all CPUs. */
bool mai_kernel_is_elsewhere(void **addresses, const int *nodes, size_t count);
enum { MAI_MOST_ELSEWHERE = 64 };

/**
 * Have pages that are in memory moved.
 *
 * @param addresses one for each page
 * @param nodes where each is to go
 * @param status receives for each page its node, or a negative errno that says why it may have
 *   stayed, -ENOMEM where its node has no room, or MAI_NO_STATUS where the kernel does not tell:
 *   where pages are now is to be asked
 * @return 0, or -1 with the errno of move_pages() where that forbids to go on
 */
int mai_kernel_move(void **addresses, const int *nodes, int *status, size_t count);

#define MAI_NO_STATUS (-4096)

#endif /* MAI_KERNEL_H */
