//===-- OpenMP.cpp - what a directive means for its statement ---*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "OpenMP.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/OpenMPClause.h"

using namespace clang;
using namespace mapp;

bool mapp::dividesLoop(const OMPExecutableDirective &D) {
  const OpenMPDirectiveKind Kind = D.getDirectiveKind();
  return isOpenMPLoopDirective(Kind) &&
         (isOpenMPWorksharingDirective(Kind) || isOpenMPTaskLoopDirective(Kind) ||
          isOpenMPGenericLoopDirective(Kind));
}

/// Whether threads take pieces of a loop near them, at first those of a contiguous share each: MAi
/// has libgomp's do so, and LLVM's run-time does it by itself, but not under `guided`.
static bool takesNear(const OMPExecutableDirective &D, const OMPScheduleClause &Clause) {
  const auto Has = [&](OpenMPScheduleClauseModifier Modifier) {
    return Clause.getFirstScheduleModifier() == Modifier ||
           Clause.getSecondScheduleModifier() == Modifier;
  };
  return Clause.getScheduleKind() == OMPC_SCHEDULE_dynamic &&
         !Has(OMPC_SCHEDULE_MODIFIER_monotonic) && !D.getSingleClause<OMPOrderedClause>();
}

Division mapp::scheduleOf(const OMPExecutableDirective &D, const ASTContext &Context) {
  if (isOpenMPTaskLoopDirective(D.getDirectiveKind()))
    return {Schedule::Tasks, "taskloop", 0};
  const auto *Clause = D.getSingleClause<OMPScheduleClause>();
  if (!Clause)
    return {};
  const bool Static = Clause->getScheduleKind() == OMPC_SCHEDULE_static;
  if ((Static && !Clause->getChunkSize()) || takesNear(D, *Clause))
    return {};
  Division Result{Schedule::Spread,
                  std::string("schedule(") + getOpenMPSimpleClauseTypeName(
                                                 llvm::omp::OMPC_schedule,
                                                 static_cast<unsigned>(Clause->getScheduleKind())),
                  0};
  Expr::EvalResult Chunk;
  if (Static && Clause->getChunkSize()->EvaluateAsInt(Chunk, Context)) {
    Result.Chunk = static_cast<int64_t>(Chunk.Val.getInt().getLimitedValue(INT32_MAX));
    Result.Text += ", " + std::to_string(Result.Chunk);
  } else if (Static) {
    Result.Text += ", chunk";
    Result.ChunkSize = Clause->getChunkSize();
  }
  Result.Text += ")";
  return Result;
}

const Expr *mapp::teamSize(const OMPExecutableDirective &D) {
  const auto *Clause = D.getSingleClause<OMPNumThreadsClause>();
  return Clause ? Clause->getNumThreads() : nullptr;
}

std::optional<ScopeKind> mapp::executionOf(const OMPExecutableDirective &D) {
  if (isa<OMPSingleDirective, OMPMasterDirective, OMPParallelMasterDirective, OMPMaskedDirective,
          OMPParallelMaskedDirective>(D))
    return ScopeKind::OneThread;
  if (isa<OMPSectionsDirective, OMPParallelSectionsDirective, OMPTaskDirective>(D))
    return ScopeKind::AnyThread;
  return std::nullopt;
}

/// The variable that a list item such as `a` or `a[0:n]` is about.
static const VarDecl *listItem(const Stmt *Item) {
  while (Item && !isa<DeclRefExpr>(Item))
    Item = Item->child_begin() == Item->child_end() ? nullptr : *Item->child_begin();
  return Item ? dyn_cast<VarDecl>(cast<DeclRefExpr>(Item)->getDecl()) : nullptr;
}

llvm::SmallVector<const VarDecl *, 4> mapp::privatisedVariables(const OMPExecutableDirective &D) {
  llvm::SmallVector<const VarDecl *, 4> Variables;
  for (const OMPClause *Clause : D.clauses())
    if (isa<OMPPrivateClause, OMPFirstprivateClause, OMPLastprivateClause, OMPReductionClause,
            OMPInReductionClause, OMPLinearClause>(Clause))
      for (const Stmt *Item : Clause->children())
        if (const VarDecl *Variable = listItem(Item))
          Variables.push_back(Variable);
  return Variables;
}
