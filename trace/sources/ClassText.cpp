//===-- ClassText.cpp - members that classes initialise ---------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "ClassText.h"

#include <algorithm>
#include <regex>

using namespace maiprof;

namespace {

/// The line that the definition of a class begins in; their number where there is none.
size_t definition(const std::vector<std::string> &Lines, const std::string &Class) {
  const std::regex Head("\\b(class|struct)\\s+" + Class + "\\b[^;(]*$|\\b(class|struct)\\s+" +
                        Class + "\\b[^;(]*\\{");
  return static_cast<size_t>(
      std::find_if(Lines.begin(), Lines.end(),
                   [&](const std::string &Line) { return std::regex_search(Line, Head); }) -
      Lines.begin());
}

/// The member that a line declares and allocates something for; empty where it does not.
std::string initialised(const std::string &Line) {
  static const std::regex Initialised(
      R"(^[^()={]*\b(\w+)\s*[={].*\b(new|make_unique|make_shared|vector|\w*alloc)\b.*;)");
  std::smatch Match;
  return std::regex_search(Line, Match, Initialised) ? Match[1] : std::string();
}

} // namespace

std::vector<std::string> maiprof::initialisedMembers(const std::vector<std::string> &Lines,
                                                     const std::string &Class) {
  std::vector<std::string> Members;
  int Depth = 0;
  bool IsOpen = false;
  for (size_t I = definition(Lines, Class); I < Lines.size() && (Depth > 0 || !IsOpen); ++I) {
    const std::string &Line = Lines[I];
    if (const std::string Member = initialised(Line); Depth == 1 && !Member.empty())
      Members.push_back(Member);
    for (const char C : Line)
      Depth += C == '{' ? 1 : C == '}' ? -1 : 0;
    IsOpen |= Line.find('{') != std::string::npos;
  }
  return Members;
}
