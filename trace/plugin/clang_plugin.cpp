//===-- clang_plugin.cpp - counting a loop's accesses at once --*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What loop_runs.cpp does in gcc, for clang: maicc has it load this plugin where it compiles
// instrumented bitcode to an object. Accesses at regular distances of innermost loops are counted
// before the loop by mai_trace_run_*() (ranges.c), and by themselves in the loop only where the
// run-time wants to see each, or few come. LLVM makes two loops of one that asks for that, which
// does not change in it.
//
// And where a thread begins a loop under schedule(dynamic) or its like, the run-time is told.
//
//===----------------------------------------------------------------------===//

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Passes/PassPlugin.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/SimpleLoopUnswitch.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

#include "trace/runtime/hooks.h"

using namespace llvm;

namespace {

/// Fewer accesses are cheaper counted one by one.
constexpr uint64_t IterationsMin = 8;

constexpr int64_t LineBytes = int64_t(1) << MAI_TRACE_LINE_SHIFT;

/// What a call tells of.
struct Access {
  bool Reads = false, Writes = false;
  unsigned Bytes = 0;
};

/// \returns no bytes for what is no call that tells of a plain access
Access accessOf(const Instruction &I) {
  const auto *Call = dyn_cast<CallInst>(&I);
  const Function *Called = Call ? Call->getCalledFunction() : nullptr;
  StringRef Name = Called ? Called->getName() : "";
  Access Found;
  if (!Name.consume_front("__tsan_"))
    return Found;
  Name.consume_front("unaligned_");
  Name.consume_front("volatile_");
  Found.Reads = Name.consume_front("read");
  if (Found.Reads)
    Name.consume_front("_");
  Found.Writes = Name.consume_front("write");
  if (Name.getAsInteger(10, Found.Bytes) || (!Found.Reads && !Found.Writes))
    Found.Bytes = 0;
  return Found;
}

/// Accesses of one call, an iteration each.
struct Run {
  CallInst *Call = nullptr;
  Access Told;
  const SCEV *Start = nullptr;
  int64_t Step = 0;
  bool InEach = false; ///< as often as the loop is tested; else once less
  Value *Address = nullptr;
};

/// A loop some of whose accesses are to be counted before it.
struct CountedLoop {
  Instruction *Before = nullptr;
  Value *Again = nullptr; ///< how often the loop is executed once more
  Value *AtOnce = nullptr;
  SmallVector<Run> Runs;
  SmallVector<const SCEVPredicate *> Assumed; ///< that narrow indices do not go round
};

class LoopCounter {
public:
  LoopCounter(Function &Of, FunctionAnalysisManager &Analyses)
      : F(Of), Chunks(Of.getParent()->getNamedGlobal("mai_trace_chunks")),
        SE(Analyses.getResult<ScalarEvolutionAnalysis>(Of)),
        DT(Analyses.getResult<DominatorTreeAnalysis>(Of)),
        LI(Analyses.getResult<LoopAnalysis>(Of)) {}

  /// \returns whether it changed the function
  bool count() {
    if (!Chunks)
      return false;
    SmallVector<CountedLoop> Found;
    SCEVExpander Expander(SE, F.getDataLayout(), "maitrace");
    for (Loop *L : LI.getLoopsInPreorder())
      if (CountedLoop Counted;
          L->isInnermost() && find(*L, Counted) && prepare(*L, Counted, Expander))
        Found.push_back(std::move(Counted));
    for (CountedLoop &Each : Found)
      apply(Each);
    return !Found.empty();
  }

private:
  /// Whether the loop goes on behind an instruction for sure, and does not wait for others there.
  static bool comesBack(const Instruction &I) {
    const auto *Call = dyn_cast<CallBase>(&I);
    return !Call || accessOf(I).Bytes ||
           (Call->hasFnAttr(Attribute::WillReturn) && Call->doesNotThrow() &&
            !Call->isInlineAsm() && !Call->isConvergent());
  }

  bool find(Loop &L, CountedLoop &Counted) {
    const BasicBlock *Tested = L.getExitingBlock();
    const BasicBlock *Latch = L.getLoopLatch();
    if (!Tested || !Latch || !L.getLoopPreheader())
      return false;
    const SCEV *Again = SE.getBackedgeTakenCount(&L);
    if (isa<SCEVCouldNotCompute>(Again) || SE.getUnsignedRangeMax(Again).ult(IterationsMin - 1))
      return false;
    for (BasicBlock *Block : L.blocks()) {
      const bool InEach = DT.dominates(Block, Tested);
      const bool BehindTest = DT.dominates(Tested, Block) && DT.dominates(Block, Latch);
      for (Instruction &I : *Block)
        if (!comesBack(I))
          return false;
        else if (accessOf(I).Bytes && (InEach || BehindTest))
          addRun(L, cast<CallInst>(I), InEach, Counted);
    }
    return firstOfEach(Counted) != nullptr;
  }

