//===-- ReportJson.cpp - a profile as JSON ----------------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Report.h"

#include <cstdlib>
#include <jansson.h>

using namespace maiprof;

namespace {

json_t *number(uint64_t Value) { return json_integer(static_cast<json_int_t>(Value)); }

/// Names come from anywhere and may be no UTF-8.
json_t *text(const std::string &Value) {
  json_t *String = json_stringn(Value.data(), Value.size());
  if (String)
    return String;
  std::string Ascii;
  for (const char C : Value)
    Ascii += static_cast<unsigned char>(C) < 0x80 ? C : '?';
  return json_stringn(Ascii.data(), Ascii.size());
}

json_t *index(uint32_t Value) { return Value == None ? json_null() : number(Value); }

template <typename List, typename Maker> json_t *array(const List &Items, Maker &&Make) {
  json_t *Out = json_array();
  for (const auto &Item : Items)
    json_array_append_new(Out, Make(Item));
  return Out;
}

void put(json_t *Object, const char *Key, json_t *Value) {
  json_object_set_new(Object, Key, Value);
}

json_t *split(const Split &S) {
  json_t *Out = json_object();
  put(Out, "local", number(S.Local));
  put(Out, "remote", number(S.Remote));
  put(Out, "unknown", number(S.Unknown));
  put(Out, "average_latency", json_real(S.averageLatency()));
  return Out;
}

json_t *node(const Layout &L, uint32_t Node) {
  return Node == None ? json_null() : number(L.OsIndex[Node]);
}

json_t *matrix(const Matrix &M) {
  json_t *Out = json_array();
  for (size_t I = 0; I < M.Size; ++I) {
    json_t *Row = json_array();
    for (size_t J = 0; J < M.Size; ++J)
      json_array_append_new(Row, number(M.at(I, J)));
    json_array_append_new(Out, Row);
  }
  return Out;
}

const char *kindName(Array::Kind What) {
  static const char *const Names[] = {"", "static", "heap", "mai", "stack", "mapping"};
  return Names[static_cast<int>(What)];
}

json_t *arrayUse(const Layout &L, const ArrayUse &A) {
  json_t *Out = json_object();
  put(Out, "name", text(A.Name));
  put(Out, "kind",
      A.IsArray || A.What == Array::Kind::Stack ? text(kindName(A.What)) : json_null());
  put(Out, "bytes", number(A.Bytes));
  put(Out, "blocks", number(A.Blocks));
  put(Out, "reads", number(A.Accesses.Reads));
  put(Out, "writes", number(A.Accesses.Writes));
  put(Out, "shared", number(A.Shared));
  put(Out, "where", split(A.Where));
  put(Out, "accesses_by_thread",
      array(A.ByThread, [](const Counts &C) { return number(C.sum()); }));
  put(Out, "accesses_by_node", array(A.ServedBy, number));
  put(Out, "pages", number(A.Pages.size()));
  put(Out, "first_touched_by_thread", array(A.FirstTouched, number));
  put(Out, "exclusive_pages_by_node", array(A.ExclusivePages, number));
  put(Out, "shared_pages_by_node", array(A.SharedPages, number));
  json_t *Best = json_object();
  put(Best, "policy", text(A.Best.name(L)));
  put(Best, "where", split(A.Best.Accesses));
  put(Best, "busiest_node", json_real(A.Best.BusiestNode));
  put(Out, "best_placement", Best);
  return Out;
}

json_t *threadUse(const Profile &P, const Usage &U, size_t I) {
  const Thread &T = P.Threads[I];
  json_t *Out = json_object();
  put(Out, "kind", text(T.What == Thread::Kind::OpenMP ? "openmp" : "other"));
  put(Out, "number", number(T.Number));
  put(Out, "cpu", index(T.Cpu));
  put(Out, "node", node(U.Where, U.Where.OfThread[I]));
  put(Out, "moves", number(T.Moves));
  put(Out, "reads", number(U.Threads[I].Accesses.Reads));
  put(Out, "writes", number(U.Threads[I].Accesses.Writes));
  put(Out, "shared", number(U.Threads[I].Shared));
  put(Out, "where", split(U.Threads[I].Where));
  return Out;
}

json_t *info(const Profile &P, const Usage &U) {
  json_t *Out = json_object();
  put(Out, "mai_trace", number(1));
  put(Out, "program", text(P.Program));
  put(Out, "arguments", array(P.Arguments, text));
  put(Out, "host", text(P.Host));
  put(Out, "process", number(P.Process));
  put(Out, "started", number(P.Started));
  put(Out, "signal", P.Signal ? number(P.Signal) : json_null());
  put(Out, "line_size", number(P.LineBytes));
  put(Out, "page_size", number(P.PageBytes));
  put(Out, "sample", number(P.Sample));
  put(Out, "cache", P.CacheBytes ? number(P.CacheBytes) : json_null());
  put(Out, "coarse", json_boolean(P.Coarse));
  put(Out, "nodes", array(U.Where.OsIndex, [](uint32_t Os) { return number(Os); }));
  put(Out, "nodes_imagined", json_boolean(U.Where.Imagined));
  put(Out, "reads", number(U.Total.Accesses.Reads));
  put(Out, "writes", number(U.Total.Accesses.Writes));
  put(Out, "left_out_on_own_stacks", number(P.OnOwnStacks.sum()));
  put(Out, "where", split(U.Total.Where));
  put(Out, "modules", array(P.Modules, [](const Module &M) {
        json_t *Each = json_object();
        put(Each, "path", text(M.Path));
        put(Each, "traced", json_boolean(M.Instrumented));
        return Each;
      }));
  json_t *Threads = json_array();
  for (size_t I = 0; I < P.Threads.size(); ++I)
    json_array_append_new(Threads, threadUse(P, U, I));
  put(Out, "threads", Threads);
  put(Out, "arrays", array(U.Arrays, [&](const ArrayUse &A) { return arrayUse(U.Where, A); }));
  put(Out, "phases", array(P.Phases, [](const Phase &Each) { return text(Each.name()); }));
  return Out;
}

json_t *sharingObject(const Profile &P, const Sharing &S, const SharingOptions &Options) {
  json_t *Out = json_object();
  put(Out, "writers", json_boolean(Options.Writers));
  put(Out, "phase", index(Options.Phase));
  json_t *Names = json_array();
  for (size_t I = 0; I < S.Rows.size(); ++I)
    json_array_append_new(Names, text(S.rowName(P, I)));
  put(Out, "threads", Names);
  put(Out, "memory", matrix(S.Memory));
  put(Out, "accesses", matrix(S.Accesses));
  put(Out, "min", matrix(S.Smaller));
  return Out;
}

std::string dump(json_t *Root) {
  char *Text = json_dumps(Root, JSON_INDENT(1));
  json_decref(Root);
  std::string Out = Text ? Text : "";
  std::free(Text);
  return Out.empty() ? Out : Out + "\n";
}

} // namespace

std::string maiprof::infoJson(const Profile &P, const Usage &U) { return dump(info(P, U)); }

std::string maiprof::sharingJson(const Profile &P, const Sharing &S,
                                 const SharingOptions &Options) {
  return dump(sharingObject(P, S, Options));
}

std::string maiprof::reportJson(const Profile &P, const Usage &U, const SharingOptions &Options) {
  json_t *Out = info(P, U);
  put(Out, "sharing", sharingObject(P, sharing(P, Options), Options));
  put(Out, "problems", array(U.Problems, [](const Problem &Each) {
        json_t *Object = json_object();
        put(Object, "name", text(Each.Name));
        put(Object, "found", json_boolean(Each.Found));
        put(Object, "verdict", text(Each.Verdict));
        put(Object, "evidence", array(Each.Evidence, text));
        put(Object, "remedy", array(Each.Remedy, text));
        return Object;
      }));
  return dump(Out);
}
