//===-- Launchers.cpp - a layout in the words of launchers ------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Slurm's masks and MPICH's list are by the number that a rank has on its host, and begin anew on
// each: they are those of the host with most ranks.
//
//===----------------------------------------------------------------------===//

#include "Launchers.h"

#include "support/Json.h"

#include <algorithm>
#include <set>

using namespace threadmap;
namespace json = llvm::json;

namespace {

using Cpus = std::vector<uint32_t>;

std::string joined(const Cpus &Of, const std::string &Before, const std::string &Between,
                   const std::string &After) {
  std::string Result;
  for (const uint32_t Cpu : Of)
    Result += (Result.empty() ? "" : Between) + Before + std::to_string(Cpu) + After;
  return Result;
}

/// Each CPU once, ascending.
Cpus once(const Cpus &Of) {
  const std::set<uint32_t> Sorted(Of.begin(), Of.end());
  return {Sorted.begin(), Sorted.end()};
}

/// "0x10003"
std::string maskOf(const Cpus &Of) {
  std::string Digits(*std::max_element(Of.begin(), Of.end()) / 4 + 1, '0');
  for (const uint32_t Cpu : once(Of)) {
    char &Digit = Digits[Digits.size() - 1 - Cpu / 4];
    const int Value = (Digit <= '9' ? Digit - '0' : Digit - 'a' + 10) | (1 << (Cpu % 4));
    Digit = "0123456789abcdef"[Value];
  }
  return "0x" + Digits;
}

/// The CPUs of the ranks of the host that has most.
std::vector<Cpus> listForAllHosts(const Bound &What) {
  std::vector<std::vector<Cpus>> ByHost(What.Hosts.size());
  for (size_t Rank = 0; Rank < What.CpuOf.size(); ++Rank)
    ByHost[What.HostOf[Rank]].push_back(What.CpuOf[Rank]);
  return *std::max_element(ByHost.begin(), ByHost.end(),
                           [](const auto &A, const auto &B) { return A.size() < B.size(); });
}

std::string hosts(const Bound &What, const char *Between) {
  std::string Result;
  for (const uint32_t Host : What.HostOf)
    Result += (Result.empty() ? "" : Between) + What.Hosts[Host];
  return Result;
}

/// Physical numbers, as `mpirun --mca rmaps_rank_file_physical 1 --rankfile FILE` reads them.
std::string rankFile(const Bound &What) {
  std::string Result;
  for (size_t Rank = 0; Rank < What.CpuOf.size(); ++Rank)
    Result += "rank " + std::to_string(Rank) + "=" + What.Hosts[What.HostOf[Rank]] +
              " slot=" + joined(once(What.CpuOf[Rank]), "", ",", "") + "\n";
  return Result;
}

std::string slurm(const Bound &What) {
  std::string Masks;
  for (const Cpus &Of : listForAllHosts(What))
    Masks += (Masks.empty() ? "" : ",") + maskOf(Of);
  const bool HasSeveral = What.Hosts.size() > 1;
  return "srun --ntasks=" + std::to_string(What.CpuOf.size()) +
         (HasSeveral ? " --distribution=arbitrary" : " --nodes=1") +
         " --cpu-bind=mask_cpu:" + Masks + "\n";
}

std::string mpich(const Bound &What) {
  std::string Lists;
  for (const Cpus &Of : listForAllHosts(What))
    Lists += (Lists.empty() ? "" : ",") + joined(once(Of), "", "+", "");
  const bool HasSeveral = What.Hosts.size() > 1;
  return "mpiexec -n " + std::to_string(What.CpuOf.size()) +
         (HasSeveral ? " -hosts " + hosts(What, ",") : "") + " -bind-to user:" + Lists + "\n";
}

/// The rank is what the launcher says: the same variables as in mai/process/ranks.c.
std::string script(const Bound &What, const std::string &Comments) {
  std::string Result = "#!/bin/sh\n" + Comments;
  Result += "rank=${OMPI_COMM_WORLD_RANK:-${PMIX_RANK:-${PMI_RANK:-${MV2_COMM_WORLD_RANK:-"
            "${FLUX_TASK_RANK:-$SLURM_PROCID}}}}}\n"
            "case $rank in\n";
  for (size_t Rank = 0; Rank < What.CpuOf.size(); ++Rank)
    Result += std::to_string(Rank) + ") cpus=" + joined(once(What.CpuOf[Rank]), "", ",", "") +
              " places='" + joined(What.CpuOf[Rank], "{", ",", "}") + "' ;;\n";
  return Result + "*) echo \"$0: expected a rank from 0 to " +
         std::to_string(What.CpuOf.size() - 1) + ", found '$rank'\" >&2; exit 2 ;;\nesac\n" +
         "export OMP_PROC_BIND=close OMP_PLACES=\"$places\"\n"
         "exec taskset --cpu-list \"$cpus\" \"$@\"\n";
}

std::string jsonOf(const Bound &What) {
  json::Array Ranks;
  for (size_t Rank = 0; Rank < What.CpuOf.size(); ++Rank)
    Ranks.push_back(json::Object{{"rank", Rank},
                                 {"host", What.Hosts[What.HostOf[Rank]]},
                                 {"cpus", json::Array(What.CpuOf[Rank])}});
  return support::jsonLines(json::Object{{"mai_map", 1}, {"ranks", std::move(Ranks)}});
}

} // namespace

std::string threadmap::textOf(Launcher Which, const Bound &What, const std::string &Comments) {
  switch (Which) {
  case Launcher::Script:
    return script(What, Comments);
  case Launcher::OpenMpi:
    return Comments + rankFile(What);
  case Launcher::Slurm:
    return slurm(What);
  case Launcher::Mpich:
    return mpich(What);
  case Launcher::HostFile:
    return hosts(What, "\n") + "\n";
  case Launcher::Json:
    return jsonOf(What);
  }
  return "";
}
