//===-- Record.cpp - mai-trace record -*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Record.h"

#include "Blocks.h"
#include "Loading.h"
#include "Machine.h"
#include "ProfileFile.h"
#include "System.h"

#include "llvm/Support/FileSystem.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <optional>
#include <poll.h>
#include <sstream>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace sample;

namespace {

enum : int { ExitError = 1, ExitNotRunnable = 126, ExitNotFound = 127 };

/*===-- Signals -------------------------------------------------------------===*/

std::atomic<pid_t> Child;
std::atomic<bool> IsToEnd;

/// A terminal sends signals to the program by itself; what somebody sends to us goes on to it.
void passOn(int Signal, siginfo_t *Info, void *) {
  if (Child > 0 && Info->si_code <= 0)
    kill(Child, Signal);
  IsToEnd = true;
}

/// What we do with signals while the program runs; it has them as we were started with them.
class Signals {
public:
  Signals() {
    struct sigaction Passing{};
    Passing.sa_sigaction = passOn;
    Passing.sa_flags = SA_SIGINFO | SA_RESTART;
    for (size_t I = 0; I < Passed.size(); ++I) {
      sigaction(Passed[I], nullptr, &Before[I]);
      if (Before[I].sa_handler != SIG_IGN)
        sigaction(Passed[I], &Passing, nullptr);
    }
    struct sigaction Default{};
    Default.sa_handler = SIG_DFL; /* where they are ignored, nobody tells of ended children */
    sigaction(SIGCHLD, &Default, &OfChildren);
  }
  void restore() const {
    for (size_t I = 0; I < Passed.size(); ++I)
      sigaction(Passed[I], &Before[I], nullptr);
    sigaction(SIGCHLD, &OfChildren, nullptr);
  }

private:
  static constexpr std::array Passed = {SIGTERM, SIGINT, SIGHUP, SIGQUIT};
  std::array<struct sigaction, Passed.size()> Before{};
  struct sigaction OfChildren{};
};

/*===-- What is loaded into the program -------------------------------------===*/

/// Where the library is: beside this program as it was built or installed.
std::string library() {
  static int Anchor;
  const std::string Program = llvm::sys::fs::getMainExecutable(nullptr, &Anchor);
  const std::string Folder = Program.substr(0, Program.rfind('/'));
  for (const char *Place : {"/../sample", "/../" MINAS_LIBRARIES}) {
    const std::string File = Folder + Place + "/libmai-record.so";
    if (access(File.c_str(), R_OK) == 0)
      return File;
  }
  return "";
}

/// Each event of a thread and CPU is a file.
void allowFiles() {
  rlimit Files;
  if (getrlimit(RLIMIT_NOFILE, &Files) == 0) {
    Files.rlim_cur = Files.rlim_max;
    setrlimit(RLIMIT_NOFILE, &Files);
  }
}

/*===-- Programs that run already -------------------------------------------===*/

std::vector<pid_t> threadsOf(pid_t Process) {
  std::vector<pid_t> List;
  std::error_code Error;
  for (llvm::sys::fs::directory_iterator At("/proc/" + std::to_string(Process) + "/task", Error),
       End;
       !Error && At != End; At.increment(Error))
    List.push_back(static_cast<pid_t>(std::atol(At->path().c_str() + At->path().rfind('/') + 1)));
  std::sort(List.begin(), List.end());
  return List;
}

/// What the kernel asks for before it lets somebody see memory.
bool mayDebug(pid_t Process) {
  return std::ifstream("/proc/" + std::to_string(Process) + "/maps").is_open();
}

/// What it has mapped, as the kernel would have told.
void takeMaps(Processes &To, pid_t Process) {
  std::ifstream In("/proc/" + std::to_string(Process) + "/maps");
  std::string Line;
  while (std::getline(In, Line)) {
    std::istringstream Words(Line);
    std::string Range, Rights, Offset, Device, Inode, File;
    Words >> Range >> Rights >> Offset >> Device >> Inode;
    std::getline(Words >> std::ws, File);
    Map Its;
    Its.Process = static_cast<uint32_t>(Process);
    Its.Start = std::stoull(Range, nullptr, 16);
    Its.Bytes = std::stoull(Range.substr(Range.find('-') + 1), nullptr, 16) - Its.Start;
    Its.Offset = std::stoull(Offset, nullptr, 16);
    Its.IsCode = Rights.size() > 2 && Rights[2] == 'x';
    Its.File = File.empty() ? "//anon" : File;
    To.of(Its.Process).add(Its);
  }
}

/// What threads are called that have other names than the program.
void takeNames(Processes &To, const std::vector<pid_t> &Threads, pid_t Process,
               const std::vector<Source> &Sources) {
  const std::string Folder = "/proc/" + std::to_string(Process) + "/task/";
  const auto NameOf = [&](pid_t Thread) {
    std::ifstream In(Folder + std::to_string(Thread) + "/comm");
    std::string Name;
    std::getline(In, Name);
    return Name;
  };
  const std::string Own = NameOf(Process);
  for (const pid_t Each : Threads)
    if (std::string Name = NameOf(Each); Name != Own && !Name.empty())
      To.take({0, Renamed{static_cast<uint32_t>(Process), static_cast<uint32_t>(Each), false,
                          std::move(Name)}},
              Sources);
}

std::vector<std::string> argumentsOf(pid_t Process) {
  std::ifstream In("/proc/" + std::to_string(Process) + "/cmdline");
  std::vector<std::string> List;
  for (std::string Each; std::getline(In, Each, '\0');)
    List.push_back(Each);
  return List;
}

/*===-- Recording -----------------------------------------------------------===*/

class Recording {
public:
  explicit Recording(const RecordOptions &Its) : Options(Its), Wanted_(Its.What) {
    maiprof::Profile &To = Whole.Head;
    describeMachine(To);
    To.Started = static_cast<uint64_t>(time(nullptr));
    Whole.BlockBytes = Its.Preload ? std::min(Its.BlockBytes, Its.GatheredBytes) : 0;
    Whole.ArrayBytes = Its.BlockBytes;
    Nodes = std::make_unique<PageNodes>(To.Nodes.size());
    Wanted_.Physical = To.Nodes.size() > 1;
    if (Wanted_.Physical)
      All.setMemory(memoryNodes(To.Nodes));
  }

