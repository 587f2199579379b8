//===-- Link.cpp - linking a program with its arrays placed -----*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Place.h"

#include "Command.h"
#include "Installation.h"
#include "Workspace.h"
#include "support/Files.h"
#include "support/Json.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <thread>
#include <unistd.h>

using namespace maicc;
namespace fs = std::filesystem;

namespace {

/// One source of the program.
struct Unit {
  /// What its new object takes the place of.
  enum class Instead {
    Source, ///< the source Index of this call
    Object, ///< the argument Index of this call
    Member, ///< an archive's member, which is not taken once its symbols are there
    Nothing ///< it is bound up with others
  };

  Record Made;
  Instead Of;
  size_t Index = 0;
  std::string Object; ///< the new one; empty: none

  std::string path() const {
    return (fs::path(Made.Directory) / Made.Source).lexically_normal().string();
  }
};

std::string currentDirectory() {
  std::error_code Ignored;
  return fs::current_path(Ignored).string();
}

//===-- Which sources the program has -------------------------------------------===//

std::vector<Unit> unitsOfObjects(const Request &R) {
  std::vector<Unit> Units;
  for (size_t I = 0; I < R.Others.size(); ++I) {
    const bool IsOption = R.Others[I].starts_with("-");
    if (!IsOption) {
      const std::vector<Record> Records = recordsInObject(R.Others[I]);
      const auto Of = Records.size() == 1 ? Unit::Instead::Object : Unit::Instead::Nothing;
      for (const Record &Made : Records)
        Units.push_back({Made, Of, I, ""});
    }
    I += IsOption && takesNext(R.Others[I]);
  }
  return Units;
}

std::vector<Unit> unitsOfSources(const Request &R) {
  std::vector<Unit> Units;
  for (size_t I = 0; I < R.Sources.size(); ++I)
    if (canBeRewritten(R, I))
      Units.push_back({recordOf(R, I), Unit::Instead::Source, I, ""});
  return Units;
}

/// Adds what only the linked program tells: the members of archives that it is made of.
void addMembers(const std::string &Program, std::vector<Unit> &Units) {
  std::set<std::string> Known;
  for (const Unit &U : Units)
    Known.insert(U.Made.bytes());
  for (const Record &Made : recordsIn(Program))
    if (Known.insert(Made.bytes()).second)
      Units.push_back({Made, Unit::Instead::Member, 0, ""});
}

/// Leaves out sources that are not what they were when they were compiled.
void checkThatUnchanged(std::vector<Unit> &Units) {
  std::erase_if(Units, [](const Unit &U) {
    const bool Same =
        U.Of == Unit::Instead::Source || hashOf(U.Made.Directory, U.Made.Files) == U.Made.Hash;
    if (!Same)
      note(U.Made.Source, "it, or a file that it includes, has changed since it was compiled; "
                          "its object is linked as it is");
    return !Same;
  });
}

//===-- Analysis ----------------------------------------------------------------===//

/// A database of the commands by which the sources were compiled.
std::string database(const std::vector<const Unit *> &Units) {
  llvm::json::Array Commands;
  for (const Unit *U : Units) {
    llvm::json::Array Words{"cc"};
    for (const std::string &Word : U->Made.Compiler)
      if (Word.starts_with("-"))
        Words.push_back(support::jsonText(Word));
    for (const std::string &Option : U->Made.Options)
      Words.push_back(support::jsonText(Option));
    Words.push_back("-c");
    Words.push_back(support::jsonText(U->path()));
    Commands.push_back(llvm::json::Object{{"directory", support::jsonText(U->Made.Directory)},
                                          {"file", support::jsonText(U->path())},
                                          {"arguments", std::move(Words)}});
  }
  return support::jsonLines(std::move(Commands));
}

/// Where a compiler looks for headers without being told to; mpicc and cross compilers look in
/// places of their own.
Arguments headerDirectories(const Arguments &Compiler) {
  Arguments Command = Compiler, Found;
  append(Command, {"-E", "-v", "-x", "c", "/dev/null"});
  std::string Said;
  run(Command, {.Errors = &Said});
  const size_t Begin = Said.find("#include <...> search starts here:");
  const size_t End = Said.find("End of search list.", Begin);
  if (Begin == std::string::npos || End == std::string::npos)
    return {};
  for (size_t At = Said.find('\n', Begin); At < End; At = Said.find('\n', At + 1)) {
    const size_t Stop = Said.find('\n', At + 1);
    if (Stop > End || Said[At + 1] != ' ')
      continue;
    const std::string Directory = Said.substr(At + 2, Stop - At - 2);
    // A compiler's own headers are for that compiler.
    if (Directory.find("/gcc/") == std::string::npos &&
        Directory.find("/clang/") == std::string::npos)
      append(Found, {"-idirafter", Directory});
  }
  return Found;
}

/// The first error of Clang's messages about a source, which is named as the user names it.
std::string firstError(const std::string &Messages, const Unit &Of) {
  const size_t At = Messages.find("error: ");
  const size_t Begin = At == std::string::npos ? 0 : Messages.rfind('\n', At) + 1;
  const std::string Line = Messages.substr(Begin, Messages.find('\n', Begin) - Begin);
  return Line.starts_with(Of.path()) ? Of.Made.Source + Line.substr(Of.path().size()) : Line;
}

//===-- Whether it is a program with OpenMP ---------------------------------------===//

/// Whether an argument is the library of a run-time, by its name or its file.
bool isRuntime(const std::string &Argument) {
  if (Argument.starts_with("-"))
    return isOneOf(Argument, {"-lgomp", "-lomp", "-liomp5"});
  return startsWithOneOf(fs::path(Argument).filename().string(),
                         {"libgomp.so", "libomp.so", "libiomp5.so"});
}

/// CMake has objects compiled with -fopenmp, and links them with the run-time without that.
bool namesRuntime(const Request &R) {
  return std::any_of(R.Others.begin(), R.Others.end(), isRuntime);
}

//===-- The whole ---------------------------------------------------------------===//

class Linking {
public:
  Linking(const Request &Wanted, const Placement &Where) : R(Wanted), P(Where) {
    Units = unitsOfObjects(R);
    for (Unit &U : unitsOfSources(R))
      Units.push_back(std::move(U));
  }

