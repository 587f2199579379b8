//===-- CallGraphPointers.cpp - what pointers may point to ------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Pointers are followed through all stores of them, whoever makes these.
//
//===----------------------------------------------------------------------===//

#include "CallGraph.h"

#include "llvm/ADT/STLExtras.h"

using namespace mapp;

/// Pointers looked at to find what one may point to. Sources that people write stay far below.
static constexpr size_t MaxReached = 1000, MaxAliases = 64;

/// `*p += margin`, behind `*p = malloc(...)`. That it goes back again, to free the block, is no
/// matter, nor that it moves in a loop.
void CallGraph::moveOn(std::vector<Binding> &Sources, const Polynomial &By) {
  const auto Goes = [](const Term &T) { return T.Coefficient > 0; };
  if (By.terms().empty() || !llvm::all_of(By.terms(), Goes))
    return;
  for (Binding &From : Sources)
    if (From.Offset.constant() == 0)
      From.Offset = By;
}

/// Pointers lie there that are looked up, not just one that moves through what it points to.
bool CallGraph::isTable(uint32_t Base) const {
  return Bases[Base].Kind == BaseKind::Pointee || Bases[Base].Kind == BaseKind::Member;
}

/// So many loops move the offset by themselves, and not by numbers that depend on others.
size_t CallGraph::loopsIn(const Polynomial &Offset) const {
  std::set<FactorId> Loops;
  for (const Term &T : Offset.terms())
    for (const FactorId Id : T.Factors)
      if (Factors[Id].Kind == FactorKind::Loop)
        Loops.insert(Id);
  return Loops.size();
}

void CallGraph::addPointerStore(const Facts &Unit, const PointerStore &F, Arguments &Bound) {
  Binding From = resolveBase(Unit, F.From.Base, Bound);
  const Polynomial Offset = Factors.inCaller(F.From.Offset, Bound);
  From.IsOfPart = !From.Offset.constant() && !Offset.constant();
  if (const std::optional<Polynomial> Sum = From.Offset.plus(Offset))
    From.Offset = *Sum;
  uint32_t To = storageOf(Unit, F.To, Bound);
  if (Bases[To].Kind == BaseKind::Result)
    To = resultBy(To, Bound.Path);
  std::vector<Binding> &Sources = PointerStores[To];
  if (From.Base == To)
    return moveOn(Sources, From.Offset);
  if (const ArrayDeclaration *Block = Bases[whole(From.Base)].Block; Block && isTable(To)) {
    size_t &Most = Allocated[Block->Key].RowLoops;
    Most = std::max(Most, loopsIn(From.Offset));
  }
  if (llvm::none_of(Sources, [&](const Binding &B) {
        return B.Base == From.Base && B.Offset == From.Offset;
      })) {
    Holders[From.Base].push_back(To);
    Sources.push_back(std::move(From));
  }
}

void CallGraph::emit(const Binding &Address, AccessMode Mode, unsigned Words, View Through,
                     std::shared_ptr<const Execution> By, const Function &In, unsigned Line) {
  if (Address.Base == None)
    return;
  const ProgramBase &Base = Bases[Address.Base];
  if (Base.Kind == BaseKind::Object)
    Emit({Bases[whole(Address.Base)].Key, pathsTo(Address.Base), Address.Offset, Address.Start,
          false, std::nullopt, Mode, Words, Through, *By, In, Line, Emitted++, Current});
  else if (Base.Kind != BaseKind::Cell && Base.Kind != BaseKind::Private)
    Pending.push_back({Address.Base, Address.Offset, Mode, Words, std::move(Through), std::move(By),
                       &In, Line, Emitted++, Current});
}

void CallGraph::followPending() {
  for (; !Pending.empty(); Pending.pop_front()) { // There may be very many.
    const PendingAccess &Access = Pending.front();
    const bool IsLookedUp = isLookedUp(Access.Offset);
    const bool IsSharedOut = isLookedUpByTeam(Access.Offset, *Access.By);
    std::optional<Polynomial> Within[2]; ///< what the table holds; rows of a matrix
    for (const PointedAt &To : targetsOf(Access.Base, *Access.By)) {
      const bool OfRows = isRow(To.Array);
      if (To.OfTable && !Within[OfRows])
        Within[OfRows] = withoutTable(Access.Offset, *Access.By, OfRows);
      const Polynomial &Offset = To.OfTable ? *Within[OfRows] : Access.Offset;
      const Polynomial Sum = Offset.plus(To.More).value_or(Access.Offset);
      const bool Elsewhere =
          (To.Elsewhere && !IsLookedUp) || (To.Displaced && (!IsSharedOut || To.OfPart));
      Emit({Bases[To.Array].Key, To.Paths, Sum, Sum.constantTerm(), Elsewhere, To.Behind,
            Access.Mode, Access.Words, Access.Through, *Access.By, *Access.In, Access.Line,
            Access.Order, Access.Context});
    }
  }
}

