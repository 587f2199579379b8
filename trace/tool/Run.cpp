//===-- Run.cpp - running a traced program ----------------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Run.h"

#include "Build.h"
#include "Report.h"
#include "Untraced.h"
#include "sample/Loading.h"
#include "support/Files.h"
#include "support/Text.h"
#include "trace/profile/Analysis.h"
#include "trace/profile/SystemLibraries.h"
#include "trace/sources/SourceLines.h"

#include "llvm/Support/Program.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace fs = std::filesystem;
using namespace maiprof;
using support::countText;

namespace {

constexpr int ExitNotFound = 127;
constexpr int ExitNotRunnable = 126;

volatile sig_atomic_t Child = 0;

/// What we are sent is for the program, which writes its profile before it ends. What the terminal
/// sends it has got itself.
void passOn(int Signal, siginfo_t *Info, void *) {
  if (Child > 0 && Info->si_code <= 0)
    kill(static_cast<pid_t>(Child), Signal);
}

constexpr std::array PassedOn = {SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGXCPU};

void passSignalsOn() {
  struct sigaction Action{};
  Action.sa_sigaction = passOn;
  Action.sa_flags = SA_SIGINFO | SA_RESTART;
  for (const int Signal : PassedOn)
    sigaction(Signal, &Action, nullptr);
}

/// What is to be passed on waits meanwhile: it may come before the program's number is known.
class SignalsHeld {
public:
  SignalsHeld() {
    sigset_t Held;
    sigemptyset(&Held);
    for (const int Signal : PassedOn)
      sigaddset(&Held, Signal);
    sigprocmask(SIG_BLOCK, &Held, &Before);
  }
  ~SignalsHeld() { release(); }
  void release() const { sigprocmask(SIG_SETMASK, &Before, nullptr); }

private:
  sigset_t Before;
};

/// Says what is wrong with the build. \returns whether the program may run
bool mayRun(const std::string &Program, const RunOptions &Options) {
  const Build B = examineBuild(Program);
  if (!B.IsElf)
    return true; /* a script, perhaps, that runs one */
  std::string Fault;
  if (!B.HasRuntime)
    Fault = Program + " was not built for tracing: build it with maicc --trace";
  else if (!B.HasHooks)
    Fault = Program +
            " calls no hooks: none of its sources was compiled for tracing (maicc --trace -c)";
  else if (!B.Vectorised.empty())
    Fault =
        Program + ": clang has vectorised " + B.Vectorised +
        ", and does not instrument accesses wider than 16 bytes; compile with maicc --trace, or "
        "with -fno-vectorize -fno-slp-vectorize";
  if (!Fault.empty()) {
    std::fprintf(stderr, "mai-trace: %s%s\n", Fault.c_str(),
                 Options.Force ? "" : "\n(--force runs it all the same)");
    return Options.Force;
  }
  if (B.ClangWithoutRecord && !Options.Quiet)
    std::fprintf(
        stderr,
        "mai-trace: warning: %s was compiled by clang, which does not say how: without "
        "-fno-vectorize -fno-slp-vectorize accesses are missing (maicc --trace sets them)\n",
        Program.c_str());
  return true;
}

/// Of this process among those of an MPI program, as what starts these tells it; empty: it is none.
/// The library knows it in the same way.
std::string ownRank() {
  for (const char *Variable :
       {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "MV2_COMM_WORLD_RANK", "SLURM_PROCID"}) {
    const char *Rank = std::getenv(Variable);
    if (Rank && *Rank && std::strspn(Rank, "0123456789") == std::strlen(Rank))
      return Rank;
  }
  return "";
}

/// The profile's name: what was asked for, with the rank in place of %r, or the program's.
std::string profileName(const RunOptions &Options, const std::string &Program) {
  const std::string Rank = ownRank();
  if (Options.Output.empty())
    return fs::path(Program).filename().string() + (Rank.empty() ? "" : "." + Rank) + ".maiprof";
  std::string Name = Options.Output;
  if (const size_t Place = Name.find("%r"); Place != std::string::npos && !Rank.empty())
    Name.replace(Place, 2, Rank);
  return Name;
}

struct FileStamp {
  bool Exists = false;
  struct stat Status{};
  explicit FileStamp(const std::string &Path) { Exists = stat(Path.c_str(), &Status) == 0; }
  bool isSame(const FileStamp &Other) const {
    return Exists == Other.Exists && Status.st_ino == Other.Status.st_ino &&
           Status.st_mtim.tv_sec == Other.Status.st_mtim.tv_sec &&
           Status.st_mtim.tv_nsec == Other.Status.st_mtim.tv_nsec;
  }
};

/// Becomes the program once it may; tells through the pipe why it cannot.
[[noreturn]] void become(const RunOptions &Options, char **Argv, int Pipe, int Go) {
  char Byte;
  if (read(Go, &Byte, 1) != 1)
    _exit(ExitError);
  for (const auto &[Name, Value] : Options.Environment)
    setenv(Name.c_str(), Value.c_str(), 1);
  sample::become(Argv);
  const int Error = errno;
  const ssize_t Ignored = write(Pipe, &Error, sizeof Error);
  static_cast<void>(Ignored);
  _exit(ExitNotFound);
}

/// Starts the program, to which signals are passed on from now. \returns its number, or -1 and
/// errno
pid_t start(const RunOptions &Options, char **Argv, const std::string &Profile, int Pipe,
            const int (&Go)[2]) {
  const std::string Parent = std::to_string(getpid());
  const SignalsHeld Held;
  const pid_t Pid = fork();
  if (Pid == 0) {
    Held.release();
    setenv("MAI_TRACE_FILE", Profile.c_str(), 1);
    setenv("MAI_TRACE_PARENT", Parent.c_str(), 1);
    close(Go[1]);
    become(Options, Argv, Pipe, Go[0]);
  }
  if (Pid > 0) {
    Child = Pid;
    passSignalsOn();
  }
  return Pid;
}

/// Waits for the program's end, and takes samples meanwhile. \returns its status
int waitFor(pid_t Pid, sample::RunTime *Times) {
  constexpr int Interval = 50; /* milliseconds; the end of the program is heard of at once */
  int Status = 0;
  for (pid_t Ended = 0; Ended != Pid && !(Ended < 0 && errno != EINTR);) {
    if (Times)
      Times->take(Interval);
    Ended = waitpid(Pid, &Status, Times ? WNOHANG : 0);
  }
  Child = 0;
  if (Times)
    Times->take(0);
  return Status;
}

/// \returns the status of waitpid(), or nothing and errno
std::optional<int> execute(const RunOptions &Options, const std::string &Profile,
                           sample::RunTime &Times) {
  std::vector<char *> Argv;
  for (const std::vector<std::string> *Part : {&Options.Wrapper, &Options.Command})
    for (const std::string &Argument : *Part)
      Argv.push_back(const_cast<char *>(Argument.c_str()));
  Argv.push_back(nullptr);
  int Pipe[2], Go[2];
  if (pipe2(Pipe, O_CLOEXEC) != 0 || pipe2(Go, O_CLOEXEC) != 0)
    return std::nullopt;
  const pid_t Pid = start(Options, Argv.data(), Profile, Pipe[1], Go);
  if (Pid < 0)
    return std::nullopt;
  close(Pipe[1]);
  const bool IsSampled = Times.open(Pid);
  const ssize_t Ignored = write(Go[1], "", 1); /* the other end is open here, too */
  static_cast<void>(Ignored);
  close(Go[0]);
  close(Go[1]);
  int Error = 0;
  const bool Failed = read(Pipe[0], &Error, sizeof Error) == static_cast<ssize_t>(sizeof Error);
  close(Pipe[0]);
  const int Status = waitFor(Pid, IsSampled ? &Times : nullptr);
  if (!Failed)
    return Status;
  errno = Error;
  return std::nullopt;
}

std::string plural(size_t Count, const char *Noun) {
  return std::to_string(Count) + " " + Noun + (Count == 1 ? "" : "s");
}

/// What is in the profile, in a line, and what is not.
void announce(const std::string &Path, const Profile &P) {
  const Counts Sum = totalCounts(P);
  const std::string Threads = plural(P.Threads.size(), "thread");
  if (P.Sampled) {
    std::fprintf(stderr, "mai-trace: %s: %s, %s, %s\n", Path.c_str(),
                 fs::path(P.Program).filename().c_str(), Threads.c_str(), samplingText(P).c_str());
    return;
  }
  std::fprintf(stderr, "mai-trace: %s: %s, %s reads, %s writes\n", Path.c_str(), Threads.c_str(),
               countText(Sum.Reads).c_str(), countText(Sum.Writes).c_str());
  std::string Invisible;
  for (const Module &M : P.Modules)
    if (!M.Instrumented && !isSystemLibrary(M.Path))
      Invisible += (Invisible.empty() ? "" : ", ") + fs::path(M.Path).filename().string();
  if (!Invisible.empty())
    std::fprintf(stderr, "mai-trace: not built for tracing, so not seen: %s\n", Invisible.c_str());
}

} // namespace

