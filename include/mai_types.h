/*===-- mai_types.h - what mai.h and mai_static.h share -----------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * Policies, and how a static array is described to MAi.  Not to be included by itself.  Includes no
 * other header, see mai_static.h.
 */
#ifndef MAI_TYPES_H
#define MAI_TYPES_H

#ifdef __cplusplus
extern "C" {
#endif

/** The policies: where the pages of an array belong.  N is the number of nodes that are used, T the
 *  number of threads, i the number of a unit (see enum mai_unit), all counted from 0. */
enum mai_policy_kind {
  MAI_POLICY_FIRST_TOUCH = 0, /**< the kernel's choice, as without MAi */
  MAI_POLICY_BIND,            /**< all on one node, or anywhere on a set of nodes */
  MAI_POLICY_BLOCK,        /**< divided among the OpenMP threads as schedule(static) divides a loop
                                over the units, each share on its thread's node; with `shares` in
                                these proportions */
  MAI_POLICY_CYCLIC,       /**< node i mod N */
  MAI_POLICY_BLOCK_CYCLIC, /**< dealt to the threads, `value` units at a time, as
                                schedule(static, value) deals a loop over the units */
  MAI_POLICY_SKEW,         /**< node (i + floor(i / N) + 1) mod N */
  MAI_POLICY_PRIME,        /**< with the prime `value` = p >= N: node i mod p where that is < N; the
                                units left over are renumbered in order and dealt by the same rule */
  MAI_POLICY_RANDOM,       /**< a node drawn for each unit; `value` is the seed */
  MAI_POLICY_WEIGHTED,   /**< in turn, as many units to a node as its weight says: `shares`, or the
                              measured bandwidth of its memory */
  MAI_POLICY_IRREGULAR,  /**< `shares`: so many units to the first node, so many to the next;
                              what is left goes with the last */
  MAI_POLICY_LOCAL,      /**< with the thread that touches a page first, and left there by the
                              kernel's automatic balancing */
  MAI_POLICY_NEXT_TOUCH, /**< with the thread that touches a page next */
  MAI_POLICY_REPLICATE,  /**< a read-only copy on every node with CPUs, or each of `nodes`, made by
                              mai_replicate() */
  MAI_POLICY_TIER        /**< on the nodes of the kind of memory that `value` asks for, an enum
                              mai_tier */
};

/** What a policy deals: the unit that it counts.  Memory is placed by pages, and a page goes with
 * the unit that holds the byte in its middle.  Where a unit has less than a page in one piece,
 * cyclic, skew, prime, random and weighted deal pages in its place; and where block, block-cyclic
 * and irregular give pieces smaller than pages to the same threads or nodes again and again, a page
 * goes to the node that has most of it, or to each in turn of those that have as much. */
enum mai_unit {
  MAI_UNIT_DEFAULT = 0, /**< rows for block, block-cyclic and irregular; pages for the others */
  MAI_UNIT_PAGES,       /**< pages; huge ones where the kernel uses them and the array has enough */
  MAI_UNIT_DIMENSION,   /**< the indices of dimension `dimension`: 0 rows, 1 columns, ... */
  MAI_UNIT_BLOCKS       /**< blocks of `block` elements of the first three dimensions, numbered with
                             the last index running fastest */
};

/** Which memory MAI_POLICY_TIER asks for. */
enum mai_tier {
  MAI_TIER_FASTEST, /**< of the highest bandwidth, such as HBM */
  MAI_TIER_LARGEST, /**< of the largest capacity a node */
  MAI_TIER_LATENCY  /**< of the lowest latency from the nodes on which the program's threads run */
};

/** mai_policy::flags: the node or nothing. Without it a page that finds its node full goes to the
 *  nearest one that has room, and the report counts it as spilled.  The kernel interleaves without
 *  strictness: pages that are dealt in turn are brought in at once. */
#define MAI_STRICT 1U
/** mai_policy::flags: use the nodes on which the program's threads run, not all. */
#define MAI_THREAD_NODES 2U
/** mai_policy::flags: bring all pages into memory at once, by several threads, instead of each at
 *  its first touch.  MAI_POPULATE=1 in the environment does so for every array. */
#define MAI_POPULATE 4U
/** mai_policy::flags: block by rows, for an array that is declared larger than what is used of it.
 *  It is left to first touch (as MAI_LOCAL) until a team of the program starts that finds something
 *  in it; then its rows up to the last that is not all zero are divided among the threads.  Where
 *  they are less than half, all rows are. */
#define MAI_FILLED 8U

/** A policy is a value: make one with an initialiser below, and change members to refine it:
 *
 *      mai_policy_t policy = MAI_SKEW;
 *      policy.unit = MAI_UNIT_DIMENSION; // rows instead of pages
 *
 *  Lists that a policy points to are copied by the calls that take one. Unused members are 0. */
typedef struct mai_policy {
  unsigned kind;        /**< an enum mai_policy_kind */
  unsigned flags;       /**< MAI_STRICT, MAI_THREAD_NODES, MAI_POPULATE, MAI_FILLED */
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
  unsigned long block[3];      /**< MAI_UNIT_BLOCKS: elements in each dimension */
  const char *along; /**< block by rows, or NULL: the name of an array of row pointers, see
                          MAI_BLOCK_ALONG */
} mai_policy_t;

/* Every member is named, by its position: C++ and strict warnings allow no less. */
#define MAI_POLICY_OF(kind, flags, node, first, count, value)                                      \
  {(kind), (flags), (node), 0, (first), (count), 0, 0, 0, 0, 0, 0, (value), {0, 0, 0}, 0}
#define MAI_POLICY_ALL(kind, flags, node, threads, first, count, unit, dimension, value, block0,   \
                       block1, block2)                                                             \
  MAI_POLICY_ALL_ALONG(kind, flags, node, threads, first, count, unit, dimension, value, block0,   \
                       block1, block2, 0)
