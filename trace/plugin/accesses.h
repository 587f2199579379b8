//===-- accesses.h - what gcc tells of accesses ----------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Includes gcc's headers before this one.
#ifndef MINAS_TRACE_ACCESSES_H
#define MINAS_TRACE_ACCESSES_H

#include "trace/runtime/hooks.h"

struct Access {
  mai_trace_kind Kind;
  unsigned Bytes;
};

/// \returns whether a statement is a call that tells of an access which is counted in line
bool tellsAccess(gimple *Statement, Access &Found);

/// Whether an address is one of the memory that all instructions mean by default. An offset in
/// another segment (__seg_gs) is no address.
bool leadsToMemory(tree Address);

/// Whether it is that of a variable of the function's own that nothing outside knows of.
bool isOwn(tree Address);

#endif // MINAS_TRACE_ACCESSES_H