  void addRun(const Loop &L, CallInst &Call, bool InEach, CountedLoop &Counted) {
    Run Found;
    Found.Call = &Call;
    Found.Told = accessOf(Call);
    Found.InEach = InEach;
    Found.Start = SE.getSCEV(Call.getArgOperand(0));
    SmallPtrSet<const SCEVPredicate *, 4> Assumed;
    if (const SCEVAddRecExpr *Sequence =
            SE.convertSCEVToAddRecWithPredicates(Found.Start, &L, Assumed)) {
      const auto *Step = Sequence->isAffine() && Sequence->getLoop() == &L
                             ? dyn_cast<SCEVConstant>(Sequence->getStepRecurrence(SE))
                             : nullptr;
      if (!Step)
        return;
      Found.Step = Step->getAPInt().getSExtValue();
      Found.Start = Sequence->getStart();
    }
    if (SE.isLoopInvariant(Found.Start, &L) && std::abs(Found.Step) < LineBytes) {
      Counted.Runs.push_back(Found);
      Counted.Assumed.append(Assumed.begin(), Assumed.end());
    }
  }

  /// The first run that begins whenever the loop does: its address may be used before.
  static const Run *firstOfEach(const CountedLoop &Counted) {
    const auto *Found = find_if(Counted.Runs, [](const Run &Each) { return Each.InEach; });
    return Found == Counted.Runs.end() ? nullptr : Found;
  }

  /// Computes before the loop what counting needs.
  bool prepare(Loop &L, CountedLoop &Counted, SCEVExpander &Expander) {
    const SCEV *Again = SE.getBackedgeTakenCount(&L);
    Instruction *Before = L.getLoopPreheader()->getTerminator();
    erase_if(Counted.Runs,
             [&](const Run &Each) { return !Expander.isSafeToExpandAt(Each.Start, Before); });
    if (!firstOfEach(Counted) || !Expander.isSafeToExpandAt(Again, Before))
      return false;
    IRBuilder<> Builder(Before);
    Type *Long = Builder.getInt64Ty();
    Counted.Before = Before;
    Counted.Again = Builder.CreateZExtOrTrunc(
        Expander.expandCodeFor(Again, Again->getType(), Before->getIterator()), Long);
    for (Run &Each : Counted.Runs)
      Each.Address = Builder.CreatePtrToInt(
          Expander.expandCodeFor(Each.Start, Each.Start->getType(), Before->getIterator()), Long);
    const SCEVUnionPredicate Assumed(Counted.Assumed);
    Value *Wrong = Expander.expandCodeForPredicate(&Assumed, Before);
    Counted.AtOnce = Builder.CreateAnd(isWorthIt(Builder, Counted), Builder.CreateNot(Wrong));
    return true;
  }

  /// Enough iterations, and a chunk for where the first run starts.
  Value *isWorthIt(IRBuilder<> &Builder, const CountedLoop &Counted) {
    Type *Long = Builder.getInt64Ty();
    Value *Directory =
        Builder.CreateLoad(Builder.getPtrTy(), Builder.CreateThreadLocalAddress(Chunks));
    Value *Number = Builder.CreateLShr(firstOfEach(Counted)->Address, MAI_TRACE_CHUNK_SHIFT);
    Value *Chunk = Builder.CreateLoad(Long, Builder.CreateGEP(Long, Directory, Number));
    Value *Many = Builder.CreateICmpUGE(Counted.Again, Builder.getInt64(IterationsMin - 1));
    return Builder.CreateAnd(Many, Builder.CreateIsNotNull(Chunk));
  }

  void apply(CountedLoop &Counted) {
    IRBuilder<> Builder(
        SplitBlockAndInsertIfThen(Counted.AtOnce, Counted.Before->getIterator(), false));
    for (const Run &Each : Counted.Runs)
      tell(Builder, Counted, Each);
    Builder.SetInsertPoint(Counted.Before);
    Value *EachByItself = Builder.CreateNot(Counted.AtOnce);
    for (const Run &Each : Counted.Runs)
      Each.Call->moveBefore(
          SplitBlockAndInsertIfThen(EachByItself, Each.Call->getIterator(), false));
  }

