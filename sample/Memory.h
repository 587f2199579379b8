//===-- Memory.h - which node memory is on -*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef MINAS_SAMPLE_MEMORY_H
#define MINAS_SAMPLE_MEMORY_H

#include <cstdint>
#include <optional>
#include <unordered_map>

namespace sample {

/// By physical addresses: the kernel has memory in blocks of one size, each of one node.
class MemoryNodes {
public:
  explicit MemoryNodes(uint64_t BlockBytes = 0) : Bytes(BlockBytes) {}
  void add(uint64_t Block, uint32_t Node) { Nodes[Block] = Node; }
  /// Nothing where nobody has told.
  std::optional<uint32_t> nodeOf(uint64_t Address) const {
    const auto Found = Bytes ? Nodes.find(Address / Bytes) : Nodes.end();
    return Found == Nodes.end() ? std::nullopt : std::optional(Found->second);
  }

private:
  uint64_t Bytes;
  std::unordered_map<uint64_t, uint32_t> Nodes;
};

} // namespace sample
#endif
