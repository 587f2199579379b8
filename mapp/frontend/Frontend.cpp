//===-- Frontend.cpp - runs Clang on a file ---------------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Frontend.h"

#include "Collect.h"
#include "Compatibility.h"
#include "Pragmas.h"
#include "Unit.h"

#include "clang/AST/ASTConsumer.h"
#include "clang/AST/Decl.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendAction.h"
#include "clang/Frontend/TextDiagnosticPrinter.h"
#include "clang/Lex/Pragma.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Tooling/Tooling.h"
#include "llvm/Option/ArgList.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace clang;
using namespace mapp;

/// What is wanted from a parse, and whether it came to it.
struct Frontend::Request {
  const std::string *Text; ///< in the place of the file's; null: the file's own
  const Part *Only;        ///< null: all
  /// Takes from the parsed translation unit what is wanted.
  llvm::function_ref<void(CompilerInstance &)> Take;
  Facts *Pragmas; ///< receives them; may be null
  bool Done = false;
};

namespace {

//===-- Arguments -------------------------------------------------------------===//

using tooling::CommandLineArguments;

/// Options that Clang's driver does not know or support are gcc's; none of them changes what the
/// source means.
CommandLineArguments withoutUnknownOptions(const CommandLineArguments &Given) {
  std::vector<const char *> Raw;
  for (const std::string &Argument : llvm::ArrayRef(Given).drop_front())
    Raw.push_back(Argument.c_str());
  unsigned MissingIndex = 0, MissingCount = 0;
  const llvm::opt::InputArgList Parsed = driverOptions().ParseArgs(Raw, MissingIndex, MissingCount);
  std::vector<bool> Unknown(Given.size(), false);
  for (const llvm::opt::Arg *A : Parsed)
    if (A->getOption().matches(options::OPT_UNKNOWN) ||
        A->getOption().hasFlag(options::Unsupported))
      Unknown[A->getIndex() + 1] = true;
  CommandLineArguments Known;
  for (size_t I = 0; I < Given.size(); ++I)
    if (!Unknown[I])
      Known.push_back(Given[I]);
  return Known;
}

/// Where mai_static.h is, to read again what was written before: beside an installed mapp-rewrite,
/// else in the sources that it was built from.
std::string headerDirectory() {
  static int Anchor;
  const std::string Self = llvm::sys::fs::getMainExecutable("mapp-rewrite", &Anchor);
  llvm::SmallString<128> Installed(llvm::sys::path::parent_path(Self));
  llvm::sys::path::append(Installed, "..", MINAS_INCLUDE_FROM_BIN);
  llvm::SmallString<128> Header(Installed);
  llvm::sys::path::append(Header, "mai_static.h");
  return llvm::sys::fs::exists(Header) ? Installed.str().str() : MINAS_SOURCE_INCLUDE;
}

/// What every file is parsed with. Warnings are the compiler's business, and what only old C
/// allowed (implicit declarations, conflicting pointers) is a warning here.
CommandLineArguments ownArguments(const std::vector<std::string> &Extra) {
  CommandLineArguments Own = {"-fopenmp=libomp", "-w", "-fno-profile-use", "-idirafter",
                              headerDirectory()};
  for (const char *Old : {"implicit-function-declaration", "implicit-int", "int-conversion",
                          "incompatible-pointer-types", "incompatible-function-pointer-types",
                          "return-type", "return-mismatch"})
    Own.push_back(std::string("-Wno-error=") + Old);
  Own.insert(Own.end(), Extra.begin(), Extra.end());
  return Own;
}

CommandLineArguments adjusted(const CommandLineArguments &Given,
                              const std::vector<std::string> &Extra) {
  CommandLineArguments Result = withoutUnknownOptions(Given);
  // CommandLineArguments of the user's come later and win.
  Result.insert(Result.begin() + 1, {"-std=gnu17", "-resource-dir=" MINAS_CLANG_RESOURCE_DIR});
  const CommandLineArguments Own = ownArguments(Extra);
  const auto Separator = llvm::find(Result, "--"); // Only file names follow.
  Result.insert(Separator, Own.begin(), Own.end());
  return Result;
}

//===-- Parsing ---------------------------------------------------------------===//

class Consumer : public ASTConsumer {
public:
  Consumer(CompilerInstance &Instance, Frontend::Request &Wanted) : Compiler(Instance), R(Wanted) {}

  void HandleTranslationUnit(ASTContext &) override { finish(); }