  void tell(IRBuilder<> &Builder, const CountedLoop &Counted, const Run &Each) {
    Builder.SetCurrentDebugLocation(Each.Call->getDebugLoc());
    Value *Times =
        Each.InEach ? Builder.CreateAdd(Counted.Again, Builder.getInt64(1)) : Counted.Again;
    const unsigned Parts = Each.Told.Bytes == 16 ? 2 : 1;
    for (unsigned Part = 0; Part < Parts; ++Part) {
      Value *Start = Builder.CreateAdd(Each.Address, Builder.getInt64(uint64_t(8) * Part));
      if (Each.Told.Reads)
        Builder.CreateCall(runFunction("mai_trace_run_read"),
                           {Start, Builder.getInt64(Each.Step), Times});
      if (Each.Told.Writes)
        Builder.CreateCall(runFunction("mai_trace_run_write"),
                           {Start, Builder.getInt64(Each.Step), Times});
    }
  }

  FunctionCallee runFunction(StringRef Name) {
    Type *Long = Type::getInt64Ty(F.getContext());
    FunctionCallee Found =
        F.getParent()->getOrInsertFunction(Name, Type::getVoidTy(F.getContext()), Long, Long, Long);
    auto *Declared = cast<Function>(Found.getCallee());
    Declared->setDoesNotThrow();
    // What the dynamic linker resolves late takes much of the stack: see hooks.h.
    Declared->addFnAttr(Attribute::NonLazyBind);
    return Found;
  }

  Function &F;
  GlobalVariable *Chunks;
  ScalarEvolution &SE;
  DominatorTree &DT;
  LoopInfo &LI;
};

struct LoopRunsPass : PassInfoMixin<LoopRunsPass> {
  PreservedAnalyses run(Function &F, FunctionAnalysisManager &Analyses) {
    return LoopCounter(F, Analyses).count() ? PreservedAnalyses::none() : PreservedAnalyses::all();
  }
};

/// The function to tell where a thread begins a loop that gives pieces to whoever comes, or does so
/// as the environment says; NULL elsewhere.
const char *tellerOfLoop(const Instruction &I) {
  const auto *Call = dyn_cast<CallInst>(&I);
  const Function *Called = Call ? Call->getCalledFunction() : nullptr;
  if (!Called || !Called->getName().starts_with("__kmpc_dispatch_init_"))
    return nullptr;
  // Of libomp's schedules; the bits above are modifiers, and ordered loops' numbers 32 more.
  constexpr uint64_t Kinds = 31, StaticChunked = 33, Static = 34, DynamicChunked = 35, RunTime = 37;
  constexpr uint64_t Nonmonotonic = 1U << 30;
  const auto *Schedule = dyn_cast<ConstantInt>(Call->getArgOperand(2));
  const uint64_t Kind = Schedule ? Schedule->getZExtValue() & Kinds : 0;
  if (Kind == (RunTime & Kinds))
    return "mai_trace_runtime_loop";
  // libomp gives threads parts of their own, from whose ends others steal.
  if (Schedule && Schedule->getZExtValue() == (Nonmonotonic | DynamicChunked))
    return nullptr;
  const bool IsStatic = Kind == (StaticChunked & Kinds) || Kind == (Static & Kinds);
  return IsStatic ? nullptr : "mai_trace_dynamic_loop";
}

struct DynamicLoopsPass : PassInfoMixin<DynamicLoopsPass> {
  PreservedAnalyses run(Function &F, FunctionAnalysisManager &) {
    SmallVector<std::pair<Instruction *, const char *>> Found;
    for (Instruction &I : instructions(F))
      if (const char *Teller = tellerOfLoop(I))
        Found.emplace_back(&I, Teller);
    for (const auto &[I, Teller] : Found)
      IRBuilder<>(I).CreateCall(
          F.getParent()->getOrInsertFunction(Teller, Type::getVoidTy(F.getContext())));
    return Found.empty() ? PreservedAnalyses::all() : PreservedAnalyses::none();
  }
  static bool isRequired() { return true; }
};

void addPasses(ModulePassManager &Passes, OptimizationLevel Level) {
  Passes.addPass(createModuleToFunctionPassAdaptor(DynamicLoopsPass()));
  if (Level == OptimizationLevel::O0)
    return;
  FunctionPassManager OfFunctions;
  OfFunctions.addPass(LoopSimplifyPass());
  OfFunctions.addPass(LoopRunsPass());
  OfFunctions.addPass(createFunctionToLoopPassAdaptor(SimpleLoopUnswitchPass(/*NonTrivial=*/true)));
  Passes.addPass(createModuleToFunctionPassAdaptor(std::move(OfFunctions)));
}

} // namespace

extern "C" LLVM_ATTRIBUTE_WEAK PassPluginLibraryInfo llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "maitrace", "1",
          [](PassBuilder &Builder) { Builder.registerPipelineStartEPCallback(addPasses); }};
}
