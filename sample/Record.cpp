//===-- Record.cpp - mai-trace record -*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Record.h"

#include "Blocks.h"
#include "Machine.h"
#include "ProfileFile.h"
#include "inside/log.h"

#include "llvm/Support/FileSystem.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <fstream>
#include <sstream>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace sample;

namespace {

enum : int { ExitError = 1, ExitNotRunnable = 126, ExitNotFound = 127 };

uint64_t now() {
  timespec Time;
  clock_gettime(CLOCK_MONOTONIC, &Time);
  return static_cast<uint64_t>(Time.tv_sec) * 1000000000 + static_cast<uint64_t>(Time.tv_nsec);
}

/*===-- Signals -------------------------------------------------------------===*/

std::atomic<pid_t> Child;
std::atomic<bool> IsToEnd;

/// A terminal sends signals to the program by itself; what somebody sends to us goes on to it.
void passOn(int Signal, siginfo_t *Info, void *) {
  if (Child > 0 && Info->si_code <= 0)
    kill(Child, Signal);
  IsToEnd = true;
}

void listen() {
  struct sigaction Action{};
  Action.sa_sigaction = passOn;
  Action.sa_flags = SA_SIGINFO | SA_RESTART;
  for (const int Signal : {SIGTERM, SIGINT, SIGHUP, SIGQUIT})
    sigaction(Signal, &Action, nullptr);
}

/*===-- The log of blocks ---------------------------------------------------===*/

/// A file that the program maps; sparse.
class LogFile {
public:
  LogFile() {
    constexpr uint64_t Slots = uint64_t(4) << 20;
    const char *Folder = getenv("TMPDIR");
    Name = std::string(Folder && *Folder ? Folder : "/tmp") + "/mai-record.XXXXXX";
    File = mkostemp(Name.data(), O_CLOEXEC);
    const sample_log_head Head = {.used = 1, .slots = Slots, .spare = {}};
    if (File >= 0 && (ftruncate(File, Slots * sizeof(sample_log_slot)) != 0 ||
                      pwrite(File, &Head, sizeof Head, 0) != sizeof Head))
      drop();
  }
  ~LogFile() { drop(); }
  LogFile(const LogFile &) = delete;
  LogFile &operator=(const LogFile &) = delete;

  bool isThere() const { return File >= 0; }
  const std::string &name() const { return Name; }

  BlockLog read() const {
    sample_log_head Head{};
    if (pread(File, &Head, sizeof Head, 0) != sizeof Head)
      return {};
    const size_t Bytes = std::min(Head.used, Head.slots) * sizeof(sample_log_slot);
    void *Mapped = mmap(nullptr, Bytes, PROT_READ, MAP_SHARED, File, 0);
    if (Mapped == MAP_FAILED)
      return {};
    BlockLog Result = readBlocks({static_cast<const char *>(Mapped), Bytes});
    munmap(Mapped, Bytes);
    return Result;
  }

private:
  void drop() {
    if (File < 0)
      return;
    close(File);
    unlink(Name.c_str());
    File = -1;
  }
  std::string Name;
  int File = -1;
};

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
  explicit Recording(const RecordOptions &Its) : Options(Its) {
    maiprof::Profile &To = Whole.Head;
    describeMachine(To);
    To.Started = static_cast<uint64_t>(time(nullptr));
    Whole.BlockBytes = Its.Preload ? Its.BlockBytes : 0;
    Nodes = std::make_unique<PageNodes>(To.Nodes.size());
  }

  Recorded run() {
    listen();
    if (Options.Process ? attach() : start()) {
      sample();
      write();
    }
    return std::move(Result);
  }

private:
  bool fail(int Status, const std::string &Why) {
    Result.Failure = Status;
    Result.Error = Why;
    return false;
  }

  bool attach() {
    const std::vector<pid_t> Threads = threadsOf(Options.Process);
    if (Threads.empty())
      return fail(ExitError, "there is no process " + std::to_string(Options.Process));
    if (!From.open(Threads, false, Options.What, Result.Refused))
      return fail(ExitError, "no source of samples is left");
    const auto Id = static_cast<uint32_t>(Options.Process);
    takeMaps(All, Options.Process);
    for (const pid_t Each : Threads)
      All.of(Id).threadOf(static_cast<uint32_t>(Each));
    Main = Id;
    Whole.Head.Arguments = argumentsOf(Options.Process);
    From.begin();
    return true;
  }

