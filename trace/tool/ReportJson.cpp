//===-- ReportJson.cpp - a profile as JSON ----------------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "CodeLines.h"
#include "Report.h"

#include "support/Json.h"
#include "trace/model/Tables.h"

#include "llvm/ADT/Sequence.h"

using namespace maiprof;
using llvm::json::Object;
using llvm::json::Value;
using support::jsonText;

namespace {

Value index(uint32_t Number) { return Number == None ? Value(nullptr) : Value(Number); }

template <typename List, typename Maker> Value array(const List &Items, Maker &&Make) {
  llvm::json::Array Result;
  for (const auto &Item : Items)
    Result.push_back(Make(Item));
  return Result;
}

Value number(uint64_t Of) { return Of; }

Object split(const Split &S) {
  return Object{{"local", S.Local},
                {"remote", S.Remote},
                {"unknown", S.Unknown},
                {"average_latency", S.averageLatency()}};
}

Value node(const Layout &L, uint32_t Node) {
  return Node == None ? Value(nullptr) : Value(L.OsIndex[Node]);
}

/// None of so many threads that it would take gigabytes.
Value matrix(const Matrix &M) {
  constexpr size_t Most = 2048;
  if (M.Size > Most)
    return nullptr;
  llvm::json::Array Rows;
  for (size_t I = 0; I < M.Size; ++I) {
    llvm::json::Array Row;
    for (size_t J = 0; J < M.Size; ++J)
      Row.push_back(M.at(I, J));
    Rows.push_back(std::move(Row));
  }
  return Rows;
}

Object outcome(const advice::Outcome &Of) {
  return Object{
      {"remote", Of.Remote}, {"busiest_node", Of.Busiest}, {"average_latency", Of.Latency}};
}

Object advised(const advice::Advice &Its) {
  return Object{{"policy", jsonText(Its.IsWell ? "as it is" : Its.Policy)},
                {"reason", Its.IsWell ? Value(nullptr) : jsonText(Its.Reason)},
                {"of_rows", Its.OfRows},
                {"now", outcome(Its.Now)},
                {"then", outcome(Its.Then)}};
}

Value arrayUse(const ArrayUse &A, const advice::Advice &Its) {
  const bool HasKind = A.IsArray || A.What == Array::Kind::Stack;
  return Object{
      {"name", jsonText(A.Name)},
      {"kind", HasKind ? Value(kindWord(A.What)) : Value(nullptr)},
      {"bytes", A.Bytes},
      {"blocks", A.Blocks},
      {"reads", A.Accesses.Reads},
      {"writes", A.Accesses.Writes},
      {"shared", A.Shared},
      {"transfers", A.Transfers},
      {"false_transfers", A.FalseTransfers},
      {"where", split(A.Where)},
      {"accesses_by_thread", array(A.ByThread, [](const Counts &C) { return number(C.sum()); })},
      {"accesses_by_node", array(A.ServedBy, number)},
      {"pages", A.Pages.size()},
      {"first_touched_by_thread", array(A.FirstTouched, number)},
      {"exclusive_pages_by_node", array(A.ExclusivePages, number)},
      {"shared_pages_by_node", array(A.SharedPages, number)},
      {"accesses_to_shared_pages", A.ToSharedPages},
      {"best_placement", advised(Its)}};
}

Value threadUse(const Profile &P, const Usage &U, size_t I) {
  const Thread &T = P.Threads[I];
  return Object{{"kind", T.What == Thread::Kind::OpenMP ? "openmp" : "other"},
                {"number", T.Number},
                {"cpu", index(T.Cpu)},
                {"node", node(U.Where, U.Where.OfThread[I])},
                {"moves", T.Moves},
                {"reads", U.Threads[I].Accesses.Reads},
                {"writes", U.Threads[I].Accesses.Writes},
                {"shared", U.Threads[I].Shared},
                {"where", split(U.Threads[I].Where)}};
}

const char *unitWord(Sampling::Unit Of) {
  static const char *const Names[] = {"accesses", "nanoseconds", "faults"};
  return Names[static_cast<int>(Of)];
}

Value sampled(const Profile &P) {
  if (!P.Sampled)
    return nullptr;
  const Sampling &S = *P.Sampled;
  return Object{{"source", jsonText(S.Source)},
                {"unit", unitWord(S.Of)},
                {"period", S.Period ? Value(S.Period) : Value(nullptr)},
                {"samples", S.Samples},
                {"effective", S.Effective},
                {"without_access", S.WithoutAccess},
                {"without_address", S.WithoutAddress},
                {"without_code", S.WithoutCode},
                {"lost", S.Lost},
                {"throttled", S.Throttled}};
}

Value runTime(const Profile &P) {
  if (!P.CodeTime)
    return nullptr;
  const auto Part = [&](const RunTime::Part &Its) {
    return Object{{"object", Its.Module.empty() ? Value(nullptr) : jsonText(Its.Module)},
                  {"function", Its.Function.empty() ? Value(nullptr) : jsonText(Its.Function)},
                  {"part", P.CodeTime->part(Its)}};
  };
  return Object{{"samples", P.CodeTime->Samples}, {"untraced", array(P.CodeTime->Untraced, Part)}};
}

Object info(const Profile &P, const Usage &U, const Judgement &J) {
  return Object{
      {"mai_trace", 2},
      {"program", jsonText(P.Program)},
      {"arguments", array(P.Arguments, jsonText)},
      {"host", jsonText(P.Host)},
      {"process", P.Process},
      {"started", P.Started},
      {"signal", P.Signal ? Value(P.Signal) : Value(nullptr)},
      {"line_size", P.LineBytes},
      {"page_size", P.PageBytes},
      {"sample", P.Sample},
      {"cache", P.CacheBytes ? Value(P.CacheBytes) : Value(nullptr)},
      {"coarse", P.Coarse},
      {"sampled", sampled(P)},
      {"missing", array(gaps(P), jsonText)},
      {"run_time", runTime(P)},
      {"nodes", array(U.Where.OsIndex, number)},
      {"nodes_imagined", U.Where.Imagined},
      {"reads", U.Total.Accesses.Reads},
      {"writes", U.Total.Accesses.Writes},
      {"left_out_on_own_stacks", P.OnOwnStacks.sum()},
      {"where", split(U.Total.Where)},
      {"model", modelJson(P, U)},
      {"modules", array(P.Modules,
                        [](const Module &M) {
                          return Object{{"path", jsonText(M.Path)}, {"traced", M.Instrumented}};
                        })},
      {"threads",
       array(llvm::seq<size_t>(0, P.Threads.size()), [&](size_t I) { return threadUse(P, U, I); })},
      {"arrays", array(llvm::seq<size_t>(0, U.Arrays.size()),
                       [&](size_t I) { return arrayUse(U.Arrays[I], J.OfArrays[I]); })},
      {"phases", array(P.Phases, [](const Phase &Each) { return jsonText(Each.name()); })}};
}

Object sharingObject(const Profile &P, const Sharing &S, const SharingOptions &Options) {
  return Object{{"writers", Options.Writers},
                {"phase", index(Options.Phase)},
                {"threads", array(llvm::seq<size_t>(0, S.Rows.size()),
                                  [&](size_t I) { return jsonText(S.rowName(P, I)); })},
                {"memory", matrix(S.Memory)},
                {"accesses", matrix(S.Accesses)},
                {"min", matrix(S.Smaller)},
                {"transfers", P.HasTransfers ? matrix(transfers(P, Options)) : Value(nullptr)}};
}

/// How all accesses fare.
Object effect(const Profile &P, const Effect &Of) {
  return Object{{"remote", Of.Remote},
                {"most_loaded_node", Of.Busiest},
                {"crowded", Of.Crowded},
                {"most_remote_thread", Of.MostRemote == None
                                           ? Value(nullptr)
                                           : jsonText(P.Threads[Of.MostRemote].name())},
                {"most_remote_thread_remote", Of.MostRemotePart}};
}

/// What is wrong in a region by itself.
Value regionVerdicts(const Judgement &J, uint32_t Phase) {
  const auto Found = J.OfRegions.find(Phase);
  if (Found == J.OfRegions.end())
    return nullptr;
  return array(Found->second, [](const Verdict &Each) {
    return Object{{"kind", wordOf(Each.What)},
                  {"array", Each.Array.empty() ? Value(nullptr) : jsonText(Each.Array)},
                  {"gain", Each.Gain},
                  {"remaining", Each.Remaining},
                  {"sentence", jsonText(Each.Sentence)}};
  });
}

Object region(const RegionUse &Use) {
  return Object{{"phase", Use.Phase},
                {"name", jsonText(Use.Name)},
                {"reads", Use.Accesses.Reads},
                {"writes", Use.Accesses.Writes},
                {"where", split(Use.Where)},
                {"least_remote", Use.LeastRemote},
                {"alike", array(Use.Likeness,
                                [](double Its) { return Its < 0 ? Value(nullptr) : Value(Its); })}};
}

Object task(const TaskUse &Its) {
  Object Result = region(Its.Use);
  Result.erase("phase");
  Result.erase("alike");
  Result["tasks"] = Its.number();
  Result["tasks_by_thread"] = array(Its.Begun, number);
  Result["where_by_thread"] = array(Its.Use.ByThread, [](const Split &Of) { return split(Of); });
  return Result;
}

Value line(const LineUse &L, const Usage &U) {
  const auto OfArray = [&](const std::pair<size_t, uint64_t> &Its) {
    return Object{{"array", jsonText(U.Arrays[Its.first].Name)}, {"accesses", Its.second}};
  };
  return Object{{"file", L.File.empty() ? Value(nullptr) : jsonText(L.File)},
                {"line", L.File.empty() ? Value(nullptr) : Value(L.Line)},
                {"function", L.Function.empty() ? Value(nullptr) : jsonText(L.Function)},
                {"module", jsonText(L.Module)},
                {"reads", L.Accesses.Reads},
                {"writes", L.Accesses.Writes},
                {"where", split(L.Where)},
                {"arrays", array(L.Arrays, OfArray)}};
}

Object latencySum(const LatencySum &Sum) {
  return Object{{"TL", Sum.Total}, {"TN", Sum.Number}, {"AL", Sum.average()}};
}

Object latency(const Latencies &Times, const Profile &P) {
  const auto AtLeast = [](const std::pair<double, double> &Its) {
    return Object{{"latency", Its.first}, {"part", Its.second}};
  };
  return Object{{"model", jsonText(Times.Model.Source)},
                {"unit", Times.Model.Unit.empty() ? Value(nullptr) : jsonText(Times.Model.Unit)},
                {"private", latencySum(Times.Private)},
                {"shared", latencySum(Times.Shared)},
                {"at_least", array(Times.AtLeast, AtLeast)},
                {"by_thread", array(Times.Threads, latencySum)},
                {"mean_remote_of_threads", Times.MeanRemote},
                {"deviation_remote_of_threads", Times.DeviationRemote},
                {"critical_thread", Times.Critical == None
                                        ? Value(nullptr)
                                        : jsonText(P.Threads[Times.Critical].name())}};
}

Object arrayTimes(const ArrayTimes &Of) {
  Object Result = latencySum(Of.Its);
  Result["name"] = jsonText(Of.Name);
  return Result;
}

Object finding(const Finding &Its) {
  return Object{{"kind", wordOf(Its.What)},
                {"value", Its.Value},
                {"error", Its.Error},
                {"sentence", jsonText(Its.Sentence)}};
}

/// null where samples have told no latencies.
Value sampledLatency(const Profile &P) {
  const std::optional<SampledLatencies> Its = sampledLatencies(P);
  if (!Its)
    return nullptr;
  llvm::json::Array AtLeast;
  for (size_t I = 0; I < LatencyThresholds.size(); ++I)
    AtLeast.push_back(Object{{"latency", LatencyThresholds[I]}, {"part", Its->AtLeast[I]}});
  Object ServedBy;
  for (size_t I = 0; I < ServedKinds; ++I)
    ServedBy[servedText(static_cast<Served>(I))] = latencySum(Its->By[I]);
  return Object{{"private", latencySum(Its->Private)},
                {"shared", latencySum(Its->Shared)},
                {"at_least", std::move(AtLeast)},
                {"served_by", std::move(ServedBy)},
                {"arrays", array(Its->Arrays, arrayTimes)},
                {"by_thread", array(Its->Threads, latencySum)},
                {"long_by_thread", llvm::json::Array(Its->Long)},
                {"mean_long_of_threads", Its->MeanLong},
                {"deviation_long_of_threads", Its->DeviationLong},
                {"critical_thread", jsonText(P.Threads[Its->Critical].name())},
                {"findings", array(Its->Findings, finding)}};
}

Object slice(const Profile &P, const RegionUse &Use) {
  Object Result = region(Use);
  Result.erase("phase");
  Result.erase("name");
  Result["slice"] = Use.Phase;
  Result["from"] = double(P.Slices[Use.Phase]) / 1000;
  return Result;
}

Value change(const std::pair<size_t, size_t> &Its) {
  return llvm::json::Array{Its.first, Its.second};
}

Value verdict(const Profile &P, const Judgement &J, const Verdict &Each) {
  return Object{{"kind", wordOf(Each.What)},
                {"array", Each.Array.empty() ? Value(nullptr) : jsonText(Each.Array)},
                {"gain", Each.Gain},
                {"gain_error", P.Sampled ? Value(Each.Error) : Value(nullptr)},
                {"remaining", Each.Remaining},
                {"before", effect(P, J.Now)},
                {"after", effect(P, Each.After)},
                {"sentence", jsonText(Each.Sentence)},
                {"reason", jsonText(Each.Reason)},
                {"policy", Each.Policy.empty() ? Value(nullptr) : jsonText(Each.Policy)},
                {"tried", Each.Tried ? Value(effect(P, *Each.Tried)) : Value(nullptr)},
                {"tried_gain", Each.Tried ? Value(gain(J.Now, *Each.Tried)) : Value(nullptr)},
                {"cures", array(Each.Cures, jsonText)}};
}

} // namespace