  Recorded run() {
    if (Options.Process ? attach() : start()) {
      sample();
      if (Options.Process ||
          !All.of(Main).Maps.empty()) /* of each program the kernel tells these */
        write();
      else
        Result.Error = Options.Command[0] + ": only who may debug it may sample it: it takes " +
                       "rights that this user has not (setuid), or may be run but not read";
    }
    return std::move(Result);
  }

private:
  bool fail(int Status, const std::string &Why) {
    Result.Failure = Status;
    Result.Error = Why;
    return false;
  }

  /// A process that ran already may become another program while it is sampled.
  void noteArguments() {
    if (std::vector<std::string> Now = argumentsOf(Options.Process); !Now.empty())
      Whole.Head.Arguments = std::move(Now);
  }

  bool attach() {
    const std::vector<pid_t> Threads = threadsOf(Options.Process);
    Ends = static_cast<int>(syscall(SYS_pidfd_open, Options.Process, 0));
    const std::string Number = std::to_string(Options.Process);
    if (Threads.empty() || Ends < 0)
      return fail(ExitError, "there is no process " + Number);
    if (!mayDebug(Options.Process))
      return fail(ExitError, "process " + Number + " is another user's, or has other rights: " +
                                 "root may sample it, and who may debug it");
    allowFiles();
    if (!From.open(Threads, false, Wanted_, Result.Refused))
      return fail(ExitError, "no source of samples is left");
    const auto Id = static_cast<uint32_t>(Options.Process);
    takeMaps(All, Options.Process);
    for (const pid_t Each : Threads)
      if (Each != Options.Process)
        All.take({0, Forked{Id, Id, static_cast<uint32_t>(Each), Id}}, From.sources());
    takeNames(All, Threads, Options.Process, From.sources());
    All.keep(Main = Id);
    noteArguments();
    From.begin();
    return true;
  }

  /// Becomes the program once it may; tells why it cannot.
  [[noreturn]] void become(int Go, int Failed) const {
    char Byte;
    if (read(Go, &Byte, 1) != 1)
      _exit(ExitError);
    const std::string Library = library();
    if (Told && Told->isThere() && !Library.empty()) {
      const char *Others = getenv("LD_PRELOAD");
      const std::string Both = Library + (Others && *Others ? ":" + std::string(Others) : "");
      setenv("LD_PRELOAD", Both.c_str(), 1);
      setenv(SAMPLE_LOG_FILE, Told->path().c_str(), 1);
      setenv(SAMPLE_LOG_BLOCK, std::to_string(Whole.BlockBytes).c_str(), 1);
    }
    std::vector<char *> Arguments;
    for (const std::string &Each : Options.Command)
      Arguments.push_back(const_cast<char *>(Each.c_str()));
    Arguments.push_back(nullptr);
    sample::become(Arguments.data());
    const int Error = errno;
    const ssize_t Ignored = ::write(Failed, &Error, sizeof Error);
    static_cast<void>(Ignored);
    _exit(ExitNotFound);
  }

  void startLog() {
    Told = std::make_unique<Log>();
    if (Told->isThere())
      Blocks = Told->reader();
    else
      Told.reset();
  }

