//===-- CountedAccess.h - counts as the advisor takes them ------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef MAPP_COUNTEDACCESS_H
#define MAPP_COUNTEDACCESS_H

#include "Counts.h"
#include "EstimatedTraffic.h"

#include "advice/Access.h"

namespace mapp {

/// Who used which part of an array how often, by counts; and what of it only the sources tell: the
/// team, how threads meet, how long rows were, where pages are that are left alone.
advice::Access accessOf(const Counted &Known, const ArrayDeclaration &Array,
                        const std::vector<Use> &Uses, const EstimatedTraffic &Sources,
                        const Machine &On);

} // namespace mapp

#endif // MAPP_COUNTEDACCESS_H
