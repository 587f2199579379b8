//===-- loop_runs.cpp - counting a loop's accesses at once -----*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Most accesses of numerical programs are those of innermost loops that go through arrays element
// by element. Eight of them are to one line. Where gcc knows before the loop how often it is
// executed, and where its accesses begin and how far they are apart, one call of mai_trace_run_*()
// (ranges.c) counts them all, at a fraction of the cost.
//
// There are two of such a loop: this one, and one that counts each access where it happens. The
// latter is executed where few accesses are to come, and where the run-time wants to see each
// (hooks.h): no chunk is there then.
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
#include "gimplify.h"
#include "gimplify-me.h"
#include "ssa.h"
#include "tree-cfg.h"
#include "tree-into-ssa.h"
#include "tree-pass.h"
#include "context.h"
#include "cfgloop.h"
#include "tree-scalar-evolution.h"
#include "tree-ssa-loop.h"
#include "builtins.h"
#include "stringpool.h"
#include "attribs.h"
// clang-format on

#include "loop_runs.h"
#include "accesses.h"

#include <vector>

namespace {

/// Fewer accesses are cheaper counted one by one.
constexpr unsigned IterationsMin = 8;

/// An access of two words counts twice.
constexpr unsigned WordBytes = 8;

constexpr HOST_WIDE_INT LineBytes = HOST_WIDE_INT(1) << MAI_TRACE_LINE_SHIFT;

/// Accesses of one statement, an iteration each.
struct Run {
  gimple *Statement = nullptr;
  Access Told = {};
  tree Start = NULL_TREE; ///< the first address, as a number
  HOST_WIDE_INT Step = 0; ///< from one to the next
  bool InEach = false;    ///< as often as the loop is tested; else once less
};

/// Adds a value, so many times, to where a run starts and how it goes on.
bool addValue(loop_p Loop, tree Value, tree Times, Run &To) {
  affine_iv Sequence;
  if (TYPE_PRECISION(TREE_TYPE(Value)) != TYPE_PRECISION(long_unsigned_type_node) ||
      !simple_iv(Loop, Loop, Value, &Sequence, false) || TREE_CODE(Sequence.step) != INTEGER_CST)
    return false;
  tree Start = fold_convert(long_unsigned_type_node, unshare_expr(Sequence.base));
  HOST_WIDE_INT Step = wi::to_wide(Sequence.step).to_shwi();
  if (Times) {
    Start = fold_build2(MULT_EXPR, long_unsigned_type_node, Start,
                        fold_convert(long_unsigned_type_node, Times));
    Step *= wi::to_wide(Times).to_shwi();
  }
  To.Start = To.Start ? fold_build2(PLUS_EXPR, long_unsigned_type_node, To.Start, Start) : Start;
  To.Step += Step;
  return true;
}

/// The memory whose address a variable has, in the form that the optimisation of loops leaves.
tree targetMemory(tree Address) {
  if (TREE_CODE(Address) != SSA_NAME)
    return NULL_TREE;
  gimple *Definition = SSA_NAME_DEF_STMT(Address);
  if (!is_gimple_assign(Definition) || gimple_assign_rhs_code(Definition) != ADDR_EXPR)
    return NULL_TREE;
  const tree Memory = TREE_OPERAND(gimple_assign_rhs1(Definition), 0);
  return TREE_CODE(Memory) == TARGET_MEM_REF ? Memory : NULL_TREE;
}

/// Base + Index * Step + Index2 + Offset.
bool addTargetMemory(loop_p Loop, tree Memory, Run &To) {
  return addValue(Loop, TMR_BASE(Memory), NULL_TREE, To) &&
         addValue(Loop, TMR_OFFSET(Memory), NULL_TREE, To) &&
         (!TMR_INDEX(Memory) || addValue(Loop, TMR_INDEX(Memory), TMR_STEP(Memory), To)) &&
         (!TMR_INDEX2(Memory) || addValue(Loop, TMR_INDEX2(Memory), NULL_TREE, To));
}

/// Whether several accesses of a statement are to one line, and which.
bool isRun(loop_p Loop, tree Address, Run &Found) {
  if (!leadsToMemory(Address) || isOwn(Address))
    return false;
  const tree Memory = targetMemory(Address);
  const bool Regular =
      Memory ? addTargetMemory(Loop, Memory, Found) : addValue(Loop, Address, NULL_TREE, Found);
  return Regular && Found.Step > -LineBytes && Found.Step < LineBytes;
}

/// Whether the loop goes on behind a statement for sure, and the statement does not wait for
/// others.
bool comesBack(gimple *Statement) {
  if (gimple_code(Statement) == GIMPLE_ASM)
    return false;
  Access Told;
  if (!is_gimple_call(Statement) || tellsAccess(Statement, Told))
    return true;
  const int Flags = gimple_call_flags(Statement);
  const combined_fn Function = gimple_call_combined_fn(Statement);
  return ((Flags & (ECF_CONST | ECF_PURE)) && !(Flags & ECF_LOOPING_CONST_OR_PURE)) ||
         (Function != CFN_LAST && mathfn_built_in_type(Function));
}

/// One loop, whose accesses are to be counted before it.
class LoopRuns {
public:
  LoopRuns(loop_p Loop, tree Variable) : Of(Loop), Chunks(Variable) {}

