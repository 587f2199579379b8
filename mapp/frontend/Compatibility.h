//===-- Compatibility.h - what differs between LLVM releases ----*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// All that mapp-rewrite needs to know about the release of Clang it is built with (16 to 22).
//
//===----------------------------------------------------------------------===//
#ifndef MAPP_COMPATIBILITY_H
#define MAPP_COMPATIBILITY_H

#include "clang/Basic/Version.h"
#include "clang/Frontend/TextDiagnosticPrinter.h"

#include <memory>

#if CLANG_VERSION_MAJOR >= 22
#include "clang/Options/Options.h"
#else
#include "clang/Driver/Options.h"
#endif

namespace mapp {

#if CLANG_VERSION_MAJOR >= 22
namespace options = clang::options;
inline const llvm::opt::OptTable &driverOptions() { return clang::getDriverOptTable(); }
#else
namespace options = clang::driver::options;
inline const llvm::opt::OptTable &driverOptions() { return clang::driver::getDriverOptTable(); }
#endif

/// Prints Clang's messages to a stream.
inline std::unique_ptr<clang::DiagnosticConsumer> printerTo(llvm::raw_ostream &Stream) {
#if CLANG_VERSION_MAJOR >= 21
  static clang::DiagnosticOptions Plain;
  return std::make_unique<clang::TextDiagnosticPrinter>(Stream, Plain);
#else
  return std::make_unique<clang::TextDiagnosticPrinter>(Stream, new clang::DiagnosticOptions());
#endif
}

} // namespace mapp

#endif // MAPP_COMPATIBILITY_H
