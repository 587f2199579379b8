//===-- CallGraph.h - every access in every context -------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Follows the program from main() down its calls, with what is known of the arguments, so that an
// access through a parameter is seen as one to the caller's array, by the caller's threads.
// Pointers stored in variables are followed afterwards, whoever stored them.
//
//===----------------------------------------------------------------------===//
#ifndef MAPP_CALLGRAPH_H
#define MAPP_CALLGRAPH_H

#include "Execution.h"
#include "FactorTable.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallSet.h"

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <unordered_map>
#include <unordered_set>

namespace mapp {

/// An access of which the variable with static storage is known.
struct ResolvedAccess {
  const std::string &Array; ///< key
  /// To the function that allocates it, where several calls lead there: those of the blocks that
  /// this may be.
  llvm::ArrayRef<const CallPath *> Paths;
  const Polynomial &Offset;
  int64_t Start;  ///< as in the binding
  bool Elsewhere; ///< behind the offset, by what only meant something where a pointer was stored:
  /// ... so many bytes, by the numbers that there were. None: that differs.
  const std::optional<Polynomial> &Behind;
  AccessMode Mode;
  unsigned Words;      ///< that it moves
  const View &Through; ///< in terms of the callers
  const Execution &By;
  const Function &In;
  unsigned Line;
  size_t Order;   ///< of the access among all, as far as the order of the calls tells
  size_t Context; ///< see CallGraph::timesOf()
};

class CallGraph {
public:
  using Receiver = std::function<void(const ResolvedAccess &)>;

  CallGraph(const std::vector<Facts> &Program, FactorTable &Table, Receiver Sink);

  /// Hands every access to the receiver. False when the program has too many call chains to follow
  /// each: then functions may have been seen with unknown arguments only.
  bool run();

  /// How many calls lead from the program's start to what was found in a context, whatever loops
  /// are around them: calls that would find the same are followed once.
  double timesOf(size_t Context);

  /// Where a block is allocated; null where it is not known.
  const Allocations *allocations(const std::string &Block) const;

  /// The same where calls led to the block's function by a path of theirs.
  using ByPath =
      llvm::function_ref<void(const std::string &Block, const CallPath &, const Allocations &)>;
  void forEachAllocationByPath(ByPath Do) const;

  /// The name of the variable that a Loaded or Row factor was read from; empty if unknown.
  std::string sourceOf(FactorId Id) const;

  /// Keys of the variables and blocks from which a Loaded or Row factor may be read, as far as
  /// pointers to their starts tell.
  std::set<std::string> variablesBehind(FactorId Id);

private:
  /// A function of a unit.
  struct Node {
    const Facts *Unit;
    const Function *Body;
    bool Called = false;
    bool Recursive = false;      ///< or between two that are
    bool Allocates = false;      ///< blocks for its callers, or a function that it calls does
    bool RunsTeams = false;      ///< it has parallel regions, or a function that it calls does
    bool KeepsArguments = false; ///< pointers that it gets, in variables of its own
    unsigned Calls = 0;          ///< of it, as they are written
    unsigned Paths = 0;          ///< that lead to it and are told apart
    unsigned Kept = 0;           ///< contexts that have such variables for themselves
    bool Visited = false;
    const Execution *Active = nullptr;                            ///< of the visit that goes on
    bool isCalledOnce() const { return Calls < 2 && !Recursive; } ///< in one place, if at all
  };
  /// One visit to a function: what its parameters are, and who runs its scopes.
  struct Frame {
    Node &Of;
    Arguments Bound;
    Execution By;
    std::map<uint32_t, std::shared_ptr<const Execution>> Scopes;
    std::string Returned; ///< key of the block that its own, which it hands on, are for the caller
  };
  /// A base of the whole program.
  struct ProgramBase {
    BaseKind Kind;
    std::string Key;
    /// Cell: the base of the pointer. Pointee: what points to the memory. Member: that of the same
    /// member in whatever memory. Object: the block of which this is what one path leads to.
    uint32_t Of = None;
    const ArrayDeclaration *Block; ///< of the heap, null for others
    uint32_t Path = 0;
  };
  /// An access through a pointer whose targets are not known until all stores have been seen.
  struct PendingAccess {
    uint32_t Base;
    Polynomial Offset;
    AccessMode Mode;
    unsigned Words;
    View Through;
    std::shared_ptr<const Execution> By;
    const Function *In;
    unsigned Line;
    size_t Order;
    size_t Context;
  };
  /// A function with what is known of its arguments and its threads.
  struct Context {
    std::vector<size_t> Callers = {}; ///< one for each call
    double Times = 0;                 ///< 0: not counted yet
    bool Counting = false;
  };

