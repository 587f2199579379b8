//===-- BoundText.cpp - what loops and references stand for -----*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "BoundText.h"

#include <algorithm>
#include <cctype>
#include <regex>

using namespace maiprof;

namespace {

/// A text up to a semicolon, or the parenthesis that closes what is open before it.
std::string expression(const std::string &Text) {
  int Depth = 0;
  size_t End = 0;
  for (; End < Text.size() && Text[End] != ';'; ++End) {
    Depth += Text[End] == '(' || Text[End] == '{' ? 1 : 0;
    if ((Text[End] == ')' || Text[End] == '}') && Depth-- == 0)
      break;
  }
  return Text.substr(0, End);
}

/// Anything else would mean something of its own in a regular expression.
bool isName(const std::string &Text) {
  return !Text.empty() && std::all_of(Text.begin(), Text.end(),
                                      [](unsigned char C) { return std::isalnum(C) || C == '_'; });
}

/// Whether what a text begins with is not over at its end: a loop's body, which is one statement,
/// or the rest of the block that a declaration stands in.
bool goesOn(const std::string &Text, bool IsLoop) {
  int Depth = 0;
  for (const char C : Text) {
    Depth += C == '{' || C == '(' ? 1 : C == '}' || C == ')' ? -1 : 0;
    if (Depth < 0 || (IsLoop && Depth == 0 && (C == ';' || C == '}')))
      return false;
  }
  return true;
}

} // namespace

Bound maiprof::boundIn(const std::vector<std::string> &Lines, unsigned Line,
                       const std::string &Name) {
  constexpr unsigned Most = 60;
  if (!isName(Name))
    return {};
  const std::regex Declared(R"((\bfor\s*\([^;]*[\s&*])" + Name + R"(\s*:(?!:)\s*)|[\w>]\s*&&?\s*)" +
                            Name + R"(\s*=(?!=)\s*)");
  std::smatch Match;
  std::string Between; ///< what stands from a line on up to the one that is asked for
  for (unsigned At = Line; At > 0 && At + Most > Line; --At) {
    const std::string &Text = At <= Lines.size() ? Lines[At - 1] : std::string();
    if (Text.find(Name) != std::string::npos && std::regex_search(Text, Match, Declared)) {
      const std::string To = expression(Match.suffix());
      const bool IsLoop = Match[1].matched;
      const std::string Rest = Match.suffix().str().substr(To.size() + (IsLoop ? 1 : 0));
      if (At == Line || goesOn(Rest + " " + Between, IsLoop))
        return {At, To};
    }
    Between = At == Line ? "" : Text + " " + Between;
  }
  return {};
}
