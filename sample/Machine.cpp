//===-- Machine.cpp - nodes and CPUs of this machine, and where pages are -*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Machine.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <sys/syscall.h>
#include <unistd.h>

using namespace sample;

namespace {

constexpr uint64_t Page = 4096;
const std::string Nodes = "/sys/devices/system/node/";

std::string lineOf(const std::string &File) {
  std::ifstream In(File);
  std::string Text;
  std::getline(In, Text);
  return Text;
}

uint64_t memoryOf(const std::string &Node) {
  std::istringstream In(lineOf(Node + "/meminfo")); /* Node 0 MemTotal: 24684096 kB */
  std::string Word;
  uint64_t Number = 0;
  In >> Word >> Word >> Word >> Number;
  return Number * 1024;
}

void addDistances(maiprof::Profile &To) {
  for (const maiprof::Node &Each : To.Nodes) {
    std::istringstream In(lineOf(Nodes + "node" + std::to_string(Each.OsIndex) + "/distance"));
    for (size_t I = 0; I < To.Nodes.size(); ++I) {
      uint32_t Distance = 10;
      In >> Distance;
      To.Distances.push_back(Distance);
    }
  }
}

} // namespace

std::vector<uint32_t> sample::readList(const std::string &Text) {
  constexpr uint32_t Most = 1 << 16;
  std::vector<uint32_t> List;
  const char *At = Text.data(), *End = At + Text.size();
  while (At < End) {
    uint32_t First = 0;
    auto [Next, Error] = std::from_chars(At, End, First);
    if (Error != std::errc())
      break;
    uint32_t Last = First;
    if (Next < End && *Next == '-')
      Next = std::from_chars(Next + 1, End, Last).ptr;
    for (uint32_t Each = First; Each <= std::min(Last, First + Most); ++Each)
      List.push_back(Each);
    At = Next < End ? Next + 1 : End;
  }
  return List;
}

void sample::describeMachine(maiprof::Profile &To) {
  char Host[256] = "";
  gethostname(Host, sizeof Host - 1);
  To.Host = Host;
  for (const uint32_t Node : readList(lineOf(Nodes + "online"))) {
    const std::string Folder = Nodes + "node" + std::to_string(Node);
    for (const uint32_t Cpu : readList(lineOf(Folder + "/cpulist")))
      To.Cpus.push_back({Cpu, static_cast<uint32_t>(To.Nodes.size())});
    To.Nodes.push_back({Node, memoryOf(Folder)});
  }
  addDistances(To);
}

MemoryNodes sample::memoryNodes() {
  uint64_t Bytes = 0;
  const std::string Size = lineOf("/sys/devices/system/memory/block_size_bytes");
  std::from_chars(Size.data(), Size.data() + Size.size(), Bytes, 16);
  MemoryNodes Result(Bytes);
  for (const uint32_t Node : readList(lineOf(Nodes + "online"))) {
    std::error_code Error;
    for (const auto &Each :
         std::filesystem::directory_iterator(Nodes + "node" + std::to_string(Node), Error)) {
      const std::string Name = Each.path().filename();
      uint64_t Block = 0;
      if (Name.starts_with("memory") &&
          std::from_chars(Name.data() + 6, Name.data() + Name.size(), Block).ec == std::errc())
        Result.add(Block, Node);
    }
  }
  return Result;
}

void PageNodes::ask(Process &Of) const {
  size_t &From = Of.Asked;
  std::vector<void *> Pages;
  for (From = std::min(From, Of.Uses.size()); From < Of.Uses.size(); ++From)
    if (!Of.Uses[From].IsTouch)
      Pages.push_back(reinterpret_cast<void *>(Of.Uses[From].Address / Page * Page));
  std::sort(Pages.begin(), Pages.end());
  Pages.erase(std::unique(Pages.begin(), Pages.end()), Pages.end());
  std::vector<int> Found(Pages.size(), Nodes == 1 ? 0 : -1);
  if (Nodes > 1 && !Pages.empty())
    syscall(SYS_move_pages, static_cast<pid_t>(Of.Id), Pages.size(), Pages.data(), nullptr,
            Found.data(), 0);
  for (size_t I = 0; I < Pages.size(); ++I)
    if (Found[I] >= 0)
      Of.Nodes[reinterpret_cast<uint64_t>(Pages[I]) / Page] = static_cast<uint32_t>(Found[I]);
}
