/*===-- front.h - functions that stand in front of MPI's ---*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * Each under both of its names: with that of the profiling interface, too, calls are seen that a
 * library for Fortran makes, which Open MPI has call PMPI_Send() and MPICH MPI_Send().
 */
#ifndef MESSAGES_FRONT_H
#define MESSAGES_FRONT_H

#include "library.h"
#include "sent.h"

#define FRONT_LIST(...) __VA_ARGS__

/** The head of a function of MPI. */
#define FRONT(name, parameters)                                                                    \
  __attribute__((visibility("default"))) int MPI_##name parameters;                                \
  __attribute__((visibility("default"), alias("MPI_" #name))) int PMPI_##name parameters;          \
  int MPI_##name parameters

/** Its body: calls the library's, and where that succeeds and the program itself has called, does
 *  what follows. */
#define FRONT_CALL(name, parameters, arguments, after)                                             \
  {                                                                                                \
    static void *_Atomic cache;                                                                    \
    const bool is_seen = sent_enter();                                                             \
    int result = ((int(*) parameters)mpi_next(&cache, "PMPI_" #name))arguments;                    \
    if (is_seen && result == 0)                                                                    \
      after;                                                                                       \
    sent_leave();                                                                                  \
    return result;                                                                                 \
  }

/** A whole function. */
#define FRONT_FUNCTION(name, parameters, arguments, after)                                         \
  FRONT(name, parameters) FRONT_CALL(name, parameters, arguments, after)

/** A collective one, and the one that does not wait. */
#define FRONT_COLLECTIVE(name, later, parameters, arguments, after)                                \
  FRONT_FUNCTION(name, (FRONT_LIST parameters), (FRONT_LIST arguments), after)                     \
  FRONT_FUNCTION(later, (FRONT_LIST parameters, void *request), (FRONT_LIST arguments, request),   \
                 after)

#endif /* MESSAGES_FRONT_H */
