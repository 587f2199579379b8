/*===-- mai_sharing.h - data that nodes divide among them ----------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * For programs all of whose threads use the same data, where no placement helps: divide the data by
 * a key, so that each key belongs to a node, and send work to the node of its key, by queues that
 * each node has its own part of.  docs/sharing.md is a guide.
 *
 * The nodes meant here are those whose memory this process may use; they are named by their OS
 * index, as in mai.h, whose rules for errors and threads hold here, too.
 */
#ifndef MAI_SHARING_H
#define MAI_SHARING_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * The node that a key belongs to: always the same one in a process, whatever asks.  Keys are
 * distributed evenly, however they are spread themselves.
 *
 * @return its OS index, or -1 with errno as mai_init()
 */
int mai_node_of_key(uint64_t key);

/*===-- Queues --------------------------------------------------------------===*/

/** A queue that has a part on each node: items go to a node, and are taken by its threads, in the
 *  order in which they were put there.  Any number of threads may put and take at once. */
typedef struct mai_queue mai_queue_t;

enum mai_queue_flags {
  MAI_QUEUE_STEALS = 1 /**< threads take items of other nodes where their own has none */
};

/**
 * Make a queue.
 *
 * @param size bytes of an item
 * @param capacity items of each node's part: at least 1; it has room for the next power of 2, at
 *   least 2
 * @param flags 0 or MAI_QUEUE_STEALS
 * @return the queue, to be given to mai_queue_free(); or NULL with errno EINVAL (size or capacity
 *   0, unknown flag), EOVERFLOW (more bytes than a size_t holds), ENOMEM, or as mai_init()
 */
mai_queue_t *mai_queue_new(size_t size, size_t capacity, unsigned flags);

/** End a queue that no thread uses any more, with all items in it.  NULL is allowed. */
void mai_queue_free(mai_queue_t *queue);

/**
 * Put an item, `size` bytes, into a node's part; wait while that is full.  The thread that waits
 * is no point of cancellation; handlers of signals run meanwhile.
 *
 * @return 0, or -1 with errno ENODEV (no such node), EPIPE (the queue is closed)
 */
int mai_queue_put(mai_queue_t *queue, unsigned node, const void *item);

/** The same without waiting: -1 with errno EAGAIN where the part is full. */
int mai_queue_try_put(mai_queue_t *queue, unsigned node, const void *item);

/** mai_queue_put() to the node that the key belongs to. */
int mai_queue_put_by_key(mai_queue_t *queue, uint64_t key, const void *item);

/** mai_queue_put() to all nodes in turn. */
int mai_queue_put_in_turn(mai_queue_t *queue, const void *item);

/**
 * Take the first item of the part of the node where the calling thread runs; wait while there is
 * none.  With MAI_QUEUE_STEALS, take one of another node's rather than wait.
 *
 * @param item receives `size` bytes
 * @return 0, or -1 with errno EPIPE (the queue is closed, and there is none left)
 */
int mai_queue_take(mai_queue_t *queue, void *item);

/** The same without waiting: -1 with errno EAGAIN where there is none. */
int mai_queue_try_take(mai_queue_t *queue, void *item);

/** mai_queue_take() from the part of a node; -1 with errno ENODEV, too (no such node). */
int mai_queue_take_from(mai_queue_t *queue, unsigned node, void *item);

/** Say that no more items will be put: once all have been taken, no thread waits any more.  Call it
 *  when all that put have done so. */
void mai_queue_close(mai_queue_t *queue);

/*===-- Partitions ----------------------------------------------------------===*/

/** An array divided into parts, each on a node of its own. */
typedef struct mai_partition mai_partition_t;

/**
 * Make a partition of zeroes.  Part i of n lies on the node that is i-th in turn.
 *
 * @param parts how many; 0: one for each node, and then part and node of a key correspond as
 *   mai_node_of_key() says
 * @param count units of each part
 * @param size bytes of a unit
 * @return the partition, to be given to mai_partition_free(); or NULL with errno EINVAL (count or
 *   size 0), EOVERFLOW (more bytes than a size_t holds), ENOMEM, or as mai_init()
 */
mai_partition_t *mai_partition_new(unsigned parts, size_t count, size_t size);

/** End a partition and its memory.  NULL is allowed. */
void mai_partition_free(mai_partition_t *partition);

/** How many parts there are. */
unsigned mai_partition_count(const mai_partition_t *partition);

/** The part that a key belongs to.  Keys are distributed evenly. */
unsigned mai_partition_of(const mai_partition_t *partition, uint64_t key);

/** The first unit of a part; NULL with errno EINVAL where there is no such part. */
void *mai_partition_start(const mai_partition_t *partition, unsigned part);

/** The node that a part belongs to, by its OS index; -1 with errno EINVAL where there is no such
 *  part. */
int mai_partition_node(const mai_partition_t *partition, unsigned part);

/**
 * Move a part to another node; its address stays.  Threads may use it meanwhile.  Not by two
 * threads at once for one part.
 *
 * @return 0, or -1 with errno EINVAL (no such part), or as mai_migrate()
 */
int mai_partition_move(mai_partition_t *partition, unsigned part, unsigned node);

/*===-- Threads of pools ----------------------------------------------------===*/

/** In the place of a node: the CPUs of all nodes. */
#define MAI_ALL_NODES (-1)

enum mai_pin_flags {
  MAI_PIN_APART = 1 /**< of the CPUs that fewest threads of the group have, one that fewest threads
                         of all groups have */
};

/**
 * Pin the calling thread, be it of pthreads, std::thread or another kind: it is one of a group,
 * such as those of a stage of a pipeline on a node.  The i-th thread of a group that calls this
 * gets the node's i-th CPU, and behind the last comes the first again: where each stage has a
 * thread a CPU, each CPU has a thread of each stage.  With MAI_PIN_APART, stages that have fewer
 * threads than there are CPUs get different ones, as far as there are enough.
 *
 * Threads that it makes are not pinned.  In a parallel region that it opens, it goes where OpenMP's
 * threads belong, and stays there.
 *
 * @param group any number; groups of several nodes may have the same one
 * @param node OS index, or MAI_ALL_NODES
 * @param flags 0 or MAI_PIN_APART
 * @return the CPU, by its OS index; or -1 with errno EINVAL (unknown flag, negative node), ENODEV
 *   (no such node, or none of its CPUs may be used), EBUSY (MAi does not pin: the user's settings
 * or another tool decide), ENOMEM, as mai_init(), or what the kernel says
 */
int mai_pin_group(unsigned group, int node, unsigned flags);

#ifdef __cplusplus
}
#endif

#endif /* MAI_SHARING_H */