  /// Where an access through a pointer may go.
  struct PointedAt {
    uint32_t Array;
    Polynomial More; ///< bytes, besides the offset from the pointer ...
    bool OfTable;    ///< ... of which that of a table counts no more
    /// Besides, in numbers that only meant something where it was stored. None: that differs.
    std::optional<Polynomial> Behind = Polynomial();
    bool Elsewhere = false; ///< there are such ...
    bool Displaced = false; ///< ... and by numbers, whatever row of a table that may be ...
    bool OfPart = false;    ///< ... as all rows are, of a table of a part of something
    llvm::SmallVector<const CallPath *, 1> Paths = {}; ///< as those of a ResolvedAccess
    bool isSamePlace(const PointedAt &Other) const {
      return Array == Other.Array && More == Other.More && OfTable == Other.OfTable &&
             Elsewhere == Other.Elsewhere && Displaced == Other.Displaced && OfPart == Other.OfPart;
    }
  };
  /// The targets of a pointer, which are not the same for all who follow it: where it was stored
  /// with offsets that loops make, it matters which of these run around.
  struct Reach {
    using Around = std::vector<std::pair<FactorId, bool>>; ///< and whether it is run in parallel
    std::set<FactorId> Loops;
    std::map<Around, std::vector<PointedAt>> Targets;
    Around around(const Execution &By) const;
  };
  /// A copy of a pointer.
  struct Copy {
    uint32_t From; ///< base
    const Polynomial *Offset;
    std::optional<int64_t> Constant; ///< that the offset is
    std::vector<FactorId> Loops;     ///< that it moves with
    bool IsOfPart;                   ///< as that of a binding
  };
  /// One search for targets.
  struct Search {
    const Execution &By;
    std::set<FactorId> &Loops;
    std::vector<PointedAt> Found = {};
    llvm::DenseSet<uint32_t> Reached = {};
  };

  using CallersOf = std::vector<std::vector<Node *>>; ///< by the number of the node
  void findCalled();
  CallersOf callers();
  void spread(bool Node::*Flag, std::vector<Node *> Found, const CallersOf &From);
  void findAllocating(const CallersOf &From);
  void findTeams(const CallersOf &From);
  void findKeeping();
  static size_t ownContext(Node &Callee, size_t Visited);
  void findForks();
  void takeArms(const Frame &F, const Scope &Branch, Execution &Inside) const;
  uint32_t pathInto(Node &Callee, const Facts &Unit, const Function &In, const Call &C,
                    uint32_t Path);
  uint32_t apart(uint32_t Block, uint32_t Path);
  uint32_t newApart(uint32_t Block, uint32_t Path);
  uint32_t resultBy(uint32_t Result, uint32_t Path);
  uint32_t resultOf(const Facts &Unit, const Base &Returned, const Arguments &Bound);
  uint32_t whole(uint32_t Base) const;
  void visit(Node &Callee, Arguments Bound, const Execution &By, std::string Returned = "");
  std::string returnedAs(const Frame &F, const std::string &Block);
  uint32_t asReturned(const Frame &F, uint32_t Base);
  void visitAccesses(Frame &F, size_t Begin, size_t End);
  PassedNumbers passedNumbers(Frame &F, const Call &C);
  void visitCall(Frame &F, const Call &C);
  void visitExternal(Frame &F, const Call &C, const std::vector<Binding> &Arguments, size_t From);
  void emit(const Binding &Address, AccessMode Mode, unsigned Words, View Through,
            std::shared_ptr<const Execution> By, const Function &In, unsigned Line);
  void followPending();
  const std::vector<PointedAt> &targetsOf(uint32_t Base, const Execution &By);
  void search(const PointedAt &At, Search &For);
  void found(PointedAt Place, std::vector<PointedAt> &All) const;
  llvm::SmallVector<const CallPath *, 1> pathsTo(uint32_t Object) const;
  static bool isOfOthers(const Copy &C, const Execution &By);
  static llvm::SmallSet<uint32_t, 4> storedAnew(const std::vector<Copy> &All, const Execution &By);
  std::vector<FactorId> loopsOf(const Polynomial &Stored);
  void addVariables(uint32_t Base, std::set<uint32_t> &Reached, std::set<std::string> &Keys);
  void explore(uint32_t Base, bool Down, std::set<uint32_t> &Found);
  void addHolders(uint32_t Pointer, std::set<uint32_t> &Found);
  void addContents(const std::set<uint32_t> &Pointers, std::set<uint32_t> &Found);
  const std::vector<uint32_t> &storagesOf(uint32_t Base);
  const std::vector<Copy> &copiesTo(uint32_t Base);
  using Related = std::unordered_map<uint32_t, std::vector<uint32_t>>;
  static void addRelated(uint32_t Base, const Related &All, std::set<uint32_t> &To);
  std::set<uint32_t> sameMember(uint32_t Base) const;
  Polynomial stillMeant(const Polynomial &Stored, const Execution &By);
  Polynomial withoutTable(const Polynomial &Offset, const Execution &By, bool OfRows);
  bool isLookedUp(const Polynomial &Offset) const;
  bool isLookedUpByTeam(const Polynomial &Offset, const Execution &By) const;
  bool holdsNumber(const Polynomial &Stored, const Polynomial &StillMeant) const;
  bool isRow(uint32_t Array) const;

