//===-- Tables.cpp - what a model made of accesses, to read -----*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Tables.h"

#include "support/Json.h"
#include "support/Text.h"
#include "trace/profile/Modelled.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

#include <algorithm>

using namespace maiprof;
using llvm::formatv;

using llvm::json::Object;
using llvm::json::Value;
using support::jsonText;

namespace {

constexpr size_t CodeLinesShown = 10;
constexpr double LeastMisses = 0.001; /* of all */

std::string regularText(const ModelledUse &Use) {
  return Use.Misses ? support::percentText(Use.regularity()) : "-";
}

std::string row(const std::string &Name, const ModelledUse &Use) {
  return formatv("{0,-34} {1,13} {2,8} {3,14} {4,13} {5,13} {6,13}\n", Name, Use.Misses,
                 regularText(Use), Use.localCache(), Use.RemoteCache, Use.LocalMemory,
                 Use.RemoteMemory + Use.UnknownMemory);
}

std::string shapeText(const Profile &P, const Usage &U) {
  const Model &Its = *P.SeenBy;
  return support::bytesText(double(Its.CacheBytes)) + " of last-level cache a node, " +
         std::to_string(Its.Ways) + " ways, " + std::to_string(U.Where.Nodes) +
         (U.Where.Nodes == 1 ? " node" : " nodes") + (Its.Nodes ? ", imagined" : "");
}

std::string arraysTable(const Usage &U, const Modelled &Its) {
  std::string Out =
      formatv("{0,-34} {1,13} {2,8} {3,14} {4,13} {5,13} {6,13}\n", "array", "misses", "regular",
              "local cache", "remote cache", "local memory", "remote mem.");
  for (size_t I = 0; I < U.Arrays.size(); ++I)
    if (double(Its.Arrays[I].Misses) >= LeastMisses * double(Its.Total.Misses))
      Out += row(U.Arrays[I].Name, Its.Arrays[I]);
  return Out + row("all", Its.Total);
}

std::string position(const ModelledLine &L) {
  if (L.File.empty())
    return "(no line of the source)";
  return llvm::sys::path::filename(L.File).str() + ":" + std::to_string(L.Line) +
         (L.Function.empty() ? "" : " in " + L.Function);
}

std::string linesTable(const Modelled &Its) {
  std::string Out = formatv("{0,13} {1,8} {2,13} {3,13}  {4}\n", "misses", "regular",
                            "remote cache", "memory", "line of the source");
  for (size_t I = 0; I < std::min(CodeLinesShown, Its.Lines.size()); ++I) {
    const ModelledUse &Use = Its.Lines[I].Use;
    Out +=
        formatv("{0,13} {1,8} {2,13} {3,13}  {4}\n", Use.Misses, regularText(Use), Use.RemoteCache,
                Use.LocalMemory + Use.RemoteMemory + Use.UnknownMemory, position(Its.Lines[I]));
  }
  return Out;
}

Object counts(const ModelledUse &Use) {
  return Object{{"misses", Use.Misses},
                {"predicted", Use.Predicted},
                {"local_cache", Use.localCache()},
                {"remote_cache", Use.RemoteCache},
                {"local_memory", Use.LocalMemory},
                {"remote_memory", Use.RemoteMemory},
                {"unknown_memory", Use.UnknownMemory}};
}

llvm::json::Array arrays(const Usage &U, const Modelled &Its) {
  llvm::json::Array Result;
  for (size_t I = 0; I < U.Arrays.size(); ++I) {
    Object Each = counts(Its.Arrays[I]);
    Each["array"] = jsonText(U.Arrays[I].Name);
    Result.push_back(std::move(Each));
  }
  return Result;
}

llvm::json::Array lines(const Modelled &Its) {
  llvm::json::Array Result;
  for (const ModelledLine &L : Its.Lines) {
    Object Each = counts(L.Use);
    Each["file"] = L.File.empty() ? Value(nullptr) : jsonText(L.File);
    Each["line"] = L.File.empty() ? Value(nullptr) : Value(L.Line);
    Each["function"] = L.Function.empty() ? Value(nullptr) : jsonText(L.Function);
    Result.push_back(std::move(Each));
  }
  return Result;
}

} // namespace

std::string maiprof::modelTables(const Profile &P, const Usage &U) {
  if (!P.SeenBy)
    return "";
  const Modelled Its = modelled(P, U);
  return "\nmodel     " + shapeText(P, U) + "\n" + arraysTable(U, Its) + "\n" + linesTable(Its);
}

Value maiprof::modelJson(const Profile &P, const Usage &U) {
  if (!P.SeenBy)
    return nullptr;
  const Modelled Its = modelled(P, U);
  return Object{
      {"nodes", U.Where.Nodes}, {"imagined", P.SeenBy->Nodes > 0}, {"cache", P.SeenBy->CacheBytes},
      {"ways", P.SeenBy->Ways}, {"all", counts(Its.Total)},        {"arrays", arrays(U, Its)},
      {"lines", lines(Its)}};
}
