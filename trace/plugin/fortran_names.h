//===-- fortran_names.h - what Fortran's statements allocate for *- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef MINAS_TRACE_FORTRAN_NAMES_H
#define MINAS_TRACE_FORTRAN_NAMES_H

/// Whether it is Fortran that this gcc compiles.
bool compilesFortran();

/// The pass that has programs tell the name of what they allocate. It comes where variables have
/// become values (SSA) and no function is merged into another yet. Includes gcc's headers before
/// this one.
opt_pass *makeFortranNames(gcc::context *Context);

#endif // MINAS_TRACE_FORTRAN_NAMES_H
