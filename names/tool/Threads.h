//===-- Threads.h - what threads of std::thread begin with ------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// libstdc++ keeps the function of a new thread and its arguments, as a tuple, in an object of a
// class that it makes for their types, std::thread::_State_impl. The thread begins with _M_run() of
// that. So this function is to a thread what an outlined one is to a parallel region.
//
//===----------------------------------------------------------------------===//
#ifndef MINAS_NAMES_THREADS_H
#define MINAS_NAMES_THREADS_H

#include "Types.h"

#include <optional>

namespace names {

/// What a thread uses that begins with a function, with offsets in the object that this is called
/// for: what a lambda expression has captured, the arguments of a function by its parameters, and
/// objects whose member functions are called. Nothing where threads do not begin with it.
std::optional<std::vector<Variable>> variablesOfThread(llvm::DWARFDie Function, TypeGraph &Types);

} // namespace names

#endif // MINAS_NAMES_THREADS_H
