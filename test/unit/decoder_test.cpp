//===-- decoder_test.cpp - what instructions access, by the processor's word -*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// decoder_test [number]: random instructions with random registers are stepped through one by one
// (ptrace). Where no memory is mapped each access faults, and the kernel tells its address. Where
// some is, an instruction is carried out, and its address must follow from the registers behind it,
// too, or be given up.
//
//===----------------------------------------------------------------------===//
#include "check.h"
#include "sample/Accesses.h"

#include <algorithm>
#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <linux/seccomp.h>
#include <random>
#include <string>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace sample;

namespace {

constexpr size_t Longest = 15; /* bytes of an instruction */
/* Far from everything else: displacements of 32 bits lead nowhere. */
constexpr uint64_t CodeAt = 0x100000000000, NothingAt = 0x200000000000, DataAt = 0x300000000000;
constexpr uint64_t DataBytes = uint64_t(16) << 30;
constexpr size_t CodeBytes = 4096;

/// The registers that samples have, by the kernel's numbers.
constexpr struct {
  unsigned Number;
  size_t At;
} Places[] = {{0, offsetof(user_regs_struct, rax)},  {1, offsetof(user_regs_struct, rbx)},
              {2, offsetof(user_regs_struct, rcx)},  {3, offsetof(user_regs_struct, rdx)},
              {4, offsetof(user_regs_struct, rsi)},  {5, offsetof(user_regs_struct, rdi)},
              {6, offsetof(user_regs_struct, rbp)},  {7, offsetof(user_regs_struct, rsp)},
              {16, offsetof(user_regs_struct, r8)},  {17, offsetof(user_regs_struct, r9)},
              {18, offsetof(user_regs_struct, r10)}, {19, offsetof(user_regs_struct, r11)},
              {20, offsetof(user_regs_struct, r12)}, {21, offsetof(user_regs_struct, r13)},
              {22, offsetof(user_regs_struct, r14)}, {23, offsetof(user_regs_struct, r15)}};

Registers valuesOf(const user_regs_struct &Its) {
  Registers Result;
  for (const auto &[Number, At] : Places) {
    Result.Known |= 1U << Number;
    std::memcpy(&Result.Values[Number], reinterpret_cast<const char *>(&Its) + At, 8);
  }
  return Result;
}

/// A process that carries out an instruction at a time, and may call nothing of the kernel.
class Stepped {
public:
  Stepped() {
    Shared = static_cast<char *>(mmap(reinterpret_cast<void *>(CodeAt), CodeBytes,
                                      PROT_READ | PROT_WRITE | PROT_EXEC,
                                      MAP_SHARED | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0));
    Id = fork();
    if (Id == 0)
      becomeStepped();
    waitpid(Id, nullptr, 0);
    ptrace(PTRACE_GETREGS, Id, nullptr, &First);
  }
  ~Stepped() {
    kill(Id, SIGKILL);
    waitpid(Id, nullptr, 0);
    munmap(Shared, CodeBytes);
  }
  Stepped(const Stepped &) = delete;
  Stepped &operator=(const Stepped &) = delete;

  bool isThere() const { return Shared != MAP_FAILED && Id > 0; }

  struct Outcome {
    bool IsDone = false;
    bool IsFault = false; ///< of memory that is not mapped
    uint64_t Address = 0;
    user_regs_struct Behind{};
  };

  /// @param Values of its registers before; the place of the code is set
  Outcome step(const std::string &Instruction, user_regs_struct &Values) {
    std::memcpy(Shared, Instruction.data(), Instruction.size());
    const user_regs_struct Random = Values;
    Values = First;
    for (const auto &[Number, At] : Places)
      std::memcpy(reinterpret_cast<char *>(&Values) + At,
                  reinterpret_cast<const char *>(&Random) + At, 8);
    Values.rip = CodeAt;
    Values.eflags = 0x202;
    Values.orig_rax = UINT64_MAX; /* no system call is to be begun anew */
    ptrace(PTRACE_SETREGS, Id, nullptr, &Values);
    ptrace(PTRACE_SINGLESTEP, Id, nullptr, nullptr);
    int Status = 0;
    waitpid(Id, &Status, 0);
    Outcome Result;
    if (!WIFSTOPPED(Status)) {
      CHECK(WIFSTOPPED(Status));
      std::exit(1);
    }
    siginfo_t Info{};
    ptrace(PTRACE_GETSIGINFO, Id, nullptr, &Info);
    ptrace(PTRACE_GETREGS, Id, nullptr, &Result.Behind);
    Result.IsDone = WSTOPSIG(Status) == SIGTRAP;
    Result.IsFault = WSTOPSIG(Status) == SIGSEGV && Info.si_code == SEGV_MAPERR;
    Result.Address = reinterpret_cast<uint64_t>(Info.si_addr);
    return Result;
  }

private:
  [[noreturn]] static void becomeStepped() {
    mmap(reinterpret_cast<void *>(DataAt), DataBytes, PROT_READ | PROT_WRITE,
         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
    ptrace(PTRACE_TRACEME, 0, nullptr, nullptr);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    for (int File = 0; File < 64; ++File)
      close(File);
    prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT);
    __asm__ volatile("int3");
    _exit(0);
  }