#define MAI_POLICY_ALL_ALONG(kind, flags, node, threads, first, count, unit, dimension, value,     \
                             block0, block1, block2, along)                                        \
  {(kind),      (flags), (node), (threads), (first), (count), (unit),                              \
   (dimension), 0,       0,      0,         0,       (value), {(block0), (block1), (block2)},      \
   (along)}
#define MAI_POLICY_OF_LOOP(kind, dimension, first, count, value, threads)                          \
  MAI_POLICY_ALL(kind, 0, 0, threads, first, count, MAI_UNIT_DIMENSION, dimension, value, 0, 0, 0)

/* Initialisers: mai_policy_t policy = MAI_BLOCK; */
#define MAI_FIRST_TOUCH MAI_POLICY_OF(MAI_POLICY_FIRST_TOUCH, 0, 0, 0, 0, 0)
#define MAI_BIND(node) MAI_POLICY_OF(MAI_POLICY_BIND, 0, (node), 0, 0, 0)
#define MAI_BLOCK MAI_POLICY_OF(MAI_POLICY_BLOCK, 0, 0, 0, 0, 0)
#define MAI_BLOCK_RANGE(first, count) MAI_POLICY_OF(MAI_POLICY_BLOCK, 0, 0, (first), (count), 0)
#define MAI_BLOCK_FILLED MAI_POLICY_OF(MAI_POLICY_BLOCK, MAI_FILLED, 0, 0, 0, 0)
/** Block by unequal shares, and the same for all that MAI_BLOCK_LOOP tells: `list` is an array,
 * such as that of MAI_SHARES. */
#define MAI_BLOCK_SHARES(list) MAI_BLOCK_SHARES_LOOP(list, 0, 0, 0)
#define MAI_BLOCK_SHARES_LOOP(list, first, count, threads)                                         \
  MAI_BLOCK_SHARES_OF(list, sizeof(list) / sizeof(list)[0], first, count, threads)
#define MAI_BLOCK_SHARES_OF(shares, share_count, first, count, threads)                            \
  {MAI_POLICY_BLOCK, 0, 0,        (threads), (first),   (count), MAI_UNIT_DIMENSION, 0, 0,         \
   (share_count),    0, (shares), 0,         {0, 0, 0}, 0}