/// All that a relation leads to.
void CallGraph::addRelated(uint32_t Base, const Related &All, std::set<uint32_t> &To) {
  const auto Direct = All.find(Base);
  if (Direct == All.end())
    return;
  for (const uint32_t Next : Direct->second)
    if (To.insert(Next).second)
      addRelated(Next, All, To);
}

/// The bases that stand for the same member: of one struct and of any.
std::set<uint32_t> CallGraph::sameMember(uint32_t Base) const {
  std::set<uint32_t> Same = {Base};
  addRelated(Base, General, Same);
  addRelated(Base, Members, Same);
  return Same;
}

/// What a pointer may have been copied from, or, the other way, where it may have been copied to.
/// One that lies in a table may have been stored through another pointer to that table.
void CallGraph::explore(uint32_t Base, bool Down, std::set<uint32_t> &Found) {
  for (const uint32_t Same : storagesOf(Base)) {
    if (Found.size() >= MaxAliases)
      return;
    const bool Foreign = Bases[Same].Kind == BaseKind::Result && PointerStores.count(Same) == 0;
    if (!Found.insert(Same).second || Foreign) // Not all that malloc() returns is one table.
      continue;
    if (const auto Sources = PointerStores.find(Same); Down && Sources != PointerStores.end())
      for (const Binding &From : Sources->second)
        explore(From.Base, Down, Found);
    if (const auto Copies = Holders.find(Same); !Down && Copies != Holders.end())
      for (const uint32_t To : Copies->second)
        explore(To, Down, Found);
  }
}

/// Whoever knows the address of a pointer may store there: `*address[i] = next`.
void CallGraph::addHolders(uint32_t Pointer, std::set<uint32_t> &Found) {
  const auto Address = BaseOf.find("cell of " + Bases[Pointer].Key);
  if (Address == BaseOf.end())
    return;
  std::set<uint32_t> Holding;
  explore(Address->second, false, Holding);
  addContents(Holding, Found);
}

/// Of blocks that hold the same pointers one has them all.
void CallGraph::addContents(const std::set<uint32_t> &Pointers, std::set<uint32_t> &Found) {
  for (const uint32_t Pointer : Pointers)
    if (const auto Content = BaseOf.find("content of " + Bases[original(Pointer)].Key);
        Content != BaseOf.end())
      Found.insert(Content->second);
}

/// Wherever a pointer may have been stored that is found at `Base`: in a table of pointers also
/// through another pointer to the same table, in a member of what a function returns also where
/// that function stores it.
const std::vector<uint32_t> &CallGraph::storagesOf(uint32_t Base) {
  const auto [Entry, New] = Storages.try_emplace(Base);
  std::vector<uint32_t> &Known = Entry->second; // Stays where it is; empty within a circle.
  if (!New)
    return Known;
  const std::set<uint32_t> Same = sameMember(Base);
  std::set<uint32_t> Result = Same;
  for (const uint32_t Pointer : Same)
    addHolders(Pointer, Result);
  if (Bases[Base].Kind == BaseKind::Pointee) {
    std::set<uint32_t> Tables, Pointers;
    explore(Bases[Base].Of, true, Tables);
    for (const uint32_t Table : Tables)
      if (Table == Bases[Base].Of || Members.count(Table) == 0) // Not all tables of all structs.
        explore(Table, false, Pointers);
    addContents(Pointers, Result);
  }
  const auto Struct = StructOf.find(Base);
  if (Struct != StructOf.end() && Bases[Struct->second].Kind == BaseKind::Result) {
    std::set<uint32_t> Structs; // That the function may return.
    explore(Struct->second, true, Structs);
    for (const uint32_t In : Structs)
      if (const auto Own = BaseOf.find(memberKey(Bases[Base].Of, original(In)));
          Own != BaseOf.end())
        Result.insert(Own->second);
  }
  Known.assign(Result.begin(), Result.end());
  return Known;
}

/// What a pointer may be a copy of.
const std::vector<CallGraph::Copy> &CallGraph::copiesTo(uint32_t Base) {
  const auto [Entry, New] = CopiesTo.try_emplace(Base);
  if (New)
    for (const uint32_t Storage : storagesOf(Base))
      if (const auto Sources = PointerStores.find(Storage); Sources != PointerStores.end())
        for (const Binding &From : Sources->second)
          Entry->second.push_back({From.Base, &From.Offset, From.Offset.constant(),
                                   loopsOf(From.Offset), From.IsOfPart});
  return Entry->second;
}