const char *maiprof::kindWord(Array::Kind What) {
  static const char *const Names[] = {"", "static", "heap", "mai", "stack", "mapping"};
  return Names[static_cast<int>(What)];
}

std::string maiprof::infoJson(const Profile &P, const Usage &U, const Judgement &J) {
  return support::jsonLines(info(P, U, J));
}

std::string maiprof::sharingJson(const Profile &P, const Sharing &S,
                                 const SharingOptions &Options) {
  return support::jsonLines(sharingObject(P, S, Options));
}

std::string maiprof::reportJson(const Profile &P, const Usage &U, const Judgement &J,
                                const Latencies &Times, const SharingOptions &Options) {
  Object Result = info(P, U, J);
  Result["sharing"] = sharingObject(P, sharing(P, Options), Options);
  Result["summary"] = jsonText(summary(J, P, U.Where));
  Result["latency"] = latency(Times, P);
  Result["sampled_latency"] = sampledLatency(P);
  Result["least_gain"] = J.LeastGain;
  Result["now"] = effect(P, J.Now);
  Result["not_known"] = J.NotKnown;
  const std::vector<RegionUse> Regions = regions(P, U.Where);
  Result["regions"] = array(Regions, [&](const RegionUse &Each) {
    Object Its = region(Each);
    Its["verdicts"] = regionVerdicts(J, Each.Phase);
    return Its;
  });
  Result["changes"] = array(changes(Regions), change);
  Result["tasks"] = array(tasks(P, U.Where), task);
  Result["slices"] =
      array(slices(P, U.Where), [&](const RegionUse &Each) { return slice(P, Each); });
  Result["lines"] = array(codeLines(P, U), [&](const LineUse &Each) { return line(Each, U); });
  Result["verdicts"] = array(J.Verdicts, [&](const Verdict &Each) { return verdict(P, J, Each); });
  return support::jsonLines(std::move(Result));
}
