//===-- main.cpp - mai-picture ----------------------------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Draws where the pages of a program's arrays were, by the report of MAi as JSON: Report.h reads
// it, Drawing.h draws it.
//
//===----------------------------------------------------------------------===//

#include "Drawing.h"
#include "Report.h"
#include "support/Files.h"
#include "support/Options.h"

#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

using namespace picture;
namespace cl = llvm::cl;

namespace {

constexpr const char *Brief = R"(usage: mai-picture [-o FILE] REPORT.json
Draws on which nodes the pages of a program's arrays were, as SVG, by the report that
MAI_REPORT=REPORT.json had MAi write; - is standard input.

  -o FILE        write the picture there (default: standard output)
  -v, --verbose  tell what is read and written
  --help         all options
  --version      the version

Examples:
  MAI_REPORT=foo.json ./foo && mai-picture -o foo.svg foo.json
  mai-run -w -r foo.json ./foo && mai-picture -o foo.svg foo.json
)";

int fail(const std::string &About, const std::string &What) {
  llvm::errs() << "mai-picture: " << About << ": " << What << '\n';
  return support::ExitInput;
}

int draw(const std::string &Input, const std::string &Output) {
  support::tell("reads " + Input);
  const auto Text = llvm::MemoryBuffer::getFileOrSTDIN(Input);
  if (!Text)
    return fail(Input, Text.getError().message());
  llvm::Expected<Report> Read = readReport((*Text)->getBuffer());
  if (!Read)
    return fail(Input, llvm::toString(Read.takeError()));
  const std::string Picture = drawing(*Read);
  if (Output.empty()) {
    const std::error_code Error = support::print(Picture);
    return Error ? fail("standard output", Error.message()) : 0;
  }
  const std::error_code Error = support::writeWhole(Output, Picture);
  return Error ? fail(Output, Error.message()) : 0;
}

} // namespace

int main(int Argc, char **Argv) {
  support::forgetOptions();
  cl::opt<std::string> Input(cl::Positional, cl::Required, cl::desc("REPORT.json"));
  cl::opt<std::string> Output("o", cl::Prefix, cl::value_desc("file"),
                              cl::desc("write the picture there (default: standard output)"));
  const std::optional<int> Exit = support::parseOptions(
      Argc, Argv,
      {"Draws on which nodes the pages of a program's arrays were, as SVG, by the report that\n"
       "MAI_REPORT=REPORT.json had MAi write; - is standard input.\n",
       Brief, "mai-picture (Minas) " MINAS_VERSION});
  return Exit ? *Exit : draw(Input, Output);
}