  char *Shared;
  pid_t Id = 0;
  user_regs_struct First{};
};

class Trials {
public:
  void run(unsigned Count) {
    for (unsigned I = 0; I < Count; ++I) {
      const std::string Instruction = random();
      if (isCall(Instruction) || isOdd(Instruction))
        continue;
      tryNowhere(Instruction);
      if (I % 8 == 0)
        tryMapped(Instruction);
    }
    std::printf("%u addresses right, %u of them behind the instruction; %u given up, %u of the "
                "stack or none\n",
                Right, RightBehind, Gone, Without);
    CHECK(Right > Count / 50 && RightBehind > Count / 1000);
  }

private:
  /// What compilers do not write: prefixes in an order that processors take, but LLVM does not, and
  /// what is for systems: their tables, states of processors, pointers with segments.
  static bool isOdd(const std::string &Of) {
    constexpr std::string_view Prefixes = "\x26\x2e\x36\x3e\x64\x65\x66\x67\xf0\xf2\xf3";
    constexpr std::string_view OfSystems("\x00\x01\xae\xb2\xb4\xb5", 6);
    constexpr std::string_view Segments = "\x26\x2e\x36\x3e\x64\x65";
    const auto IsRex = [&](size_t At) { return (Of[At] & 0xf0) == 0x40; };
    size_t At = std::min(Of.find_first_not_of(Prefixes), Of.size() - 2);
    if (IsRex(At) && (IsRex(At + 1) || Prefixes.find(Of[At + 1]) != Prefixes.npos))
      return true;
    if (std::count_if(Of.begin(), Of.begin() + static_cast<ptrdiff_t>(At),
                      [&](char Byte) { return Segments.find(Byte) != Segments.npos; }) > 1)
      return true;
    At += IsRex(At);
    return Of[At] == 0x0f && OfSystems.find(Of[At + 1]) != OfSystems.npos;
  }

  /// Prefixes and opcodes of all kinds; bytes behind them by chance.
  std::string random() {
    static const char *const Starts[] = {
        "",     "\x48", "\x66", "\xf3\x48", "\xf2", "\x0f", "\x48\x0f", "\x66\x0f", "\xf3\x0f",
        "\xc5", "\xc4", "\x62", "\x4c",     "\x43", "\x64", "\x67",     "\xf0\x48", "\x66\x0f\x38"};
    std::string Out = Starts[Generator() % std::size(Starts)];
    while (Out.size() < Longest)
      Out += static_cast<char>(Generator());
    return Out;
  }

  /// Of the kernel: these are not for trying.
  static bool isCall(const std::string &Of) {
    for (const char *Each : {"\x0f\x05", "\x0f\x34", "\xcd"})
      if (Of.find(Each) != std::string::npos)
        return true;
    return false;
  }

  /// Addresses, and small numbers that are indices.
  user_regs_struct registers(uint64_t Base) {
    user_regs_struct Result{};
    for (const auto &[Number, At] : Places) {
      const uint64_t Value = Generator() % 3 ? Base + Generator() % (uint64_t(1) << 31)
                                             : Generator() % (uint64_t(1) << 28);
      std::memcpy(reinterpret_cast<char *>(&Result) + At, &Value, 8);
    }
    return Result;
  }

  void tell(const std::string &Of, const char *What, const Access &Its, uint64_t Truth) {
    std::printf("%s:", What);
    for (const char Byte : Of)
      std::printf(" %02x", static_cast<unsigned char>(Byte));
    std::printf(": %llx, not %llx\n", static_cast<unsigned long long>(Its.Address),
                static_cast<unsigned long long>(Truth));
    ++failures;
  }

  void tryNowhere(const std::string &Of) {
    user_regs_struct Values = registers(NothingAt);
    const Stepped::Outcome Its = Child.step(Of, Values);
    if (!Its.IsFault || Its.Behind.rip != CodeAt)
      return;
    const Access Said = Decoded.access(Of, CodeAt, valuesOf(Values), false);
    const auto IsStack = [&](uint64_t Pointer) { return Its.Address - Pointer + 4096 < 8192; };
    if (Said.What == Access::Result::Known) {
      const bool IsOfTwo = Said.Address == Values.rdi && Its.Address == Values.rsi; /* strings */
      /* What is popped into memory comes from the stack first. */
      /* Of a vector the rest may be masked. */
      const bool IsPart = (Of[0] == '\x62' || Of[0] == '\xc4') && Its.Address - Said.Address < 64;
      if (Said.Address != Its.Address && !IsPart && !IsOfTwo && !IsStack(Values.rsp))
        tell(Of, "nowhere", Said, Its.Address);
      ++Right;
    } else if (Said.What == Access::Result::Gone || Said.What == Access::Result::NotKnown) {
      ++Gone;
    } else {
      if (!IsStack(Values.rsp) && !IsStack(Values.rbp))
        tell(Of, "not seen", Said, Its.Address);
      ++Without;
    }
  }

  void tryMapped(const std::string &Of) {
    user_regs_struct Values = registers(DataAt + DataBytes / 4);
    const Stepped::Outcome Its = Child.step(Of, Values);
    if (!Its.IsDone)
      return;
    const Access Before = Decoded.access(Of, CodeAt, valuesOf(Values), false);
    const Access Behind = Decoded.access(Of, CodeAt, valuesOf(Its.Behind), true);
    if (Before.What != Access::Result::Known || Behind.What != Access::Result::Known)
      return;
    const bool IsRepeated = Behind.Address - Before.Address + 16 < 32; /* copying goes on */
    if (Before.Address != Behind.Address && !IsRepeated)
      tell(Of, "behind", Behind, Before.Address);
    ++RightBehind;
  }

  std::mt19937 Generator{1};
  Instructions Decoded;
  Stepped Child;
  unsigned Right = 0, RightBehind = 0, Gone = 0, Without = 0;
};

} // namespace

int main(int Count, char **Arguments) {
  Trials().run(Count > 1 ? static_cast<unsigned>(std::atoi(Arguments[1])) : 10000);
  return failures != 0;
}