/**
 * Block along row pointers, for the elements of a sparse matrix: where threads divide its rows,
 * whose lengths differ, each thread's elements go to its node.
 *
 * `rows`, a string, is the name of a one-dimensional array of 4 or 8 bytes an entry that MAi knows:
 * element `units` * rows[i] is where row i begins.  The loop runs over the rows [first, first +
 * count); with count 0 up to the last entry that is not 0, which is the end of the last row.
 *
 * The array is divided evenly (with MAI_FILLED: left to first touch) until a team of the program
 * starts that finds row pointers which ascend, stay within the array and reach half of what is in
 * it at least; then its pages are moved, once.  Where 16 teams found none it stays divided evenly
 * (with MAI_FILLED: is divided as that says).
 */
#define MAI_BLOCK_ALONG(rows, units, first, count)                                                 \
  MAI_BLOCK_ALONG_LOOP(rows, units, first, count, 0, 0)
#define MAI_BLOCK_FILLED_ALONG(rows, units, first, count)                                          \
  MAI_BLOCK_ALONG_LOOP(rows, units, first, count, 0, MAI_FILLED)
#define MAI_BLOCK_ALONG_LOOP(rows, units, first, count, threads, flags)                            \
  MAI_POLICY_ALL_ALONG(MAI_POLICY_BLOCK, flags, 0, threads, first, count, 0, 0, units, 0, 0, 0,    \
                       rows)
#define MAI_BLOCK_CYCLIC(units) MAI_POLICY_OF(MAI_POLICY_BLOCK_CYCLIC, 0, 0, 0, 0, (units))
/** Block and block-cyclic, all told: along the indices [first, first + count) of a dimension (0:
 *  rows, 1: columns, ...; count 0: all), for a loop that a team of `threads` runs (0: the program's
 *  default).  For columns the array is handed over by MAI_STATIC_2D. */
#define MAI_BLOCK_LOOP(dimension, first, count, threads)                                           \
  MAI_POLICY_OF_LOOP(MAI_POLICY_BLOCK, dimension, first, count, 0, threads)
#define MAI_BLOCK_TEAM(threads) MAI_BLOCK_LOOP(0, 0, 0, threads)
#define MAI_BLOCK_COLUMNS MAI_BLOCK_LOOP(1, 0, 0, 0)
#define MAI_BLOCK_CYCLIC_LOOP(units, dimension, first, count, threads)                             \
  MAI_POLICY_OF_LOOP(MAI_POLICY_BLOCK_CYCLIC, dimension, first, count, units, threads)
#define MAI_CYCLIC MAI_POLICY_OF(MAI_POLICY_CYCLIC, 0, 0, 0, 0, 0)
/* ..._OVER_THREADS: over the nodes on which the program's threads run. */
#define MAI_CYCLIC_OVER_THREADS MAI_POLICY_OF(MAI_POLICY_CYCLIC, MAI_THREAD_NODES, 0, 0, 0, 0)
#define MAI_SKEW MAI_POLICY_OF(MAI_POLICY_SKEW, 0, 0, 0, 0, 0)
#define MAI_SKEW_OVER_THREADS MAI_POLICY_OF(MAI_POLICY_SKEW, MAI_THREAD_NODES, 0, 0, 0, 0)
#define MAI_PRIME(p) MAI_POLICY_OF(MAI_POLICY_PRIME, 0, 0, 0, 0, (p))
#define MAI_PRIME_OVER_THREADS(p) MAI_POLICY_OF(MAI_POLICY_PRIME, MAI_THREAD_NODES, 0, 0, 0, (p))
#define MAI_RANDOM(seed) MAI_POLICY_OF(MAI_POLICY_RANDOM, 0, 0, 0, 0, (seed))
#define MAI_WEIGHTED MAI_POLICY_OF(MAI_POLICY_WEIGHTED, 0, 0, 0, 0, 0)
#define MAI_LOCAL MAI_POLICY_OF(MAI_POLICY_LOCAL, 0, 0, 0, 0, 0)
#define MAI_NEXT_TOUCH MAI_POLICY_OF(MAI_POLICY_NEXT_TOUCH, 0, 0, 0, 0, 0)
#define MAI_REPLICATE MAI_POLICY_OF(MAI_POLICY_REPLICATE, 0, 0, 0, 0, 0)
#define MAI_TIER(tier) MAI_POLICY_OF(MAI_POLICY_TIER, 0, 0, 0, 0, (tier))

/** The most dimensions that an array may have. */
#define MAI_MOST_DIMENSIONS 5