  std::shared_ptr<const Execution> execution(Frame &F, uint32_t Scope);
  Binding resolve(Frame &F, const Value &V);
  Binding resolveBase(const Facts &Unit, uint32_t Base, const Arguments &Bound);
  uint32_t programBase(BaseKind Kind, const std::string &Key, uint32_t Of = None);
  uint32_t ownPointer(uint32_t Pointer, size_t InContext);
  uint32_t storageOf(const Facts &Unit, uint32_t Base, const Arguments &Bound);
  static void moveOn(std::vector<Binding> &Sources, const Polynomial &By);
  bool isTable(uint32_t Base) const;
  size_t loopsIn(const Polynomial &Offset) const;
  void addPointerStore(const Facts &Unit, const PointerStore &F, Arguments &Bound);
  std::vector<Node *> targets(const Facts &Unit, const Call &C);
  void noteBlocks(Frame &F);
  bool fails(Frame &F, const Condition &C);
  bool isNever(Frame &F, const Scope &Branch);
  uint32_t original(uint32_t Base);
  std::string memberKey(uint32_t Any, uint32_t Struct) const;
  uint32_t innerStruct(const std::string &Member, uint32_t Outer);
  uint32_t innerStruct(const Facts &Unit, uint32_t Inner, uint32_t Outer);
  uint32_t withoutOutermost(uint32_t Inner);
  uint32_t memberBase(const std::string &Field, uint32_t Inner);
  uint32_t memberBase(const std::string &Field, uint32_t Inner, uint32_t Struct);
  void addMember(uint32_t Less, uint32_t Own);
  std::string signature(const Node &Callee, const Arguments &Bound, const Execution &By,
                        const std::string &Returned) const;

  const std::vector<Facts> &Units;
  FactorTable &Factors;
  Receiver Emit;
  std::vector<Node> Nodes;
  std::unordered_map<std::string, std::vector<size_t>> NodesOf; ///< by key
  std::unordered_set<std::string> AddressTaken;
  std::unordered_map<std::string, uint32_t> BaseOf;
  std::vector<ProgramBase> Bases;
  /// By unit: the forks of which several arms run teams.
  std::vector<llvm::DenseSet<uint32_t>> Forks;
  uint32_t CallForks = 0; ///< calls of one of several functions, that are such forks
  std::vector<std::vector<uint32_t>> OwnBases; ///< of a unit's variables and functions
  std::unordered_map<uint32_t, std::vector<Binding>> PointerStores;
  std::unordered_map<uint32_t, std::vector<uint32_t>>
      Holders; ///< PointerStores, the other way round
  std::deque<InnerStruct> Inners;
  std::map<std::pair<std::string, uint32_t>, uint32_t> InnerOf; ///< by member and outer one
  Related Members; ///< of a member: the same of structs of whose place more is known ...
  Related General; ///< ... and less
  std::unordered_map<uint32_t, uint32_t> StructOf; ///< by the base of a member
  std::unordered_map<uint32_t, std::vector<uint32_t>> Storages;
  std::unordered_map<uint32_t, std::vector<Copy>>
      CopiesTo;                                ///< by base, once all pointer stores are known
  std::unordered_map<uint32_t, Reach> Reaches; ///< by base
  std::deque<PendingAccess> Pending;
  std::unordered_map<std::string, const ArrayDeclaration *> Blocks; ///< by key
  std::unordered_map<std::string, std::string> Like;                ///< Base::Like by key
  std::unordered_set<std::string> Likened;                ///< keys of what others are like
  std::unordered_map<std::string, Allocations> Allocated; ///< by key of the block
  std::map<std::pair<std::string, uint32_t>, Allocations> AllocatedApart; ///< and by path
  llvm::DenseMap<std::pair<uint32_t, uint32_t>, uint32_t> Aparts;         ///< by block and path
  std::map<CallPath, uint32_t> PathNumbers;
  std::deque<CallPath> Paths = {{}}; ///< by their numbers; they stay where they are
  struct WrittenCall {
    const Function *In;
    const Call *At;
  };
  std::unordered_map<std::string, WrittenCall> CallOf; ///< by key of what it returns
  std::unordered_map<std::string, size_t> ContextOf;   ///< by signature
  std::vector<Context> Contexts = {{}};                ///< the first is the program's start
  size_t Current = 0;                                  ///< the context that is being looked at
  size_t Work = 0, MaxWork;
  size_t Depth = 0;        ///< calls inside one another
  size_t Emitted = 0;      ///< accesses
  int64_t DefaultTeam = 0; ///< set by omp_set_num_threads(); 0: the run decides
  bool Complete = true;
};

} // namespace mapp

#endif // MAPP_CALLGRAPH_H
