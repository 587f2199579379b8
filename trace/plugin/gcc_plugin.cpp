//===-- gcc_plugin.cpp - gcc counts accesses in line ------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// With -fsanitize=thread gcc calls a function at each access. A call costs more
// than itself: no value stays in a vector register across it. This plugin,
// which maicc has gcc load, does two things about it:
//
//   Later    it moves gcc's own pass that adds the calls behind the
//   optimisations of loops and the
//            removal of redundant loads after these, so that what is counted is
//            what is executed, and agrees with what clang instruments;
//   In line  it replaces these calls by the code of mai_trace_count() in
//   hooks.h, as an assembler
//            statement that changes two registers. Only the rare cases call,
//            and change no register (preserve.c).
//
// What a loop accesses at regular distances is counted before it, by loop_runs.cpp. What accesses
// are is in accesses.cpp.
//
// And it tells of the bytes that memcpy(), memmove() and memset() access, which
// gcc may expand in line itself.
//
// An access to a variable of the function's own that nothing outside knows of
// is left out: whether there is one depends on which functions the compiler put
// in line.
//
// Where a thread asks for a piece of a loop under schedule(dynamic) or its like, it tells of that.
//
// What Fortran's statements allocate gets its name by fortran_names.cpp.
//
// Written for x86-64; elsewhere it is not built, and the calls remain.
//
//===----------------------------------------------------------------------===//

// gcc's headers depend on their order.
// clang-format off
#include "gcc-plugin.h"
#include "plugin-version.h"
#include "tree.h"
#include "basic-block.h"
#include "function.h"
#include "tree-ssa-alias.h"
#include "gimple-expr.h"
#include "internal-fn.h"
#include "gimple.h"
#include "gimple-iterator.h"
#include "gimplify.h"
#include "ssa.h"
#include "tree-pass.h"
#include "context.h"
#include "diagnostic-core.h"
#include "cgraph.h"
#include "varasm.h"
#include "builtins.h"
#include "stringpool.h"
#include "attribs.h"
#include "asan.h"
// clang-format on

#include "accesses.h"
#include "fortran_names.h"
#include "loop_runs.h"

/// What gcc asks of its plugins: the licence lets its code be part of a program
/// under the GPL.
int plugin_is_GPL_compatible;

