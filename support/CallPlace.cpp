//===-- CallPlace.cpp - where a call stands, as text ------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "CallPlace.h"

#include "llvm/Support/Path.h"

#include <algorithm>

using llvm::StringRef;

/// Of glibc, which calls main(), the debug information names files by where it was built.
bool support::isSystemFile(StringRef File) {
  return File.starts_with("/usr/include") || File.starts_with("/usr/lib") ||
         File.contains("/c++/") || File.contains("/sysdeps/");
}

bool support::isOutlined(StringRef Function) {
  return Function.contains("._omp_fn.") || Function.contains(".omp_outlined");
}

/// A program may have its own: it asks for others.
static bool isOperatorNew(StringRef Function) {
  return Function.starts_with("_Znw") || Function.starts_with("_Zna") ||
         Function.starts_with("operator new");
}

static bool isOwn(const llvm::DILineInfo &Frame) {
  return Frame.Line > 0 && Frame.FileName != llvm::DILineInfo::BadString &&
         !support::isSystemFile(Frame.FileName);
}

static std::string lineOf(const llvm::DILineInfo &Frame) {
  return llvm::sys::path::filename(Frame.FileName).str() + " " + std::to_string(Frame.Line) +
         (Frame.Column ? "." + std::to_string(Frame.Column) : std::string());
}

support::CallPlace support::callPlace(const llvm::DIInliningInfo &Code) {
  constexpr size_t MostCharacters = 160; /* fewer than tables take of a text */
  const unsigned Frames = Code.getNumberOfFrames();
  const StringRef Function = Frames ? StringRef(Code.getFrame(Frames - 1).FunctionName) : "";
  CallPlace Result{"", isOutlined(Function)};
  for (unsigned I = 0; I < Frames && !isOperatorNew(Function); ++I)
    if (isOwn(Code.getFrame(I)))
      Result.Lines += (Result.Lines.empty() ? "" : "<") + lineOf(Code.getFrame(I));
  Result.Lines.resize(std::min(Result.Lines.size(), MostCharacters));
  return Result;
}
