//===-- UserPolicies.h - what the user says about arrays --------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A pragma in the source, or an entry of the project file, overrides the choice:
//
//     #pragma mapp place(u, v: block by columns)
//     #pragma mapp keep(w)
//     #pragma mapp off                       the arrays that this file declares from here on
//
//===----------------------------------------------------------------------===//
#ifndef MAPP_USER_POLICIES_H
#define MAPP_USER_POLICIES_H

#include "Candidate.h"
#include "ProjectFile.h"

namespace mapp {

/// Finds what is requested for arrays, and remembers which requests were used.
class UserPolicies {
public:
  UserPolicies(const std::vector<Facts> &Units, const Project &Given);

  /// Lets a request for the array of that key rule its choice.
  /// @return false: there is none that is possible
  bool apply(const std::string &Key, const ArrayDeclaration &Array, Choice &C);

  /// What is wrong with the requests, to be asked at the end.
  struct Complaint {
    Remark What;
    SourcePosition Where;
  };
  const std::vector<Complaint> &complaints();

private:
  struct UserPolicy {
    std::string Policy;
    SourcePosition Where;
  };
  std::optional<UserPolicy> find(const std::string &Key, const ArrayDeclaration &Array);
  void complain(Topic Number, std::string Text, const SourcePosition &Where);
  void addPragma(const Facts &Unit, const Pragma &P);

  const Project &Given;
  std::map<std::string, UserPolicy> ByKey;
  std::vector<bool> UsedEntries;
  std::vector<Complaint> Complaints;
};

} // namespace mapp

#endif // MAPP_USER_POLICIES_H
