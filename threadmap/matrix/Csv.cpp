//===-- Csv.cpp - sharing matrices as text ----------------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Csv.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <vector>

using namespace threadmap;

namespace {

/// Enough for MaxThreads numbers of 100 characters.
constexpr size_t MaxLine = size_t{MaxThreads} * 100;

constexpr double MaxVolume = 1e18;

std::string shortNumber(double Value) {
  char Text[32];
  std::snprintf(Text, sizeof Text, "%.10g", Value);
  return Text;
}

class Reader {
public:
  Reader(std::istream &From, std::string InputName) : Input(From), Name(std::move(InputName)) {}

  std::optional<std::vector<double>> square(std::string &Message) {
    HasDiagonal = true;
    const bool IsGood = readRows() && isSquare();
    Message = std::move(Text);
    return IsGood ? std::optional(std::move(Values)) : std::nullopt;
  }

  std::optional<Matrix> run(std::string &Message) {
    std::optional<Matrix> Result;
    if (readRows() && isSquare())
      Result = symmetric();
    Message = std::move(Text);
    return Result;
  }

private:
  bool fail(uint64_t AtLine, uint64_t Column, const std::string &What) {
    Text = Name + ":" + std::to_string(AtLine) + ":" +
           (Column ? std::to_string(Column) + ":" : std::string()) + " " + What;
    return false;
  }

  bool readRows() {
    while (readLine()) {
      if (Row.size() > MaxLine)
        return fail(Line, 0,
                    "expected a row of at most " + std::to_string(MaxThreads) +
                        " numbers, found a line longer than " + std::to_string(MaxLine) +
                        " characters");
      if (!skipByteOrderMark() || !readRow(Row.data(), Row.data() + Row.size()))
        return false;
    }
    return !Input.bad() || fail(Line + 1, 0, "it cannot be read");
  }

