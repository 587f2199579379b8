//===-- Trace.cpp - maicc --trace -------------------------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Makes programs whose accesses to memory are counted (mai-trace(1)):
//
//   compiling   with -fsanitize=thread, which calls a function at every access, and with what keeps
//               the compiler from leaving accesses out;
//   linking     without it, against -lmaitrace in place of the sanitizer's run-time.
//
// clang compiles in two steps: to instrumented bitcode, and from there to an object with the
// functions of hooks.c in line; the clang of the LLVM that Minas was built with loads a plugin
// there, which counts loops at once. The gcc that Minas was built with loads a plugin, which does
// the same.
//
//===----------------------------------------------------------------------===//

#include "Command.h"
#include "Installation.h"
#include "Modes.h"
#include "Workspace.h"

#include <cerrno>
#include <cstdio>
#include <cstring>

using namespace maicc;
namespace fs = std::filesystem;

namespace {

bool isClang(const Arguments &Compiler) {
  Arguments Command = Compiler;
  Command.push_back("--version");
  std::string Version;
  run(Command, {.Output = &Version});
  return Version.find("clang") != std::string::npos;
}

/// Makes the commands and runs them, or prints them.
class Driver {
public:
  Driver(const Request &Wanted, const TraceLibraries &Where)
      : R(Wanted), L(Where), Clang(isClang(R.Compiler)) {}

  int run() {
    if (R.NoCode || (R.Sources.empty() && R.CompileOnly))
      return command(asGiven());
    if (!Work.usable()) {
      std::fprintf(stderr, "maicc: cannot make a temporary directory in %s: %s\n",
                   fs::temp_directory_path().c_str(), std::strerror(errno));
      return 1;
    }
    if (R.CompileOnly || hasHeader(R))
      return compileAll();
    return compileAndLink();
  }

private:
  int command(const Arguments &Command) const {
    if (!R.Show)
      return maicc::run(Command);
    print(Command);
    return 0;
  }

  Arguments asGiven() const {
    Arguments Command = R.Compiler;
    append(Command, R.Given);
    return Command;
  }

  /// Whether this gcc is the one that the plugin is for.
  bool hasGccPlugin() {
    if (!GccPluginTried && !Clang)
      GccPluginFits = !pluginOption(R.Compiler, L.GccPlugin).empty();
    GccPluginTried = true;
    return GccPluginFits;
  }

  bool isC(size_t I) const {
    return R.Languages[I].empty() ? fs::path(R.Sources[I]).extension() == ".c"
                                  : R.Languages[I] == "c";
  }

  bool comesAsAssembler(size_t I) const { return R.Languages[I].starts_with("assembler"); }

  Arguments assembly(size_t I, const std::string &Object) const {
    Arguments Command = compilationOf(R, source(R, I));
    append(Command, {"-o", Object});
    return Command;
  }

  /// Whether this clang is the one that the plugin is for.
  bool hasClangPlugin() {
    std::error_code Ignored;
    if (!ClangPluginTried && fs::exists(L.ClangPlugin, Ignored)) {
      Arguments Command = R.Compiler;
      append(Command, {"-fpass-plugin=" + L.ClangPlugin.string(), "-O1", "-x", "c", "-c",
                       "/dev/null", "-o", Work.file("nothing.o")});
      std::string Nothing;
      ClangPluginFits = maicc::run(Command, {.Output = &Nothing}) == 0;
    }
    ClangPluginTried = true;
    return ClangPluginFits;
  }

  Arguments instrumenting(size_t I) {
    /* Unwinding tables tell who called a function that allocates. */
    Arguments List = {"-fsanitize=thread", "-U_FORTIFY_SOURCE", "-frecord-gcc-switches",
                      "-fasynchronous-unwind-tables"};
    /* In what clang writes by default addr2line 2.40 does not find which functions were merged. */
    if (Clang && !hasOption(R.Others, "-gdwarf") && !hasExactly(R.Others, {"-g0"}))
      List.push_back("-gdwarf-4");
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
      /* By that macro programs know the detector of races, which is not here. */
      append(List, {"--param", "tsan-instrument-func-entry-exit=0", "-U__SANITIZE_THREAD__"});
    /* It instruments behind the optimisations of loops: they are not to make other accesses. */
    if (hasGccPlugin())
      append(List, {"-fplugin=" + L.GccPlugin.string(), "-fno-lto", "-fno-tree-vectorize",
                    "-fno-tree-slp-vectorize", "-fno-tree-loop-distribute-patterns",
                    "-fno-predictive-commoning", "-fno-tree-pre"});
    /* As much in line as clang has in C.  In C++ sites are known by functions, which are to be
       those of the program that is not traced. */
    if (hasGccPlugin() && isC(I))
      List.push_back("-finline-limit=600");
    return List;
  }

