//===-- Machine.cpp - nodes and CPUs of this machine, and where pages are -*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Machine.h"

#include "System.h"

#include "numarch.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <memory>
#include <sys/syscall.h>
#include <unistd.h>

using namespace sample;

namespace {

const std::string NodeFolders = "/sys/devices/system/node/node";

using Machine = std::unique_ptr<numarch_t, decltype(&numarch_close)>;

void addNodes(const numarch_t *From, maiprof::Profile &To) {
  for (uint32_t Node = 0; Node < numarch_node_count(From); ++Node) {
    const numarch_node &Its = *numarch_get_node(From, Node);
    for (uint32_t I = 0; I < Its.cpu_count; ++I)
      To.Cpus.push_back({numarch_get_cpu(From, Its.cpus[I])->os_index, Node});
    To.Nodes.push_back({Its.os_index, Its.memory_total});
  }
}

void addDistances(const numarch_t *From, maiprof::Profile &To) {
  for (uint32_t Node = 0; Node < numarch_node_count(From); ++Node)
    for (uint32_t Other = 0; Other < numarch_node_count(From); ++Other)
      To.Distances.push_back(numarch_distance(From, Node, Other));
}

} // namespace

void sample::describeMachine(maiprof::Profile &To) {
  char Host[256] = "";
  gethostname(Host, sizeof Host - 1);
  To.Host = Host;
  const Machine Whole(numarch_open(NUMARCH_WHOLE_MACHINE), numarch_close);
  if (!Whole)
    return;
  addNodes(Whole.get(), To);
  addDistances(Whole.get(), To);
}

MemoryNodes sample::memoryNodes(const std::vector<maiprof::Node> &Nodes) {
  uint64_t Bytes = 0;
  const std::string Size = firstLineOf("/sys/devices/system/memory/block_size_bytes");
  std::from_chars(Size.data(), Size.data() + Size.size(), Bytes, 16);
  MemoryNodes Result(Bytes);
  for (const maiprof::Node &Node : Nodes) {
    std::error_code Error;
    for (const auto &Each :
         std::filesystem::directory_iterator(NodeFolders + std::to_string(Node.OsIndex), Error)) {
      const std::string Name = Each.path().filename();
      uint64_t Block = 0;
      if (Name.starts_with("memory") &&
          std::from_chars(Name.data() + 6, Name.data() + Name.size(), Block).ec == std::errc())
        Result.add(Block, Node.OsIndex);
    }
  }
  return Result;
}

void PageNodes::ask(Process &Of) const {
  size_t &From = Of.Asked;
  std::vector<void *> Pages;
  for (From = std::min(From, Of.Uses.size()); From < Of.Uses.size(); ++From)
    if (!Of.Uses[From].IsTouch)
      Pages.push_back(reinterpret_cast<void *>(Of.Uses[From].Address / PageBytes * PageBytes));
  std::sort(Pages.begin(), Pages.end());
  Pages.erase(std::unique(Pages.begin(), Pages.end()), Pages.end());
  std::vector<int> Found(Pages.size(), Nodes == 1 ? 0 : -1);
  if (Nodes > 1 && !Pages.empty())
    syscall(SYS_move_pages, static_cast<pid_t>(Of.Id), Pages.size(), Pages.data(), nullptr,
            Found.data(), 0);
  for (size_t I = 0; I < Pages.size(); ++I)
    if (Found[I] >= 0)
      Of.Nodes[reinterpret_cast<uint64_t>(Pages[I]) / PageBytes] = static_cast<uint32_t>(Found[I]);
}
