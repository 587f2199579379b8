//===-- Diagnostics.cpp - numbered messages ---------------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Diagnostics.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

using namespace mapp;

const std::vector<DiagnosticInfo> &mapp::allDiagnostics() {
  static const std::vector<DiagnosticInfo> All = {
#define MAPP_DIAGNOSTIC(Name, Number, Kind, Title, Text)                                           \
  {Topic::Name, DiagnosticKind::Kind, Title, Text},
#include "Diagnostics.def"
#undef MAPP_DIAGNOSTIC
  };
  return All;
}

const DiagnosticInfo &mapp::infoOf(Topic Number) {
  const auto &All = allDiagnostics();
  const auto Found =
      llvm::find_if(All, [&](const DiagnosticInfo &Info) { return Info.Number == Number; });
  return Found == All.end() ? All.front() : *Found;
}

std::string mapp::label(Topic Number) {
  std::string Digits = std::to_string(static_cast<unsigned>(Number));
  Digits.insert(0, Digits.size() < 3 ? 3 - Digits.size() : 0, '0');
  return "MAPP" + Digits;
}

std::string mapp::labelled(const std::string &Text, Topic Number) {
  const size_t End = std::min(Text.find('\n'), Text.size()); // What is wrong is shown behind.
  return Text.substr(0, End) + " [" + label(Number) + "]" + Text.substr(End) + "\n";
}

std::optional<Topic> mapp::diagnosticOf(const std::string &Label) {
  for (const DiagnosticInfo &Info : allDiagnostics())
    if (label(Info.Number) == Label)
      return Info.Number;
  return std::nullopt;
}

static const char *meaning(DiagnosticKind Kind) {
  switch (Kind) {
  case DiagnosticKind::Placed:
    return "The array is placed.";
  case DiagnosticKind::Chosen:
    return "The array is left alone because that is best for it.";
  case DiagnosticKind::Refused:
    return "The array is left alone because it cannot be placed; with `--strict` the exit status "
           "is 1.";
  case DiagnosticKind::Note:
    return "A note.";
  case DiagnosticKind::Warning:
    return "A warning.";
  case DiagnosticKind::Error:
    return "An error: the exit status is 3, and nothing is written.";
  }
  return "";
}

/// Paragraphs of lines that are not too long.
static std::string wrapped(llvm::StringRef Text) {
  constexpr size_t Width = 100;
  std::string Result;
  size_t Column = 0;
  llvm::SmallVector<llvm::StringRef, 32> Words;
  Text.split(Words, ' ', -1, /*KeepEmpty=*/false);
  for (const llvm::StringRef Word : Words) {
    if (Column > 0)
      Result += Column + 1 + Word.size() > Width ? '\n' : ' ';
    Column = Column == 0 || Result.back() == '\n' ? Word.size() : Column + 1 + Word.size();
    Result += Word;
  }
  return Result + "\n";
}

bool mapp::fail(const std::string &File, const std::string &What, Topic Number) {
  llvm::errs() << "mapp-rewrite: " << File << ": " << labelled(What, Number);
  return false;
}

bool mapp::fail(const std::string &File, std::error_code Error) {
  return fail(File, Error.message());
}

std::optional<std::string> mapp::contents(const std::string &File) {
  const auto Buffer = llvm::MemoryBuffer::getFile(File, /*IsText=*/false,
                                                  /*RequiresNullTerminator=*/false);
  if (!Buffer) {
    fail(File, Buffer.getError().message(), Topic::Unreadable);
    return std::nullopt;
  }
  return (*Buffer)->getBuffer().str();
}

std::string mapp::description(const DiagnosticInfo &Info) {
  return label(Info.Number) + ": " + Info.Title + "\n\n" + wrapped(meaning(Info.Kind)) + "\n" +
         wrapped(Info.Text);
}

std::string mapp::descriptionPage() {
  std::string Page = "# What mapp-rewrite says\n\n"
                     "Made by `mapp-rewrite --describe all` from mapp/facts/Diagnostics.def.\n";
  for (const DiagnosticInfo &Info : allDiagnostics())
    Page += "\n<a id=\"" + label(Info.Number) + "\"></a>\n## " + description(Info);
  return Page;
}
