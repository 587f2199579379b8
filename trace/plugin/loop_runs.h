//===-- loop_runs.h - counting a loop's accesses at once -------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef MINAS_TRACE_LOOP_RUNS_H
#define MINAS_TRACE_LOOP_RUNS_H

/// Takes out of innermost loops the calls that tell of accesses at regular distances, and counts
/// these before the loop. Includes gcc's headers before this one.
/// \param Chunks the variable mai_trace_chunks of hooks.h
void countRunsOfLoops(tree Chunks);

#endif // MINAS_TRACE_LOOP_RUNS_H
