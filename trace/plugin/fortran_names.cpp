//===-- fortran_names.cpp - what Fortran's statements allocate for *- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// ALLOCATE, automatic arrays and assignments to allocatables become calls of malloc() whose result
// is stored in a variable, a component or a descriptor. Here that store is still whole: behind the
// call this pass has the program tell the run-time, by mai_trace_name_block(), what the block is
// called in the source. Lines of the source would not do: gfortran knows no columns, and one
// statement may allocate several arrays.
//
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
#include "langhooks.h"
#include "stringpool.h"
#include "attribs.h"
// clang-format on

#include "fortran_names.h"

#include <string>

namespace {

constexpr unsigned StepsMax = 24;

std::string nameOf(tree Of, unsigned Steps = 0);

/// "module%array" for what a module has, "array (in procedure)" for what one keeps.
std::string variableName(tree Variable) {
  const tree Name = DECL_NAME(Variable);
  if (!Name || IDENTIFIER_POINTER(Name)[0] == '.')
    return "";
  const std::string Plain = IDENTIFIER_POINTER(Name);
  if (!VAR_P(Variable) || !is_global_var(Variable))
    return DECL_ARTIFICIAL(Variable) ? "" : Plain;
  const std::string Symbol = IDENTIFIER_POINTER(DECL_ASSEMBLER_NAME(Variable));
  const size_t Separator = Symbol.find("_MOD_");
  if (Symbol.compare(0, 2, "__") == 0 && Separator != std::string::npos)
    return Symbol.substr(2, Separator - 2) + "%" + Plain;
  const tree Home = DECL_CONTEXT(Variable);
  if (Home && TREE_CODE(Home) == FUNCTION_DECL && DECL_NAME(Home) &&
      !MAIN_NAME_P(DECL_NAME(Home)) && std::string(IDENTIFIER_POINTER(DECL_NAME(Home))) != "MAIN__")
    return Plain + " (in " + IDENTIFIER_POINTER(DECL_NAME(Home)) + ")";
  return Plain;
}

/// Descriptors hold the address in "data", polymorphic variables theirs in "_data".
std::string componentName(tree Component, unsigned Steps) {
  const std::string Before = nameOf(TREE_OPERAND(Component, 0), Steps + 1);
  const tree Name = DECL_NAME(TREE_OPERAND(Component, 1));
  const std::string Own = Name ? IDENTIFIER_POINTER(Name) : "";
  const tree Type = TYPE_NAME(TREE_TYPE(TREE_OPERAND(Component, 0)));
  const tree TypeName = Type && TREE_CODE(Type) == TYPE_DECL ? DECL_NAME(Type) : Type;
  const bool OfDescriptor =
      TypeName && std::string(IDENTIFIER_POINTER(TypeName)).compare(0, 5, "array") == 0;
  if ((Own == "data" && OfDescriptor) || Own == "_data")
    return Before;
  return Before.empty() || Own.empty() ? Own : Before + "%" + Own;
}

/// Of a value: the variable that it is of, or what it was loaded from.
std::string valueName(tree Value, unsigned Steps) {
  if (const tree Variable = SSA_NAME_VAR(Value))
    if (const std::string Name = variableName(Variable); !Name.empty())
      return Name;
  gimple *Definition = SSA_NAME_DEF_STMT(Value);
  if (auto *Phi = dyn_cast<gphi *>(Definition))
    return gimple_phi_num_args(Phi) ? nameOf(gimple_phi_arg_def(Phi, 0), Steps + 1) : "";
  return is_gimple_assign(Definition) ? nameOf(gimple_assign_rhs1(Definition), Steps + 1) : "";
}

/// What the source calls a place in memory or the value that leads to it: all elements of an array
/// by its name. \returns empty where it is the compiler's own
std::string nameOf(tree Of, unsigned Steps) {
  if (!Of || Steps > StepsMax)
    return "";
  switch (TREE_CODE(Of)) {
  case VAR_DECL:
  case PARM_DECL:
  case RESULT_DECL:
    return variableName(Of);
  case SSA_NAME:
    return valueName(Of, Steps);
  case COMPONENT_REF:
    return componentName(Of, Steps);
  case ARRAY_REF:
  case ARRAY_RANGE_REF:
  case MEM_REF:
  case TARGET_MEM_REF:
  case INDIRECT_REF:
  case ADDR_EXPR:
  case VIEW_CONVERT_EXPR:
  CASE_CONVERT:
    return nameOf(TREE_OPERAND(Of, 0), Steps + 1);
  default:
    return "";
  }
}

bool allocates(gimple *Statement) {
  if (!gimple_call_builtin_p(Statement, BUILT_IN_NORMAL))
    return false;
  switch (DECL_FUNCTION_CODE(gimple_call_fndecl(Statement))) {
  case BUILT_IN_MALLOC:
  case BUILT_IN_CALLOC:
  case BUILT_IN_REALLOC:
    return true;
  default:
    return false;
  }
}

/// Where a block's address is stored, followed through copies.
tree storedIn(tree Address, unsigned Steps = 0) {
  imm_use_iterator At;
  use_operand_p Use;
  FOR_EACH_IMM_USE_FAST(Use, At, Address) {
    gimple *User = USE_STMT(Use);
    if (!is_gimple_assign(User) || gimple_assign_rhs1(User) != Address)
      continue;
    const tree To = gimple_assign_lhs(User);
    if (TREE_CODE(To) != SSA_NAME || !nameOf(To).empty())
      return To;
    if (const tree Further = Steps < StepsMax ? storedIn(To, Steps + 1) : NULL_TREE)
      return Further;
  }
  return NULL_TREE;
}

/// The address of the descriptor that a static variable is; of others it is not to be known
/// outside of the function.
tree staticDescriptor(tree Place) {
  const tree Base = get_base_address(Place);
  const bool IsDescriptor = Base && VAR_P(Base) && is_global_var(Base) &&
                            TREE_CODE(TREE_TYPE(Base)) == RECORD_TYPE &&
                            TREE_CODE(Place) == COMPONENT_REF && TREE_OPERAND(Place, 0) == Base;
  return IsDescriptor ? build_fold_addr_expr(Base) : null_pointer_node;
}

/// void mai_trace_name_block(const void *block, const char *name, const void *descriptor), of which
/// gcc is told that no pointer becomes known by it: what it optimises stays the same.
tree namingFunction() {
  static tree Function;
  if (!Function) {
    const tree Type = build_function_type_list(void_type_node, ptr_type_node, ptr_type_node,
                                               ptr_type_node, NULL_TREE);
    Function = build_fn_decl("mai_trace_name_block", Type);
    const tree Spec = build_string(8, ". x r x ");
    DECL_ATTRIBUTES(Function) =
        tree_cons(get_identifier("fn spec"), build_tree_list(NULL_TREE, Spec), NULL_TREE);
  }
  return Function;
}

tree textOf(const std::string &Text) {
  return build_string_literal(static_cast<int>(Text.size() + 1), Text.c_str());
}

constexpr pass_data NamesData = {
    GIMPLE_PASS, "maitrace-names", OPTGROUP_NONE, TV_NONE, PROP_ssa | PROP_cfg, 0, 0,
    0,           TODO_update_ssa};

class NamesPass : public gimple_opt_pass {
public:
  explicit NamesPass(gcc::context *Context) : gimple_opt_pass(NamesData, Context) {}

  unsigned execute(function *Function) override {
    basic_block Block;
    FOR_EACH_BB_FN(Block, Function)
    for (gimple_stmt_iterator At = gsi_start_bb(Block); !gsi_end_p(At); gsi_next(&At))
      if (allocates(gsi_stmt(At)))
        tellName(At);
    return 0;
  }

private:
  static void tellName(gimple_stmt_iterator &At) {
    gimple *Call = gsi_stmt(At);
    const tree Block = gimple_call_lhs(Call);
    if (!Block || TREE_CODE(Block) != SSA_NAME)
      return;
    const tree Place = nameOf(Block).empty() ? storedIn(Block) : Block;
    const std::string Name = nameOf(Place);
    if (Name.empty())
      return;
    gimple *Telling =
        gimple_build_call(namingFunction(), 3, Block, textOf(Name), staticDescriptor(Place));
    gimple_set_location(Telling, gimple_location(Call));
    gsi_insert_after(&At, Telling, GSI_CONTINUE_LINKING);
  }
};

} // namespace

bool compilesFortran() { return std::string(lang_hooks.name).find("Fortran") != std::string::npos; }

opt_pass *makeFortranNames(gcc::context *Context) { return new NamesPass(Context); }