namespace {

/*===-- Counting in line
 * ----------------------------------------------------===*/

/// The variable mai_trace_chunks of hooks.h.
tree directory() {
  static tree Declaration;
  if (!Declaration) {
    Declaration =
        build_decl(UNKNOWN_LOCATION, VAR_DECL, get_identifier("mai_trace_chunks"), ptr_type_node);
    DECL_EXTERNAL(Declaration) = 1;
    TREE_PUBLIC(Declaration) = 1;
    DECL_ARTIFICIAL(Declaration) = 1;
    TREE_USED(Declaration) = 1;
    set_decl_tls_model(Declaration, TLS_MODEL_INITIAL_EXEC);
    varpool_node::get_create(Declaration);
  }
  return Declaration;
}

/// Whether an expression has the address of a thread-local variable, or what
/// these are found by.
tree namesThreadPointer(tree *Part, int *, void *) {
  const bool Local = VAR_P(*Part) && DECL_THREAD_LOCAL_P(*Part);
  const bool Pointer =
      TREE_CODE(*Part) == FUNCTION_DECL && fndecl_built_in_p(*Part, BUILT_IN_THREAD_POINTER);
  return Local || Pointer ? *Part : NULL_TREE;
}

bool namesThreadPointer(basic_block Block) {
  for (gphi_iterator At = gsi_start_phis(Block); !gsi_end_p(At); gsi_next(&At))
    for (unsigned I = 0; I < gimple_phi_num_args(At.phi()); ++I)
      if (walk_tree(gimple_phi_arg_def_ptr(At.phi(), I), namesThreadPointer, nullptr, nullptr))
        return true;
  for (gimple_stmt_iterator At = gsi_start_bb(Block); !gsi_end_p(At); gsi_next(&At))
    for (unsigned I = 0; I < gimple_num_ops(gsi_stmt(At)); ++I)
      if (walk_tree(gimple_op_ptr(gsi_stmt(At), I), namesThreadPointer, nullptr, nullptr))
        return true;
  return false;
}

/// A constant of Fortran that is passed by its address: as an operand it would
/// become its value, and is not in memory then.
bool isConstant(tree Place) {
  const tree Base = get_base_address(Place);
  return Base && TREE_CODE(Base) == CONST_DECL;
}

/// What is accessed, if it can be seen, and neither volatile, a constant nor in
/// a segment of the thread's.
tree placeAt(tree Address) {
  tree Known = Address;
  if (TREE_CODE(Address) == SSA_NAME) {
    gimple *Definition = SSA_NAME_DEF_STMT(Address);
    if (is_gimple_assign(Definition) && gimple_assign_rhs_code(Definition) == ADDR_EXPR)
      Known = gimple_assign_rhs1(Definition);
  }
  if (TREE_CODE(Known) != ADDR_EXPR)
    return NULL_TREE;
  const tree Place = TREE_OPERAND(Known, 0);
  if (is_gimple_reg(Place) || isConstant(Place) || TREE_THIS_VOLATILE(Place) ||
      TREE_SIDE_EFFECTS(Place) || walk_tree_without_duplicates(&Known, namesThreadPointer, nullptr))
    return NULL_TREE;
  return unshare_expr(Place);
}

/// %0 becomes the chunk, %rax the line's number; %3 is the directory. The calls
/// expect the address in %rax. The red zone below the stack's pointer may be in use.
#define CODE(KIND, OFFSET, ADDRESS)                                                                \
  ADDRESS                                                                                          \
  "\n\t"                                                                                           \
  "mov{q %1, %0| %0, %1}\n\t"                                                                      \
  "shr{q $24, %0| %0, 24}\n\t"                                                                     \
  "shr{q $6, %1| %1, 6}\n\t"                                                                       \
  "mov{q (%3,%0,8), %0| %0, QWORD PTR [%3+%0*8]}\n\t"                                              \
  "test{q %0, %0| %0, %0}\n\t"                                                                     \
  "jz 1f\n\t"                                                                                      \
  "sub{l $1, " OFFSET "(%0,%1,8)| DWORD PTR [%0+%1*8+" OFFSET "], 1}\n\t"                          \
  "jc 2f\n"                                                                                        \
  "3:\n\t"                                                                                         \
  ".subsection 1\n"                                                                                \
  "1:\n\t" ADDRESS                                                                                 \
  "\n\t" CALL("mai_trace_missing_" KIND) "2:\n\t" ADDRESS                                          \
                                         "\n\t" CALL("mai_trace_began_" KIND) ".subsection 0"
#define CALL(FUNCTION)                                                                             \
  "lea{q -128(%%rsp), %%rsp| rsp, [rsp-128]}\n\t"                                                  \
  "call{q *" FUNCTION "@GOTPCREL(%%rip)| [QWORD PTR " FUNCTION "@GOTPCREL[rip]]}\n\t"              \
  "lea{q 128(%%rsp), %%rsp| rsp, [rsp+128]}\n\t"                                                   \
  "jmp 3b\n"

/// For the first and the second 8 bytes: H is 8 bytes further.
#define CODES(KIND, OFFSET)                                                                        \
  {                                                                                                \
    {CODE(KIND, OFFSET, "lea{q %2, %1| %1, %2}"), CODE(KIND, OFFSET, "lea{q %H2, %1| %1, %H2}")},  \
    {                                                                                              \
      CODE(KIND, OFFSET, "mov{q %2, %1| %1, %2}"),                                                 \
          CODE(KIND, OFFSET, "lea{q 8(%2), %1| %1, [%2+8]}")                                       \
    }                                                                                              \
  }

static_assert(MAI_TRACE_CHUNK_SHIFT == 24 && MAI_TRACE_LINE_SHIFT == 6);
static_assert(sizeof(mai_trace_line) == 8 && offsetof(mai_trace_line, count[MAI_TRACE_WRITE]) == 4);

/// How the code is told what is accessed: by an operand in memory, so that the
/// access and the code compute the address once, or by the address in a
/// register.
enum OperandForm { InMemory, InRegister };

/// By kind, form and part.
constexpr const char *Codes[2][2][2] = {CODES("read", "0"), CODES("write", "4")};

tree operand(const char *Constraint, tree Value) {
  const tree Text = build_string(static_cast<int>(strlen(Constraint)), Constraint);
  return build_tree_list(build_tree_list(NULL_TREE, Text), Value);
}

/// An address as the statements of a function may use it.
tree valueOf(gimple_stmt_iterator &Before, tree Address, location_t Where) {
  if (TREE_CODE(Address) == SSA_NAME)
    return Address;
  const tree Value = make_ssa_name(TREE_TYPE(Address));
  gimple *Compute = gimple_build_assign(Value, unshare_expr(Address));
  gimple_set_location(Compute, Where);
  gsi_insert_before(&Before, Compute, GSI_SAME_STMT);
  return Value;
}

/// Puts the code that counts before statements of one function.
class Counter {
public:
  explicit Counter(function *Function) {
    basic_block Block;
    FOR_EACH_BB_FN(Block, Function)
    HasThreadPointer = HasThreadPointer || namesThreadPointer(Block);
  }