  /// \returns whether there is something to count
  bool find() {
    const edge Exit = single_exit(Of);
    if (!Exit || !can_duplicate_loop_p(Of))
      return false;
    Again = number_of_latch_executions(Of);
    if (Again == chrec_dont_know || Again == NULL_TREE || isSmall())
      return false;
    basic_block *Blocks = get_loop_body_in_dom_order(Of);
    bool Fits = true;
    for (unsigned I = 0; Fits && I < Of->num_nodes; ++I)
      Fits = findIn(Blocks[I], Exit->src);
    free(Blocks);
    return Fits && firstOfEach();
  }

  void count() {
    const tree Condition = isWorthIt();
    initialize_original_copy_tables();
    const profile_probability Likely = profile_probability::likely();
    basic_block Unused;
    const bool Made = loop_version(Of, Condition, &Unused, Likely, Likely.invert(), Likely,
                                   Likely.invert(), true);
    free_original_copy_tables();
    for (const Run &Each : Runs)
      if (Made)
        countBefore(Each);
    update_ssa(TODO_update_ssa);
  }

private:
  bool isSmall() const {
    return TREE_CODE(Again) == INTEGER_CST && wi::ltu_p(wi::to_wide(Again), IterationsMin - 1);
  }

  bool findIn(basic_block Block, basic_block Tested) {
    const bool InEach = dominated_by_p(CDI_DOMINATORS, Tested, Block);
    const bool BehindTest = dominated_by_p(CDI_DOMINATORS, Block, Tested) &&
                            dominated_by_p(CDI_DOMINATORS, Of->latch, Block);
    for (gimple_stmt_iterator At = gsi_start_bb(Block); !gsi_end_p(At); gsi_next(&At)) {
      gimple *Statement = gsi_stmt(At);
      if (!comesBack(Statement))
        return false;
      Run Found;
      Found.Statement = Statement;
      Found.InEach = InEach;
      if ((InEach || BehindTest) && tellsAccess(Statement, Found.Told) &&
          isRun(Of, gimple_call_arg(Statement, 0), Found))
        Runs.push_back(Found);
    }
    return true;
  }

  /// The first run that begins whenever the loop does: its address may be used before.
  const Run *firstOfEach() const {
    for (const Run &Each : Runs)
      if (Each.InEach)
        return &Each;
    return nullptr;
  }

  tree before(tree Value) {
    gimple_seq Statements = nullptr;
    const tree Result = force_gimple_operand(unshare_expr(Value), &Statements, true, NULL_TREE);
    if (Statements)
      gsi_insert_seq_on_edge_immediate(loop_preheader_edge(Of), Statements);
    return Result;
  }

