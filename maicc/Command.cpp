//===-- Command.cpp - running other programs --------------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Command.h"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <map>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace maicc;

extern "C" char **environ;

namespace {

constexpr int ExitCannotRun = 127;

std::vector<char *> pointers(const Arguments &Command) {
  std::vector<char *> Argv;
  for (const std::string &Argument : Command)
    Argv.push_back(const_cast<char *>(Argument.c_str()));
  Argv.push_back(nullptr);
  return Argv;
}

int cannotRun(const std::string &Program, int Error) {
  std::fprintf(stderr, "maicc: cannot run the compiler '%s': %s (set MAICC_CC)\n", Program.c_str(),
               std::strerror(Error));
  return ExitCannotRun;
}

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

/// A started command, or the status that it has failed with.
struct Process {
  pid_t Id = -1;
  int Status = ExitCannotRun;
  int Read = -1; ///< what it prints comes from here
};

Process start(const Arguments &Command, const Surroundings &Around) {
  Process New;
  int Pipe[2] = {-1, -1};
  posix_spawn_file_actions_t Actions;
  posix_spawn_file_actions_init(&Actions);
  const bool Wanted = Around.Output || Around.Errors;
  if (Wanted && pipe2(Pipe, O_CLOEXEC) == 0) {
    const int Kept = Around.Output ? STDOUT_FILENO : STDERR_FILENO;
    posix_spawn_file_actions_adddup2(&Actions, Pipe[1], Kept);
    posix_spawn_file_actions_addopen(
        &Actions, Kept == STDOUT_FILENO ? STDERR_FILENO : STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    New.Read = Pipe[0];
  } else if (Around.Silent) {
    posix_spawn_file_actions_addopen(&Actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  }
  if (!Around.Directory.empty())
    posix_spawn_file_actions_addchdir_np(&Actions, Around.Directory.c_str());
  const int Error = posix_spawnp(&New.Id, Command[0].c_str(), &Actions, nullptr,
                                 pointers(Command).data(), environ);
  posix_spawn_file_actions_destroy(&Actions);
  if (Pipe[1] >= 0)
    close(Pipe[1]);
  if (Error != 0) {
    New.Id = -1;
    New.Status = cannotRun(Command[0], Error);
  }
  return New;
}

void readAll(int &From, std::string &To) {
  char Buffer[4096];
  ssize_t Some = 0;
  while ((Some = read(From, Buffer, sizeof Buffer)) > 0 || (Some < 0 && errno == EINTR))
    if (Some > 0)
      To.append(Buffer, static_cast<size_t>(Some));
  close(From);
  From = -1;
}

volatile sig_atomic_t Caught = 0;

int statusOf(int Status) {
  return WIFEXITED(Status) ? WEXITSTATUS(Status) : 128 + WTERMSIG(Status);
}

} // namespace

void maicc::catchSignals() {
  struct sigaction Action{};
  Action.sa_handler = [](int Signal) { Caught = Signal; };
  for (const int Signal : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction Old{};
    if (sigaction(Signal, nullptr, &Old) == 0 && Old.sa_handler != SIG_IGN)
      sigaction(Signal, &Action, nullptr);
  }
}

int maicc::caughtSignal() { return Caught; }

void maicc::print(const Arguments &Command, const std::string &Directory) {
  std::string Line = Directory.empty() ? "" : "cd " + quoted(Directory) + " &&";
  for (const std::string &Argument : Command)
    Line += (Line.empty() ? "" : " ") + quoted(Argument);
  std::puts(Line.c_str());
}

int maicc::run(const Arguments &Command, const Surroundings &Around) {
  Process New = start(Command, Around);
  std::string Unused;
  if (New.Read >= 0)
    readAll(New.Read, Around.Output ? *Around.Output : Around.Errors ? *Around.Errors : Unused);
  if (New.Id < 0)
    return New.Status;
  int Status = 0;
  while (waitpid(New.Id, &Status, 0) < 0 && errno == EINTR)
    ;
  return statusOf(Status);
}

std::vector<int> maicc::runAll(const std::vector<Arguments> &Commands,
                               const std::vector<Surroundings> &Around, size_t Jobs) {
  std::vector<int> Statuses(Commands.size(), ExitCannotRun);
  std::map<pid_t, size_t> Running;
  size_t Next = 0;
  while (Next < Commands.size() || !Running.empty()) {
    if (Next < Commands.size() && Running.size() < Jobs) {
      const Process New = start(Commands[Next], Around[Next]);
      if (New.Id >= 0)
        Running[New.Id] = Next;
      ++Next;
      continue;
    }
    int Status = 0;
    const pid_t Ended = waitpid(-1, &Status, 0);
    if (Ended < 0 && errno != EINTR)
      break;
    if (const auto Found = Running.find(Ended); Found != Running.end()) {
      Statuses[Found->second] = statusOf(Status);
      Running.erase(Found);
    }
  }
  return Statuses;
}

int maicc::become(const Arguments &Command) {
  execvp(Command[0].c_str(), pointers(Command).data());
  return cannotRun(Command[0], errno);
}
