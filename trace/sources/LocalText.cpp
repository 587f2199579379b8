//===-- LocalText.cpp - variables of a function's own -----------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "LocalText.h"

#include <regex>
#include <string_view>

using namespace maiprof;

namespace {

/// Behind the type that a statement begins with, where what follows is what it declares; npos: it
/// is no declaration.
size_t behindType(const std::string &Statement) {
  static const std::regex Type(
      R"(^\s*(?:for\s*\(\s*)?(?!(?:return|delete|new|throw|else|goto|case|using|typedef|namespace|co_return|co_yield)\b))"
      R"((?:(?:static|const|constexpr|volatile|thread_local|typename|struct|unsigned|signed|long)\s+)*)"
      R"([A-Za-z_][\w:]*(?:<[^;=]*>)?(?:\s+const)?(?:\s+|\s*(?=[*&]))[*&\s]*(?=[A-Za-z_]\w*\s*(?:[=,({\[:]|$)))");
  std::smatch Match;
  return std::regex_search(Statement, Match, Type) ? static_cast<size_t>(Match.length(0))
                                                   : std::string::npos;
}

/// Whether a declarator, such as " *const field[3] = {}", is one of a name.
bool isOf(const std::string &Declarator, const std::string &Name) {
  static const std::regex Before(R"(^(?:[\s*&]|\bconst\b)*)");
  std::smatch Match;
  std::regex_search(Declarator, Match, Before);
  const std::string Rest = Match.suffix();
  const size_t End =
      Rest.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
  return Rest.substr(0, End) == Name;
}

/// Whether one of several declarators, by commas outside of brackets, is one of a name.
bool isAmong(const std::string &Declarators, const std::string &Name) {
  int Depth = 0;
  std::string Each;
  for (const char C : Declarators + ",") {
    Depth += C == '(' || C == '[' ? 1 : C == ')' || C == ']' ? -1 : 0;
    if (C != ',' || Depth > 0) {
      Each += C;
      continue;
    }
    if (isOf(Each, Name))
      return true;
    Each.clear();
  }
  return false;
}

} // namespace

bool maiprof::declares(const std::string &Statements, const std::string &Name) {
  constexpr std::string_view Ends = ";{}";
  for (size_t Begin = 0; Begin < Statements.size();) {
    const size_t End = std::min(Statements.find_first_of(Ends, Begin), Statements.size());
    const std::string Statement = Statements.substr(Begin, End - Begin);
    Begin = End + 1;
    if (Statement.find(Name) == std::string::npos)
      continue;
    if (const size_t From = behindType(Statement);
        From != std::string::npos && isAmong(Statement.substr(From), Name))
      return true;
  }
  return false;
}
