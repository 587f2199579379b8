//===-- UserPolicies.h - what the user says about arrays --------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A pragma in the source, or an entry of the project file .mapp.yaml, overrides the choice:
//
//     #pragma mapp place(u, v: block by columns)
//     #pragma mapp keep(w)
//     #pragma mapp off                       the arrays that this file declares from here on
//
//     machine: host
//     arrays:
//       - name: u
//         file: src/solver.c                 may be left out
//         place: block                       or keep
//
//===----------------------------------------------------------------------===//
#ifndef MAPP_USER_POLICIES_H
#define MAPP_USER_POLICIES_H

#include "Candidate.h"

namespace mapp {

/// The project file's contents.
struct Project {
  struct Array {
    std::string Name;
    std::string File; ///< empty: any
    std::string Place;
  };
  std::string Path;    ///< empty: there is none
  std::string Machine; ///< as --machine; empty: not said
  std::vector<Array> Arrays;
};

/// Reads the .mapp.yaml that is nearest to a file, in its directory or one above. False after a
/// message when that cannot be read.
bool readProject(const std::string &NearFile, Project &Out);

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
