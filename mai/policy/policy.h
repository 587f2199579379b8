/*===-- policy.h - a policy as a value, and as text -------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * The only parser and the only printer of policies: MAi and mapp-rewrite have both from here.
 */
#ifndef MAI_POLICY_POLICY_H
#define MAI_POLICY_POLICY_H

#include <stddef.h>

#include "mai_types.h"

/*===-- As a value ---------------------------------------------------------===*/

/** The policies: where the pages of an array belong.  N is the number of nodes that are used, T the
 *  number of threads, i the number of a unit (see enum mai_unit), all counted from 0. */
enum mai_policy_kind {
  MAI_POLICY_FIRST_TOUCH = 0, /**< the kernel's choice, as without MAi */
  MAI_POLICY_BIND,            /**< all on one node, or anywhere on a set of nodes */
  MAI_POLICY_BLOCK,        /**< divided among the OpenMP threads as schedule(static) divides a loop
                                over the units, each share on its thread's node; with `shares` in
                                these proportions */
  MAI_POLICY_CYCLIC,       /**< node i mod N */
  MAI_POLICY_BLOCK_CYCLIC, /**< distributed to the threads, `value` units at a time, as
                                schedule(static, value) distributes a loop over the units */
  MAI_POLICY_SKEW,         /**< node (i + floor(i / N) + 1) mod N */
  MAI_POLICY_PRIME,        /**< with the prime `value` = p >= N: node i mod p where that is < N; the
                                units left over are renumbered in order and distributed by the same rule */
  MAI_POLICY_RANDOM,       /**< a node drawn for each unit; `value` is the seed */
  MAI_POLICY_WEIGHTED,  /**< in turn, as many units to a node as its weight says: `shares`, or the
                             measured bandwidth of its memory */
  MAI_POLICY_IRREGULAR, /**< `shares`: so many units to the first node, so many to the next;
                             what is left goes with the last */
  MAI_POLICY_LOCAL,     /**< with the thread that touches a page first, which is no huge page unless
                             there are many of them; left there by the kernel's automatic
                             balancing */
  MAI_POLICY_NEXT_TOUCH, /**< with the thread that touches a page next */
  MAI_POLICY_REPLICATE,  /**< a read-only copy on every node with CPUs, or each of `nodes`, made by
                              mai_replicate() */
  MAI_POLICY_TIER,       /**< on the nodes of the kind of memory that `value` asks for, an enum
                              mai_tier */
  MAI_POLICY_DYNAMIC     /**< as MAI_POLICY_LOCAL, until it has been seen while the program runs
                              which threads write which pages: then as one of the others */
};

/** What a policy distributes: the unit that it counts.  Memory is placed by pages, and a page goes
 * with the unit that holds the byte in its middle.  Where a unit has less than a page in one piece,
 * cyclic, skew, prime, random and weighted distribute pages in its place; and where block,
 * block-cyclic and irregular give pieces smaller than pages to the same threads or nodes again and
 * again, a page goes to the node that has most of it, or to each in turn of those that have as
 * much. */
enum mai_unit {
  MAI_UNIT_DEFAULT = 0, /**< rows for block, block-cyclic and irregular; pages for the others */
  MAI_UNIT_PAGES,       /**< pages; huge ones where the kernel uses them and the array has enough */
  MAI_UNIT_DIMENSION,   /**< the indices of dimension `dimension`: 0 rows, 1 columns, ... */
  MAI_UNIT_BLOCKS,      /**< blocks of `block` elements of the first three dimensions, numbered with
                             the last index running fastest */
  MAI_UNIT_SLICES       /**< the elements of each of `block[0]` equal slices that the array consists
                             of, one behind the other: block and block-cyclic divide each alike.
                             `block[0]` = 0: block divides each of slices in the proportions of
                             `shares` */
};

/** Which memory MAI_POLICY_TIER asks for. */
enum mai_tier {
  MAI_TIER_FASTEST, /**< of the highest bandwidth, such as HBM */
  MAI_TIER_LARGEST, /**< of the largest capacity a node */
  MAI_TIER_LATENCY  /**< of the lowest latency from the nodes on which the program's threads run */
};

/** mai_policy::flags: the node or nothing. Without it a page that finds its node full goes to the
 *  nearest one that has room, and the report counts it as spilled.  The kernel interleaves without
 *  strictness: pages that are distributed in turn are populated at once. */
#define MAI_STRICT 1U
/** mai_policy::flags: use the nodes on which the program's threads run, not all. */
#define MAI_THREAD_NODES 2U
/** mai_policy::flags: populate all pages, by several threads, instead of each at
 *  its first touch.  MAI_POPULATE=1 in the environment does so for every array. */
#define MAI_POPULATE 4U
/** mai_policy::flags: block by rows, for an array that is declared larger than what is used of it.
 *  It is left to first touch (as MAI_LOCAL) until a team of the program starts that finds something
 *  in it; then its rows up to the last that is not all zero are divided among the threads.  Where
 *  they are less than half, all rows are.  Block by slices in proportions: these are proportions of
 *  what two teams, one after the other, find to hold something.  Local, for an array that one
 *  thread clears before the threads use it: of what a team finds the pages that hold nothing but
 *  zeros are given back, and go with the thread that touches them next. */
