//===-- Lines.cpp - numbers of a text, and where they stand -----*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Lines.h"

#include <algorithm>
#include <charconv>
#include <cstdio>

using namespace threadmap;

bool Lines::fail(uint64_t AtLine, uint64_t Column, const std::string &What) {
  Text = Name + ":" + std::to_string(AtLine) + ":" +
         (Column ? std::to_string(Column) + ":" : std::string()) + " " + What;
  return false;
}

bool Lines::next(char Comment) {
  if (!readLine())
    return Input.bad() && fail(Line + 1, 0, "it cannot be read");
  if (Row.size() > MaxLine)
    return fail(Line, 0,
                "expected a line of numbers, found one of more than " + std::to_string(MaxLine) +
                    " characters");
  if (!skipByteOrderMark())
    return false;
  At = Row.data();
  End = std::find(At, At + Row.size(), Comment);
  return true;
}

/// Reads a line, or enough of it to see that it is too long. @return whether there was one
bool Lines::readLine() {
  char Chunk[4096];
  Row.clear();
  ++Line;
  for (bool More = true; More && Row.size() <= MaxLine;) {
    Input.getline(Chunk, sizeof Chunk);
    const auto Count = static_cast<size_t>(Input.gcount());
    More = Input.fail() && !Input.eof() && !Input.bad(); // The chunk is full.
    Row.append(Chunk, Count - (Input.good() ? 1 : 0));
    if (More)
      Input.clear();
    else if (!Input.good() && Count == 0 && Row.empty())
      return --Line, false;
  }
  return true;
}

/// Some editors write one before the first line. @return whether the text can be read
bool Lines::skipByteOrderMark() {
  if (Line == 1 && (Row.starts_with("\xff\xfe") || Row.starts_with("\xfe\xff")))
    return fail(Line, 1, "expected text as UTF-8 or ASCII, found UTF-16");
  if (Line == 1 && Row.starts_with("\xef\xbb\xbf"))
    Row.erase(0, 3);
  return true;
}

bool Lines::skipBlanks() {
  At = std::find_if_not(At, End, isBlank);
  return At != End;
}

bool Lines::skipSeparator() {
  if (skipBlanks() && isSeparator(*At))
    ++At;
  return skipBlanks();
}

std::errc Lines::read(double &Into) {
  const char *Digits = At + (At != End && *At == '+');
  const auto [Rest, Error] = std::from_chars(Digits, End, Into);
  const bool Ends = Rest == End || isBlank(*Rest) || isSeparator(*Rest);
  if (Error == std::errc::invalid_argument || !Ends)
    return std::errc::invalid_argument;
  At = Rest;
  return Error;
}

std::string Lines::found(const char *Position) const {
  constexpr ptrdiff_t Most = 20;
  const char *Last = std::find_if_not(
      Position, End, [](char C) { return C > ' ' && C < 0x7f && !isSeparator(C); });
  if (Last - Position > Most)
    return "'" + std::string(Position, Most) + "...'";
  if (Last != Position)
    return "'" + std::string(Position, Last) + "'";
  if (Position == End)
    return "the end of the line";
  if (isSeparator(*Position))
    return std::string("'") + *Position + "'";
  char Byte[32];
  std::snprintf(Byte, sizeof Byte, "the byte 0x%02x", static_cast<unsigned char>(*Position));
  return Byte;
}
