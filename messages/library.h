/*===-- library.h - the MPI library that is in this process ---*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * Libraries of MPI differ in what a handle is: an address (Open MPI), or an int (MPICH, and those
 * that agree with it: Intel MPI, MVAPICH, Cray MPI). Functions get handles in registers, or in
 * words of the stack, so one that only passes them on need not know: here a handle is a word, of
 * which an int is the lower half. So one library does for all of them, and none is needed to build
 * it.
 */
#ifndef MESSAGES_LIBRARY_H
#define MESSAGES_LIBRARY_H

#include <stdbool.h>
#include <stddef.h>

/** A communicator, a datatype, a window, a request...: a word. */
typedef void *mpi_handle;

/** What has another value in each family. */
struct mpi_library {
  mpi_handle world, byte; /**< MPI_COMM_WORLD, MPI_BYTE */
  void *in_place;         /**< MPI_IN_PLACE */
  int root;               /**< MPI_ROOT */
  int cartesian, graph;   /**< MPI_CART, MPI_GRAPH */
  size_t handle_size;     /**< of a handle in memory */
};

/** The library that the program uses; NULL where it is none that is known here. */
const struct mpi_library *mpi_library(void);

/** A handle that lies in memory, such as an element of a list of requests. */
mpi_handle mpi_handle_at(const void *handles, size_t index);

/** The library's function of a name that this one may stand in front of.  Kept in `*cache`, which
 *  begins as NULL.  Ends the program where there is none, as the dynamic linker would. */
void *mpi_next(void *_Atomic *cache, const char *name);

/** Call a function of the library that this one does not stand in front of. */
#define MPI_CALL(name, parameters, ...)                                                            \
  (__extension__({                                                                                 \
    static void *_Atomic cache;                                                                    \
    ((int(*) parameters)mpi_next(&cache, #name))(__VA_ARGS__);                                     \
  }))

#endif /* MESSAGES_LIBRARY_H */
