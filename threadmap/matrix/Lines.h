//===-- Lines.h - numbers of a text, and where they stand -------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef THREADMAP_LINES_H
#define THREADMAP_LINES_H

#include <cstdint>
#include <istream>
#include <string>
#include <system_error>

namespace threadmap {

/// Reads a text that may come from anywhere, line by line, and says what is wrong with it, and
/// where.  Columns are counted in bytes.
class Lines {
public:
  /// A line is no longer than this.
  static constexpr size_t MaxLine = 1638400;

  Lines(std::istream &From, std::string InputName) : Input(From), Name(std::move(InputName)) {}

  /// Moves to the next line; what follows `Comment` is no part of it. @return whether there is
  /// one; where not, message() says what is wrong, if anything
  bool next(char Comment);

  uint64_t number() const { return Line; } ///< of the line in hand; the first is 1

  /// Moves behind blanks. @return whether something stands there
  bool skipBlanks();

  /// Moves behind blanks, a separator, and blanks. @return whether something stands there
  bool skipSeparator();

  /// Reads a number and moves behind it.
  /// @return invalid_argument where there is none: nothing is read then
  std::errc read(double &Into);

  const char *position() const { return At; }
  const char *end() const { return End; }
  uint64_t column() const { return columnOf(At); }
  uint64_t columnOf(const char *Position) const {
    return static_cast<uint64_t>(Position - Row.data()) + 1;
  }

  /// What stands at a position of the line, for a message.
  std::string found(const char *Position) const;

  /// Notes what is wrong. @param Column 0: the whole line. @return false
  bool fail(uint64_t AtLine, uint64_t Column, const std::string &What);

  const std::string &message() const { return Text; }

private:
  bool readLine();
  bool skipByteOrderMark();
  static bool isBlank(char C) { return C == ' ' || C == '\t' || C == '\r'; }
  static bool isSeparator(char C) { return C == ',' || C == ';'; }

  std::istream &Input;
  std::string Name;
  std::string Text; ///< the message
  std::string Row;  ///< the line in hand
  const char *At = nullptr, *End = nullptr;
  uint64_t Line = 0;
};

} // namespace threadmap

#endif // THREADMAP_LINES_H