/// Of an offset at which a pointer was stored the part that means the same where it is used: what
/// the loops say that run around both.
Polynomial CallGraph::stillMeant(const Polynomial &Stored, const Execution &By) {
  return Stored.filtered([&](const Term &T) {
    bool Moves = T.Factors.empty();
    for (const FactorId Id : T.Factors) {
      const Dependence &On = Factors.dependence(Id);
      const bool Around = llvm::all_of(On.Loops, [&](FactorId Loop) {
        return llvm::any_of(By.Loops,
                            [&](const EnclosingLoop &L) { return L.Loop->Factor == Loop; });
      });
      if (!Around)
        return false;
      Moves |= !On.Loops.empty() || On.Thread;
    }
    return Moves;
  });
}

/// An offset from a pointer that was looked up in a table, counted from what the table holds: where
/// the pointer is the same for all threads it says nothing more.
/// @param OfRows that makes a matrix of its blocks; else threads that share out other loops look up
/// all of them, each thread for its part of each
Polynomial CallGraph::withoutTable(const Polynomial &Offset, const Execution &By, bool OfRows) {
  if (Offset.constant())
    return Offset;
  const bool SharesOneLoop = !OfRows && By.Divided && By.Who == Execution::Threads::All;
  return Offset.filtered([&](const Term &T) {
    if (T.Factors.size() != 1 || T.Coefficient != 1 ||
        Factors[*T.Factors.begin()].Kind != FactorKind::Row)
      return true;
    const Dependence &On = Factors.dependence(*T.Factors.begin());
    return On.Thread || llvm::any_of(By.Loops, [&](const EnclosingLoop &L) {
             const bool Tells = SharesOneLoop ? L.Loop == By.Divided : L.InParallel;
             return Tells && llvm::is_contained(On.Loops, L.Loop->Factor);
           });
  });
}

bool CallGraph::isLookedUp(const Polynomial &Offset) const {
  return llvm::any_of(Offset.terms(), [&](const Term &T) {
    return llvm::any_of(T.Factors,
                        [&](FactorId Id) { return Factors[Id].Kind == FactorKind::Row; });
  });
}

/// Which pointer is looked up depends on what the threads share out.
bool CallGraph::isLookedUpByTeam(const Polynomial &Offset, const Execution &By) const {
  return llvm::any_of(Offset.terms(), [&](const Term &T) {
    return llvm::any_of(T.Factors, [&](FactorId Id) {
      if (Factors[Id].Kind != FactorKind::Row)
        return false;
      const Dependence &On = Factors.dependence(Id);
      return On.Thread || llvm::any_of(By.Loops, [&](const EnclosingLoop &L) {
               return L.InParallel && llvm::is_contained(On.Loops, L.Loop->Factor);
             });
    });
  });
}

/// Of what means nothing any more some is no index of a row: `level->f = level->u + cells`.
bool CallGraph::holdsNumber(const Polynomial &Stored, const Polynomial &StillMeant) const {
  return llvm::any_of(Stored.terms(), [&](const Term &T) {
    return !T.Factors.empty() && !llvm::is_contained(StillMeant.terms(), T) &&
           llvm::none_of(T.Factors,
                         [&](FactorId Id) { return Factors[Id].Kind == FactorKind::Loop; });
  });
}

bool CallGraph::isRow(uint32_t Array) const {
  const ArrayDeclaration *Block = Bases[Array].Block;
  return Block && !Block->Allocated->Rows.empty();
}

CallGraph::Reach::Around CallGraph::Reach::around(const Execution &By) const {
  Around Result;
  for (const EnclosingLoop &L : By.Loops)
    if (Loops.count(L.Loop->Factor))
      Result.emplace_back(L.Loop->Factor, L.InParallel);
  return Result;
}

/// Every access through one pointer asks the same, so the answers are kept.
const std::vector<CallGraph::PointedAt> &CallGraph::targetsOf(uint32_t Base, const Execution &By) {
  const auto [Entry, New] = Reaches.try_emplace(Base);
  Reach &All = Entry->second;
  if (!New)
    if (const auto Known = All.Targets.find(All.around(By)); Known != All.Targets.end())
      return Known->second;
  Search For{By, All.Loops};
  search({Base, {}, false}, For);
  return All.Targets.emplace(All.around(By), std::move(For.Found)).first->second;
}

std::vector<FactorId> CallGraph::loopsOf(const Polynomial &Stored) {
  std::set<FactorId> Loops;
  for (const Term &T : Stored.terms())
    for (const FactorId Id : T.Factors) {
      const Dependence &On = Factors.dependence(Id);
      Loops.insert(On.Loops.begin(), On.Loops.end());
    }
  return {Loops.begin(), Loops.end()};
}