  /// Becomes the program once it may; tells why it cannot.
  [[noreturn]] void become(int Go, int Failed) const {
    char Byte;
    if (read(Go, &Byte, 1) != 1)
      _exit(ExitError);
    const std::string Library = library();
    if (Log && Log->isThere() && !Library.empty()) {
      const char *Others = getenv("LD_PRELOAD");
      const std::string Both = Library + (Others && *Others ? ":" + std::string(Others) : "");
      setenv("LD_PRELOAD", Both.c_str(), 1);
      setenv(SAMPLE_LOG_FILE, Log->name().c_str(), 1);
      setenv(SAMPLE_LOG_BLOCK, std::to_string(Options.BlockBytes).c_str(), 1);
    }
    std::vector<char *> Arguments;
    for (const std::string &Each : Options.Command)
      Arguments.push_back(const_cast<char *>(Each.c_str()));
    Arguments.push_back(nullptr);
    execvp(Arguments[0], Arguments.data());
    const int Error = errno;
    const ssize_t Ignored = ::write(Failed, &Error, sizeof Error);
    static_cast<void>(Ignored);
    _exit(ExitNotFound);
  }

  bool start() {
    if (Options.Preload)
      Log = std::make_unique<LogFile>();
    int Go[2], Failed[2];
    if (pipe2(Go, O_CLOEXEC) != 0 || pipe2(Failed, O_CLOEXEC) != 0)
      return fail(ExitError, std::strerror(errno));
    const pid_t Id = fork();
    if (Id < 0)
      return fail(ExitError, std::strerror(errno));
    if (Id == 0) {
      for (const int Signal : {SIGTERM, SIGINT, SIGHUP, SIGQUIT})
        signal(Signal, SIG_DFL);
      close(Go[1]);
      become(Go[0], Failed[1]);
    }
    close(Go[0]);
    close(Failed[1]);
    Child = Id;
    Main = static_cast<uint32_t>(Id);
    Whole.Head.Arguments = Options.Command;
    const bool IsOpen = From.open({Id}, true, Options.What, Result.Refused);
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

  bool hasEnded() {
    if (Options.Process)
      return IsToEnd || kill(Options.Process, 0) != 0;
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
    Waiting.pass(UINT64_MAX, [&](const Event &Its) { All.take(Its, From.sources()); });
  }

  void take() {
    const uint64_t Until = now(); /* what is older is in the buffers already */
    From.drain(Waiting);
    Waiting.pass(Until, [&](const Event &Its) { All.take(Its, From.sources()); });
    if (Until < NextAsked)
      return;
    constexpr uint64_t AQuarter = 250000000;
    NextAsked = Until + AQuarter;
    for (const std::unique_ptr<Process> &Each : All.all())
      Nodes->ask(*Each);
  }

  void write();

  const RecordOptions &Options;
  Recorded Result;
  Calls System;
  Kernel From{System};
  Order Waiting;
  Processes All;
  Run Whole;
  std::unique_ptr<PageNodes> Nodes;
  std::unique_ptr<LogFile> Log;
  uint32_t Main = 0;
  uint64_t NextAsked = 0;
};

void Recording::write() {
  Whole.Head.Sampled = samplingOf(From.sources(), All);
  if (WIFSIGNALED(Result.Status))
    Whole.Head.Signal = static_cast<uint32_t>(WTERMSIG(Result.Status));
  const BlockLog Known = Log && Log->isThere() ? Log->read() : BlockLog();
  Result.BlocksMissing = Known.IsFull;
  for (const std::unique_ptr<Process> &Each : All.all())
    Nodes->ask(*Each);
  std::string Error;
  Result.Files = writeProfiles(Whole, All, Log ? &Known : nullptr, Main, Options.Output, Error);
  if (!Error.empty())
    fail(ExitError, Error);
}

} // namespace

Recorded sample::record(const RecordOptions &Options) { return Recording(Options).run(); }
