/*===-- layout.h - the table of a program's regions and types ---*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * A table holds what a program's debug information says of the variables that its parallel regions
 * use, and no more than it takes to follow them to blocks of the heap.  mai-names writes it,
 * libmai reads it in the running program.
 *
 * The file is a header and six lists behind it, in the order of the header's counts, then texts
 * that end with a null byte each.  Everything has the machine's byte order: a table does not leave
 * the machine.  A text is given by its offset, 0 is "".  Type 0 has nothing in it to follow.
 */
#ifndef MINAS_NAMES_LAYOUT_H
#define MINAS_NAMES_LAYOUT_H

#include <stdint.h>

#define MINAS_NAMES_MAGIC "MAINAMES"

/** A program may carry the file itself, in a section of this name that is not loaded. */
#define MINAS_NAMES_SECTION ".mai_names"

enum {
  MINAS_NAMES_VERSION = 7, /* also when names are made otherwise: tables are kept */
  MINAS_NAMES_MOST_BYTES = 1 << 26,
  MINAS_NAMES_MOST_ID = 64,
  MINAS_NAMES_MOST_TEXT = 200, /* characters */
  MINAS_NAMES_MOST_CALLS = 8   /* of which the places of a site are known by */
};

struct minas_names_header {
  char magic[8];
  uint32_t version;
  uint32_t id_bytes; /**< of the program's build-id; 0: it has none */
  uint8_t id[MINAS_NAMES_MOST_ID];
  uint32_t regions;
  uint32_t variables; /**< of regions; behind these the static ones */
  uint32_t statics;
  uint32_t types;
  uint32_t members;
  uint32_t pieces;
  uint32_t text_bytes;
  uint32_t unused; /**< what follows is aligned */
};

/** An outlined function, in the order of their addresses. */
struct minas_names_region {
  uint64_t address; /**< as in the file: of a program that is not moved when it is loaded */
  uint32_t first;   /**< of its variables */
  uint32_t count;
};

/** How surely a name is one block's. */
enum minas_names_rank {
  MINAS_NAMES_INSIDE = 1,   /**< of something in the block; not in a table */
  MINAS_NAMES_PARAMETER,    /**< of a function, which may be called for many blocks */
  MINAS_NAMES_LOCAL,        /**< another variable of a function */
  MINAS_NAMES_OF_PARAMETER, /**< a member of what is a parameter, as objects are of their functions;
                                 not in a table, as the next */
  MINAS_NAMES_MEMBER,       /**< one of another variable */
  MINAS_NAMES_STATIC,
  MINAS_NAMES_RANKS
};

/** A variable, which lies `offset` bytes behind what the region's function gets: gcc's structure of
 *  captured variables, or the list of arguments of clang's.  Of a static one that is its address.
 *  Static ones of type 0 are arrays that have no symbol of their own name: those with `bytes` lie
 * in a variable or a common block that has one. */
struct minas_names_variable {
  uint32_t name; /**< one that ends with "::" is a class, whose members follow */
  uint32_t type;
  uint64_t offset;
  uint64_t bytes;
  uint32_t rank;
  uint32_t unused;
};

enum minas_names_kind {
  MINAS_NAMES_NOTHING,
  MINAS_NAMES_POINTER,    /**< to a `target` */
  MINAS_NAMES_REFERENCE,  /**< the same, of which the program does not know that it is one */
  MINAS_NAMES_RECORD,     /**< `count` members from number `target` on */
  MINAS_NAMES_ARRAY,      /**< `count` elements */
  MINAS_NAMES_RANGE,      /**< pointers to the first element, and at `end` to the last one's end */
  MINAS_NAMES_DESCRIPTOR, /**< gfortran's, of an array of any rank */
  MINAS_NAMES_KINDS
};

struct minas_names_type {
  uint32_t kind;
  uint32_t target; /**< a type, of what is pointed to or of an element; 0: not to be followed */
  uint64_t count;
  uint64_t stride; /**< bytes from an element to the next */
  uint32_t end;
  uint32_t name; /**< of a class of the program, with its namespaces; 0: of others */
};

/** Begins the name of a member that does not follow that of what it is in: a variable that a lambda
 *  expression has captured, or the object that it was made in. */
#define MINAS_NAMES_ANEW "="

struct minas_names_member {
  uint32_t name; /**< with what separates it from what is before it: ".m_x", "%rho", "", "=u" */
  uint32_t type;
  uint64_t offset;
};

/** A piece of code, in the order of their addresses; none lies in another. */
struct minas_names_piece {
  uint64_t address;
  uint32_t bytes;
  uint32_t place; /**< the lines of its sources that it stands in: "grid.cpp 7.12<main.cpp 31.5" */
  uint32_t outlined; /**< 1: what it is called by is none of the program's; 0: it may be */
  uint32_t unused;
};

#endif /* MINAS_NAMES_LAYOUT_H */