  bool start() {
    if (Options.Preload)
      startLog();
    int Go[2], Failed[2];
    if (pipe2(Go, O_CLOEXEC) != 0 || pipe2(Failed, O_CLOEXEC) != 0)
      return fail(ExitError, std::strerror(errno));
    const pid_t Id = fork();
    if (Id < 0)
      return fail(ExitError, std::strerror(errno));
    if (Id == 0) {
      Ours.restore();
      close(Go[1]);
      become(Go[0], Failed[1]);
    }
    close(Go[0]);
    close(Failed[1]);
    Child = Id;
    All.keep(Main = static_cast<uint32_t>(Id));
    Whole.Head.Arguments = Options.Command;
    allowFiles();
    const bool IsOpen = From.open({Id}, true, Wanted_, Result.Refused);
    if (IsOpen && ::write(Go[1], "", 1) != 1)
      return fail(ExitError, std::strerror(errno));
    close(Go[1]);
    int Error = 0;
    const bool Is = read(Failed[0], &Error, sizeof Error) != sizeof Error;
    close(Failed[0]);
    if (IsOpen && Is)
      return true;
    waitpid(Id, nullptr, 0);
    return IsOpen ? fail(Error == ENOENT ? ExitNotFound : ExitNotRunnable,
                         Options.Command[0] + ": " + std::strerror(Error))
                  : fail(ExitError, "no source of samples is left");
  }

  /// One that has ended is there until somebody asks for its status.
  bool hasEnded() {
    pollfd Its{Ends, POLLIN, 0};
    if (Options.Process)
      return IsToEnd || poll(&Its, 1, 0) == 1;
    return waitpid(Child, &Result.Status, WNOHANG) == Child;
  }

  /// The kernel's buffers hold less than a second of a busy program.
  void sample() {
    constexpr int Interval = 50; /* milliseconds */
    const uint64_t End =
        Options.Seconds > 0 ? now() + static_cast<uint64_t>(Options.Seconds * 1e9) : UINT64_MAX;
    bool IsSampling = true;
    for (bool Ended = false; !Ended;) {
      From.wait(Interval);
      Ended = hasEnded();
      take();
      if (IsSampling && now() >= End) {
        From.end();
        IsSampling = false;
        Ended |= Options.Process != 0;
      }
    }
    From.end();
    take();
    for (uint64_t Time = now(); Blocks && !Blocks->drain(Waiting, Time);)
      Time += LogReader::Long;
    Waiting.pass(UINT64_MAX, [&](const Event &Its) { All.take(Its, From.sources()); });
  }

  /// What is older than the time at which the buffers were read is in them; but where a thread of
  /// the program is about to tell of a block, what came since waits for that.
  void take() {
    const uint64_t Until = now();
    From.drain(Waiting);
    From.keepPace(Until);
    if (!Told || Blocks->drain(Waiting, Until))
      Complete = Until;
    Waiting.pass(Complete, [&](const Event &Its) { All.take(Its, From.sources()); });
    if (Until < NextAsked)
      return;
    constexpr uint64_t AQuarter = 250000000;
    NextAsked = Until + AQuarter;
    ask();
  }

  /// What the kernel tells only while a process is there.
  void ask() {
    for (Process &Each : All.all())
      Nodes->ask(Each);
    if (Options.Process)
      noteArguments();
  }

  void write();
  void noteRunning();

  const RecordOptions &Options;
  Wanted Wanted_;
  Recorded Result;
  Calls System;
  Kernel From{System};
  Order Waiting;
  Processes All;
  Run Whole;
  std::unique_ptr<PageNodes> Nodes;
  Signals Ours;
  std::unique_ptr<Log> Told; ///< null: nothing is loaded into the program
  std::optional<LogReader> Blocks;
  int Ends = -1; ///< becomes readable when a process that ran already ends
  uint32_t Main = 0;
  uint64_t NextAsked = 0, Complete = 0;
};

void Recording::write() {
  Whole.Head.Sampled = samplingOf(From.sources(), All);
  if (WIFSIGNALED(Result.Status))
    Whole.Head.Signal = static_cast<uint32_t>(WTERMSIG(Result.Status));
  Result.BlocksMissing = Blocks && Blocks->missed();
  ask();
  noteRunning();
  Result.Written =
      writeProfiles(Whole, All, Blocks ? &Blocks->chains() : nullptr, Main, Options.Output);
}

/// What the program has left behind, as one that becomes a daemon does.
void Recording::noteRunning() {
  for (const Process &Each : All.all())
    if (Each.Id != Main && Each.isRunning() && kill(static_cast<pid_t>(Each.Id), 0) == 0)
      Result.RunOn.push_back(std::to_string(Each.Id) + " (" + Each.Name + ")");
}

} // namespace

Recorded sample::record(const RecordOptions &Options) { return Recording(Options).run(); }
