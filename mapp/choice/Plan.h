//===-- Plan.h - the decisions about a whole program ------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Brings together what may be edited (the declarations) and what should be (the choices): one
// decision an array, at one of its declarations.
//
//===----------------------------------------------------------------------===//
#ifndef MAPP_PLAN_H
#define MAPP_PLAN_H

#include "BlockText.h"
#include "Choose.h"
#include "Counts.h"
#include "UserPolicies.h"

namespace mapp {

/// What happens to one array.
struct Decision {
  enum class Outcome { Place, AlreadyPlaced, LeftAlone };

  Outcome What = Outcome::LeftAlone;
  const ArrayDeclaration *At = nullptr; ///< the declaration that is edited or spoken of
  const Facts *Unit = nullptr;          ///< where it stands
  Choice Chosen;                        ///< also why it is left alone
  BlockText Text = {};                  ///< of a block that is placed

  /// It would be placed if it could be.
  bool isRefused() const {
    return What == Outcome::LeftAlone && infoOf(Chosen.number()).Kind == DiagnosticKind::Refused;
  }
  /// It cannot be placed, whatever speaks for that.
  void refuse(Remark Why) {
    What = Outcome::LeftAlone;
    Chosen.leaveOnly(Policy::LeaveAlone, std::move(Why));
  }
};

/// At `Offset`, `Removed` characters give way to others.
struct Edit {
  uint32_t Offset;
  uint32_t Removed;
  std::string Inserted;
  /// What stands for an entry that says the same as one before it, when the text is parsed again:
  /// it declares the same name, and compiles only where the array is declared as it was.
  std::string Instead = {};
  std::string About = {}; ///< the array and its line: edits about one only make sense together
};

struct Plan {
  std::vector<Decision> Decisions; ///< in the order of files and lines
  size_t Small = 0;                ///< arrays below the limit: not worth a line each
  bool Complete = true;            ///< as Classification::Complete
  std::vector<UserPolicies::Complaint> Complaints;
  std::vector<Note> Notes;
  /// Of each unit, where loops that touch arrays first are offered instead of placing them.
  std::optional<std::vector<std::vector<Edit>>> FirstTouch;
  Classification Classified;

  std::vector<Use> usesOf(const Decision &D) const;
};

/// What a plan is made by.
struct PlanOptions {
  Mode RewriteMode = Mode::InPlace;
  uint64_t MinBytes = 4096;
  bool HeapBlocks = true; ///< place what malloc() and its like return
  Machine On;
  Project Requested;
  std::optional<CountedRun> Counts; ///< a profile
};

Plan makePlan(const std::vector<Facts> &Units, const PlanOptions &Options);

} // namespace mapp

#endif // MAPP_PLAN_H
