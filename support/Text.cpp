//===-- Text.cpp - numbers and names as people read them --------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Text.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <cctype>
#include <cstdio>

using namespace support;

namespace {

/// In the largest unit of which there is one, with a digit behind the point where that tells more.
std::string scaled(double Value, double Step, llvm::ArrayRef<const char *> Units) {
  size_t Unit = 0;
  for (; Value >= Step && Unit + 1 < Units.size(); ++Unit)
    Value /= Step;
  char Text[64];
  std::snprintf(Text, sizeof Text, Unit > 0 && Value < 100 ? "%.1f%s" : "%.0f%s", Value,
                Units[Unit]);
  return Text;
}

} // namespace

std::string support::bytesText(double Bytes) {
  return scaled(Bytes, 1024, {" B", " KiB", " MiB", " GiB", " TiB", " PiB"});
}

std::string support::countText(double Count) {
  return scaled(Count, 1000, {"", " k", " M", " G", " T"});
}

std::string support::percentText(double Share) {
  char Text[32];
  std::snprintf(Text, sizeof Text, "%.1f %%", 100 * Share);
  return Text;
}

std::string support::oneLine(std::string Text) {
  std::replace_if(
      Text.begin(), Text.end(), [](unsigned char C) { return std::iscntrl(C) != 0; }, '?');
  return Text;
}

std::string support::csvField(llvm::StringRef Text) {
  std::string Out = "\"";
  for (const char C : Text)
    Out += C == '"' ? std::string("\"\"") : std::string(1, C);
  return Out + "\"";
}

std::string support::escaped(llvm::StringRef Text) {
  std::string Allowed = llvm::json::fixUTF8(Text);
  for (char &C : Allowed)
    if (static_cast<unsigned char>(C) < ' ' || C == 0x7f)
      C = '?';
  for (size_t At = 0; (At = Allowed.find("\xEF\xBF", At)) != std::string::npos; ++At)
    if (static_cast<unsigned char>(Allowed[At + 2]) >= 0xBE) // U+FFFE and U+FFFF
      Allowed.erase(At, 2)[At] = '?';
  std::string Result;
  llvm::raw_string_ostream Stream(Result);
  llvm::printHTMLEscaped(Allowed, Stream);
  return Stream.str();
}