  /// Enough iterations, and a chunk for where the first run starts.
  tree isWorthIt() {
    const tree Type = long_unsigned_type_node;
    const tree Chunk = fold_build2(RSHIFT_EXPR, Type, firstOfEach()->Start,
                                   build_int_cst(integer_type_node, MAI_TRACE_CHUNK_SHIFT));
    const tree Offset = fold_build2(MULT_EXPR, Type, Chunk, build_int_cst(Type, sizeof(uintptr_t)));
    const tree Directory = before(Chunks);
    const tree Place = before(fold_build_pointer_plus(Directory, before(Offset)));
    const tree Known = before(build2(MEM_REF, Type, Place, build_int_cst(ptr_type_node, 0)));
    const tree Many =
        fold_build2(GE_EXPR, boolean_type_node, fold_convert(Type, unshare_expr(Again)),
                    build_int_cst(Type, IterationsMin - 1));
    const tree Both =
        fold_build2(TRUTH_AND_EXPR, boolean_type_node, Many,
                    build2(NE_EXPR, boolean_type_node, Known, build_int_cst(Type, 0)));
    return build2(NE_EXPR, boolean_type_node, before(Both), boolean_false_node);
  }

  static tree runFunction(mai_trace_kind Kind) {
    const tree Type =
        build_function_type_list(void_type_node, long_unsigned_type_node, long_integer_type_node,
                                 long_unsigned_type_node, NULL_TREE);
    const tree Function =
        build_fn_decl(Kind == MAI_TRACE_READ ? "mai_trace_run_read" : "mai_trace_run_write", Type);
    TREE_NOTHROW(Function) = 1;
    // What the dynamic linker resolves late takes much of the stack: see hooks.h.
    DECL_ATTRIBUTES(Function) = tree_cons(get_identifier("noplt"), NULL_TREE, NULL_TREE);
    return Function;
  }

  void countBefore(const Run &Each) {
    const tree Type = long_unsigned_type_node;
    tree Times = fold_convert(Type, unshare_expr(Again));
    if (Each.InEach)
      Times = fold_build2(PLUS_EXPR, Type, Times, build_int_cst(Type, 1));
    tellRun(Each, Each.Start, Times);
    if (Each.Told.Bytes == 2 * WordBytes)
      tellRun(
          Each,
          fold_build2(PLUS_EXPR, Type, unshare_expr(Each.Start), build_int_cst(Type, WordBytes)),
          Times);
    remove(Each.Statement);
  }

  void tellRun(const Run &Each, tree Start, tree Times) {
    const tree First = before(Start);
    const tree Count = before(Times);
    gimple *Call = gimple_build_call(runFunction(Each.Told.Kind), 3, First,
                                     build_int_cst(long_integer_type_node, Each.Step), Count);
    gimple_set_location(Call, gimple_location(Each.Statement));
    gsi_insert_on_edge_immediate(loop_preheader_edge(Of), Call);
  }

  static void remove(gimple *Statement) {
    gimple_stmt_iterator At = gsi_for_stmt(Statement);
    unlink_stmt_vdef(Statement);
    gsi_remove(&At, true);
    release_defs(Statement);
  }

  loop_p Of;
  tree Chunks;
  tree Again = NULL_TREE; ///< how often the loop is executed once more
  std::vector<Run> Runs;
};

} // namespace

/* Each loop is looked at when those before it have got their second ones: what it is told by may
   have been values of these, which are not the same any more. */
void countRunsOfLoops(tree Chunks) {
  loop_optimizer_init(LOOPS_NORMAL | LOOPS_HAVE_RECORDED_EXITS);
  if (number_of_loops(cfun) > 1) {
    scev_initialize();
    std::vector<loop_p> Loops;
    for (const loop_p Loop : loops_list(cfun, LI_ONLY_INNERMOST))
      Loops.push_back(Loop);
    for (const loop_p Loop : Loops)
      if (LoopRuns Runs(Loop, Chunks); Runs.find()) {
        Runs.count();
        scev_reset();
      }
    scev_finalize();
  }
  loop_optimizer_finalize();
}
