//===-- ReadMachine.cpp - a machine as numarch describes it -----*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Machine.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

#include <cmath>
#include <optional>

using namespace advice;

namespace {

/// Reads what `numarch --json` prints.
class Description {
public:
  explicit Description(llvm::StringRef Input) : Text(Input) {}

  /// @return empty, or what is wrong
  std::string read(Machine &Out) {
    llvm::Expected<llvm::json::Value> Parsed = llvm::json::parse(Text);
    if (!Parsed)
      return "no JSON: " + llvm::toString(Parsed.takeError());
    Object = Parsed->getAsObject();
    if (std::string Wrong = readNodes(Object ? Object->getArray("nodes") : nullptr); !Wrong.empty())
      return Wrong;
    if (WithCpus.empty())
      return "no node has CPUs";
    if (WithMemory.empty())
      return "no node has memory";
    Out = Machine(0, 1);
    Out.Nodes = static_cast<unsigned>(WithCpus.size());
    Out.Cpus = Cpus;
    Out.MemoryBytes = MemoryBytes;
    setFactors(Out);
    setNearest(Out, ownMemories());
    setBandwidths(Out);
    return "";
  }

private:
  /// Nodes that MAi would use: allowed ones, without the memory of GPUs.
  std::string readNodes(const llvm::json::Array *Nodes) {
    if (!Nodes)
      return "expected what `numarch --json` prints: there is no array \"nodes\"";
    constexpr size_t Most = 1024; // As many as MAi knows.
    if (Nodes->size() > Most)
      return "more than " + std::to_string(Most) + " nodes";
    for (size_t Index = 0; Index < Nodes->size(); ++Index) {
      const llvm::json::Object *Node = (*Nodes)[Index].getAsObject();
      const llvm::json::Array *Own = Node ? Node->getArray("cpus") : nullptr;
      if (!Own)
        return "expected what `numarch --json` prints: a node has no array \"cpus\"";
      if (!Node->getBoolean("allowed").value_or(true))
        continue;
      if (!Own->empty()) {
        WithCpus.push_back(Index);
        Cpus.push_back(static_cast<unsigned>(Own->size()));
      }
      const std::optional<double> Bytes = Node->getNumber("memory_total");
      if (Node->getString("memory_kind") != "GPU" && (Bytes ? *Bytes > 0 : !Own->empty())) {
        WithMemory.push_back(Index);
        MemoryBytes.push_back(Bytes.value_or(0));
      }
    }
    return "";
  }

  /// A number of a matrix by nodes, if the description has it and it makes sense.
  static std::optional<double> entry(const llvm::json::Array *Matrix, size_t From, size_t To) {
    const llvm::json::Array *Row =
        Matrix && From < Matrix->size() ? (*Matrix)[From].getAsArray() : nullptr;
    const std::optional<double> Value =
        Row && To < Row->size() ? (*Row)[To].getAsNumber() : std::nullopt;
    return Value && *Value > 0 && std::isfinite(*Value) ? Value : std::nullopt;
  }

  /// numArch's factors; else the distances; else Linux's guess.
  double factor(size_t From, size_t To) const {
    if (const auto Known = entry(Object->getArray("factors"), From, To))
      return *Known;
    const llvm::json::Array *Distances = Object->getArray("distances");
    const auto Own = entry(Distances, From, From), Other = entry(Distances, From, To);
    if (Own && Other)
      return *Other / *Own;
    return From == To ? 1 : Machine().numaFactor();
  }

  void setFactors(Machine &Out) const {
    for (const size_t From : WithCpus) {
      std::vector<double> &Row = Out.Factors.emplace_back();
      for (const size_t To : WithMemory)
        Row.push_back(factor(From, To));
    }
  }

  /// Of each node with CPUs the memory of the same node.
  std::vector<size_t> ownMemories() const {
    std::vector<size_t> Own;
    for (const size_t Node : WithCpus)
      Own.push_back(static_cast<size_t>(llvm::find(WithMemory, Node) - WithMemory.begin()));
    return Own;
  }

  /// What was measured, else what the firmware says; nothing unless it is known of every memory.
  void setBandwidths(Machine &Out) const {
    for (const char *Source : {"measured", "hmat"}) {
      const llvm::json::Object *Values = Object->getObject(Source);
      const llvm::json::Array *Matrix = Values ? Values->getArray("read_bandwidth") : nullptr;
      Out.Bandwidths.clear();
      for (const size_t From : WithCpus) {
        std::vector<double> &Row = Out.Bandwidths.emplace_back();
        for (const size_t To : WithMemory)
          Row.push_back(entry(Matrix, From, To).value_or(0));
      }
      bool Complete = true;
      for (size_t Memory = 0; Memory < WithMemory.size(); ++Memory)
        Complete &= Out.bandwidth(Memory) > 0;
      for (size_t Node = 0; Node < WithCpus.size(); ++Node)
        Complete &= Out.demand(Node) > 0;
      if (Complete)
        return;
    }
    Out.Bandwidths.clear();
  }

  llvm::StringRef Text;
  const llvm::json::Object *Object = nullptr;
  std::vector<size_t> WithCpus; ///< numbers of nodes in the description
  std::vector<unsigned> Cpus;
  std::vector<size_t> WithMemory;
  std::vector<double> MemoryBytes;
};

} // namespace

/// Asks the numarch that is installed beside this program, else that in $PATH.
static std::string readHost(Machine &Out) {
  static int Anchor;
  const std::string Self = llvm::sys::fs::getMainExecutable("", &Anchor);
  auto Tool = llvm::sys::findProgramByName("numarch", {llvm::sys::path::parent_path(Self)});
  if (!Tool)
    Tool = llvm::sys::findProgramByName("numarch");
  if (!Tool)
    return "there is no program numarch, which knows the machine";
  llvm::SmallString<128> Output;
  if (const std::error_code Error = llvm::sys::fs::createTemporaryFile("minas", "json", Output))
    return Error.message();
  const llvm::FileRemover Remover(Output);
  std::string Message;
  const int Status =
      llvm::sys::ExecuteAndWait(*Tool, {*Tool, "--json"}, std::nullopt,
                                {std::nullopt, Output.str(), std::nullopt}, 0, 0, &Message);
  const auto Text = llvm::MemoryBuffer::getFile(Output);
  if (Status != 0 || !Text)
    return "numarch failed" + (Message.empty() ? "" : ": " + Message);
  return Description((*Text)->getBuffer()).read(Out);
}

std::string advice::readMachine(const std::string &Name, Machine &Out) {
  if (Name.empty() || Name == "any")
    return "";
  if (Name == "host")
    return readHost(Out);
  const auto Text = llvm::MemoryBuffer::getFile(Name);
  return Text ? Description((*Text)->getBuffer()).read(Out) : Text.getError().message();
}
