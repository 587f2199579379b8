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

/** The policies: where the pages of an array belong. */
enum mai_policy_kind {
  MAI_POLICY_NONE = 0, /**< placed by the kernel (first touch); MAi only reports on it */
  MAI_POLICY_BIND,     /**< all on one node */
  MAI_POLICY_BLOCK,    /**< divided among the OpenMP threads as schedule(static) divides a loop over
                            the units, each share on its thread's node */
  MAI_POLICY_CYCLIC    /**< dealt to the nodes in turn, page by page */
};

/** mai_policy::flags: the node or nothing. Without it a page that finds its node full goes to the
 *  nearest one that has room, and the report counts it as spilled. */
#define MAI_STRICT 1U
/** mai_policy::flags: deal over the nodes on which the program's threads run, not over all. */
#define MAI_THREAD_NODES 2U

/** A policy is a value: make one with MAI_BIND(), MAI_BLOCK, MAI_BLOCK_RANGE() or MAI_CYCLIC.
 *  Unused members are 0. */
typedef struct mai_policy {
  unsigned kind;    /**< an enum mai_policy_kind */
  unsigned flags;   /**< 0 or MAI_STRICT, MAI_THREAD_NODES */
  unsigned node;    /**< bind: OS index of the node */
  unsigned threads; /**< block: size of the team that is divided among; 0: the program's default */
  unsigned long first; /**< block: the loop's first unit; units before it go with the first share */
  unsigned long count; /**< block: how many units the loop runs over; 0: all from `first`.  Units
                            after the last go with the last share */
} mai_policy_t;

/* Initialisers: mai_policy_t policy = MAI_BLOCK; */
#define MAI_BIND(node) {MAI_POLICY_BIND, 0, (node), 0, 0, 0}
#define MAI_BLOCK {MAI_POLICY_BLOCK, 0, 0, 0, 0, 0}
#define MAI_BLOCK_RANGE(first, count) {MAI_POLICY_BLOCK, 0, 0, 0, (first), (count)}
#define MAI_CYCLIC {MAI_POLICY_CYCLIC, 0, 0, 0, 0, 0}
/** Cyclic over the nodes on which the program's threads run. */
#define MAI_CYCLIC_OVER_THREADS {MAI_POLICY_CYCLIC, MAI_THREAD_NODES, 0, 0, 0, 0}

/** One array with static storage, as MAI_STATIC and MAI_HEAP describe it to MAi.
 *  128 bytes, aligned to 64: the entries of all objects of a program form one array. */
struct mai_static_array {
  const char *name;           /**< as in the source */
  const char *file;           /**< source file of the declaration */
  const volatile void *start; /**< in place: the array.  Heap: the pointer to be set */
  unsigned long bytes;        /**< of the whole array */
  unsigned long unit;         /**< bytes of one unit: a row, one element of a 1-D array */
  unsigned line;              /**< line of the declaration */
  unsigned heap;              /**< 1: `start` is a pointer that is to point to new memory */
  mai_policy_t policy;
} __attribute__((__aligned__(64)));

/**
 * Place the static arrays [begin, end).  Called by the constructor of mai_static.h; calls after the
 * first do nothing for arrays that are already placed.
 *
 * An array that cannot be placed is left as it is and reported so.  Only a MAI_HEAP array for
 * which there is no memory stops the program (message, abort): it could not run.
 */
void mai_place_static(const struct mai_static_array *begin, const struct mai_static_array *end);

#ifdef __cplusplus
}
#endif
#endif /* MAI_TYPES_H */