/** One array with static storage, as MAI_STATIC and MAI_HEAP describe it to MAi.
 *  The entries of all objects of a program form one array between its variables.  Each has 192
 *  bytes: so variables behind them lie in lines of the cache as they would without. */
struct mai_static_array {
  const char *name;           /**< as in the source */
  const char *file;           /**< source file of the declaration */
  const volatile void *start; /**< in place: the array.  Heap: the pointer to be set */
  unsigned long bytes;        /**< of the whole array */
  unsigned long
      strides[MAI_MOST_DIMENSIONS]; /**< bytes from one index to the next of each dimension,
                                         the slowest first; 0 after the last that is told */
  unsigned line;                    /**< line of the declaration */
  unsigned heap;                    /**< 1: `start` is a pointer that is to point to new memory */
  mai_policy_t policy;
  unsigned long unused; /**< 0 */
};

/**
 * Place the static arrays [begin, end).  Called by the constructor of mai_static.h; calls after the
 * first do nothing for arrays that are already placed.
 *
 * An array that cannot be placed is left as it is and reported so.  Only a MAI_HEAP array for
 * which there is no memory stops the program (message, abort): it could not run.
 */
void mai_place_static(const struct mai_static_array *begin, const struct mai_static_array *end);

/** Blocks of fewer bytes than this are left where the kernel puts them: the caches hold them. */
#define MAI_LEAST_BLOCK 65536UL

#if defined __has_attribute
#if __has_attribute(__noescape__)
#define MAI_NOT_KEPT __attribute__((__noescape__))
#endif
#endif
#ifndef MAI_NOT_KEPT
#define MAI_NOT_KEPT
#endif

/** How a block that the program allocates itself is to be placed, as MAI_PLACED and its like
 *  describe it to MAi. */
struct mai_block {
  const char *name;                           /**< what reports call it; copied */
  const char *file;                           /**< where it is allocated; a constant */
  unsigned long strides[MAI_MOST_DIMENSIONS]; /**< as in mai_static_array; one of 0 or larger than
                                                 the block counts as the end of the list */
  unsigned line;
  mai_policy_t policy;
};

/**
 * Place a block right after malloc() or one of its like, or a function on top of them, has returned
 * it: the pages that lie wholly inside.  The block stays the program's, contents and all.  free()
 * and realloc() of it make MAi forget it, so that nothing is known of memory that is somebody
 * else's meanwhile.  (Only where the program's calls of free() reach another library first, such as
 * AddressSanitizer's, are blocks placed and at once forgotten.)
 *
 * What cannot be placed is left as it is and reported so.  A range outside the block counts as all
 * of it, and a policy by columns of rows too short for whole pages as MAI_CYCLIC_OVER_THREADS.
 * Blocks smaller than MAI_LEAST_BLOCK are left alone.  Any thread may call this at any time; errno
 * is kept.
 *
 * @param block NULL: nothing happens
 * @param bytes of the block
 */
void mai_place_block(void *block MAI_NOT_KEPT, unsigned long bytes, const struct mai_block *how);

/**
 * Place one of `rows` blocks of about this size, which together are a matrix: row `row` goes to the
 * node on which the policy, counting rows, wants it.  A page belongs to the row that holds the byte
 * in its middle, so that rows shorter than pages are placed, too.  Where pages with others' data
 * move, their contents stay.  Rows are not listed in reports.  Otherwise as mai_place_block().
 */
void mai_place_row(void *block MAI_NOT_KEPT, unsigned long bytes, unsigned long row,
                   unsigned long rows, const struct mai_block *how);

/**
 * `block` itself, in the eyes of compilers a new block with the old one's contents, as after
 * realloc(): clang knows that blocks of malloc() do not overlap, even behind static pointers, only
 * as long as no other function is given their addresses, and mai_place_block() is.  It is not
 * declared to leave memory alone: else stores in front of the call might change places with loads
 * behind it.
 *
 * @param block that nothing else of the program points into, and that holds no pointers; or NULL.
 *              The program uses the result only
 */
void *mai_new_block(void *block) __attribute__((__leaf__, __malloc__, __nothrow__));

#ifdef __cplusplus
}
#endif
#endif /* MAI_TYPES_H */
