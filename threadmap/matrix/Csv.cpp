//===-- Csv.cpp - sharing matrices as text ----------------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Csv.h"

#include "Lines.h"

#include <cstdio>
#include <vector>

using namespace threadmap;

namespace {

static_assert(Lines::MaxLine >= size_t{MaxThreads} * 100); // characters of a number

std::string shortNumber(double Value) {
  char Text[32];
  std::snprintf(Text, sizeof Text, "%.10g", Value);
  return Text;
}

/// Reads a square of numbers, a row a line.
class TableReader {
public:
  TableReader(std::istream &From, std::string InputName) : Input(From, std::move(InputName)) {}

  std::optional<std::vector<double>> square(std::string &Message) {
    HasDiagonal = true;
    const bool IsGood = readRows() && isSquare();
    Message = Input.message();
    return IsGood ? std::optional(std::move(Values)) : std::nullopt;
  }

  std::optional<Matrix> run(std::string &Message) {
    std::optional<Matrix> Result;
    if (readRows() && isSquare())
      Result = symmetric();
    Message = Input.message();
    return Result;
  }

private:
  bool readRows() {
    while (Input.next('#'))
      if (Input.skipBlanks() && !readRow())
        return false;
    return Input.message().empty();
  }

  bool readRow() {
    uint64_t Count = 0;
    do {
      const uint64_t Column = Input.column();
      if (!readNumber())
        return false;
      if (++Count > (Rows ? Columns : MaxThreads))
        return tooMany(Column);
    } while (Input.skipSeparator()); // A separator may also end the row.
    return endRow(Count);
  }

  bool tooMany(uint64_t Column) {
    if (!Rows)
      return Input.fail(Input.number(), Column,
                        "expected at most " + std::to_string(MaxThreads) +
                            " numbers, found more (no Linux machine has half as many CPUs)");
    return Input.fail(Input.number(), Column,
                      "expected " + std::to_string(Columns) + " numbers, as in line " +
                          std::to_string(FirstLine) + ", found more (a sharing matrix is square)");
  }

  bool endRow(uint64_t Count) {
    if (!Rows) {
      Columns = Count;
      FirstLine = Input.number();
    }
    if (Count < Columns)
      return Input.fail(Input.number(), 0,
                        "expected " + std::to_string(Columns) + " numbers, as in line " +
                            std::to_string(FirstLine) + ", found " + std::to_string(Count) +
                            " (a sharing matrix is square)");
    if (++Rows > Columns)
      return Input.fail(Input.number(), 0,
                        "expected " + std::to_string(Columns) + " rows of " +
                            std::to_string(Columns) +
                            " numbers, found more (a sharing matrix is square)");
    LineOfRow.push_back(Input.number());
    return true;
  }

  bool readNumber() {
    const uint64_t Other = Values.size() - Rows * Columns;
    const bool IsIgnored = Other == Rows && !HasDiagonal;
    const char *Position = Input.position();
    double Value = 0;
    const std::errc Error = Input.read(Value);
    if (Error == std::errc::invalid_argument)
      return Input.fail(Input.number(), Input.columnOf(Position),
                        "expected a number, found " + Input.found(Position) +
                            " (a matrix has one line a thread, and only numbers in it)");
    if (!IsIgnored && (Error != std::errc() || !(Value >= 0 && Value <= MaxVolume)))
      return Input.fail(Input.number(), Input.columnOf(Position),
                        "expected a volume from 0 to 1e18, found " + Input.found(Position) +
                            " (thread " + std::to_string(Rows) + ", thread " +
                            std::to_string(Other) + ")");
    Values.push_back(IsIgnored ? 0 : Value);
    return true;
  }

  bool isSquare() {
    if (Rows == 0)
      return Input.fail(Input.number() + 1, 0, "expected a sharing matrix, found no numbers");
    return Rows == Columns ||
           Input.fail(Input.number() + 1, 0,
                      "expected " + std::to_string(Columns) + " rows of " +
                          std::to_string(Columns) + " numbers, found the end after " +
                          std::to_string(Rows) + " (a sharing matrix is square)");
  }

  Matrix symmetric() {
    Matrix Result(static_cast<uint32_t>(Rows));
    for (uint32_t A = 0; A < Rows; ++A)
      for (uint32_t B = 0; B < A; ++B) {
        const double Lower = Values[A * Columns + B], Upper = Values[B * Columns + A];
        if (Lower != Upper && Input.message().empty())
          Input.fail(LineOfRow[A], 0,
                     "the matrix is not symmetric (threads " + std::to_string(B) + " and " +
                         std::to_string(A) + ": " + shortNumber(Upper) + " in line " +
                         std::to_string(LineOfRow[B]) + ", " + shortNumber(Lower) +
                         " here); the mean of both is taken for every pair");
        Result.set(A, B, (Lower + Upper) / 2);
      }
    return Result;
  }

  Lines Input;
  bool HasDiagonal = false;
  std::vector<double> Values;
  std::vector<uint64_t> LineOfRow;
  uint64_t FirstLine = 0;
  uint64_t Rows = 0, Columns = 0; ///< complete rows; numbers in each
};

} // namespace

std::optional<Matrix> threadmap::readCsv(std::istream &Input, const std::string &Name,
                                         std::string &Message) {
  return TableReader(Input, Name).run(Message);
}

std::optional<std::vector<double>>
threadmap::readSquare(std::istream &Input, const std::string &Name, std::string &Message) {
  return TableReader(Input, Name).square(Message);
}