/// Loops that the offset moves with are not around; it was stored in another context.
bool CallGraph::isOfOthers(const Copy &C, const Execution &By) {
  return llvm::any_of(C.Loops, [&](FactorId Loop) {
    return llvm::none_of(By.Loops, [&](const EnclosingLoop &L) { return L.Loop->Factor == Loop; });
  });
}

/// Where the pointers come from that the context stores itself which follows them: what others
/// store of these it does not meet.
llvm::SmallSet<uint32_t, 4> CallGraph::storedAnew(const std::vector<Copy> &All,
                                                  const Execution &By) {
  llvm::SmallSet<uint32_t, 4> Result;
  for (const Copy &C : All)
    if (!C.Constant && !isOfOthers(C, By))
      Result.insert(C.From);
  return Result;
}

/// @param At where the pointer is that the access followed
void CallGraph::search(const PointedAt &At, Search &For) {
  if (For.Reached.size() >= MaxReached) {
    Complete = false;
    return;
  }
  if (!For.Reached.insert(At.Array).second)
    return;
  const std::vector<Copy> &All = copiesTo(At.Array);
  const llvm::SmallSet<uint32_t, 4> Anew = storedAnew(All, For.By);
  for (const Copy &C : All) {
    For.Loops.insert(C.Loops.begin(), C.Loops.end());
    if (!C.Constant && Anew.contains(C.From) && isOfOthers(C, For.By))
      continue;
    const Polynomial Stored = C.Constant ? *C.Offset : stillMeant(*C.Offset, For.By);
    const bool IsMeant = Stored == *C.Offset;
    PointedAt Next{C.From,
                   C.Constant ? withoutTable(At.More, For.By, true) : At.More,
                   At.OfTable || C.Constant,
                   IsMeant ? At.Behind : sum(At.Behind, C.Offset->minus(Stored)),
                   At.Elsewhere || !IsMeant,
                   At.Displaced || (!C.Constant && holdsNumber(*C.Offset, Stored)),
                   At.OfPart || C.IsOfPart};
    if (C.Constant != 0)
      Next.More = Next.More.plus(Stored).value_or(At.More);
    if (Bases[C.From].Kind != BaseKind::Object)
      search(Next, For);
    else
      found(std::move(Next), For.Found);
  }
}

/// What several paths lead to is one place.
void CallGraph::found(PointedAt Place, std::vector<PointedAt> &All) const {
  const uint32_t Object = std::exchange(Place.Array, whole(Place.Array));
  auto Known = llvm::find_if(All, [&](const PointedAt &Other) { return Other.isSamePlace(Place); });
  if (Known == All.end())
    Known = All.insert(All.end(), std::move(Place));
  else if (Known->Behind != Place.Behind)
    Known->Behind = std::nullopt;
  for (const CallPath *Path : pathsTo(Object))
    if (!llvm::is_contained(Known->Paths, Path))
      Known->Paths.push_back(Path);
}

//===-- Whence numbers are read ---------------------------------------------------===//

std::string CallGraph::sourceOf(FactorId Id) const {
  const Factor &F = Factors[Id];
  if (F.Base == None)
    return "";
  const uint32_t Unit = Id.Unit == Units.size() ? F.Index : Id.Unit;
  const std::string &Key = Units[Unit].Bases[F.Base].Key;
  if (const auto Block = Blocks.find(Key); Block != Blocks.end())
    return Block->second->Name;
  return Key.substr(0, Key.find('@'));
}

std::set<std::string> CallGraph::variablesBehind(FactorId Id) {
  const Factor &F = Factors[Id];
  std::set<std::string> Keys;
  if (F.Base == None)
    return Keys;
  const uint32_t Unit = Id.Unit == Units.size() ? F.Index : Id.Unit;
  std::set<uint32_t> Reached;
  addVariables(F.Bound != None ? F.Bound : resolveBase(Units[Unit], F.Base, {}).Base, Reached,
               Keys);
  return Keys;
}

void CallGraph::addVariables(uint32_t Base, std::set<uint32_t> &Reached,
                             std::set<std::string> &Keys) {
  if (Base == None || Reached.size() >= MaxReached || !Reached.insert(Base).second)
    return;
  if (Bases[Base].Kind == BaseKind::Object) {
    Keys.insert(Bases[whole(Base)].Key);
    return;
  }
  for (const Copy &C : copiesTo(Base))
    if (C.Constant == 0)
      addVariables(C.From, Reached, Keys);
}