int maiprof::complete(const std::string &Path, bool Quiet, const sample::RunTime *Times) {
  std::string Error;
  std::optional<Profile> P = load(Path, Error);
  if (!P) {
    std::fprintf(stderr, "mai-trace: %s\n", Error.c_str());
    return ExitError;
  }
  if (Times)
    P->CodeTime = timesOf(*P, Times->of(static_cast<uint32_t>(P->Process)));
  if (!addSourceLines(Path, *P, Error) && !Quiet)
    std::fprintf(stderr, "mai-trace: source positions are not in the profile: %s\n", Error.c_str());
  leaveOutOwnStacks(*P);
  if (!Quiet)
    announce(Path, *P);
  return 0;
}

namespace {

/// What processes of an MPI program have written that the program has started: profiles with
/// numbers in place of %r.
int completeAll(const fs::path &Path, bool Quiet, const sample::RunTime &Times) {
  const std::string Name = Path.filename().string();
  const size_t Place = Name.find("%r");
  std::error_code Ignored;
  std::vector<std::string> Found;
  for (const fs::directory_entry &Entry : fs::directory_iterator(Path.parent_path(), Ignored)) {
    const std::string Each = Entry.path().filename().string();
    const std::string After = Name.substr(Place + 2);
    if (Each.size() > Name.size() - 2 && Each.starts_with(Name.substr(0, Place)) &&
        Each.ends_with(After) &&
        Each.find_first_not_of("0123456789", Place) == Each.size() - After.size())
      Found.push_back(Entry.path().string());
  }
  std::sort(Found.begin(), Found.end());
  int Result = Found.empty() ? ExitError : 0;
  for (const std::string &Each : Found)
    Result = std::max(Result, complete(Each, Quiet, &Times));
  return Result;
}

} // namespace

