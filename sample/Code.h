//===-- Code.h - the machine code of a file -*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef MINAS_SAMPLE_CODE_H
#define MINAS_SAMPLE_CODE_H

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace llvm {
class MemoryBuffer;
}

namespace sample {

/// A static variable.
struct Variable {
  uint64_t Start = 0, Bytes = 0; ///< as the file counts addresses
  std::string Name;
};

/// An ELF file of x86-64. Of any other there is nothing to be had.
class Code {
public:
  explicit Code(const std::string &File);
  ~Code();
  Code(const Code &) = delete;
  Code &operator=(const Code &) = delete;

  /// The address, as the file counts, that is mapped from an offset in it. Without such code 0.
  uint64_t addressOf(uint64_t Offset) const;

  /// The bytes of its build-id; empty: it has none.
  const std::string &buildId() const { return BuildId; }
  bool isThere() const { return !Segments.empty(); }

  /// Whether an address, as the file counts, is of what no program changes, such as constants.
  bool isReadOnly(uint64_t Address) const;

  /// A function's code.
  struct Function {
    uint64_t Start = 0;     ///< as the file counts
    std::string_view Bytes; ///< up to the next function
  };
  /// The one that an address lies in; none of no bytes. By the unwind tables, which also files
  /// without symbols have.
  Function functionAt(uint64_t Address) const;

  /// What the symbol of the function that begins at an address is called; empty: it has none.
  std::string functionName(uint64_t Start);

  /// Those that the program writes.
  const std::vector<Variable> &variables();

private:
  struct Segment {
    uint64_t Start, FileBytes, Offset;
    bool IsCode, IsWritten;
  };
  template <typename Number> Number at(uint64_t Offset) const;
  void readSegments();
  void readFunctions(uint64_t Offset, uint64_t Address);
  const std::map<uint64_t, std::string> &functionNames();
  void readNotes(uint64_t Offset, uint64_t Bytes);
  std::string_view bytesFrom(uint64_t Address) const;

  std::string Name, BuildId;
  std::unique_ptr<llvm::MemoryBuffer> File;
  std::string_view All;
  std::vector<Segment> Segments;
  std::vector<uint64_t> Functions; ///< their starts, ascending
  std::vector<Variable> Variables;
  bool HasVariables = false;
  std::map<uint64_t, std::string> FunctionNames;
  bool HasFunctionNames = false;
};

} // namespace sample
#endif