  /// Reads a line, or enough of it to see that it is too long. @return whether there was one
  bool readLine() {
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
  bool skipByteOrderMark() {
    if (Line == 1 && (Row.starts_with("\xff\xfe") || Row.starts_with("\xfe\xff")))
      return fail(Line, 1, "expected text as UTF-8 or ASCII, found UTF-16");
    if (Line == 1 && Row.starts_with("\xef\xbb\xbf"))
      Row.erase(0, 3);
    return true;
  }

  static bool isBlank(char C) { return C == ' ' || C == '\t' || C == '\r'; }
  static bool isSeparator(char C) { return C == ',' || C == ';'; }

  static const char *skipBlanks(const char *At, const char *End) {
    return std::find_if_not(At, End, isBlank);
  }

  bool readRow(const char *Begin, const char *End) {
    End = std::find(Begin, End, '#');
    const char *At = skipBlanks(Begin, End);
    if (At == End)
      return true;
    uint64_t Count = 0;
    for (;;) {
      if (!readNumber(Begin, At, End))
        return false;
      ++Count;
      if (Count > (Rows ? Columns : MaxThreads))
        return tooMany(At - Begin);
      At = skipBlanks(At, End);
      if (At == End)
        break;
      if (isSeparator(*At)) {
        At = skipBlanks(At + 1, End);
        if (At == End) // A separator may also end the row.
          break;
      }
    }
    return endRow(Count);
  }

  bool tooMany(ptrdiff_t Column) {
    if (!Rows)
      return fail(Line, static_cast<uint64_t>(Column),
                  "expected at most " + std::to_string(MaxThreads) +
                      " numbers, found more (no Linux machine has more CPUs)");
    return fail(Line, static_cast<uint64_t>(Column),
                "expected " + std::to_string(Columns) + " numbers, as in line " +
                    std::to_string(FirstLine) + ", found more (a sharing matrix is square)");
  }

  bool endRow(uint64_t Count) {
    if (!Rows) {
      Columns = Count;
      FirstLine = Line;
    }
    if (Count < Columns)
      return fail(Line, 0,
                  "expected " + std::to_string(Columns) + " numbers, as in line " +
                      std::to_string(FirstLine) + ", found " + std::to_string(Count) +
                      " (a sharing matrix is square)");
    if (++Rows > Columns)
      return fail(Line, 0,
                  "expected " + std::to_string(Columns) + " rows of " + std::to_string(Columns) +
                      " numbers, found more (a sharing matrix is square)");
    LineOfRow.push_back(Line);
    return true;
  }

  /// Reads the number at `At` and moves behind it.
  bool readNumber(const char *Begin, const char *&At, const char *End) {
    const uint64_t Other = Values.size() - Rows * Columns;
    const bool IsIgnored = Other == Rows && !HasDiagonal;
    const auto Column = static_cast<uint64_t>(At - Begin) + 1;
    double Value = 0;
    const char *Digits = At + (At != End && *At == '+');
    const auto [Rest, Error] = std::from_chars(Digits, End, Value);
    const bool Ends = Rest == End || isBlank(*Rest) || isSeparator(*Rest);
    if (Error == std::errc::invalid_argument || !Ends)
      return fail(Line, Column,
                  "expected a number, found " + described(At, End) +
                      " (a matrix has one line a thread, and only numbers in it)");
    if (!IsIgnored && (Error != std::errc() || !(Value >= 0 && Value <= MaxVolume)))
      return fail(Line, Column,
                  "expected a volume from 0 to 1e18, found " + described(At, End) + " (thread " +
                      std::to_string(Rows) + ", thread " + std::to_string(Other) + ")");
    Values.push_back(IsIgnored ? 0 : Value);
    At = Rest;
    return true;
  }

  /// What stands at `At`, for a message.
  static std::string described(const char *At, const char *End) {
    constexpr ptrdiff_t Most = 20;
    const char *Last =
        std::find_if_not(At, End, [](char C) { return C > ' ' && C < 0x7f && !isSeparator(C); });
    if (Last - At > Most)
      return "'" + std::string(At, Most) + "...'";
    if (Last != At)
      return "'" + std::string(At, Last) + "'";
    if (At == End)
      return "the end of the line";
    if (isSeparator(*At))
      return std::string("'") + *At + "'";
    char Byte[32];
    std::snprintf(Byte, sizeof Byte, "the byte 0x%02x", static_cast<unsigned char>(*At));
    return Byte;
  }

  bool isSquare() {
    if (Rows == 0)
      return fail(Line + 1, 0, "expected a sharing matrix, found no numbers");
    return Rows == Columns || fail(Line + 1, 0,
                                   "expected " + std::to_string(Columns) + " rows of " +
                                       std::to_string(Columns) + " numbers, found the end after " +
                                       std::to_string(Rows) + " (a sharing matrix is square)");
  }

  Matrix symmetric() {
    Matrix Result(static_cast<uint32_t>(Rows));
    for (uint32_t A = 0; A < Rows; ++A)
      for (uint32_t B = 0; B < A; ++B) {
        const double Lower = Values[A * Columns + B], Upper = Values[B * Columns + A];
        if (Lower != Upper && Text.empty())
          fail(LineOfRow[A], 0,
               "the matrix is not symmetric (threads " + std::to_string(B) + " and " +
                   std::to_string(A) + ": " + shortNumber(Upper) + " in line " +
                   std::to_string(LineOfRow[B]) + ", " + shortNumber(Lower) +
                   " here); the mean of both is taken for every pair");
        Result.set(A, B, (Lower + Upper) / 2);
      }
    return Result;
  }

  std::istream &Input;
  std::string Name;
  bool HasDiagonal = false;
  std::string Text; ///< the message
  std::string Row;  ///< the line in hand
  std::vector<double> Values;
  std::vector<uint64_t> LineOfRow;
  uint64_t Line = 0, FirstLine = 0;
  uint64_t Rows = 0, Columns = 0; ///< complete rows; numbers in each
};

} // namespace

std::optional<Matrix> threadmap::readCsv(std::istream &Input, const std::string &Name,
                                         std::string &Message) {
  return Reader(Input, Name).run(Message);
}

std::optional<std::vector<double>>
threadmap::readSquare(std::istream &Input, const std::string &Name, std::string &Message) {
  return Reader(Input, Name).square(Message);
}
