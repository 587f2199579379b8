//===-- Candidate.cpp - what an array could get, and what it gets -*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Candidate.h"

#include "advice/PolicyText.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

#include <cassert>

using namespace mapp;

std::string mapp::sentence(const std::vector<Reason> &Reasons) {
  return llvm::join(llvm::map_range(Reasons, [](const Reason &R) { return R.Link + R.Text; }),
                    "; ");
}

//===-- Which is chosen ---------------------------------------------------------===//

Choice Choice::leftAlone(Remark Why) {
  Choice C;
  C.Candidates.emplace_back();
  C.Rule = std::move(Why);
  return C;
}

static bool isOpen(const Candidate &C) { return C.Excluded.empty(); }

bool Choice::isExhausted() const { return llvm::none_of(Candidates, isOpen); }

const Candidate &Choice::policy() const {
  assert(!isExhausted());
  return *llvm::find_if(Candidates, isOpen);
}

void Choice::leaveOnly(Policy What, Remark Why, SourcePosition Where) {
  for (Candidate &C : Candidates)
    C.Excluded = C.What == What ? "" : Why.Text;
  Rule = std::move(Why);
  RuleFrom = std::move(Where);
}

void Choice::confirm() {
  const char *const Words = "the counts agree";
  if (isRuled())
    Rule.Text += std::string("; ") + Words;
  else
    policy().Reasons.push_back({Words});
}

//===-- As text -----------------------------------------------------------------===//

/// What of the array is in use, as the run finds it.
static advice::PolicyValue withContents(const Candidate &C) {
  advice::PolicyValue Value(C);
  if (C.Filled)
    Value.filled();
  if (!C.By.Name.empty())
    Value.along(C.By.Name, C.By.Units, C.By.First, C.By.Count);
  return Value;
}

std::string mapp::policyText(const Candidate &C) {
  if (C.What == Policy::Given)
    return C.Text;
  if (C.What == Policy::LeaveAlone)
    return "left alone";
  return withContents(C).overThreads().text();
}

bool mapp::takesRange(const Candidate &C) {
  return (C.What == Policy::Block || C.What == Policy::BlockCyclic) && !C.Filled &&
         C.By.Name.empty();
}

static std::string withRange(const std::string &Policy, const Candidate &C) {
  return C.Range ? Policy + ", " + C.Range->First + ", " + C.Range->Count : Policy;
}

/// A policy without its range, as the source gets it.
static std::string quoted(const Candidate &C) {
  std::string Quoted;
  llvm::raw_string_ostream Stream(Quoted);
  Stream << '"';
  Stream.write_escaped(policyText(C)) << '"';
  return Quoted;
}

std::string mapp::unrangedEntry(const Candidate &C) {
  return C.What == Policy::LeaveAlone ? "\"first-touch\"" : quoted(C);
}

std::string mapp::entryBySize(const Candidate &C, const std::string &Entry) {
  if (!C.UnlessCached)
    return Entry;
  const std::string Cached = C.WhereCached.empty() ? "first-touch" : C.WhereCached;
  return "MAI_UNLESS_CACHED(" + Entry + ", \"" + Cached + "\")";
}

std::string mapp::policyEntry(const Candidate &C) {
  if (C.ByCaller.empty())
    return withRange(quoted(C), C);
  std::string Text;
  for (const CallersPolicy &One : C.ByCaller)
    Text += "MAI_CALLED_FROM(\"" + One.Caller + "\") ? " + One.Policy + " : ";
  return Text + C.ForOthers;
}

std::string mapp::plainEntry(const Candidate &C) {
  if (C.ByCaller.empty())
    return withRange(policyText(C), C);
  std::string Text;
  for (const CallersPolicy &One : C.ByCaller)
    Text += One.Policy + " from " + One.Caller + ", ";
  Text += C.ForOthers + " else";
  llvm::erase(Text, '"');
  return Text;
}
