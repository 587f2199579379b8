//===-- maicc.cpp - the compiler wrapper ------------------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// maicc --trace stands where the compiler stands in a build, and makes programs whose accesses to
// memory are counted (mai-trace(1)). It runs the compiler that MAICC_CC names:
//
//   compiling   with -fsanitize=thread, which calls a function at every access, and with what keeps
//               the compiler from leaving accesses out;
//   linking     without it, against -lmaitrace in place of the sanitizer's run-time.
//
// clang compiles in two steps: to instrumented bitcode, and from there to an object with the
// functions of hooks.c in line.
//
//===----------------------------------------------------------------------===//

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <initializer_list>
#include <optional>
#include <spawn.h>
#include <string>
#include <string_view>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace fs = std::filesystem;

namespace {

using Arguments = std::vector<std::string>;

constexpr int ExitUsage = 2;

constexpr const char *HelpText =
    R"(usage: maicc --trace [--show] [compiler arguments]

Compiles and links like the compiler, but so that the program's accesses to memory are
counted when mai-trace runs it. As maic++ and maifort it does so for C++ and Fortran.

  --trace    what to do; there is nothing else yet
  --show     print the commands instead of running them
  --help     this text
  --version  the version

All other arguments are the compiler's. Environment:
  MAICC_CC         the compiler (default: cc; c++ for maic++; gfortran for maifort)
  MAICC_LIBRARIES  the directory of libmaitrace (default: where maicc is installed)

Exit status: the compiler's; 2 wrong usage.
)";

extern "C" char **environ;

/// What a command line asks for, as far as it matters here.
struct Request {
  bool Trace = false;
  bool Show = false;
  Arguments Compiler; ///< the command, with its own arguments
  Arguments Sources;  ///< each with the -x that holds for it
  Arguments Languages;
  Arguments Others;             ///< everything else, in order, objects and libraries too
  std::vector<size_t> SourceAt; ///< where in Others each source stood
  std::string Output;
  bool CompileOnly = false; ///< -c
  bool NoCode = false;      ///< -E, -S, -M, -fsyntax-only, --version: the compiler's business alone
  bool Shared = false;
};

bool startsWith(std::string_view Text, std::string_view Start) {
  return Text.substr(0, Start.size()) == Start;
}

bool isOneOf(std::string_view Text, std::initializer_list<std::string_view> List) {
  return std::find(List.begin(), List.end(), Text) != List.end();
}

bool isSource(const std::string &Argument) {
  const size_t Dot = Argument.rfind('.');
  return !startsWith(Argument, "-") && Dot != std::string::npos &&
         isOneOf(std::string_view(Argument).substr(Dot),
                 {".c",   ".i",   ".cc",  ".cp",  ".cpp", ".cxx", ".c++", ".C",
                  ".CPP", ".ii",  ".f",   ".for", ".ftn", ".F",   ".FOR", ".f90",
                  ".F90", ".f95", ".F95", ".f03", ".F03", ".f08", ".F08"});
}

/// Whether the next argument belongs to this one.
bool takesNext(std::string_view Argument) {
  return isOneOf(Argument, {"-I",
                            "-L",
                            "-D",
                            "-U",
                            "-l",
                            "-include",
                            "-imacros",
                            "-isystem",
                            "-idirafter",
                            "-iquote",
                            "-iprefix",
                            "-iwithprefix",
                            "-isysroot",
                            "-MF",
                            "-MT",
                            "-MQ",
                            "-T",
                            "-u",
                            "-z",
                            "-Xlinker",
                            "-Xassembler",
                            "-Xpreprocessor",
                            "-Xclang",
                            "-mllvm",
                            "-target",
                            "--param",
                            "-J",
                            "-B",
                            "-e",
                            "-arch",
                            "-gcc-toolchain",
                            "-wrapper"});
}

