//===-- Reconsider.h - a choice, given what was counted ---------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The choice by estimates stands until counts speak against it: all policies are priced by what a
// profile counted, in the same model, and the best of them overrules the estimate where it saves a
// quarter.  The rules are in docs/policies.md.
//
//===----------------------------------------------------------------------===//
#ifndef MAPP_RECONSIDER_H
#define MAPP_RECONSIDER_H

#include "Choose.h"
#include "Counts.h"

namespace mapp {

/// The choice for an array after counts were looked at.
/// @param Estimated by choose()
Choice reconsider(Choice Estimated, const ArrayDeclaration &Array, const std::vector<Use> &Uses,
                  const Machine &On, const Counted &Known);

} // namespace mapp

#endif // MAPP_RECONSIDER_H
