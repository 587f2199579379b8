/*===-- requests.h - messages that are set up once and sent often ---*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#ifndef MESSAGES_REQUESTS_H
#define MESSAGES_REQUESTS_H

#include <stdint.h>

#include "library.h"

/** A request will send so much to a rank of MPI_COMM_WORLD each time that it is started. */
void requests_add(mpi_handle request, int to, uint64_t bytes);

/** Count what a request sends, if it does. */
void requests_start(mpi_handle request);

void requests_remove(mpi_handle request);

#endif /* MESSAGES_REQUESTS_H */