  /// Stops behind the part that differs: between declarations, in a state as it was before.
  bool HandleTopLevelDecl(DeclGroupRef Group) override {
    const SourceManager &Sources = Compiler.getSourceManager();
    const SourceLocation Begin = Sources.getExpansionLoc((*Group.begin())->getBeginLoc());
    if (!R.Only || !Sources.isWrittenInMainFile(Begin) ||
        Sources.getFileOffset(Begin) < R.Only->End)
      return true;
    finish();
    return false;
  }

  bool shouldSkipFunctionBody(Decl *D) override {
    const auto *Function = dyn_cast<FunctionDecl>(D);
    return R.Only && !(Function && R.Only->Bodies.count(Function->getName().str()));
  }

private:
  void finish() {
    if (Compiler.getDiagnostics().hasErrorOccurred())
      return;
    R.Take(Compiler);
    R.Done = true;
  }

  CompilerInstance &Compiler;
  Frontend::Request &R;
};

/// Writes `#pragma mapp` down.
class PragmaReader : public PragmaHandler {
public:
  explicit PragmaReader(Facts &To) : PragmaHandler("mapp"), Out(To) {}

  void HandlePragma(Preprocessor &PP, PragmaIntroducer, Token &First) override {
    std::string Text;
    Token Next;
    for (PP.LexUnexpandedToken(Next); Next.isNot(tok::eod); PP.LexUnexpandedToken(Next)) {
      if (Next.hasLeadingSpace() && !Text.empty())
        Text += ' ';
      Text += PP.getSpelling(Next);
    }
    const SourceManager &Sources = PP.getSourceManager();
    const SourceLocation Where = Sources.getExpansionLoc(First.getLocation());
    Pragma &New = Out.Pragmas.emplace_back();
    New.Where.Line = Sources.getExpansionLineNumber(Where);
    New.Where.File = Sources.isWrittenInMainFile(Where)
                         ? Out.File
                         : namedAsMain(Out, Sources.getFilename(Where));
    parsePragma(Text, New);
  }

private:
  Facts &Out;
};

class Action : public ASTFrontendAction {
public:
  explicit Action(Frontend::Request &Wanted) : R(Wanted) {}

  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &Compiler,
                                                 llvm::StringRef) override {
    if (R.Pragmas) // The preprocessor will own its reader.
      Compiler.getPreprocessor().AddPragmaHandler(new PragmaReader(*R.Pragmas));
    Compiler.getFrontendOpts().SkipFunctionBodies = R.Only != nullptr;
    return std::make_unique<Consumer>(Compiler, R);
  }

private:
  Frontend::Request &R;
};

class ActionFactory : public tooling::FrontendActionFactory {
public:
  explicit ActionFactory(Frontend::Request &Wanted) : R(Wanted) {}
  std::unique_ptr<FrontendAction> create() override { return std::make_unique<Action>(R); }

private:
  Frontend::Request &R;
};

/// Keeps the first error instead of printing any: its place is in a text that nobody has seen.
class FirstError : public DiagnosticConsumer {
public:
  void HandleDiagnostic(DiagnosticsEngine::Level Level, const Diagnostic &Info) override {
    DiagnosticConsumer::HandleDiagnostic(Level, Info);
    if (Level < DiagnosticsEngine::Error || !Message.empty())
      return;
    llvm::SmallString<128> Formatted;
    Info.FormatDiagnostic(Formatted);
    Message = Formatted.str().str();
  }

  const std::string &text() const { return Message; }

private:
  std::string Message;
};

/// Why there is no file to read at `Path`, if so.
std::error_code access(const std::string &Path) {
  if (llvm::sys::fs::is_directory(Path))
    return std::make_error_code(std::errc::is_a_directory);
  return llvm::sys::fs::access(Path, llvm::sys::fs::AccessMode::Exist);
}

/// One file, one command: a database may hold several for a file, which is parsed with the first.
class OneCommand : public tooling::CompilationDatabase {
public:
  explicit OneCommand(tooling::CompileCommand Only) : Command(std::move(Only)) {}
  std::vector<tooling::CompileCommand> getCompileCommands(llvm::StringRef) const override {
    return {Command};
  }

private:
  tooling::CompileCommand Command;
};

} // namespace

bool Frontend::open() {
  std::string Error;
  if (Opts.BuildDirectory.empty())
    return true;
  Database = tooling::CompilationDatabase::loadFromDirectory(Opts.BuildDirectory, Error);
  return Database ||
         fail(Opts.BuildDirectory, llvm::StringRef(Error).trim().str(), Topic::NoDatabase);
}

