//===-- affinity.cpp - gcc follows the clause affinity ----------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// gcc reads the clause affinity of a task and drops it. With this plugin, which maicc has gcc load,
// mai_task_near() is called right before the task for each item of the clause, if the program has
// libmai then: the reference is weak.
//
// gcc keeps an array section's first element, and no more, when it has read the clause: it stands
// for the section.
//
//===----------------------------------------------------------------------===//

// gcc's headers depend on their order.
// clang-format off
#include "gcc-plugin.h"
#include "plugin-version.h"
#include "tree.h"
#include "tree-iterator.h"
#include "fold-const.h"
#include "stringpool.h"
#include "varasm.h"
#include "diagnostic-core.h"
// clang-format on

/// What gcc asks of its plugins: the licence lets its code be part of a program
/// under the GPL.
int plugin_is_GPL_compatible;

namespace {

//===-- Calls -----------------------------------------------------------------===//

tree TaskNear; // the function; gcc's collector knows of it

tree taskNear() {
  if (TaskNear)
    return TaskNear;
  const tree Type =
      build_function_type_list(integer_type_node, const_ptr_type_node, size_type_node, NULL_TREE);
  TaskNear = build_fn_decl("mai_task_near", Type);
  SET_DECL_ASSEMBLER_NAME(TaskNear, get_identifier("mai_task_near"));
  declare_weak(TaskNear);
  return TaskNear;
}

/// A variable of a function's own, on its stack or in a register, is in no array of MAi.
bool isOnStack(tree Item) {
  const tree Variable = get_base_address(Item);
  return Variable && DECL_P(Variable) && !is_global_var(Variable);
}

/// Calls the function for some memory, where it is there.
tree callFor(tree Address, tree Bytes) {
  const tree Call = build_call_expr(taskNear(), 2, fold_convert(const_ptr_type_node, Address),
                                    fold_convert(size_type_node, Bytes));
  const tree Function = build1(ADDR_EXPR, build_pointer_type(TREE_TYPE(TaskNear)), TaskNear);
  const tree IsThere =
      build2(NE_EXPR, boolean_type_node, Function, build_zero_cst(TREE_TYPE(Function)));
  return build3(COND_EXPR, void_type_node, IsThere, Call, build_empty_stmt(UNKNOWN_LOCATION));
}

/// Adds the call for an item of the clause. What computing the item does besides is done in any
/// case, as gcc does it.
void addCall(tree Item, tree *Statements) {
  if (TREE_CODE(Item) == COMPOUND_EXPR) { // the section's length, and the first element
    append_to_statement_list(TREE_OPERAND(Item, 0), Statements);
    Item = TREE_OPERAND(Item, 1);
  }
  const tree Bytes = TYPE_SIZE_UNIT(TREE_TYPE(Item));
  if (!Bytes || isOnStack(Item))
    return;
  const tree Variable = get_base_address(Item);
  if (Variable && DECL_P(Variable))
    TREE_ADDRESSABLE(Variable) = 1;
  tree Address = build_fold_addr_expr(Item);
  if (TREE_SIDE_EFFECTS(Address)) {
    Address = save_expr(Address);
    append_to_statement_list(Address, Statements);
  }
  append_to_statement_list(callFor(Address, Bytes), Statements);
}

//===-- Iterators -------------------------------------------------------------===//

/// What gcc has of an iterator of a clause.
enum IteratorPart { Variable, Begin, End, Step, StepAsWritten, Scope };

tree part(tree Iterator, IteratorPart Which) { return TREE_VEC_ELT(Iterator, Which); }

tree next(tree Iterator) {
  const tree Counted = part(Iterator, Variable);
  const tree Type = TREE_TYPE(Counted);
  const tree By = part(Iterator, Step);
  if (POINTER_TYPE_P(Type))
    return build2(POINTER_PLUS_EXPR, Type, Counted, fold_convert(sizetype, By));
  return build2(PLUS_EXPR, Type, Counted, fold_convert(Type, By));
}

tree isOver(tree Iterator) {
  const tree Counted = part(Iterator, Variable);
  const tree Limit = part(Iterator, End);
  const tree Sign = part(Iterator, StepAsWritten);
  const tree Up = build2(GT_EXPR, boolean_type_node, Sign, build_zero_cst(TREE_TYPE(Sign)));
  return build3(COND_EXPR, boolean_type_node, Up,
                build2(GE_EXPR, boolean_type_node, Counted, Limit),
                build2(LE_EXPR, boolean_type_node, Counted, Limit));
}

/// A loop of each iterator, the first one outermost, around what is done for each item.
tree loops(tree Iterator, tree Body) {
  if (!Iterator)
    return Body;
  tree Round = NULL_TREE, All = NULL_TREE;
  const tree Counted = part(Iterator, Variable);
  append_to_statement_list(build1(EXIT_EXPR, void_type_node, isOver(Iterator)), &Round);
  append_to_statement_list(loops(TREE_CHAIN(Iterator), Body), &Round);
  append_to_statement_list(build2(MODIFY_EXPR, void_type_node, Counted, next(Iterator)), &Round);
  append_to_statement_list(build2(MODIFY_EXPR, void_type_node, Counted, part(Iterator, Begin)),
                           &All);
  append_to_statement_list(build1(LOOP_EXPR, void_type_node, Round), &All);
  return All;
}

/// The iterators of a clause, which follow one another; null: it has none.
tree iteratorsOf(tree Clause) {
  const tree Item = OMP_CLAUSE_DECL(Clause);
  const bool Has = TREE_CODE(Item) == TREE_LIST && TREE_PURPOSE(Item) &&
                   TREE_CODE(TREE_PURPOSE(Item)) == TREE_VEC;
  return Has ? TREE_PURPOSE(Item) : NULL_TREE;
}

/// Of one clause that names several items gcc makes several, with the same iterators.
void addLoops(tree Iterators, tree Body, tree *Statements) {
  const tree Block = part(Iterators, Scope);
  const tree Bind =
      build3(BIND_EXPR, void_type_node, BLOCK_VARS(Block), loops(Iterators, Body), Block);
  TREE_SIDE_EFFECTS(Bind) = 1;
  append_to_statement_list(Bind, Statements);
}

//===-- Tasks -----------------------------------------------------------------===//

bool isAffinity(tree Clause) { return OMP_CLAUSE_CODE(Clause) == OMP_CLAUSE_AFFINITY; }

/// What is to be done before a task for its clauses.
tree statementsFor(tree Clauses) {
  tree Statements = NULL_TREE;
  for (tree Clause = Clauses; Clause;) {
    const tree Iterators = isAffinity(Clause) ? iteratorsOf(Clause) : NULL_TREE;
    if (isAffinity(Clause) && !Iterators)
      addCall(OMP_CLAUSE_DECL(Clause), &Statements);
    tree Body = NULL_TREE;
    while (Iterators && Clause && isAffinity(Clause) && iteratorsOf(Clause) == Iterators) {
      addCall(TREE_VALUE(OMP_CLAUSE_DECL(Clause)), &Body);
      Clause = OMP_CLAUSE_CHAIN(Clause);
    }
    if (Iterators)
      addLoops(Iterators, Body, &Statements);
    else
      Clause = OMP_CLAUSE_CHAIN(Clause);
  }
  return Statements;
}

void removeAffinity(tree *Clauses) {
  while (*Clauses)
    if (isAffinity(*Clauses))
      *Clauses = OMP_CLAUSE_CHAIN(*Clauses);
    else
      Clauses = &OMP_CLAUSE_CHAIN(*Clauses);
}

/// What is inside a task that something is put before is not reached from there: the walk has been
/// at the task already.
tree rewriteTask(tree *At, int *WalksInside, void *) {
  if (TREE_CODE(*At) != OMP_TASK)
    return NULL_TREE;
  const tree Task = *At;
  const tree Statements = statementsFor(OMP_TASK_CLAUSES(Task));
  removeAffinity(&OMP_TASK_CLAUSES(Task));
  if (!Statements)
    return NULL_TREE;
  *At = build2(COMPOUND_EXPR, void_type_node, Statements, Task);
  TREE_SIDE_EFFECTS(*At) = 1;
  *WalksInside = 0;
  return walk_tree_without_duplicates(&OMP_TASK_BODY(Task), rewriteTask, nullptr);
}

void rewriteFunction(void *Function, void *) {
  walk_tree_without_duplicates(&DECL_SAVED_TREE(static_cast<tree>(Function)), rewriteTask, nullptr);
}

const ggc_root_tab Roots[] = {
    {&TaskNear, 1, sizeof TaskNear, &gt_ggc_mx_tree_node, &gt_pch_nx_tree_node}, LAST_GGC_ROOT_TAB};

} // namespace

int plugin_init(plugin_name_args *Arguments, plugin_gcc_version *Version) {
  const char *Plugin = Arguments->base_name;
  if (!plugin_default_version_check(Version, &gcc_version)) {
    error("%s is made for gcc %s, this is %s", Plugin, gcc_version.basever, Version->basever);
    return 1;
  }
  register_callback(Plugin, PLUGIN_REGISTER_GGC_ROOTS, nullptr, const_cast<ggc_root_tab *>(Roots));
  register_callback(Plugin, PLUGIN_PRE_GENERICIZE, rewriteFunction, nullptr);
  return 0;
}
