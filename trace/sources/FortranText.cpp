//===-- FortranText.cpp - what ALLOCATE lists ---------------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "FortranText.h"

#include <algorithm>
#include <cctype>
#include <regex>

using namespace maiprof;

namespace {

/// Without a comment and the spaces in front of it.
std::string withoutComment(const std::string &Line) {
  char Quote = 0;
  size_t End = 0;
  for (; End < Line.size() && (Quote || Line[End] != '!'); ++End)
    if (Line[End] == '\'' || Line[End] == '"')
      Quote = Quote == 0 ? Line[End] : Quote == Line[End] ? '\0' : Quote;
  while (End > 0 && std::isspace(static_cast<unsigned char>(Line[End - 1])))
    --End;
  return Line.substr(0, End);
}

/// Whether a statement goes on in the next line.
bool goesOn(const std::string &Line) {
  const std::string Text = withoutComment(Line);
  return !Text.empty() && Text.back() == '&';
}

/// Without what may say that a line goes on with another's statement.
std::string withoutMark(const std::string &Line) {
  const size_t Begin = std::min(Line.find_first_not_of(" \t"), Line.size());
  const bool IsMarked = Begin + 1 < Line.size() && Line[Begin] == '&';
  return IsMarked ? Line.substr(Begin + 1) : Line;
}

/// An item of the list: what is outside of parentheses, in small letters.
class Item {
public:
  void add(char C, int Depth) {
    if (Depth == 0 && !std::isspace(static_cast<unsigned char>(C)))
      Text += static_cast<char>(std::tolower(static_cast<unsigned char>(C)));
  }

  /// Past the type that may stand in front of all; empty for such as "stat=error".
  std::string name() const {
    const size_t Type = Text.rfind("::");
    const std::string Name = Type == std::string::npos ? Text : Text.substr(Type + 2);
    return Name.find('=') == std::string::npos ? Name : "";
  }

private:
  std::string Text;
};

/// \param At behind the parenthesis that opens the list
std::vector<std::string> listAt(const std::string &Text, size_t At) {
  std::vector<Item> All(1);
  for (int Depth = 0; At < Text.size(); ++At) {
    const char C = Text[At];
    Depth -= C == ')' || C == ']' ? 1 : 0;
    if (Depth < 0)
      break;
    if (Depth == 0 && C == ',')
      All.emplace_back();
    else if (C != ')' && C != ']')
      All.back().add(C, Depth + (C == '(' || C == '[' ? 1 : 0));
    Depth += C == '(' || C == '[' ? 1 : 0;
  }
  std::vector<std::string> Names;
  for (const Item &Each : All)
    if (std::string Name = Each.name(); !Name.empty())
      Names.push_back(std::move(Name));
  return Names;
}

} // namespace

/// gfortran says of an ALLOCATE that it stands where it ends.
std::string maiprof::fortranStatement(const std::vector<std::string> &Lines, size_t Line) {
  constexpr size_t Most = 40;
  size_t First = std::min(Line, Lines.size());
  while (First > 0 && Line - First < Most && goesOn(Lines[First - 1]))
    --First;
  std::string Text;
  for (size_t I = First; I < Lines.size() && I < Line + Most; ++I) {
    const std::string Rest = withoutMark(withoutComment(Lines[I]));
    Text += Rest.substr(0, Rest.size() - goesOn(Lines[I]));
    if (I >= Line && !goesOn(Lines[I]))
      break;
  }
  return Text;
}

std::vector<std::string> maiprof::allocatedIn(const std::string &Statement) {
  static const std::regex Begin(R"(\ballocate\s*\()", std::regex::icase);
  std::vector<std::string> All;
  for (std::sregex_iterator Each(Statement.begin(), Statement.end(), Begin), End; Each != End;
       ++Each)
    std::ranges::move(listAt(Statement, static_cast<size_t>(Each->position() + Each->length())),
                      std::back_inserter(All));
  return All;
}
