/*===-- mai.h - arrays and threads of a NUMA machine ------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * MAi allocates arrays, places their pages on the machine's NUMA nodes by a policy, and pins
 * OpenMP threads to CPUs.
 *
 * Units.  An array is `count` units of `size` bytes each, as for calloc(): a unit is one element of
 * a 1-D array, one row of a matrix.  Placement is by whole pages.  Nodes and CPUs are named by
 * their OS index.
 *
 * Errors.  Functions return 0 or a pointer, and on failure -1 or NULL with `errno` set to a value
 * that each one documents.  The library never ends the program (exceptions: MAI_STRICT=1 in the
 * environment, and MAI_HEAP arrays without memory, both documented where they stand) and prints
 * only when a MAI_ variable in the environment asks for it or through the handler set here.
 *
 * Threads.  Every function may be called from any thread at any time, unless it says otherwise.
 *
 * Environment.
 *   MAI_MAP_FILE=file  the CPU of each OpenMP thread; without it threads are mapped compactly
 *   MAI_REPORT=1|file  at exit, say where pages and threads are: 1 on standard error, else into the
 *                      file, as JSON where its name ends in .json
 *   MAI_STRICT=1       a map file that cannot be used stops the program with exit status 1
 *   MAI_VERBOSE=1|0    1: warnings on standard error; 0: not even those that other variables ask
 * for MAI_WATCH=1        place and pin nothing, only watch the program's static arrays and threads
 *                      and report on them
 */
#ifndef MAI_H
#define MAI_H

#include <stddef.h>
#include <stdio.h>

#include "mai_types.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Start MAi: read the machine, the environment and the map file.  Every function that needs it
 * calls it; calling it oneself only decides when.
 *
 * @return 0, or -1 with errno ENOMEM, or EINVAL when the machine cannot be read.  A map file that
 *   cannot be used is no error here: the program runs unpinned, see the message.
 */
int mai_init(void);

/**
 * Allocate an array of zeroes, placed by `policy`.
 *
 * Pages come into being at first touch, each on its node; only a block placement in more pieces
 * than there are nodes is brought in at once, since the kernel cannot hold it otherwise.
 *
 * @param count units
 * @param size bytes of a unit
 * @param policy where the pages belong
 * @param name what reports call the array (copied); NULL: "array@ADDRESS"
 * @return the array, at a page boundary, to be given to mai_free(); or NULL with errno
 *   EINVAL (count or size 0, policy unknown or its range outside the array),
 *   EOVERFLOW (count × size does not fit in a size_t),
 *   ENODEV (bind: no such node, or not one this process may use),
 *   ENOMEM (no memory, or, with MAI_STRICT, not enough free on a node).
 *   Where the kernel refuses placement (a container without the right to mbind), the array is
 *   allocated all the same, and mai_verify() tells.
 */
void *mai_alloc(size_t count, size_t size, const mai_policy_t *policy, const char *name);

/** mai_alloc() on one node; `node` is its OS index. */
void *mai_alloc_bind(size_t count, size_t size, unsigned node);

/** mai_alloc() in one block a thread: unit i lies with the thread that runs iteration i of a loop
 *  over [0, count) with schedule(static), in a team of the program's default size. */
void *mai_alloc_block(size_t count, size_t size);

/** mai_alloc() with pages dealt to all allowed nodes in turn: page i on node i mod N.  Arrays of
 *  several huge pages a node are dealt in huge pages where the kernel uses them. */
void *mai_alloc_cyclic(size_t count, size_t size);

/** Free an array of mai_alloc*(). @return 0, or -1 with errno EINVAL when `array` is none (freed
 *  already, foreign, or not its start), and then nothing happens. NULL is allowed. */
int mai_free(void *array);

/** Where the pages of an array are, by asking the kernel. */
struct mai_pages {
  size_t total;     /**< pages wholly inside the array */
  size_t untouched; /**< not in memory yet: nobody has written to them */
  size_t placed;    /**< on the node that the policy means */
  size_t spilled;   /**< on another node */
  size_t failed;    /**< the kernel would not tell where */
};

/**
 * Look where the pages of an array are now.
 *
 * @param array start of an array that MAi knows: allocated, static or watched
 * @param pages receives the counts; placed + spilled + untouched + failed = total
 * @param per_node receives the pages on each node, indexed by OS index; may be NULL
 * @param nodes entries of per_node; pages on nodes beyond are not counted there
 * @return 0, or -1 with errno EINVAL (no such array), EPERM or ENOSYS (the kernel does not
 *   answer), ENOMEM
 */
int mai_verify(const void *array, struct mai_pages *pages, size_t *per_node, unsigned nodes);

/** The node (OS index) that `policy` of a known array means for the page of this address; -1 with
 *  errno EINVAL when the address lies in no array MAi placed. */
int mai_node_meant(const void *address);

/** The node (OS index) on which the page of this address is now; -1 with errno ENOENT (on none:
 *  nobody has written to it, or nothing is mapped there), EFAULT (the kernel does not tell), EPERM
 *  or ENOSYS (it never does). */
int mai_where(const void *address);

/** The CPU (OS index) on which OpenMP thread `thread` of a top-level team belongs; -1 with errno
 *  ENOENT when MAi does not pin. */
int mai_cpu_of_thread(unsigned thread);

/** Which form a report has. */
enum mai_report_format { MAI_REPORT_TEXT, MAI_REPORT_JSON };

/** Write the report of all arrays and threads to `stream`. @return 0, or -1 with errno EIO or
 *  ENOMEM. */
int mai_report(FILE *stream, enum mai_report_format format);

/** Receives one message (a sentence without newline). `context` is what was registered. */
typedef void (*mai_message_handler_t)(const char *message, void *context);

/** Give all messages to `handler` instead of standard error; NULL: as before.  Call it before other
 *  threads use MAi. */
void mai_set_message_handler(mai_message_handler_t handler, void *context);

#ifdef __cplusplus
}
#endif
#endif /* MAI_H */
