//===-- UserPolicies.cpp - what the user says about arrays ------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "UserPolicies.h"

extern "C" {
#include "mai/policy/policy.h"
}

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <array>

using namespace mapp;

//===-- Policies --------------------------------------------------------------===//

namespace {

/// A policy read by MAi's own reader of its grammar.
class GivenPolicy {
public:
  explicit GivenPolicy(const std::string &Text) {
    mai_policy_error Wrong{};
    if (mai_policy_read(Text.c_str(), &Value, &Wrong) == 0)
      return;
    std::array<char, MAI_POLICY_EXPLAINED> Explained{};
    mai_policy_explain(Text.c_str(), &Wrong, Explained.data(), Explained.size());
    Error = Explained.data();
  }
  GivenPolicy(const GivenPolicy &) = delete;
  GivenPolicy &operator=(const GivenPolicy &) = delete;
  ~GivenPolicy() { mai_policy_release(&Value); }

  mai_policy_t Value{};
  std::string Error;
};

/// How many of an array's dimensions MAi has to know for a policy.
unsigned dimensionsFor(const mai_policy_t &P) {
  if (P.unit == MAI_UNIT_DIMENSION)
    return P.dimension + 1;
  if (P.unit != MAI_UNIT_BLOCKS)
    return 1;
  return P.block[2] > 0 ? 3 : P.block[1] > 0 ? 2 : 1;
}

/// The candidate that a policy's text makes for an array.
/// @return why that is not possible, or empty
std::string read(const std::string &Policy, const ArrayDeclaration &Array, Candidate &Out) {
  const GivenPolicy Given(Policy);
  if (!Given.Error.empty())
    return Given.Error;
  const unsigned Dimensions = dimensionsFor(Given.Value);
  if (Dimensions > 1 && Dimensions > Array.Extents.size())
    return llvm::formatv("the policy needs an array of {0} dimensions", Dimensions);
  if (Dimensions > 3)
    return "at most three dimensions can be told";
  Out.What = mapp::Policy::Given;
  Out.Dimension = Dimensions - 1;
  Out.Text = Policy;
  return "";
}

} // namespace

//===-- Who requests what --------------------------------------------------------===//

UserPolicies::UserPolicies(const std::vector<Facts> &Units, const Project &Entries)
    : Given(Entries), UsedEntries(Entries.Arrays.size(), false) {
  for (const Facts &Unit : Units)
    for (const Pragma &P : Unit.Pragmas)
      addPragma(Unit, P);
}

void UserPolicies::complain(Topic Number, std::string Text, const SourcePosition &Where) {
  Complaint &New = Complaints.emplace_back();
  New.What.Number = Number;
  New.What.Text = std::move(Text);
  New.Where = Where;
}

void UserPolicies::addPragma(const Facts &Unit, const Pragma &P) {
  if (P.What == Pragma::Kind::Unknown) {
    complain(Topic::BadPragma, "expected place(name: policy), keep(name) or off", P.Where);
    return;
  }
  if (P.What == Pragma::Kind::Off) {
    for (const ArrayDeclaration &Array : Unit.Arrays)
      if (Array.Where.File == P.Where.File && Array.Where.Line >= P.Where.Line)
        ByKey.insert({Array.Key, {"keep", P.Where}});
    return;
  }
  for (const std::string &Name : P.Names) { // The declaration of that name that is nearest.
    const ArrayDeclaration *Nearest = nullptr;
    const auto Distance = [&](const ArrayDeclaration &A) {
      return std::abs(static_cast<long>(A.Where.Line) - static_cast<long>(P.Where.Line));
    };
    for (const ArrayDeclaration &Array : Unit.Arrays)
      if (Array.Name == Name && Array.Where.File == P.Where.File &&
          (!Nearest || Distance(Array) < Distance(*Nearest)))
        Nearest = &Array;
    for (const ArrayDeclaration &Array : Unit.Arrays) // A pointer may get several blocks.
      if (Nearest && Nearest->Allocated && Array.Allocated && Array.Name == Name &&
          Array.InFunction == Nearest->InFunction)
        ByKey.insert_or_assign(Array.Key, UserPolicy{P.Policy, P.Where});
    if (Nearest)
      ByKey.insert_or_assign(Nearest->Key, UserPolicy{P.Policy, P.Where});
    else
      complain(Topic::UnknownName, "no static array " + Name, P.Where);
  }
}

std::optional<UserPolicies::UserPolicy> UserPolicies::find(const std::string &Key,
                                                           const ArrayDeclaration &Array) {
  std::optional<UserPolicy> Wanted;
  for (size_t I = 0; I < Given.Arrays.size(); ++I) {
    const Project::Array &Entry = Given.Arrays[I];
    if (Entry.Name != Array.Name ||
        !(Entry.File.empty() || llvm::StringRef(Array.Where.File).ends_with(Entry.File)))
      continue;
    UsedEntries[I] = true;
    Wanted = UserPolicy{Entry.Place, {Given.Path, 0}};
  }
  if (const auto Pragma = ByKey.find(Key); Pragma != ByKey.end()) // Nearer to the array.
    Wanted = Pragma->second;
  return Wanted;
}

bool UserPolicies::apply(const std::string &Key, const ArrayDeclaration &Array, Choice &C) {
  const std::optional<UserPolicy> Wanted = find(Key, Array);
  if (!Wanted)
    return false;
  const std::string Why =
      std::string(Wanted->Where.Line > 0 ? "a pragma" : "the project file") + " says so";
  if (Wanted->Policy == "keep") {
    C.leaveOnly(Policy::LeaveAlone, {Topic::Kept, Why}, Wanted->Where);
    return true;
  }
  Candidate Asked;
  if (const std::string Wrong = read(Wanted->Policy, Array, Asked); !Wrong.empty()) {
    complain(Topic::BadPragma, Array.Name + ": " + Wrong, Wanted->Where);
    return false;
  }
  C.Candidates.insert(C.Candidates.begin(), std::move(Asked));
  C.leaveOnly(Policy::Given, {Topic::Requested, Why}, Wanted->Where);
  return true;
}

const std::vector<UserPolicies::Complaint> &UserPolicies::complaints() {
  for (size_t I = 0; I < UsedEntries.size(); ++I)
    if (!UsedEntries[I])
      complain(Topic::UnknownName, "no static array " + Given.Arrays[I].Name, {Given.Path, 0});
  UsedEntries.assign(UsedEntries.size(), true); // Each is said once.
  return Complaints;
}
