//===-- main.cpp - mai-names ------------------------------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Reads a program's debug information and writes the table by which libmai names blocks of the heap
// (names/layout/layout.h). mai-run calls it, and so do maic++ and maifort.
//
//===----------------------------------------------------------------------===//

#include "Code.h"
#include "DebugFile.h"
#include "Regions.h"
#include "support/Elf.h"
#include "support/Files.h"
#include "support/Json.h"
#include "support/Options.h"

#include "llvm/DebugInfo/DWARF/DWARFContext.h"
#include "llvm/Object/BuildID.h"
#include "llvm/Object/ObjectFile.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace names;
namespace cl = llvm::cl;

namespace {

constexpr const char *Brief = R"(usage: mai-names [-o FILE | --add | --json] PROGRAM
Shows the variables that a program's parallel regions use, by its debug information: names of
blocks of the heap begin with them. mai-run calls it with -o, maic++ and maifort with --add.

  -o FILE        write the table there that libmai reads
  --add          put it into the program, which has the names then without mai-run's help
  --json         print JSON
  -v, --verbose  tell what is read and written
  --help         all options
  --version      the version

Examples:
  gcc -g -O2 -fopenmp solver.c -o solver && mai-names ./solver
)";

int fail(const std::string &About, const std::string &What) {
  llvm::errs() << "mai-names: " << About << ": " << What << '\n';
  return support::ExitInput;
}

/// LLVM 16 has none for a program without.
llvm::ArrayRef<uint8_t> bytes(std::optional<llvm::object::BuildIDRef> Id) {
  return Id.value_or(llvm::object::BuildIDRef());
}

/// What people are shown of variables; some only lead to others.
std::vector<llvm::StringRef> shownNames(const std::vector<Variable> &Variables) {
  std::vector<llvm::StringRef> Names;
  for (const Variable &Each : Variables)
    if (!Each.Name.empty())
      Names.push_back(llvm::StringRef(Each.Name).rtrim(':'));
  return Names;
}

std::string listed(const std::vector<Variable> &Variables) {
  std::string Line;
  for (const llvm::StringRef Name : shownNames(Variables))
    Line += " " + Name.str();
  return Line + "\n";
}

llvm::json::Array namesOf(const std::vector<Variable> &Variables) {
  llvm::json::Array Names;
  for (const llvm::StringRef Name : shownNames(Variables))
    Names.push_back(support::jsonText(Name));
  return Names;
}

/// For programs.
std::string asJson(const Table &Of) {
  llvm::json::Array Regions;
  for (const Region &Each : Of.Regions)
    Regions.push_back(llvm::json::Object{{"address", static_cast<int64_t>(Each.Address)},
                                         {"variables", namesOf(Each.Variables)}});
  return support::jsonLines(llvm::json::Object{
      {"mai_names", 1}, {"regions", std::move(Regions)}, {"statics", namesOf(Of.Statics)}});
}

/// For people: which variables names begin with.
std::string described(const Table &Of) {
  std::string Text;
  for (const Region &Each : Of.Regions)
    Text += llvm::formatv("region {0:x}:{1}", Each.Address, listed(Each.Variables)).str();
  return Text + "static:" + listed(Of.Statics);
}

/// Puts the table into the program, of which nothing else changes. Without debug information there
/// is nothing to put there.
std::error_code add(const std::string &Program, const Table &Of, const std::string &File) {
  if (Of.isEmpty())
    return {};
  const support::Elf Old(Program);
  if (!Old.takesSection())
    return std::make_error_code(std::errc::executable_format_error);
  return support::writeWhole(Program, Old.with(MINAS_NAMES_SECTION, File));
}

/// What is done with a program's table.
struct Request {
  std::string Program;
  std::string Output; ///< the file that it is written to; empty: none
  bool Adds = false;
  bool IsJson = false;
};

int deliver(const Request &R, const Table &Names, const std::string &File) {
  std::string To = R.Output.empty() ? "standard output" : R.Output;
  std::error_code Error;
  if (R.Adds)
    Error = add(To = R.Program, Names, File);
  else if (!R.Output.empty())
    Error = support::writeWhole(R.Output, File);
  else
    Error = support::print(R.IsJson ? asJson(Names) : described(Names));
  return Error ? fail(To, Error.message()) : 0;
}

int process(const Request &R) {
  support::tell("reads " + R.Program);
  auto Opened = llvm::object::ObjectFile::createObjectFile(R.Program);
  if (!Opened)
    return fail(R.Program, llvm::toString(Opened.takeError()));
  const llvm::object::ObjectFile &Object = *Opened->getBinary();
  if (!Object.isELF() || !Object.is64Bit())
    return fail(R.Program, "it is no program of 64 bits");
  Table Names;
  const auto Debug = names::openDebugFile(Object);
  // What is wrong with debug information costs names, and no more.
  const auto Context = llvm::DWARFContext::create(
      Debug.getBinary() ? *Debug.getBinary() : Object,
      llvm::DWARFContext::ProcessDebugRelocations::Ignore, nullptr, "",
      [](llvm::Error Error) { llvm::consumeError(std::move(Error)); },
      [](llvm::Error Warning) { llvm::consumeError(std::move(Warning)); });
  readRegions(*Context, Names);
  readCode(*Context, Names);
  const std::string File = Names.file(bytes(llvm::object::getBuildID(&Object)));
  if (File.empty())
    return fail(R.Program, "there are too many types in it");
  return deliver(R, Names, File);
}

} // namespace

int main(int Argc, char **Argv) {
  support::forgetOptions();
  cl::opt<std::string> Program(cl::Positional, cl::Required, cl::desc("PROGRAM"));
  cl::opt<std::string> Output("o", cl::Prefix, cl::value_desc("file"),
                              cl::desc("write the table there that libmai reads"));
  cl::opt<bool> Adds("add", cl::desc("put it into the program, which has the names then without "
                                     "mai-run's help"));
  cl::opt<bool> IsJson("json", cl::desc("print JSON"));
  const std::optional<int> Exit =
      support::parseOptions(Argc, Argv,
                            {"Shows the variables that a program's parallel regions use, by its "
                             "debug information: names\n"
                             "of blocks of the heap begin with them. mai-run calls it with -o, "
                             "maic++ and maifort with --add.\n",
                             Brief, "mai-names (Minas) " MINAS_VERSION});
  if (Exit)
    return *Exit;
  if ((!Output.empty()) + Adds + IsJson > 1)
    return support::usageError("mai-names", "-o, --add and --json exclude each other");
  return process({Program, Output, Adds, IsJson});
}