Request parse(int Argc, char **Argv) {
  Request R;
  std::string Language;
  for (int I = 1; I < Argc; ++I) {
    const std::string Argument = Argv[I];
    const bool HasNext = I + 1 < Argc;
    if (Argument == "--trace")
      R.Trace = true;
    else if (Argument == "--show")
      R.Show = true;
    else if (Argument == "-c")
      R.CompileOnly = true;
    else if (Argument == "-o" && HasNext)
      R.Output = Argv[++I];
    else if (startsWith(Argument, "-o") && Argument.size() > 2 && !startsWith(Argument, "-object"))
      R.Output = Argument.substr(2);
    else if (Argument == "-x" && HasNext)
      Language = std::strcmp(Argv[++I], "none") == 0 ? "" : Argv[I];
    else if (startsWith(Argument, "-x") && Argument.size() > 2)
      Language = Argument == "-xnone" ? "" : Argument.substr(2);
    else if (isSource(Argument) || (!Language.empty() && !startsWith(Argument, "-"))) {
      R.SourceAt.push_back(R.Others.size());
      R.Sources.push_back(Argument);
      R.Languages.push_back(Language);
    } else {
      R.NoCode |= isOneOf(Argument, {"-E", "-S", "-M", "-MM", "-fsyntax-only", "-###", "-v",
                                     "-dumpversion", "-dumpmachine", "-dM"}) ||
                  startsWith(Argument, "-print-") || startsWith(Argument, "--print-");
      R.Shared |= Argument == "-shared";
      R.Others.push_back(Argument);
      if (takesNext(Argument) && HasNext)
        R.Others.push_back(Argv[++I]);
    }
  }
  /* -v with something to do is no question. */
  if (R.NoCode && !R.Sources.empty() &&
      std::none_of(R.Others.begin(), R.Others.end(), [](const std::string &A) {
        return isOneOf(A, {"-E", "-S", "-M", "-MM", "-fsyntax-only", "-###", "-dM"});
      }))
    R.NoCode = false;
  return R;
}

/*===-- Running commands ----------------------------------------------------===*/

std::string quoted(const std::string &Argument) {
  constexpr const char *Plain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./,:@%^";
  if (!Argument.empty() && Argument.find_first_not_of(Plain) == std::string::npos)
    return Argument;
  std::string Text = "'";
  for (const char C : Argument)
    Text += C == '\'' ? std::string("'\\''") : std::string(1, C);
  return Text + "'";
}

void print(const Arguments &Command) {
  std::string Line;
  for (const std::string &Argument : Command)
    Line += (Line.empty() ? "" : " ") + quoted(Argument);
  std::puts(Line.c_str());
}