  int run() {
    const bool ForOpenMP = !Units.empty() || isOpenMP(R) || namesRuntime(R);
    const int Status = linked(ForOpenMP);
    if (Status == 0 && ForOpenMP && R.PlacesBlocks && !isSanitized())
      addNames();
    return caughtSignal() == 0 ? Status : 128 + caughtSignal();
  }

private:
  std::string output() const { return outputOf(R); }

  /// The file that the linker writes: a link stays one.
  std::string target() const {
    std::error_code Error;
    const fs::path File = fs::canonical(output(), Error);
    return Error ? output() : File.string();
  }

  /// Links as it is, and again with arrays placed where any are. @return the exit status
  int linked(bool ForOpenMP) {
    Arguments Plain = R.Compiler;
    if (ForOpenMP)
      append(Plain, libraries());
    append(Plain, R.Given);
    if (ForOpenMP)
      append(Plain, affinityOption(R.Compiler, R.Sources));
    if (const int Status = command(Plain))
      return ForOpenMP && linksAlone() ? 0 : Status;
    std::error_code Ignored;
    if (!R.Show && !fs::is_regular_file(output(), Ignored)) { // /dev/null
      noteNothing(R, output(), "it is no file");
      return 0;
    }
    if (!R.Show)
      addMembers(output(), Units);
    if (Units.empty() || P.Rewriter.empty()) {
      sayWhyNothing();
      return 0;
    }
    if (!R.Show)
      checkThatUnchanged(Units);
    const Workspace Work;
    if (!Work.usable()) {
      note(output(),
           std::string("nothing is placed: no temporary directory: ") + std::strerror(errno));
      return 0;
    }
    if (rewrite(Work) && caughtSignal() == 0)
      relink(Work);
    return 0;
  }

  /// Links without libmai where nothing else is wrong: a program of 32 bits, or for another
  /// machine.
  bool linksAlone() const {
    Arguments Command = R.Compiler;
    append(Command, R.Given);
    if (caughtSignal() != 0 || maicc::run(Command, {.Silent = true}) != 0)
      return false;
    note(output(), "it does not link with libmai; it is linked without, and nothing is placed");
    return true;
  }

  /// Has what is linked carry the names that its parallel regions have for blocks: libmai looks for
  /// them there.
  void addNames() const {
    std::error_code Ignored;
    if (caughtSignal() != 0 || (!R.Show && !fs::is_regular_file(output(), Ignored)))
      return;
    if (P.Namer.empty()) {
      if (isVerbose())
        note(output(), "its names are not read: mai-names is not where maicc is installed");
    } else if (command({P.Namer, "--add", output()}, {.Silent = !isVerbose()}) != 0)
      note(output(), "its names are not read (MAICC_VERBOSE=1 shows why)");
  }

