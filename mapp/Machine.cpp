//===-- Machine.cpp - the machine that placements are chosen for *- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Machine.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

using namespace mapp;

static bool fail(const std::string &Name, const std::string &What) {
  llvm::errs() << "mapp-rewrite: --machine " << Name << ": " << What << '\n';
  return false;
}

/// From what `numarch --json` prints.
static bool readDescription(const std::string &Name, llvm::StringRef Text, Machine &Out) {
  llvm::Expected<llvm::json::Value> Parsed = llvm::json::parse(Text);
  if (!Parsed)
    return fail(Name, "no JSON: " + llvm::toString(Parsed.takeError()));
  const llvm::json::Object *Object = Parsed->getAsObject();
  const llvm::json::Array *Nodes = Object ? Object->getArray("nodes") : nullptr;
  if (!Nodes)
    return fail(Name, "expected what `numarch --json` prints: there is no array \"nodes\"");
  unsigned WithCpus = 0;
  for (const llvm::json::Value &Node : *Nodes) {
    const llvm::json::Object *Members = Node.getAsObject();
    const llvm::json::Array *Cpus = Members ? Members->getArray("cpus") : nullptr;
    if (!Cpus)
      return fail(Name, "expected what `numarch --json` prints: a node has no array \"cpus\"");
    WithCpus += !Cpus->empty();
  }
  if (WithCpus == 0)
    return fail(Name, "no node has CPUs");
  Out.Nodes = WithCpus;
  return true;
}

/// Asks the numarch that is installed beside this program, else that in $PATH.
static bool readHost(Machine &Out) {
  static int Anchor;
  const std::string Self = llvm::sys::fs::getMainExecutable("mapp-rewrite", &Anchor);
  auto Tool = llvm::sys::findProgramByName("numarch", {llvm::sys::path::parent_path(Self)});
  if (!Tool)
    Tool = llvm::sys::findProgramByName("numarch");
  if (!Tool)
    return fail("host", "there is no program numarch, which knows the machine");
  llvm::SmallString<128> Output;
  if (const std::error_code Error = llvm::sys::fs::createTemporaryFile("mapp", "json", Output))
    return fail("host", Error.message());
  const llvm::FileRemover Remover(Output);
  std::string Message;
  const int Status =
      llvm::sys::ExecuteAndWait(*Tool, {*Tool, "--json"}, std::nullopt,
                                {std::nullopt, Output.str(), std::nullopt}, 0, 0, &Message);
  const auto Text = llvm::MemoryBuffer::getFile(Output);
  if (Status != 0 || !Text)
    return fail("host", "numarch failed" + (Message.empty() ? "" : ": " + Message));
  return readDescription("host", (*Text)->getBuffer(), Out);
}

bool mapp::readMachine(const std::string &Name, Machine &Out) {
  if (Name.empty() || Name == "any")
    return true;
  if (Name == "host")
    return readHost(Out);
  const auto Text = llvm::MemoryBuffer::getFile(Name);
  return Text ? readDescription(Name, (*Text)->getBuffer(), Out)
              : fail(Name, Text.getError().message());
}