  void count(gimple_stmt_iterator &Before, mai_trace_kind Kind, unsigned Bytes, tree Address,
             location_t Where) const {
    for (unsigned Part = 0; Part < (Bytes == 16 ? 2 : 1); ++Part)
      countPart(Before, Codes[Kind], Part, Address, Where);
  }

private:
  void countPart(gimple_stmt_iterator &Before, const char *const (&OfKind)[2][2], unsigned Part,
                 tree Address, location_t Where) const {
    const tree Chunks = make_ssa_name(ptr_type_node);
    gimple *Load = gimple_build_assign(Chunks, directory());
    gimple_set_location(Load, Where);
    gsi_insert_before(&Before, Load, GSI_SAME_STMT);

    const tree Place = inMemory(Address);
    const OperandForm Form = Place ? InMemory : InRegister;
    const tree Chunk = make_ssa_name(long_unsigned_type_node);
    const tree Line = make_ssa_name(long_unsigned_type_node);
    vec<tree, va_gc> *Outputs = nullptr;
    vec<tree, va_gc> *Inputs = nullptr;
    vec_safe_push(Outputs, operand("=&r", Chunk));
    vec_safe_push(Outputs, operand("=&a", Line));
    vec_safe_push(Inputs,
                  Place ? operand("m", Place) : operand("r", valueOf(Before, Address, Where)));
    vec_safe_push(Inputs, operand("r", Chunks));
    gasm *Counting = gimple_build_asm_vec(OfKind[Form][Part], Inputs, Outputs, nullptr, nullptr);
    gimple_asm_set_volatile(Counting, true);
    gimple_asm_set_inline(Counting, true);
    SSA_NAME_DEF_STMT(Chunk) = Counting;
    SSA_NAME_DEF_STMT(Line) = Counting;
    gimple_set_location(Counting, Where);
    gsi_insert_before(&Before, Counting, GSI_SAME_STMT);
  }

  /// What is accessed as an operand in memory, unless the compiler might find
  /// it by a segment register, which lea leaves out.
  tree inMemory(tree Address) const {
    if (const tree Place = placeAt(Address))
      if (!HasThreadPointer || DECL_P(get_base_address(Place)))
        return Place;
    if (HasThreadPointer || TREE_CODE(Address) != SSA_NAME)
      return NULL_TREE;
    return build2(MEM_REF, unsigned_char_type_node, Address, build_int_cst(ptr_type_node, 0));
  }