  void sayWhyNothing() const {
    if (P.Rewriter.empty())
      noteNothing(R, output(), "mapp-rewrite is not where maicc is installed");
    else if (R.Sources.empty())
      noteNothing(R, output(), "maicc has compiled none of its objects from OpenMP C");
    for (size_t I = 0; I < R.Sources.size() && !P.Rewriter.empty(); ++I)
      noteNothing(R, R.Sources[I], whyNotRewritten(R, I));
  }

  int command(const Arguments &Command, const Surroundings &Around = {}) const {
    if (!R.Show)
      return maicc::run(Command, Around);
    print(Command, Around.Directory);
    return 0;
  }

  /// First of all: MAi stands in front of the OpenMP run-times' functions.
  Arguments libraries() const {
    Arguments List = {"-L" + P.Library.string()};
    if (!startsWithOneOf(P.Library.string(), {"/usr/lib", "/lib"}))
      List.push_back("-Wl,-rpath," + P.Library.string());
    if (!P.Numarch.empty())
      List.push_back("-Wl,-rpath-link," + P.Numarch.string());
    List.push_back("-Wl,--push-state,--no-as-needed");
    if (placesBlocks())
      List.push_back("-lmai-run");
    append(List, {"-lmai", "-Wl,--pop-state"});
    return List;
  }

  bool isSanitized() const { return hasOption(R.Others, "-fsanitize="); }

  /// Whether the program gets the library that mai-run loads into others. Sanitizers have
  /// allocators of their own, which have to come first, and a library knows no program that begins.
  bool placesBlocks() const {
    std::error_code Ignored;
    return R.PlacesBlocks && !R.Shared && !isSanitized() &&
           fs::exists(P.Library / "libmai-run.so", Ignored);
  }

  /// Analyses the program and compiles what changes.
  /// @return whether there is anything new to link
  bool rewrite(const Workspace &Work) {
    std::map<std::string, const Unit *> ByPath; // the first of those that come from one file
    std::vector<const Unit *> Analysed;
    for (const Unit &U : Units)
      if (ByPath.emplace(U.path(), &U).second)
        Analysed.push_back(&U);
    std::error_code Ignored;
    fs::create_directory(Work.file("new"), Ignored);
    if (support::writeWhole(Work.file("compile_commands.json"), database(Analysed))) {
      note(output(), "nothing is placed: the temporary directory cannot be written");
      return false;
    }
    const Arguments Analysis = analysis(Work, Analysed);
    std::string Said;
    const Surroundings Around = {.Silent = !isVerbose(),
                                 .Errors = R.HasProfile && !isVerbose() ? &Said : nullptr};
    if (command(Analysis, Around) != 0) {
      note(output(), "nothing is placed: " + whyFailed(Analysis));
      return false;
    }
    if (!Said.empty())
      note(output(), Said.substr(0, Said.find('\n')));
    std::map<std::string, std::string> Texts;
    for (size_t I = 0; I < Analysed.size(); ++I) {
      const std::string Base = Work.file("new/" + std::to_string(I));
      if (const std::optional<std::string> Text = contents(Base + ".c"))
        Texts[Analysed[I]->path()] = *Text;
      if (const std::optional<std::string> Messages = contents(Base + ".left-out"))
        note(Analysed[I]->Made.Source, "mapp-rewrite cannot read it, it is linked as it is: " +
                                           firstError(*Messages, *Analysed[I]));
      if (R.Show)
        Texts[Analysed[I]->path()] = "";
    }
    return compile(Texts);
  }

  Arguments analysis(const Workspace &Work, const std::vector<const Unit *> &Analysed) const {
    Arguments Command = {P.Rewriter, "-p", Work.file("."), "--for-compiler", Work.file("new")};
    if (!isVerbose())
      Command.push_back("-q");
    std::set<Arguments> Compilers;
    for (const Unit *U : Analysed)
      if (Compilers.insert(U->Made.Compiler).second && !R.Show)
        for (const std::string &Argument : headerDirectories(U->Made.Compiler))
          append(Command, {"--extra-arg", Argument});
    if (R.HasProfile)
      append(Command, {"--profile", R.Profile});
    append(Command, R.Mapp);
    const std::string Here = currentDirectory();
    for (const Unit *U : Analysed)
      Command.push_back(U->Made.Directory == Here ? U->Made.Source : U->path());
    return Command;
  }

