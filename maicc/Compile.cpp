//===-- Compile.cpp - compiling OpenMP C, and saying how --------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Place.h"

#include "Command.h"
#include "Installation.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

using namespace maicc;
namespace fs = std::filesystem;

bool maicc::isVerbose() {
  const char *Wanted = std::getenv("MAICC_VERBOSE");
  return Wanted && *Wanted && std::string_view(Wanted) != "0";
}

void maicc::note(const std::string &About, const std::string &What) {
  if (caughtSignal() != 0) // It is no news that something has not been done.
    return;
  std::fprintf(stderr, "maicc: note: %s: %s\n", About.c_str(), What.c_str());
}

void maicc::noteNothing(const Request &R, const std::string &About, const std::string &Why) {
  if (isOpenMP(R) && isVerbose())
    note(About, "nothing is placed: " + Why);
}

std::string maicc::outputOf(const Request &R) { return R.Output.empty() ? "a.out" : R.Output; }

bool maicc::isOpenMP(const Request &R) {
  bool Wanted = false;
  for (const Arguments *List : {&R.Compiler, &R.Others})
    for (const std::string &Argument : *List)
      if (Argument == "-fopenmp" || Argument.starts_with("-fopenmp="))
        Wanted = true;
      else if (Argument == "-fno-openmp")
        Wanted = false;
  return Wanted;
}

namespace {

/// An option that ties an object to files beside it, whose names and contents are those of one
/// compilation; empty: none.
std::string tyingOption(const Arguments &Options) {
  for (const std::string &Option : Options)
    if (isOneOf(Option, {"--coverage", "-coverage", "-ftest-coverage", "-fprofile-arcs"}) ||
        startsWithOneOf(Option, {"-fprofile-", "-fauto-profile", "-fcs-profile-", "-gsplit-dwarf"}))
      return Option;
  return "";
}

bool isPreprocessed(const std::string &Source, const std::string &Language) {
  return Language.empty() ? isOneOf(fs::path(Source).extension().string(), {".i", ".ii"})
                          : Language.ends_with("cpp-output");
}

} // namespace

std::string maicc::whyNotRewritten(const Request &R, size_t I) {
  const std::string &Source = R.Sources[I];
  const std::string &Language = R.Languages[I];
  if (Source == "-")
    return "it comes from standard input, which can be read once";
  if (isPreprocessed(Source, Language))
    return "it is preprocessed already";
  if (isHeader(R, I))
    return "it is a header";
  if (Language.empty() ? fs::path(Source).extension() != ".c" : Language != "c")
    return "it is no C source; mai-run can place its arrays";
  const std::string Tying = tyingOption(R.Others);
  return Tying.empty() ? "" : Tying + " ties its object to files beside it";
}

bool maicc::canBeRewritten(const Request &R, size_t I) {
  return isOpenMP(R) && whyNotRewritten(R, I).empty();
}

Arguments maicc::affinityOption(const Arguments &Compiler, const Arguments &Sources) {
  const bool Has = std::any_of(Sources.begin(), Sources.end(), [](const std::string &Source) {
    const std::optional<std::string> Text = Source == "-" ? std::nullopt : contents(Source);
    return Text && Text->find("affinity") != std::string::npos;
  });
  const std::optional<Placement> P = Has ? findPlacement() : std::nullopt;
  return P ? pluginOption(Compiler, P->AffinityPlugin) : Arguments();
}

Record maicc::recordOf(const Request &R, size_t I) {
  std::error_code Ignored;
  Record New;
  New.Directory = fs::current_path(Ignored).string();
  New.Source = R.Sources[I];
  New.Compiler = R.Compiler;
  New.Options = withoutSideOutputs(compileOptions(R));
  if (!R.Languages[I].empty())
    append(New.Options, {"-x", R.Languages[I]});
  New.Files = {New.Source};
  return New;
}

Arguments maicc::withoutSideOutputs(const Arguments &Options) {
  Arguments Kept;
  for (size_t I = 0; I < Options.size(); ++I) {
    const bool Pair = takesNext(Options[I]) && I + 1 < Options.size();
    const bool Side =
        isOneOf(Options[I], {"-MD", "-MMD", "-MP", "-MG", "-fstack-usage", "-ftime-trace",
                             "-frecord-command-line"}) ||
        startsWithOneOf(Options[I],
                        {"-MF", "-MT", "-MQ", "-MJ", "-Wp,-MD,", "-Wp,-MMD,", "-save-temps",
                         "--save-temps", "-fdump-", "-fopt-info", "-fsave-optimization-record",
                         "-fcallgraph-info", "-Wa,-a", "-ftime-trace="});
    if (!Side) {
      Kept.push_back(Options[I]);
      if (Pair)
        Kept.push_back(Options[I + 1]);
    }
    I += Pair;
  }
  return Kept;
}

namespace {

/// Compiles as the user wants it; then writes into the object how.
class Compilation {
public:
  explicit Compilation(const Request &Wanted) : R(Wanted) {}