  bool HasThreadPointer = false;
};

void countInstead(gimple_stmt_iterator &At, const Access &Told, const Counter &Code) {
  gimple *Call = gsi_stmt(At);
  const tree Address = gimple_call_arg(Call, 0);
  if (leadsToMemory(Address) && !isOwn(Address))
    Code.count(At, Told.Kind, Told.Bytes, Address, gimple_location(Call));
  unlink_stmt_vdef(Call);
  gsi_remove(&At, true);
  release_defs(Call);
}

/// What gcc makes of #pragma omp atomic on floating-point numbers, and leaves
/// alone itself: counted as if it succeeded, which it does but for races.
bool comparesAndExchanges(gimple *Statement) {
  return gimple_call_internal_p(Statement, IFN_ATOMIC_COMPARE_EXCHANGE);
}

void countUpdate(gimple_stmt_iterator &At, const Counter &Code) {
  const tree Address = gimple_call_arg(gsi_stmt(At), 0);
  const location_t Where = gimple_location(gsi_stmt(At));
  if (!leadsToMemory(Address) || isOwn(Address))
    return;
  Code.count(At, MAI_TRACE_READ, 1, Address, Where);
  Code.count(At, MAI_TRACE_WRITE, 1, Address, Where);
}

/*===-- Ranges
 * --------------------------------------------------------------===*/

void tellRange(gimple_stmt_iterator &Before, built_in_function How, tree Start, tree Bytes) {
  gimple *Call = gimple_build_call(builtin_decl_implicit(How), 2, Start, Bytes);
  gimple_set_location(Call, gimple_location(gsi_stmt(Before)));
  gsi_insert_before(&Before, Call, GSI_SAME_STMT);
}

/// Tells of what a copy or filling of memory accesses, whether it becomes a
/// call or not.
void tellRanges(gimple_stmt_iterator &At) {
  gimple *Call = gsi_stmt(At);
  if (!gimple_call_builtin_p(Call, BUILT_IN_NORMAL))
    return;
  switch (DECL_FUNCTION_CODE(gimple_call_fndecl(Call))) {
  case BUILT_IN_MEMCPY:
  case BUILT_IN_MEMMOVE:
  case BUILT_IN_MEMPCPY:
    tellRange(At, BUILT_IN_TSAN_READ_RANGE, gimple_call_arg(Call, 1), gimple_call_arg(Call, 2));
    tellRange(At, BUILT_IN_TSAN_WRITE_RANGE, gimple_call_arg(Call, 0), gimple_call_arg(Call, 2));
    break;
  case BUILT_IN_MEMSET:
    tellRange(At, BUILT_IN_TSAN_WRITE_RANGE, gimple_call_arg(Call, 0), gimple_call_arg(Call, 2));
    break;
  default:
    break;
  }
}

/*===-- Loops that give out pieces
 * --------------------------------------------------------------===*/

/// The function to tell where a thread asks for a piece of a loop that gives pieces to whoever
/// comes, or does so as the environment says; NULL elsewhere.
const char *tellerOfPiece(gimple *Statement) {
  const tree Function = is_gimple_call(Statement) ? gimple_call_fndecl(Statement) : NULL_TREE;
  if (!Function || !DECL_NAME(Function))
    return nullptr;
  const char *Name = strstr(IDENTIFIER_POINTER(DECL_NAME(Function)), "GOMP_loop_");
  if (!Name)
    return nullptr;
  if (strstr(Name, "nonmonotonic")) // the library stands in front of these
    return nullptr;
  if (strstr(Name, "runtime"))
    return "mai_trace_runtime_loop";
  return strstr(Name, "dynamic") || strstr(Name, "guided") ? "mai_trace_dynamic_loop" : nullptr;
}

void tellOfPiece(gimple_stmt_iterator &Before, const char *Teller) {
  const tree Function = build_fn_decl(Teller, build_function_type_list(void_type_node, NULL_TREE));
  TREE_NOTHROW(Function) = 1;
  gimple *Call = gimple_build_call(Function, 0);
  gimple_set_location(Call, gimple_location(gsi_stmt(Before)));
  gsi_insert_before(&Before, Call, GSI_SAME_STMT);
}

constexpr pass_data CountingData = {
    GIMPLE_PASS, "maitrace", OPTGROUP_NONE, TV_NONE, PROP_ssa | PROP_cfg, 0, 0, 0, TODO_update_ssa};

class CountingPass : public gimple_opt_pass {
public:
  CountingPass(gcc::context *Context, bool Optimising)
      : gimple_opt_pass(CountingData, Context), WithOptimising(Optimising) {}
  opt_pass *clone() override { return new CountingPass(m_ctxt, WithOptimising); }

