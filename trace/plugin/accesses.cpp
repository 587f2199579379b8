//===-- accesses.cpp - what gcc tells of accesses --------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

// gcc's headers depend on their order.
// clang-format off
#include "gcc-plugin.h"
#include "tree.h"
#include "basic-block.h"
#include "function.h"
#include "tree-ssa-alias.h"
#include "gimple-expr.h"
#include "internal-fn.h"
#include "gimple.h"
#include "gimple-iterator.h"
#include "ssa.h"
#include "tree-pass.h"
#include "context.h"
// clang-format on

#include "accesses.h"

bool tellsAccess(gimple *Statement, Access &Found) {
  /* gimple_call_builtin_p() does not know those of another address space. */
  const tree Function = is_gimple_call(Statement) ? gimple_call_fndecl(Statement) : NULL_TREE;
  if (!Function || !fndecl_built_in_p(Function, BUILT_IN_NORMAL))
    return false;
  switch (DECL_FUNCTION_CODE(Function)) {
#define ACCESSES(SIZE)                                                                             \
  case BUILT_IN_TSAN_READ##SIZE:                                                                   \
  case BUILT_IN_TSAN_VOLATILE_READ##SIZE:                                                          \
    Found = {MAI_TRACE_READ, SIZE};                                                                \
    return true;                                                                                   \
  case BUILT_IN_TSAN_WRITE##SIZE:                                                                  \
  case BUILT_IN_TSAN_VOLATILE_WRITE##SIZE:                                                         \
    Found = {MAI_TRACE_WRITE, SIZE};                                                               \
    return true;
    ACCESSES(1)
    ACCESSES(2)
    ACCESSES(4)
    ACCESSES(8)
    ACCESSES(16)
#undef ACCESSES
  default:
    return false;
  }
}

bool leadsToMemory(tree Address) {
  const tree Type = TREE_TYPE(Address);
  return !POINTER_TYPE_P(Type) || ADDR_SPACE_GENERIC_P(TYPE_ADDR_SPACE(TREE_TYPE(Type)));
}

namespace {

constexpr unsigned StepsMax = 24;
constexpr unsigned StepsOfPhi = 8; // a loop's pointer is followed into the loop a few times only

/// The variable that an address lies in, if it can be seen.
tree variableOf(tree Address, unsigned Steps = 0) {
  if (Steps > StepsMax)
    return NULL_TREE;
  if (TREE_CODE(Address) == ADDR_EXPR) {
    const tree Base = get_base_address(TREE_OPERAND(Address, 0));
    if (Base && (TREE_CODE(Base) == MEM_REF || TREE_CODE(Base) == TARGET_MEM_REF))
      return variableOf(TREE_OPERAND(Base, 0), Steps + 1);
    return Base && DECL_P(Base) ? Base : NULL_TREE;
  }
  if (TREE_CODE(Address) != SSA_NAME)
    return NULL_TREE;
  gimple *Definition = SSA_NAME_DEF_STMT(Address);
  if (auto *Phi = dyn_cast<gphi *>(Definition)) {
    for (unsigned I = 0; I < gimple_phi_num_args(Phi); ++I)
      if (const tree Found = variableOf(gimple_phi_arg_def(Phi, I), Steps + StepsOfPhi))
        return Found;
    return NULL_TREE;
  }
  if (!is_gimple_assign(Definition))
    return NULL_TREE;
  const tree First = gimple_assign_rhs1(Definition);
  switch (gimple_assign_rhs_code(Definition)) {
  case ADDR_EXPR:
  case SSA_NAME:
  case POINTER_PLUS_EXPR:
  CASE_CONVERT:
    return variableOf(First, Steps + 1);
  default:
    return NULL_TREE;
  }
}

/// As gcc's own pass decides for accesses that name the variable.
bool isKnownOutside(tree Variable) {
  struct pt_solution Outside = {};
  Outside.escaped = 1;
  Outside.ipa_escaped = flag_ipa_pta != 0;
  return pt_solution_includes(&Outside, Variable);
}

/// Whether gcc knows that a pointer leads to variables of this function and to
/// nothing else; what loops are stepped by shows no variable. Its own analysis
/// tells memory of malloc() apart by variables that the function does not have.
bool leadsToOwn(tree Pointer) {
  const ptr_info_def *Info = SSA_NAME_PTR_INFO(Pointer);
  if (!Info || !Info->pt.vars || bitmap_empty_p(Info->pt.vars) || Info->pt.anything ||
      Info->pt.nonlocal || Info->pt.escaped || Info->pt.ipa_escaped ||
      Info->pt.vars_contains_nonlocal || Info->pt.vars_contains_escaped)
    return false;
  unsigned long Own = 0;
  unsigned I;
  tree Variable;
  FOR_EACH_LOCAL_DECL(cfun, I, Variable)
  if (!is_global_var(Variable) && bitmap_bit_p(Info->pt.vars, DECL_PT_UID(Variable)))
    ++Own;
  return Own == bitmap_count_bits(Info->pt.vars);
}

/// The pointer that an address begins with.
tree pointerOf(tree Address) {
  if (TREE_CODE(Address) == SSA_NAME && !SSA_NAME_PTR_INFO(Address)) {
    gimple *Definition = SSA_NAME_DEF_STMT(Address);
    if (is_gimple_assign(Definition) && gimple_assign_rhs_code(Definition) == ADDR_EXPR)
      return pointerOf(gimple_assign_rhs1(Definition));
  }
  if (TREE_CODE(Address) != ADDR_EXPR)
    return Address;
  const tree Base = get_base_address(TREE_OPERAND(Address, 0));
  return Base && (TREE_CODE(Base) == MEM_REF || TREE_CODE(Base) == TARGET_MEM_REF)
             ? TREE_OPERAND(Base, 0)
             : Address;
}

} // namespace

bool isOwn(tree Address) {
  if (const tree Variable = variableOf(Address))
    return !is_global_var(Variable) && !isKnownOutside(Variable);
  const tree Pointer = pointerOf(Address);
  return TREE_CODE(Pointer) == SSA_NAME && POINTER_TYPE_P(TREE_TYPE(Pointer)) &&
         leadsToOwn(Pointer);
}