  /// @param Named after which the compiler names what it writes beside the object
  int compile(size_t I, const std::string &Object, const std::string &Named) {
    if (comesAsAssembler(I))
      return command(assembly(I, Object));
    const bool Inline = Clang && !isHeader(R, I) && hooksInBitcode();
    Arguments Command = R.Compiler;
    append(Command, compileOptions(R));
    append(Command, instrumenting(I));
    append(Command, {"-c"});
    append(Command, source(R, I));
    const std::string Bitcode = Work.file("unit" + std::to_string(I) + ".bc");
    if (Inline)
      append(Command, toBitcode(Bitcode));
    else if (!isHeader(R, I) || !R.Output.empty()) // The compiler knows what it looks for later.
      append(Command, {"-o", Object});
    if (Inline || Named != Object)
      keepDependencyNames(Command, Named);
    const int Status = command(Command);
    return Status != 0 || !Inline ? Status : compileBitcode(Bitcode, Object);
  }

  Arguments toBitcode(const std::string &Bitcode) {
    Arguments List = {"-emit-llvm", "-o", Bitcode};
    /* A loop that is unrolled goes on by whole lines. */
    if (hasClangPlugin())
      List.push_back("-fno-unroll-loops");
    /* It is no object yet, which would have bitcode beside its code. */
    if (hasExactly(R.Others, {"-ffat-lto-objects"}))
      List.push_back("-fno-fat-lto-objects");
    return List;
  }

  /// -MD and -MMD name their file and its target after the output.
  void keepDependencyNames(Arguments &Command, const std::string &Output) const {
    if (!hasOption(R.Others, "-MD") && !hasOption(R.Others, "-MMD"))
      return;
    if (!hasOption(R.Others, "-MF"))
      append(Command, {"-MF", fs::path(Output).replace_extension(".d").string()});
    if (!hasOption(R.Others, "-MT") && !hasOption(R.Others, "-MQ"))
      append(Command, {"-MT", Output});
  }

  /// What concerns the second step of clang, from bitcode to an object: how code is made. An option
  /// with a value in the next argument goes with it.
  Arguments codeOptions() const {
    const Arguments Given = compileOptions(R);
    Arguments List;
    for (size_t I = 0; I < Given.size(); ++I) {
      const bool Pair = takesNext(Given[I]) && I + 1 < Given.size();
      if (Pair ? isOneOf(Given[I], {"-mllvm", "-Xclang", "-Xassembler", "-target"})
               : startsWithOneOf(Given[I], {"-O", "-g", "-m", "-f", "-Wa,", "--target="}) &&
                     !startsWithOneOf(Given[I], {"-fopenmp", "-fplugin"}))
        List.insert(List.end(), Given.begin() + I, Given.begin() + I + (Pair ? 2 : 1));
      I += Pair;
    }
    return List;
  }

  int compileBitcode(const std::string &Bitcode, const std::string &Object) {
    Arguments Command = R.Compiler;
    append(Command, codeOptions());
    if (hasClangPlugin())
      append(Command, {"-fpass-plugin=" + L.ClangPlugin.string(),
                       /* a loop's two versions are one until it is unswitched, whatever its size */
                       "-mllvm", "-unswitch-threshold=2000"});
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
    append(Command, {"-x", "c", "-std=gnu11", "-O2", "-fPIC", "-fno-plt", "-w", "-emit-llvm", "-c",
                     "-DMAI_TRACE_INLINE=__attribute__((always_inline))", L.Hooks.string(), "-o",
                     Work.file("hooks.bc")});
    std::string Ignored;
    if (R.Show)
      print(Command);
    HooksMade = R.Show || maicc::run(Command, {.Output = &Ignored}) == 0;
    return HooksMade;
  }