#define MAI_FILLED 8U
/** mai_policy::flags: block and block-cyclic for a loop that runs backwards, `for (i = n; i-- >
 * 0;)`, or whose iteration i uses unit n - 1 - i: the first thread has the last units, as
 * schedule(static) divides such a loop. */
#define MAI_REVERSED 16U

/** A policy as a value.  Unused members are 0. */
typedef struct mai_policy {
  unsigned kind;        /**< an enum mai_policy_kind */
  unsigned flags;       /**< MAI_STRICT, MAI_THREAD_NODES, MAI_POPULATE, MAI_FILLED, MAI_REVERSED */
  unsigned node;        /**< bind: OS index of the node, where `nodes` is not given */
  unsigned threads;     /**< block, block-cyclic: size of the team; 0: the program's default */
  unsigned long first;  /**< block, block-cyclic: the loop's first unit; units before it go with the
                             first share.  With `along` this is a row, and so it is for `count` */
  unsigned long count;  /**< block, block-cyclic: how many units the loop runs over; 0: all from
                             `first`.  Units after the last go with the last one */
  unsigned unit;        /**< an enum mai_unit */
  unsigned dimension;   /**< MAI_UNIT_DIMENSION: which */
  unsigned node_count;  /**< entries of `nodes`; 0: all nodes that the process may use, without
                             memory of GPUs */
  unsigned share_count; /**< entries of `shares` */
  const unsigned *nodes;       /**< OS indices of the nodes to use, in this order.  What belongs to
                                    threads of other nodes goes to the nearest of them, evenly where
                                    several are as near */
  const unsigned long *shares; /**< weighted, irregular: a number for each node used.  Block: how
                                    much of the units goes with each equal part of the team, the
                                    first threads first.  With S shares and T threads thread t has
                                    what shares t S / T to (t + 1) S / T hold, so they hold for a
                                    team of any size.  Each is below 2^32, not all are 0 */
  unsigned long value;         /**< block-cyclic, prime, random, tier: see there; with `along`: how
                                    many units each row pointer counts, 0: 1 */
  unsigned long piece; /**< cyclic, skew, prime, random, weighted: bytes distributed at a time, as
                            whole pages; 0: a page, or a huge one */
  unsigned long block[3]; /**< MAI_UNIT_BLOCKS: elements in each dimension; MAI_UNIT_SLICES: [0] is
                               how many slices there are, if they are equal */
  const char
      *along; /**< block by rows, or NULL: the name of an array of row pointers, see minas(7) */
} mai_policy_t;

/* Values without lists. */
#define MAI_FIRST_TOUCH {.kind = MAI_POLICY_FIRST_TOUCH}
#define MAI_LOCAL {.kind = MAI_POLICY_LOCAL}
#define MAI_BIND(os_index) {.kind = MAI_POLICY_BIND, .node = (os_index)}
#define MAI_BLOCK {.kind = MAI_POLICY_BLOCK}
#define MAI_CYCLIC {.kind = MAI_POLICY_CYCLIC}
#define MAI_CYCLIC_OVER_THREADS {.kind = MAI_POLICY_CYCLIC, .flags = MAI_THREAD_NODES}

/** Whether a policy's shares are those of the slices of an array. */
static inline int mai_policy_has_unequal_slices(const mai_policy_t *policy) {
  return policy->unit == MAI_UNIT_SLICES && policy->block[0] == 0;
}

/*===-- As text ------------------------------------------------------------===*/

/** What is wrong with a text that is no policy. */
struct mai_policy_error {
  size_t column;    /**< of the text, counted from 1; 0: nothing is wrong with it */
  char reason[256]; /**< "expected ..., found ..." */
};

/** Read a policy, as minas(7) describes it; NULL is none, and no error is told.
 *  @param policy receives it; its lists are allocated, free them with mai_policy_release()
 *  @return 0, or -1 with errno EINVAL and the error, or ENOMEM */
int mai_policy_read(const char *text, mai_policy_t *policy, struct mai_policy_error *error);

/** Free the lists of a policy of mai_policy_read().  Keeps errno. */
void mai_policy_release(mai_policy_t *policy);

/** Write a policy as mai_policy_read() reads it, cut off after size - 1 bytes.  Policies that mean
 *  the same by the same members are written alike.
 *  @param text may be NULL where size is 0
 *  @return its length without cutting off, as snprintf() */
int mai_policy_format(const mai_policy_t *policy, char *text, size_t size);

/** The most bytes that mai_policy_show() and mai_policy_explain() write. */
#define MAI_POLICY_SHOWN 256
#define MAI_POLICY_EXPLAINED 512

/** Two lines, each after a newline: the text, or the part of it around a column, and a caret under
 *  that column.  Cut off after size - 1 bytes. */
void mai_policy_show(const char *text, size_t column, char *shown, size_t size);

/** "column N: expected ..., found ...", and the lines of mai_policy_show(); empty where nothing is
 *  wrong. */
void mai_policy_explain(const char *text, const struct mai_policy_error *error, char *explained,
                        size_t size);

#endif /* MAI_POLICY_POLICY_H */