  /// What a command that has failed says first, by having it fail again.
  static std::string whyFailed(const Arguments &Command) {
    std::string Said;
    if (!isVerbose())
      maicc::run(Command, {.Errors = &Said});
    return Said.empty() ? "mapp-rewrite has failed (MAICC_VERBOSE=1 shows why)"
                        : Said.substr(0, Said.find('\n'));
  }

  /// Units of the same bytes that get the same text: one new object does for all of them.
  struct Alike {
    std::string Text;
    std::vector<Unit *> Units;
  };

  /// How the new object of units that are alike is made.
  struct Compilation {
    Arguments Command;
    Surroundings Around;
    std::vector<Unit *> Units;
  };

  /// Compiles the new texts to new objects.
  /// @return whether there is anything new to link
  bool compile(const std::map<std::string, std::string> &Texts) {
    std::vector<Compilation> Compilations;
    for (const auto &[Hash, Same] : alike(Texts))
      if (std::optional<Compilation> Next = prepared(Hash, Same))
        Compilations.push_back(std::move(*Next));
    return R.Show ? show(Compilations) : compileAll(Compilations);
  }

  /// By hashes, which are in one order for all processes: each locks.
  std::map<std::string, Alike> alike(const std::map<std::string, std::string> &Texts) {
    std::map<std::string, Alike> ByHash;
    for (Unit &U : Units) {
      const auto Text = Texts.find(U.path());
      if (Text == Texts.end())
        continue;
      if (U.Of == Unit::Instead::Nothing) {
        note(U.Made.Source,
             "in " + R.Others[U.Index] + " it is bound up with others; it is linked as it is");
        continue;
      }
      Alike &Same = ByHash[hashOf(U.Made.bytes() + Text->second)];
      Same.Text = Text->second;
      Same.Units.push_back(&U);
    }
    return ByHash;
  }

  /// Writes the text where it is compiled. Units have the object that comes of that from now on.
  std::optional<Compilation> prepared(const std::string &Hash, const Alike &Same) {
    auto Folder = std::make_unique<NamedWorkspace>(Hash);
    const Record &Made = Same.Units[0]->Made;
    const std::string Name = fs::path(Made.Source).filename().string();
    const std::string File = Folder->file(Name);
    if (!Folder->usable() || support::writeWhole(File, asIfNamed(Same.Text, Made.Source))) {
      note(Made.Source, "no temporary file can be written; it is linked as it is");
      return std::nullopt;
    }
    const std::string Object = Folder->file(fs::path(Name).replace_extension(".o").string());
    for (Unit *One : Same.Units)
      One->Object = Object;
    Folders.push_back(std::move(Folder));
    return Compilation{compilation(Made, File, Object),
                       {.Directory = Made.Directory, .Silent = !isVerbose()},
                       Same.Units};
  }

  bool show(const std::vector<Compilation> &Compilations) const {
    for (const Compilation &Each : Compilations)
      command(Each.Command, Each.Around);
    return !Compilations.empty();
  }

  /// @return whether one of them succeeds
  static bool compileAll(const std::vector<Compilation> &Compilations) {
    std::vector<Arguments> Commands;
    std::vector<Surroundings> Around;
    for (const Compilation &Each : Compilations) {
      Commands.push_back(Each.Command);
      Around.push_back(Each.Around);
    }
    bool Any = false;
    const std::vector<int> Statuses =
        runAll(Commands, Around, std::max(1U, std::thread::hardware_concurrency()));
    for (size_t I = 0; I < Compilations.size(); ++I) {
      Any |= Statuses[I] == 0;
      if (Statuses[I] != 0)
        linkAsItIs(Compilations[I].Units);
    }
    return Any;
  }

  static void linkAsItIs(const std::vector<Unit *> &Same) {
    note(Same[0]->Made.Source, "its rewritten text does not compile; it is linked as it is "
                               "(MAICC_VERBOSE=1 shows why)");
    for (Unit *One : Same)
      One->Object.clear();
  }

  /// The text with a directive in front by which messages, __FILE__ and debug information name the
  /// user's file.
  static std::string asIfNamed(const std::string &Text, const std::string &Source) {
    std::string Name;
    for (const char C : Source)
      Name += C == '"' || C == '\\' ? std::string("\\") + C : std::string(1, C);
    constexpr std::string_view ByteOrderMark = "\xEF\xBB\xBF";
    const std::string Mark(Text.starts_with(ByteOrderMark) ? ByteOrderMark : "");
    return Mark + "#line 1 \"" + Name + "\"\n" + Text.substr(Mark.size());
  }