/// \returns the exit status as a shell has it, and the output when it is wanted
int run(const Arguments &Command, std::string *Output = nullptr) {
  std::vector<char *> Argv;
  for (const std::string &Argument : Command)
    Argv.push_back(const_cast<char *>(Argument.c_str()));
  Argv.push_back(nullptr);
  int Pipe[2] = {-1, -1};
  posix_spawn_file_actions_t Actions;
  posix_spawn_file_actions_init(&Actions);
  if (Output && pipe2(Pipe, O_CLOEXEC) == 0) {
    posix_spawn_file_actions_adddup2(&Actions, Pipe[1], STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&Actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  }
  pid_t Child = 0;
  const int Error = posix_spawnp(&Child, Argv[0], &Actions, nullptr, Argv.data(), environ);
  posix_spawn_file_actions_destroy(&Actions);
  if (Pipe[1] >= 0)
    close(Pipe[1]);
  if (Error != 0) {
    std::fprintf(stderr, "maicc: cannot run the compiler '%s': %s (set MAICC_CC)\n", Argv[0],
                 std::strerror(Error));
    return 127;
  }
  if (Pipe[0] >= 0) {
    char Buffer[4096];
    ssize_t Some = 0;
    while ((Some = read(Pipe[0], Buffer, sizeof Buffer)) > 0)
      Output->append(Buffer, static_cast<size_t>(Some));
    close(Pipe[0]);
  }
  int Status = 0;
  while (waitpid(Child, &Status, 0) < 0 && errno == EINTR)
    ;
  return WIFEXITED(Status) ? WEXITSTATUS(Status) : 128 + WTERMSIG(Status);
}

/*===-- The compiler and the libraries --------------------------------------===*/

Arguments words(const std::string &Text) {
  Arguments List;
  size_t At = 0;
  while ((At = Text.find_first_not_of(" \t", At)) != std::string::npos) {
    const size_t End = std::min(Text.find_first_of(" \t", At), Text.size());
    List.push_back(Text.substr(At, End - At));
    At = End;
  }
  return List;
}

Arguments compilerFor(const std::string &Tool) {
  const char *Named = std::getenv("MAICC_CC");
  if (Named && *Named)
    return words(Named);
  return {Tool == "maic++" ? "c++" : Tool == "maifort" ? "gfortran" : "cc"};
}

bool isClang(const Arguments &Compiler) {
  Arguments Command = Compiler;
  Command.push_back("--version");
  std::string Version;
  run(Command, &Version);
  return Version.find("clang") != std::string::npos;
}

/// Where libmaitrace and hooks.c are.
struct Libraries {
  fs::path Trace;
  fs::path Numarch; ///< of a build that is not installed; empty otherwise
  fs::path Hooks;
};

std::optional<Libraries> findLibraries() {
  std::error_code Ignored;
  const char *Named = std::getenv("MAICC_LIBRARIES");
  const fs::path Bin = fs::read_symlink("/proc/self/exe", Ignored).parent_path();
  std::vector<fs::path> Candidates;
  if (Named && *Named)
    Candidates.push_back(Named);
  Candidates.push_back(Bin / MAICC_LIBRARIES_FROM_BIN);
  Candidates.push_back(Bin / "../trace");
  for (const fs::path &Candidate : Candidates) {
    if (!fs::exists(Candidate / "libmaitrace.so", Ignored))
      continue;
    const fs::path Trace = fs::weakly_canonical(Candidate, Ignored);
    const fs::path Installed = Trace / "minas";
    if (fs::exists(Installed / "hooks.c", Ignored))
      return Libraries{Trace, "", Installed / "hooks.c"};
    return Libraries{Trace, Trace.parent_path() / "numarch", MAICC_SOURCE_HOOKS};
  }
  return std::nullopt;
}

/*===-- Compiling -----------------------------------------------------------===*/

bool hasOption(const Arguments &List, std::string_view Start) {
  return std::any_of(List.begin(), List.end(),
                     [&](const std::string &Argument) { return startsWith(Argument, Start); });
}

void append(Arguments &List, const Arguments &More) {
  List.insert(List.end(), More.begin(), More.end());
}

bool isLinkerInput(const std::string &Argument) {
  if (startsWith(Argument, "-l") || startsWith(Argument, "-Wl,") || startsWith(Argument, "-L"))
    return true;
  return !startsWith(Argument, "-");
}

/// The user's arguments that concern compiling.
Arguments compileOptions(const Request &R) {
  Arguments List;
  for (size_t I = 0; I < R.Others.size(); ++I) {
    const bool Pair = takesNext(R.Others[I]) && I + 1 < R.Others.size();
    const bool Linker =
        isLinkerInput(R.Others[I]) ||
        isOneOf(R.Others[I], {"-Xlinker", "-shared", "-rdynamic", "-static-libgcc",
                              "-static-libstdc++", "-pie", "-no-pie", "-z", "-T", "-u", "-s"});
    if (!Linker) {
      List.push_back(R.Others[I]);
      if (Pair)
        List.push_back(R.Others[I + 1]);
    }
    I += Pair;
  }
  return List;
}

/// A directory that is removed in the end.
class Workspace {
public:
  Workspace() {
    std::string Template = (fs::temp_directory_path() / "maicc-XXXXXX").string();
    if (mkdtemp(Template.data()))
      Directory = Template;
  }
  ~Workspace() {
    std::error_code Ignored;
    if (!Directory.empty())
      fs::remove_all(Directory, Ignored);
  }
  Workspace(const Workspace &) = delete;
  Workspace &operator=(const Workspace &) = delete;
  bool usable() const { return !Directory.empty(); }
  std::string file(const std::string &Name) const { return (Directory / Name).string(); }

private:
  fs::path Directory;
};

/// Makes the commands and runs them, or prints them.
class Driver {
public:
  Driver(const Request &Wanted, const Libraries &Where)
      : R(Wanted), L(Where), Clang(isClang(R.Compiler)) {}

  int run() {
    if (R.NoCode || (R.Sources.empty() && R.CompileOnly))
      return command(plain());
    if (!Work.usable()) {
      std::fprintf(stderr, "maicc: cannot make a temporary directory in %s: %s\n",
                   fs::temp_directory_path().c_str(), std::strerror(errno));
      return 1;
    }
    if (R.CompileOnly)
      return compileAll();
    return compileAndLink();
  }

private:
  int command(const Arguments &Command) const {
    if (!R.Show)
      return ::run(Command);
    print(Command);
    return 0;
  }

  /// The command as the user gave it.
  Arguments plain() const {
    Arguments Command = R.Compiler;
    append(Command, R.Others);
    for (size_t I = 0; I < R.Sources.size(); ++I)
      append(Command, source(I));
    if (R.CompileOnly)
      Command.push_back("-c");
    if (!R.Output.empty())
      append(Command, {"-o", R.Output});
    return Command;
  }

  Arguments source(size_t I) const {
    return R.Languages[I].empty() ? Arguments{R.Sources[I]}
                                  : Arguments{"-x", R.Languages[I], R.Sources[I], "-x", "none"};
  }

  Arguments instrumenting() const {
    Arguments List = {"-fsanitize=thread", "-U_FORTIFY_SOURCE", "-frecord-gcc-switches"};
    if (!hasOption(R.Others, "-g"))
      List.push_back("-g1");
    if (Clang)
      append(List, {"-fno-vectorize", "-fno-slp-vectorize", "-mllvm",
                    "-tsan-instrument-read-before-write=1", "-mllvm",
                    "-tsan-instrument-func-entry-exit=0", "-mllvm", "-disable-loop-idiom-all",
                    /* what #pragma omp simd demands in spite of -fno-vectorize */
                    "-mllvm", "-force-vector-width=1", "-mllvm", "-force-vector-interleave=1",
                    "-Wno-pass-failed"});
    else
      append(List, {"--param", "tsan-instrument-func-entry-exit=0", "-fno-builtin-memcpy",
                    "-fno-builtin-memmove", "-fno-builtin-memset"});
    return List;
  }

  int compile(size_t I, const std::string &Object) {
    const bool Inline = Clang && hooksInBitcode();
    Arguments Command = R.Compiler;
    append(Command, compileOptions(R));
    append(Command, instrumenting());
    append(Command, {"-c"});
    append(Command, source(I));
    const std::string Bitcode = Work.file("unit" + std::to_string(I) + ".bc");
    append(Command, Inline ? Arguments{"-emit-llvm", "-o", Bitcode} : Arguments{"-o", Object});
    if (Inline)
      keepDependencyNames(Command, I, Object);
    const int Status = command(Command);
    return Status != 0 || !Inline ? Status : compileBitcode(Bitcode, Object);
  }

  /// -MD and -MMD name their file and its target after the output.
  void keepDependencyNames(Arguments &Command, size_t, const std::string &Object) const {
    if (!hasOption(R.Others, "-MD") && !hasOption(R.Others, "-MMD"))
      return;
    if (!hasOption(R.Others, "-MF"))
      append(Command, {"-MF", fs::path(Object).replace_extension(".d").string()});
    if (!hasOption(R.Others, "-MT") && !hasOption(R.Others, "-MQ"))
      append(Command, {"-MT", Object});
  }

  int compileBitcode(const std::string &Bitcode, const std::string &Object) const {
    Arguments Command = R.Compiler;
    for (const std::string &Option : compileOptions(R))
      if (startsWith(Option, "-O") || startsWith(Option, "-g") || startsWith(Option, "-m") ||
          (startsWith(Option, "-f") && !startsWith(Option, "-fopenmp") &&
           !startsWith(Option, "-fplugin")))
        Command.push_back(Option);
    /* -mllvm and -target carry their values along in the next argument: those were given before. */
    std::erase(Command, "-mllvm");
    append(Command, {"-fno-vectorize", "-fno-slp-vectorize", "-Qunused-arguments", "-w", "-Xclang",
                     "-mlink-builtin-bitcode", "-Xclang", Work.file("hooks.bc"), "-c", "-x", "ir",
                     Bitcode, "-o", Object});
    return command(Command);
  }

  /// The hooks as this very compiler's bitcode; without, they are called.
  bool hooksInBitcode() {
    if (HooksTried)
      return HooksMade;
    HooksTried = true;
    Arguments Command = R.Compiler;
    append(Command, {"-x", "c", "-std=gnu11", "-O2", "-fPIC", "-w", "-emit-llvm", "-c",
                     "-DMAI_TRACE_INLINE=__attribute__((always_inline))", L.Hooks.string(), "-o",
                     Work.file("hooks.bc")});
    std::string Ignored;
    if (R.Show)
      print(Command);
    HooksMade = R.Show || ::run(Command, &Ignored) == 0;
    return HooksMade;
  }

  std::string objectFor(size_t I) const {
    if (!R.Output.empty())
      return R.Output;
    return fs::path(R.Sources[I]).filename().replace_extension(".o").string();
  }

  int compileAll() {
    if (!R.Output.empty() && R.Sources.size() > 1) {
      std::fputs("maicc: -c -o FILE goes with one source\n", stderr);
      return ExitUsage;
    }
    for (size_t I = 0; I < R.Sources.size(); ++I)
      if (const int Status = compile(I, objectFor(I)))
        return Status;
    return 0;
  }

  int compileAndLink() {
    Arguments Objects;
    for (size_t I = 0; I < R.Sources.size(); ++I) {
      Objects.push_back(Work.file("unit" + std::to_string(I) + ".o"));
      if (const int Status = compile(I, Objects.back()))
        return Status;
    }
    return command(linking(Objects));
  }

  Arguments linking(const Arguments &Objects) const {
    Arguments Command = R.Compiler;
    append(Command, {"-L" + L.Trace.string(), "-Wl,-rpath," + L.Trace.string()});
    /* First: the linker takes the hooks from here, and at run time the library stands in front of
       the OpenMP run-times' functions. */
    if (!R.Shared)
      append(Command, {"-Wl,--whole-archive", "-lmaitrace_hooks", "-Wl,--no-whole-archive"});
    /* The functions of libmai and of OpenMP's run-times, too, are found here: the linker would take
       these libraries for unneeded. */
    append(Command, {"-Wl,--no-as-needed", "-lmaitrace_rt"});
    size_t Next = 0;
    for (size_t I = 0; I <= R.Others.size(); ++I) {
      for (; Next < Objects.size() && R.SourceAt[Next] == I; ++Next)
        Command.push_back(Objects[Next]);
      if (I < R.Others.size() && !startsWith(R.Others[I], "-fsanitize=thread"))
        Command.push_back(R.Others[I]);
    }
    append(Command, {"-Wl,--wrap=memcpy,--wrap=memmove,--wrap=memset"});
    if (!L.Numarch.empty())
      append(Command, {"-Wl,-rpath-link," + L.Numarch.string()});
    append(Command, {"-o", R.Output.empty() ? "a.out" : R.Output});
    return Command;
  }

  const Request &R;
  const Libraries &L;
  bool Clang;
  bool HooksTried = false;
  bool HooksMade = false;
  Workspace Work;
};

std::string toolName(const char *Argv0) {
  const std::string Path = Argv0 ? Argv0 : "maicc";
  return Path.substr(Path.rfind('/') + 1);
}

int usageError(const char *Message) {
  std::fprintf(stderr, "maicc: %s\nTry 'maicc --help'.\n", Message);
  return ExitUsage;
}

} // namespace

int main(int Argc, char **Argv) {
  if (Argc == 2 && std::strcmp(Argv[1], "--help") == 0) {
    std::fputs(HelpText, stdout);
    return 0;
  }
  if (Argc == 2 && std::strcmp(Argv[1], "--version") == 0) {
    std::puts("maicc (Minas) " MINAS_VERSION);
    return 0;
  }
  Request R = parse(Argc, Argv);
  R.Compiler = compilerFor(toolName(Argv[0]));
  if (!R.Trace)
    return usageError("expected --trace: tracing is all that maicc can do yet");
  if (R.Compiler.empty() || (R.Sources.empty() && R.Others.empty()))
    return usageError("no input files");
  if (std::find(R.Others.begin(), R.Others.end(), "-static") != R.Others.end())
    return usageError(
        "a program linked with -static cannot be traced: the run-time stands in front "
        "of functions of shared libraries; leave -static out");
  const std::optional<Libraries> L = findLibraries();
  if (!L) {
    std::fputs("maicc: libmaitrace is not where maicc is installed; name its directory in "
               "MAICC_LIBRARIES\n",
               stderr);
    return 1;
  }
  return Driver(R, *L).run();
}
