//===-- Pragmas.h - reads a pragma of ours -----------------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef MAPP_PRAGMAS_H
#define MAPP_PRAGMAS_H

#include "mapp/facts/Facts.h"

namespace mapp {

/// What a pragma's text asks for; false where it is not understood.
bool parsePragma(const std::string &Text, Pragma &Out);

} // namespace mapp

#endif // MAPP_PRAGMAS_H