  /// Compiles a text in the place of a source: messages were given the first time.
  Arguments compilation(const Record &Made, const std::string &File,
                        const std::string &Object) const {
    const fs::path Beside = fs::path(Made.Source).parent_path();
    Arguments Command = Made.Compiler;
    append(Command, {"-iquote", Beside.empty() ? "." : Beside.string()});
    append(Command, Made.Options);
    // Headers beside a source without a directory have names without one, too.
    const bool Dotted = std::any_of(Made.Options.begin(), Made.Options.end(), [](const auto &O) {
      return O == "." || O.starts_with("./") || O.find("-I.") == 0 || O.find("=.") != O.npos;
    });
    if (Beside.empty() && !Dotted)
      Command.push_back("-ffile-prefix-map=./=");
    append(Command, {"-ffile-prefix-map=" + File + "=" + Made.Source, "-idirafter",
                     P.Include.string(), "-w"});
    append(Command, affinityOption(Made.Compiler, {File}));
    append(Command, {"-c", File, "-o", Object});
    return Command;
  }

  void relink(const Workspace &Work) const {
    const std::string New = target() + ".maicc-" + std::to_string(getpid());
    Arguments Command = R.Compiler;
    Arguments Words = libraries();
    // Options for sources say nothing to the linker; with -Werror clang would fail.
    Words.push_back("-Wno-unused-command-line-argument");
    append(Words, relinked());
    append(Words, {"-o", R.Show ? output() : New});
    if (R.Response && !R.Show) { // It was too long for a command line.
      std::string Text;
      for (const std::string &Word : Words)
        Text += responseWord(Word) + "\n";
      Words = {"@" + Work.file("arguments")};
      support::writeWhole(Work.file("arguments"), Text);
    }
    append(Command, Words);
    if (command(Command, {.Silent = !isVerbose()}) == 0 && (R.Show || replaces(New)))
      return;
    std::error_code Ignored;
    fs::remove(New, Ignored);
    note(output(), "it does not link with its arrays placed; it stays as it was compiled "
                   "(MAICC_VERBOSE=1 shows why)");
  }

  bool replaces(const std::string &New) const {
    std::error_code Error;
    fs::rename(New, target(), Error);
    return !Error;
  }

  static std::string responseWord(const std::string &Word) {
    std::string Quoted = "\"";
    for (const char C : Word)
      Quoted += C == '"' || C == '\\' ? std::string("\\") + C : std::string(1, C);
    return Quoted + "\"";
  }

  /// A source, behind which the language of other inputs follows from their names.
  Arguments amongOthers(size_t I) const {
    Arguments Words = source(R, I);
    if (Words.size() > 1)
      append(Words, {"-x", "none"});
    return Words;
  }

  /// The arguments of the call, with new objects in the place of old ones.
  Arguments relinked() const {
    std::map<size_t, std::string> Objects, Sources;
    Arguments Words;
    for (const Unit &U : Units)
      if (!U.Object.empty() && U.Of == Unit::Instead::Member)
        Words.push_back(U.Object);
      else if (!U.Object.empty())
        (U.Of == Unit::Instead::Source ? Sources : Objects)[U.Index] = U.Object;
    Arguments Others;
    size_t Next = 0;
    for (size_t I = 0; I <= R.Others.size(); ++I) {
      for (; Next < R.Sources.size() && R.SourceAt[Next] == I; ++Next)
        append(Others, Sources.count(Next) ? Arguments{Sources[Next]} : amongOthers(Next));
      if (I < R.Others.size())
        Others.push_back(Objects.count(I) ? Objects[I] : R.Others[I]);
    }
    append(Words, withoutSideOutputs(Others));
    return Words;
  }

  const Request &R;
  const Placement &P;
  std::vector<Unit> Units;
  std::vector<std::unique_ptr<NamedWorkspace>> Folders; ///< of the new objects
};

bool isFromStandardInput(const Request &R) {
  return hasExactly(R.Sources, {"-"}) || hasExactly(R.Others, {"-"});
}

} // namespace

int maicc::link(const Request &R) {
  const std::optional<Placement> P = findPlacement();
  if (P && !isFromStandardInput(R)) {
    catchSignals();
    return Linking(R, *P).run();
  }
  Arguments Command = R.Compiler;
  append(Command, R.Given);
  noteNothing(R, outputOf(R),
              P ? "a source comes from standard input, which can be read once"
                : "libmai is not where maicc is installed (MAICC_LIBRARIES names its directory)");
  if (!R.Show)
    return become(Command);
  print(Command);
  return 0;
}