  /// When the pass of gcc before it is run.
  bool gate(function *Function) override {
    return sanitize_flags_p(SANITIZE_THREAD, Function->decl) && (optimize > 0) == WithOptimising;
  }

  unsigned execute(function *Function) override {
    if (WithOptimising)
      countRunsOfLoops(directory());
    const Counter Code(Function);
    basic_block Block;
    FOR_EACH_BB_FN(Block, Function)
    for (gimple_stmt_iterator At = gsi_start_bb(Block); !gsi_end_p(At);) {
      Access Told;
      if (tellsAccess(gsi_stmt(At), Told)) {
        countInstead(At, Told, Code);
        continue;
      }
      if (comparesAndExchanges(gsi_stmt(At)))
        countUpdate(At, Code);
      if (const char *Teller = tellerOfPiece(gsi_stmt(At)))
        tellOfPiece(At, Teller);
      tellRanges(At);
      gsi_next(&At);
    }
    return 0;
  }

private:
  bool WithOptimising;
};

/*===-- Passes
 * --------------------------------------------------------------===*/

constexpr pass_data NothingData = {
    GIMPLE_PASS, "maitrace-none", OPTGROUP_NONE, TV_NONE, 0, 0, 0, 0, 0};

class NoPass : public gimple_opt_pass {
public:
  explicit NoPass(gcc::context *Context) : gimple_opt_pass(NothingData, Context) {}
  bool gate(function *) override { return false; }
};

void put(const char *Plugin, opt_pass *Pass, const char *Reference, int Instance,
         pass_positioning_ops Position) {
  register_pass_info Info = {Pass, Reference, Instance, Position};
  register_callback(Plugin, PLUGIN_PASS_MANAGER_SETUP, nullptr, &Info);
}

} // namespace

int plugin_init(plugin_name_args *Arguments, plugin_gcc_version *Version) {
  const char *Plugin = Arguments->base_name;
  if (!plugin_default_version_check(Version, &gcc_version)) {
    error("%s is made for gcc %s, this is %s", Plugin, gcc_version.basever, Version->basever);
    return 1;
  }
  if (POINTER_SIZE != 64)
    return 0;
  // "wrestrict" stands behind the last pass that looks for redundant loads, and
  // before those that make one access of several.
  put(Plugin, new NoPass(g), "tsan", 1, PASS_POS_REPLACE);
  put(Plugin, make_pass_tsan(g), "wrestrict", 1, PASS_POS_INSERT_AFTER);
  // After that one and the one of -Og, and after that of -O0.
  put(Plugin, new CountingPass(g, true), "tsan", 0, PASS_POS_INSERT_AFTER);
  put(Plugin, new CountingPass(g, false), "tsan0", 1, PASS_POS_INSERT_AFTER);
  if (compilesFortran())
    put(Plugin, makeFortranNames(g), "ssa", 1, PASS_POS_INSERT_AFTER);
  return 0;
}