bool maiprof::cannotBeProfile(const std::string &File) {
  if (!support::isSpecial(File))
    return false;
  std::fprintf(stderr,
               "mai-trace: %s: a profile cannot be written into a device or a pipe; name a file\n",
               File.c_str());
  return true;
}

int maiprof::runTraced(const RunOptions &Options) {
  const llvm::ErrorOr<std::string> Found = llvm::sys::findProgramByName(Options.Command[0]);
  const std::string Program = Found ? *Found : "";
  if (access(Program.c_str(), F_OK) != 0) {
    std::fprintf(stderr, "mai-trace: %s: %s\n", Options.Command[0].c_str(), std::strerror(ENOENT));
    return ExitNotFound;
  }
  if (!mayRun(Program, Options))
    return ExitError;
  const std::string Output = profileName(Options, Program);
  std::error_code Ignored;
  const std::string Path = fs::absolute(Output, Ignored).string();
  if (cannotBeProfile(Output))
    return ExitError;
  const FileStamp Before(Path);
  sample::RunTime Times;
  const std::optional<int> Status = execute(Options, Path, Times);
  if (!Status) {
    std::fprintf(stderr, "mai-trace: %s: %s\n", Program.c_str(), std::strerror(errno));
    return errno == ENOENT ? ExitNotFound : ExitNotRunnable;
  }
  const int Exit = WIFEXITED(*Status) ? WEXITSTATUS(*Status) : 128 + WTERMSIG(*Status);
  if (WIFSIGNALED(*Status))
    std::fprintf(stderr, "mai-trace: %s was ended by signal %d (%s)\n", Program.c_str(),
                 WTERMSIG(*Status), strsignal(WTERMSIG(*Status)));
  if (Path.find("%r") != std::string::npos) {
    const int Result = completeAll(Path, Options.Quiet, Times);
    return Exit ? Exit : Result;
  }
  const FileStamp After(Path);
  if (!After.Exists || After.isSame(Before)) {
    std::fprintf(stderr,
                 "mai-trace: %s has left no profile: it was killed, or it replaced itself, or what "
                 "it ran was not built by maicc --trace\n",
                 Program.c_str());
    return Exit ? Exit : ExitError;
  }
  const int Result = complete(Path, Options.Quiet, &Times);
  return Exit ? Exit : Result;
}