  int run() const {
    const Arguments Others = otherInputs(R);
    Arguments Whole = R.Compiler;
    append(Whole, R.Given);
    append(Whole, affinityOption(R.Compiler, R.Sources));
    if (R.Sources.size() == 1 && std::none_of(Others.begin(), Others.end(), isAssembler))
      return compile(0, Whole);
    if (!R.Output.empty()) // The compiler says that this goes with one source.
      return execute(Whole);
    int First = 0;
    for (size_t I = 0; I < R.Sources.size(); ++I) {
      Arguments Command = R.Compiler;
      append(Command, compileOptions(R));
      append(Command, affinityOption(R.Compiler, {R.Sources[I]}));
      append(Command, {"-c"});
      append(Command, source(R, I));
      const int Status = compile(I, Command);
      First = First != 0 ? First : Status;
    }
    const int Status = Others.empty() ? 0 : execute(compilationOf(R, Others));
    return First != 0 ? First : Status;
  }

private:
  int execute(const Arguments &Command) const {
    if (!R.Show)
      return maicc::run(Command);
    print(Command);
    return 0;
  }

  int compile(size_t I, Arguments Command) const {
    const std::string Object = objectFor(R, I);
    const bool Recorded = canBeRewritten(R, I) && isOrdinary(Object);
    std::string Listing = usersListing(Object);
    const bool Ours = Recorded && Listing.empty();
    if (Ours) {
      Listing = Object + ".maicc.d";
      append(Command, {"-MMD", "-MF", Listing});
    }
    if (R.Show) {
      print(Command);
      return 0;
    }
    const int Status = maicc::run(Command);
    if (Status == 0 && Recorded)
      record(I, Object, Listing);
    else if (Status == 0 && !canBeRewritten(R, I))
      noteNothing(R, R.Sources[I], whyNotRewritten(R, I));
    std::error_code Ignored;
    if (Ours)
      fs::remove(Listing, Ignored);
    return Status;
  }

  void record(size_t I, const std::string &Object, const std::string &Listing) const {
    Record New = recordOf(R, I);
    New.Files = dependencies(Listing);
    New.Hash = New.Files.empty() ? "" : hashOf(New.Directory, New.Files);
    if ((New.Hash.empty() || !addRecord(Object, New)) && isVerbose())
      note(R.Sources[I], New.Hash.empty()
                             ? "nothing says which files it includes; it is left as it is"
                             : "its object is no 64-bit ELF; it is left as it is");
  }

  /// Not /dev/null and the like.
  static bool isOrdinary(const std::string &Object) {
    std::error_code Ignored;
    const fs::file_status Status = fs::status(Object, Ignored);
    return !fs::exists(Status) || fs::is_regular_file(Status);
  }

  /// The dependency file that the user's own options ask for; empty without such.
  std::string usersListing(const std::string &Object) const {
    std::string Named;
    bool Wanted = false;
    for (size_t I = 0; I < R.Others.size(); ++I) {
      const std::string &Option = R.Others[I];
      Wanted |= isOneOf(Option, {"-MD", "-MMD"});
      if (Option == "-MF" && I + 1 < R.Others.size())
        Named = R.Others[++I];
      else if (Option.starts_with("-MF"))
        Named = Option.substr(3);
      else if (Option.starts_with("-Wp,-MD,") || Option.starts_with("-Wp,-MMD,"))
        return Option.substr(Option.rfind(',') + 1);
    }
    if (!Wanted)
      return "";
    return Named.empty() ? fs::path(Object).replace_extension(".d").string() : Named;
  }

  const Request &R;
};

bool hasInput(const Request &R) { return !R.Sources.empty() || !otherInputs(R).empty(); }

std::string firstOf(const Arguments &Given, std::initializer_list<std::string_view> Options) {
  for (const std::string &Argument : Given)
    if (isOneOf(Argument, Options))
      return Argument;
  return "";
}

/// An option with which libmai is not linked; empty: none.
std::string optionWithoutMAi(const Request &R) {
  return firstOf(R.Others, {"-static", "--static", "-static-pie", "-r", "-nostdlib",
                            "-nodefaultlibs", "-nolibc", "-nostartfiles", "-v"});
}

/// The compiler does it alone.
void sayWhyNothing(const Request &R) {
  if (!hasInput(R))
    return;
  const std::string About = R.Sources.empty() ? outputOf(R) : R.Sources[0];
  if (R.NoCode)
    noteNothing(R, About,
                firstOf(R.Others, {"-E", "-S", "-M", "-MM", "-fsyntax-only", "-###", "-dM"}) +
                    " makes neither object nor program");
  else if (R.CompileOnly || hasHeader(R))
    for (size_t I = 0; I < R.Sources.size(); ++I)
      noteNothing(R, R.Sources[I], whyNotRewritten(R, I));
  else
    noteNothing(R, outputOf(R), "with " + optionWithoutMAi(R) + " there is no libmai in it");
}

} // namespace

int maicc::place(const Request &R) {
  bool Any = false;
  for (size_t I = 0; I < R.Sources.size(); ++I)
    Any |= canBeRewritten(R, I);
  if (R.CompileOnly && !R.NoCode && Any)
    return Compilation(R).run();
  if (!R.CompileOnly && !R.NoCode && !hasHeader(R) && hasInput(R) && optionWithoutMAi(R).empty())
    return link(R);
  sayWhyNothing(R);
  Arguments Command = R.Compiler;
  append(Command, R.Given);
  if (R.CompileOnly && !R.NoCode && isOpenMP(R))
    append(Command, affinityOption(R.Compiler, R.Sources));
  if (!R.Show)
    return become(Command);
  print(Command);
  return 0;
}