std::vector<std::string> Frontend::files() const {
  std::vector<std::string> Candidates = Opts.Files;
  if (Candidates.empty())
    for (const std::string &File : Database->getAllFiles())
      if (llvm::StringRef(File).ends_with(".c"))
        Candidates.push_back(File);
  if (Opts.Files.empty())
    llvm::sort(Candidates); // the database's order is that of a hash table
  std::set<std::string> Seen;
  std::vector<std::string> Files;
  for (std::string &File : Candidates) {
    llvm::SmallString<128> Real;
    if (llvm::sys::fs::real_path(File, Real))
      Real = File; // Missing: analysing it will say so.
    if (Seen.insert(Real.str().str()).second)
      Files.push_back(std::move(File));
  }
  return Files;
}

tooling::CompileCommand Frontend::commandFor(const std::string &Path) const {
  if (Database)
    if (const auto Commands = Database->getCompileCommands(Path); !Commands.empty())
      return Commands[0];
  // A database read from a file has its response files expanded already.
  const auto Fixed = tooling::expandResponseFiles(
      std::make_unique<tooling::FixedCompilationDatabase>(".", Opts.CompilerArguments),
      llvm::vfs::getRealFileSystem());
  return Fixed->getCompileCommands(Path)[0];
}

bool Frontend::parse(const Facts &File, Request &Wanted, DiagnosticConsumer *Diagnostics,
                     llvm::raw_ostream &Stream) const {
  const OneCommand Command(commandFor(File.Path));
  // A file system of its own: the tool changes the working directory.
  tooling::ClangTool Tool(Command, {File.Path}, std::make_shared<PCHContainerOperations>(),
                          llvm::vfs::createPhysicalFileSystem());
  Tool.setPrintErrorMessage(false);
  Tool.setDiagnosticConsumer(Diagnostics);
  Tool.appendArgumentsAdjuster([&](const CommandLineArguments &Given, llvm::StringRef) {
    CommandLineArguments Result = adjusted(Given, Opts.ExtraArguments);
    if (Wanted.Text) // This also keeps Clang from saying how many messages there were.
      Result.insert(Result.begin() + 1, "-fno-caret-diagnostics");
    return Result;
  });
  if (Wanted.Text)
    Tool.mapVirtualFile(File.Path, *Wanted.Text);
  ActionFactory Factory(Wanted);
  // Clang has bugs of its own; sources that do not compile find them.
  llvm::CrashRecoveryContext::Enable();
  bool Parsed = false;
  if (!llvm::CrashRecoveryContext().RunSafely([&] { Parsed = Tool.run(&Factory) == 0; }))
    Stream << "mapp-rewrite: " << File.File << ": "
           << labelled("Clang crashed while parsing it", Topic::Crashed);
  return Parsed && Wanted.Done;
}

bool Frontend::analyse(const std::string &File, Facts &Out, std::string *Messages) const {
  std::string Unused;
  llvm::raw_string_ostream Buffer(Messages ? *Messages : Unused);
  llvm::raw_ostream &Stream = Messages ? static_cast<llvm::raw_ostream &>(Buffer) : llvm::errs();
  Out.File = File;
  Out.Path = tooling::getAbsolutePath(File);
  if (const std::error_code Error = access(Out.Path)) {
    Stream << "mapp-rewrite: " << File << ": " << labelled(Error.message(), Topic::Unreadable);
    return false;
  }
  const auto Take = [&](CompilerInstance &Compiler) {
    collect(Compiler, Opts.RewriteMode == Mode::Heap, Out);
  };
  Request Wanted{nullptr, nullptr, Take, &Out};
  const std::unique_ptr<DiagnosticConsumer> Printer = Messages ? printerTo(Buffer) : nullptr;
  return parse(Out, Wanted, Printer.get(), Stream);
}

std::string Frontend::reparse(const Facts &Original, const std::string &Text, const Part *Only,
                              std::vector<PlacedArray> &Placed) const {
  const auto Take = [&](CompilerInstance &Compiler) { Placed = placedArrays(Compiler); };
  Request Wanted{&Text, Only, Take, nullptr};
  FirstError Error;
  if (parse(Original, Wanted, &Error, llvm::errs()))
    return "";
  return Error.text().empty() ? "no reason given" : Error.text();
}
