//===-- Diagnostics.h - numbered messages -----------------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef MAPP_DIAGNOSTICS_H
#define MAPP_DIAGNOSTICS_H

#include <optional>
#include <string>
#include <system_error>
#include <vector>

namespace mapp {

enum class DiagnosticKind { Placed, Chosen, Refused, Note, Warning, Error };

enum class Topic : unsigned {
  None = 0,
#define MAPP_DIAGNOSTIC(Name, Number, Kind, Title, Text) Name = Number,
#include "Diagnostics.def"
#undef MAPP_DIAGNOSTIC
};

/// What the documentation says of a diagnostic.
struct DiagnosticInfo {
  Topic Number;
  DiagnosticKind Kind;
  const char *Title;
  const char *Text;
};

const std::vector<DiagnosticInfo> &allDiagnostics();
/// Its entry; of None that of the first.
const DiagnosticInfo &infoOf(Topic Number);

/// "MAPP020".
std::string label(Topic Number);
/// A text and the label behind it, as messages end.
std::string labelled(const std::string &Text, Topic Number);
/// The number that a label means.
std::optional<Topic> diagnosticOf(const std::string &Label);
/// Says on standard error what is wrong with a file. @return false
bool fail(const std::string &File, const std::string &What, Topic Number = Topic::Unwritable);
bool fail(const std::string &File, std::error_code Error);
/// What is in a file; nothing, after such a message, where it cannot be read.
std::optional<std::string> contents(const std::string &File);
/// What one means: its label and title, then paragraphs.
std::string description(const DiagnosticInfo &Info);
/// docs/diagnostics.md: all of them, each with its label as an anchor.
std::string descriptionPage();

/// Why something is not done, or is done.
struct Remark {
  Topic Number = Topic::None;
  std::string Text; ///< in words that may go on after an array's name
  bool empty() const { return Number == Topic::None; }
};

} // namespace mapp

#endif // MAPP_DIAGNOSTICS_H