  int compileAll() {
    const Arguments Others = otherInputs(R);
    if (!R.Output.empty() && R.Sources.size() + Others.size() > 1) {
      std::fputs("maicc: -c -o FILE goes with one source\n", stderr);
      return ExitUsage;
    }
    for (size_t I = 0; I < R.Sources.size(); ++I) {
      const std::string Object = objectFor(R, I);
      if (const int Status = compile(I, Object, Object))
        return Status;
    }
    return Others.empty() ? 0 : command(compilationOf(R, Others));
  }

  int compileAndLink() {
    Arguments Objects;
    for (size_t I = 0; I < R.Sources.size(); ++I) {
      Objects.push_back(Work.file("unit" + std::to_string(I) + ".o"));
      if (const int Status = compile(I, Objects.back(), outputOf(R)))
        return Status;
    }
    return command(linking(Objects));
  }

  Arguments linking(const Arguments &Objects) const {
    Arguments Command = R.Compiler;
    const bool IsPart = hasExactly(R.Others, {"-r"}); /* of a program or library */
    if (!IsPart)
      append(Command, runTime());
    append(Command, inputs(Objects));
    if (!IsPart)
      append(Command, {"-Wl,--wrap=memcpy,--wrap=memmove,--wrap=memset"});
    append(Command, {"-o", outputOf(R)});
    return Command;
  }

  Arguments runTime() const {
    Arguments Command = {"-L" + L.Trace.string(), "-Wl,-rpath," + L.Trace.string()};
    /* First: the linker takes the hooks from here, and at run time the library stands in front of
       the OpenMP run-times' functions. */
    if (!R.Shared)
      append(Command, {"-Wl,--whole-archive", "-lmaitrace_hooks", "-Wl,--no-whole-archive"});
    /* The functions of libmai and of OpenMP's run-times, too, are found here: the linker would take
       these libraries for unneeded. */
    append(Command, {"-Wl,--no-as-needed", "-lmaitrace_rt"});
    return Command;
  }

  Arguments inputs(const Arguments &Objects) const {
    Arguments Command;
    size_t Next = 0;
    for (size_t I = 0; I <= R.Others.size(); ++I) {
      for (; Next < Objects.size() && R.SourceAt[Next] == I; ++Next)
        Command.push_back(Objects[Next]);
      if (I < R.Others.size() && !R.Others[I].starts_with("-fsanitize=thread"))
        Command.push_back(R.Others[I]);
    }
    return Command;
  }

  const Request &R;
  const TraceLibraries &L;
  bool Clang;
  bool HooksTried = false;
  bool HooksMade = false;
  bool GccPluginTried = false;
  bool GccPluginFits = false;
  bool ClangPluginTried = false;
  bool ClangPluginFits = false;
  Workspace Work;
};

/// A sanitizer that cannot be there beside the one whose calls tell of accesses.
bool isAnothersWatch(std::string_view Option) {
  constexpr std::string_view Sanitize = "-fsanitize=";
  if (!Option.starts_with(Sanitize))
    return false;
  for (const std::string_view Name : {"address", "memory"})
    if (Option.find(Name, Sanitize.size()) != std::string_view::npos)
      return true;
  return false;
}

/// Why the program cannot be traced; empty: it can.
std::string obstacle(const Request &R) {
  if (hasExactly(R.Others, {"-m32", "-mx32"}))
    return "a program of 32 bits cannot be traced: leave -m32 out";
  for (const std::string &Option : R.Others) {
    if (isOneOf(Option, {"-static", "--static", "-static-pie"}))
      return "a program linked with " + Option +
             " cannot be traced: the run-time stands in front of functions of shared libraries; "
             "leave " +
             Option + " out";
    if (isAnothersWatch(Option))
      return "a program with " + Option +
             " cannot be traced: only one of them can watch its accesses; leave " + Option + " out";
  }
  return "";
}

} // namespace

int maicc::trace(const Request &R) {
  if (const std::string Why = obstacle(R); !Why.empty())
    return usageError(Why);
  const std::optional<TraceLibraries> L = findTraceLibraries();
  if (!L) {
    std::fputs("maicc: libmaitrace is not where maicc is installed; name its directory in "
               "MAICC_LIBRARIES\n",
               stderr);
    return 1;
  }
  return Driver(R, *L).run();
}
