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
 * Memory.  MAi's own memory is apart from the program's allocator.  An array ends when its memory
 * is given back, also where MAi is not told: what the program unmaps is no array any more (EINVAL).
 *
 * Policies.  A policy says on which node each page of an array belongs.  It is a text, such as
 * "block", "cyclic on 0,2" or "block by columns for 8 threads": minas(7) has the grammar and says
 * what each one means.
 *
 * Environment: the variables that begin with MAI_ are described in minas(7).  They are read once,
 * before main().
 */
#ifndef MAI_H
#define MAI_H

#include <stddef.h>
#include <stdio.h>

#include "mai_types.h"

#ifdef __cplusplus
extern "C" {
#endif

struct numarch; /* a numarch_t */

/**
 * Start MAi: read the machine, the environment and the map file.  Every function that needs it
 * calls it; calling it oneself only decides when.
 *
 * @return 0, or -1 with errno ENOMEM, EINVAL when the machine cannot be read, EPERM when the
 *   program has installed a filter of system calls (seccomp) before.  A map file that cannot be
 *   used is no error here: the program runs unpinned, see the message.
 */
int mai_init(void);

/*===-- Allocation ---------------------------------------------------------===*/

/**
 * Allocate an array of zeroes, placed by `policy`.
 *
 * Pages come into being at first touch, each on its node.  Only where the kernel cannot hold the
 * placement otherwise are they populated at once, by as many threads as the program's teams have:
 * in more pieces than there are nodes, and one; in arrays of at most 64 KiB on several nodes; and
 * when the arrays' mappings are half of those that the kernel allows (vm.max_map_count).
 *
 * The array starts at a multiple of 64 bytes; the starts of large arrays are spread over a page, so
 * that equal indices of several arrays do not compete for the same cache sets.
 * mai_alloc_shape() can align otherwise.
 *
 * @param count units
 * @param size bytes of a unit
 * @param policy where the pages belong, see minas(7)
 * @param name what reports call the array (copied); NULL: "array@ADDRESS"
 * @return the array, to be given to mai_free(); or NULL with errno
 *   EINVAL (count or size 0; no policy, or not fit for the shape: its range outside the array,
 *   a dimension or blocks that it has not, a number that is no prime, shares that are no numbers
 *   for its nodes),
 *   EOVERFLOW (count × size does not fit in a size_t),
 *   ENODEV (the policy names a node that is not there, or that this process may not use),
 *   ENOMEM (no memory; less free than pages are to be populated; or, with a strict policy, not
 * enough free on a node). Where the kernel refuses placement (a container without the right to
 * mbind), the array is allocated all the same, and mai_verify() tells.
 */
void *mai_alloc(size_t count, size_t size, const char *policy, const char *name);

/** mai_alloc() on one node; `node` is its OS index. */
void *mai_alloc_bind(size_t count, size_t size, unsigned node);

/** mai_alloc() in one block a thread: unit i lies with the thread that runs iteration i of a loop
 *  over [0, count) with schedule(static), in a team of the program's default size. */
void *mai_alloc_block(size_t count, size_t size);

/** mai_alloc() with pages distributed to all allowed nodes in turn: page i on node i mod N.  Arrays
 * of several huge pages a node are distributed in huge pages where the kernel uses them. */
void *mai_alloc_cyclic(size_t count, size_t size);

/** Of which pages an array's memory is made. */
enum mai_huge_pages {
  MAI_HUGE_DEFAULT,     /**< as the system is set up */
  MAI_HUGE_OFF,         /**< the smallest pages */
  MAI_HUGE_TRANSPARENT, /**< transparent huge pages where the system allows them at all */
  MAI_HUGE_EXPLICIT     /**< reserved huge pages (hugetlb), or ENOMEM */
};

/** How memory is allocated.  All 0: as mai_alloc() does. */
typedef struct mai_options {
  size_t alignment;    /**< the start is a multiple of it: a power of 2; 0: see mai_alloc() */
  unsigned huge_pages; /**< an enum mai_huge_pages */
} mai_options_t;

/**
 * Allocate an array of several dimensions, contiguous, the last index running fastest:
 *
 *     double (*u)[M][L] =
 *         mai_alloc_shape(3, (size_t[]){N, M, L}, sizeof(double), "block", NULL, "u");
 *
 * The policy may speak of each dimension, and of blocks of the first three.
 *
 * @param dimensions 1 to MAI_MOST_DIMENSIONS
 * @param extents indices of each dimension
 * @param size bytes of an element
 * @param options NULL: as mai_alloc()
 * @return as mai_alloc(); errno EINVAL also for wrong dimensions, extents or options
 */
void *mai_alloc_shape(unsigned dimensions, const size_t *extents, size_t size, const char *policy,
                      const mai_options_t *options, const char *name);

/**
 * Change the extent of the first dimension of an array of mai_alloc*().  Policy, name and options
 * stay; contents stay up to the smaller of both sizes, what is new is zero.  No other thread may
 * use the array meanwhile.
 *
 * @param count the new extent: units of mai_alloc(), rows of mai_alloc_shape()
 * @return the array, which may have moved; or NULL with errno as mai_alloc() (EINVAL also when
 *   `array` is none), and then the array is as it was
 */
void *mai_realloc(void *array, size_t count);

/** Free an array of mai_alloc*(). @return 0, or -1 with errno EINVAL when `array` is none (freed
 *  already, foreign, or not its start), and then nothing happens. NULL is allowed. */
int mai_free(void *array);

/*===-- Memory that exists -------------------------------------------------===*/

/** What became of the pages of an array that was to be moved.  Where there is one node only nothing
 *  is looked at, and all are 0. */
struct mai_moves {
  size_t moved;     /**< were elsewhere and are now where they belong */
  size_t right;     /**< were where they belong */
  size_t untouched; /**< not in memory: will come to their node at first touch */
  size_t full;      /**< are elsewhere: their node has no room */
  size_t shared;    /**< stayed: other processes use them too */
  size_t busy;      /**< stayed: the kernel was using them */
  size_t failed;    /**< stayed: the kernel gives another reason, or a huge page holds them together
                         with pages that belong elsewhere */
};

/**
 * Place memory that the program has allocated itself, by malloc() or mmap(): the pages that lie
 * wholly inside it.  Contents stay.  No other thread may use the memory meanwhile, nor the pages at
 * its ends.
 *
 * It stays the program's, which frees it as it allocated it.  MAi hears of free() and realloc(),
 * and the memory has the policy of the process again before its next owner gets it; before it is
 * given back otherwise, call mai_forget().  Its pieces on several nodes are several mappings, which
 * mremap() does not move together (EFAULT).  Placing memory again, or memory that overlaps what was
 * placed before, replaces what MAi knows of it.
 *
 * @param count, size, policy, name as mai_alloc()
 * @param memory private and writable, and not executable
 * @return 0, or -1 with errno as mai_alloc(), EINVAL (NULL; or it overlaps an array of mai_alloc*()
 *   or a static one that MAi placed), EACCES (not mapped everywhere, shared with other processes,
 *   not writable or executable; not looked for where there is one node only), EBUSY (pages would
 *   have to be copied or populated, and some are locked, watched by userfaultfd, kept from
 *   children or may be pinned for a device, which a copy would not be), or what the kernel says;
 *   then the memory is as it was, and what MAi knows of it
 */
int mai_place(void *memory, size_t count, size_t size, const char *policy, const char *name);

/** Know no longer of memory that mai_place() placed; its pages stay where they are, and it has the
 *  policy of the process again.
 *  @return 0, or -1 with errno EINVAL when it is none */
int mai_forget(void *memory);

/**
 * Place an array anew: by another policy, or by its own after threads were mapped anew.  What
 * mai_migrate*() moved is put back.  Contents stay.  No other thread may use the array meanwhile.
 *
 * @param array start of an array that MAi placed: allocated, static or given to mai_place()
 * @param policy NULL: the array's own; next-touch, its own or not, waits for touches as
 *   mai_next_touch() does
 * @param moves receives what became of its pages; may be NULL
 * @return 0, or -1 with errno as mai_alloc(), EINVAL (no such array, or its copies are not dropped,
 *   see mai_replicate()), EACCES (memory that mai_alloc*() did not allocate is no longer as
 *   mai_place() wants it), EBUSY (as mai_place()), EPERM or ENOSYS (the kernel does not let this
 *   process place memory);
 *   then the array is as it was
 */
int mai_replace(void *array, const char *policy, struct mai_moves *moves);

/** mai_replace() for every array that MAi placed, by its own policy: the data follow the threads.
 *  Arrays with copies are left out.
 *  @param moves receives the sums; may be NULL.
 *  @return 0, or -1 with the errno of the first array that failed; the others are placed */
int mai_replace_all(struct mai_moves *moves);

/**
 * Move pages of an array to a node, whatever its policy: all, those of a range of bytes, of rows or
 * of columns.  Other threads may use the array meanwhile.  A page belongs to the range, row or
 * column that holds the byte in its middle.  Pages not yet in memory will come to the node at first
 * touch where the range is in one piece, and are populated there otherwise.
 *
 * A page that a huge page holds together with pages outside the range stays and counts as failed.
 *
 * @param array start of an array that MAi placed
 * @param offset, bytes the range in bytes from the start
 * @param first, count the rows (indices of the first dimension) or columns (of the second)
 * @param node OS index
 * @param moves receives what became of the pages; may be NULL
 * @return 0, also when pages stayed, or -1 with errno EINVAL (no such array, or the range is
 *   outside it, or it has no columns), ENODEV (no such node), ENOMEM, EPERM or ENOSYS
 */
int mai_migrate(void *array, unsigned node, struct mai_moves *moves);
int mai_migrate_range(void *array, size_t offset, size_t bytes, unsigned node,
                      struct mai_moves *moves);
int mai_migrate_rows(void *array, size_t first, size_t count, unsigned node,
                     struct mai_moves *moves);
int mai_migrate_columns(void *array, size_t first, size_t count, unsigned node,
                        struct mai_moves *moves);

/** Distribute the pages of an array to all nodes in turn: mai_replace() by "cyclic". */
int mai_scatter(void *array, struct mai_moves *moves);

/**
 * Let each page of a range go to the node of the thread that touches it next: a few pages around
 * the touched address at a time (whole huge pages where there are some).  What a thread has touched
 * belongs on its node from then on, as mai_node_meant() and mai_verify() say.  Works by taking the
 * right of access away and by a handler of SIGSEGV, which passes all other faults on to the
 * program's own handler, and keeps SIGSEGV out of all masks.  A system call that is given memory
 * not touched again yet fails with EFAULT, and mai_verify() and mai_page_map() may not tell where
 * such pages are.  Source: B. Goglin, N. Furmento, "Enabling high-performance memory migration for
 * multithreaded applications on Linux", 2009.
 *
 * @param array start of an array that MAi placed
 * @param offset, bytes the range in bytes from the start; bytes 0: to the end
 * @return 0, or -1 with errno EINVAL (no such array, or the range is outside it), EBUSY (a thread
 *   of the program blocks SIGSEGV), EPERM or ENOSYS (the kernel does not let this process place
 *   memory), ENOMEM
 */
int mai_next_touch(void *array, size_t offset, size_t bytes);

/**
 * Make a copy of an array on each node.  From now on it is read-only, a write ends in SIGSEGV,
 * until mai_drop_replicas().  No other thread may write to it meanwhile.
 *
 * @param array start of an array of mai_alloc*() with the policy "replicate"
 * @return 0, or -1 with errno EINVAL (no such array, or it has copies already), ENOMEM
 */
int mai_replicate(void *array);

/** The copy that is nearest to the calling thread: the array itself while there are none.  Ask once
 *  for a loop, not for an element.  NULL with errno EINVAL when `array` is none. */
const void *mai_replica(const void *array);

/** Free the copies and let the array be written to again. No other thread may use the copies.
 *  @return 0, or -1 with errno EINVAL (no such array) */
int mai_drop_replicas(void *array);

/*===-- Looking ------------------------------------------------------------===*/

/** Where the pages of an array are, by asking the kernel. */
struct mai_pages {
  size_t total;     /**< pages of an allocated array, and of its copies; else those wholly inside,
                         and of blocks below 1 MiB those at the ends whose middle is inside */
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

/** The node (OS index) that the policy of a known array means for the page of this address; -1 with
 *  errno EINVAL when the address lies in no array MAi placed, or the page may be on several nodes.
 */
int mai_node_meant(const void *address);

/** The node (OS index) on which the page of this address is now; -1 with errno ENOENT (on none:
 *  nobody has written to it, or nothing is mapped there), EFAULT (the kernel does not tell), EPERM
 *  or ENOSYS (it never does). */
int mai_where(const void *address);

/**
 * Where each page of an array is.
 *
 * @param array start of an array that MAi knows
 * @param first number of the first page that is asked for, of those that struct mai_pages counts,
 *   without copies
 * @param count entries of `nodes`
 * @param nodes receives the OS index of each page's node, -1 for one not in memory, -2 where the
 *   kernel does not tell
 * @return how many entries were written, less than `count` at the end of the array; or -1 with
 * errno as mai_verify()
 */
long mai_page_map(const void *array, size_t first, size_t count, int *nodes);

/** What placing an array has cost. */
struct mai_statistics {
  size_t bytes;           /**< of the array */
  size_t page_size;       /**< bytes of the pages that are placed */
  size_t mappings;        /**< pieces into which policies cut its memory (VMAs) */
  size_t moved_pages;     /**< by mai_replace(), mai_migrate*() and mai_next_touch() so far */
  double placing_seconds; /**< spent on setting policies, populating pages and moving them */
};

/** The statistics of an array that MAi knows. @return 0, or -1 with errno EINVAL or ENOMEM */
int mai_get_statistics(const void *array, struct mai_statistics *statistics);

/** Write the policy of an array that MAi knows, cut off after size - 1 bytes.
 *  @return its length without cutting off, as snprintf(); or -1 with errno EINVAL (no such array)
 */
int mai_policy_of(const void *array, char *text, size_t size);

/** The start of the array that MAi knows and in which an address lies.
 *  @param bytes receives its size; may be NULL
 *  @return it, or NULL with errno EINVAL when there is none */
void *mai_array_around(const void *address, size_t *bytes);

/** The nodes (OS indices, ascending) on which arrays can be placed: those with memory that this
 *  process may use, GPUs' left out.
 *  @param nodes receives them; may be NULL where `most` is 0
 *  @param most entries of `nodes`; more nodes are left out
 *  @return how many there are, or -1 with errno as mai_init() */
int mai_list_nodes(unsigned *nodes, unsigned most);

/** What this process may use of the machine, to be asked by the functions of numarch.h: as it was
 *  when MAi started, before it pinned threads.  It belongs to the library.
 *  @return it, or NULL with errno as mai_init() */
const struct numarch *mai_topology(void);

/** The CPU (OS index) on which OpenMP thread `thread` of a top-level team belongs; -1 with errno
 *  ENOENT when MAi does not pin. */
int mai_cpu_of_thread(unsigned thread);

/** Which form a report has. */
enum mai_report_format {
  MAI_REPORT_TEXT, /**< a table */
  MAI_REPORT_JSON  /**< documented in minas(7); mai-picture(1) draws it */
};

/** Map the OpenMP threads anew: thread i of a top-level team runs on CPU cpus[i] from the next
 *  parallel region on, thread i + count as thread i.  Data follow by mai_replace_all().  To be
 *  called outside of parallel regions.
 *
 *  @param cpus OS indices
 *  @return 0, or -1 with errno EINVAL (count 0, or a CPU that this process may not use), EBUSY (MAi
 *    does not pin: the user's settings or another tool decide) or ENOMEM */
int mai_map_threads(const unsigned *cpus, unsigned count);

/** mai_map_threads() by a map file, see minas-map(5).  What is wrong with the file is a message;
 *  MAI_STRICT=1 in the environment ends the program then, as for the file of MAI_MAP_FILE.
 *
 *  @return 0, or -1 with errno EINVAL (the file cannot be read or has mistakes), or as
 *    mai_map_threads() or mai_init() */
int mai_map_file(const char *file);

/** How many threads the team has that arrays are divided for: the default one. At least 1. */
unsigned mai_team_size(void);

/**
 * Run `function` on a node: in the calling thread, which goes there meanwhile, as do the threads of
 * every OpenMP team that it opens.  Such a team has by default as many threads as the default team
 * has on that node.  Where the user's settings bind threads, or MAi does not pin, these decide, and
 * the function just runs.
 *
 * @param node OS index
 * @return 0 when the function has returned, or -1 with errno ENODEV (no such node, or it has no
 * CPUs that this process may use), and it has not run; or as mai_init()
 */
int mai_on_node(unsigned node, void (*function)(void *argument), void *argument);

/**
 * Run `function` on every node with CPUs at the same time: for each in a new thread, as
 * mai_on_node() does, which may open teams and make tasks that stay on the node.  Ends when all
 * have ended.
 *
 * @param function receives the OS index of its node; the calls begin when all threads are there
 * @return 0, or -1 with errno EAGAIN (no more threads) or ENOMEM, and it has not run; or as
 * mai_init()
 */
int mai_parallel_nodes(void (*function)(unsigned node, void *argument), void *argument);

/**
 * Say where the data of the calling thread's next task is: with MAI_TASKS=near in the environment
 * the task goes to the node on which most of `bytes` bytes from `memory` on belong, as far as MAi
 * placed them.  Call it right before the task's directive, for each piece of its data if there are
 * several; without that setting it does nothing.
 *
 * @return 0, or -1 with errno EOVERFLOW (memory does not reach so far) or ENOMEM, and nothing has
 * been said
 */
int mai_task_near(const void *memory, size_t bytes);

/** Say which node the calling thread's next task is to go to, by its OS index. @return 0, or -1
 * with errno ENODEV (no such node) or ENOMEM, and nothing has been said */
int mai_task_on(unsigned node);

/** Write the report of all arrays and threads to `stream`. @return 0, or -1 with errno EIO or
 *  ENOMEM. */
int mai_report(FILE *stream, enum mai_report_format format);

/*===-- Policies -----------------------------------------------------------===*/

/**
 * Whether a text is a policy.  Calls that take one fail with EINVAL where it is none; here is said
 * why.  Whether its numbers suit an array and the machine is found out by the call that takes it.
 *
 * @param error receives, on EINVAL, what was expected and what was found at which column of the
 *   text, counted from 1, and the text with a caret there, in three lines without the last newline,
 *   cut off after size - 1 bytes; else an empty string; may be NULL
 * @param size bytes of `error`; 512 are always enough
 * @return 0, or -1 with errno EINVAL or ENOMEM
 */
int mai_policy_check(const char *policy, char *error, size_t size);

/** Write a policy as reports do, cut off after size - 1 bytes: policies that mean the same by the
 *  same words are written alike, whatever the order and the blanks.
 *  @param text may be NULL where size is 0
 *  @return its length without cutting off; or -1 with errno EINVAL (no policy) or ENOMEM */
int mai_policy_canonical(const char *policy, char *text, size_t size);

/** The same for an array whose first index runs fastest, as in Fortran: dimensions and blocks of
 *  the policy are counted from there, those of the text as in C.
 *  @param extents of the dimensions, in the policy's order
 *  @return as mai_policy_canonical(); EINVAL also where the policy names a dimension that the array
 *    has not, or blocks of an array of more than three dimensions */
int mai_policy_turned(const char *policy, unsigned dimensions, const size_t *extents, char *text,
                      size_t size);

/*===-- Messages -----------------------------------------------------------===*/

/** Receives one message: a sentence, and behind it what it is about, such as a text with a caret,
 * in lines of their own; without the last newline.  `context` is what was registered. */
typedef void (*mai_message_handler_t)(const char *message, void *context);

/** Give all messages to `handler` instead of standard error; NULL: as before.  It is called when
 *  the thread has left the library, and may call the library.  Call this before other threads use
 *  MAi.
 */
void mai_set_message_handler(mai_message_handler_t handler, void *context);

/** Give a message of a library or program that stands on MAi where MAi's own go: to the handler, or
 *  to standard error where the environment asks for messages.  It is cut off after some hundred
 *  bytes. */
void mai_tell(const char *message);

#ifdef __cplusplus
}
#endif
#endif /* MAI_H */
