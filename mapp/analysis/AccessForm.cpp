//===-- AccessForm.cpp - accesses in the form that tells --------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "AccessForm.h"

#include "Views.h"

#include "llvm/ADT/STLExtras.h"

#include <utility>

using namespace mapp;

SizedAccess::SizedAccess(const ResolvedAccess &Access, const Shape &To, bool IsBlock,
                         const Polynomial &Address, StoredNumbers &Numbers)
    : Offset(Address), By(&Access.By) {
  setExtents(Access, To);
  if (!IsBlock)
    replace([&](const Polynomial &F) { return Numbers.in(F); });
}

void SizedAccess::setExtents(const ResolvedAccess &Access, const Shape &To) {
  if (Access.Through.empty())
    return;
  const llvm::SmallVector<Extent, 2> Known =
      extentsOf(Access.Through, To.sizes(), [&](FactorId Id) {
        return llvm::none_of(By->Loops, [&](const EnclosingLoop &L) {
          return L.InParallel && L.Loop->Factor == Id;
        });
      });
  if (Access.Through.size() > 1)
    Row = Access.Through[1];
  if (!Known.empty())
    replace([&](const Polynomial &F) { return with(Known, F); });
}

void SizedAccess::replace(llvm::function_ref<Polynomial(const Polynomial &)> With) {
  Offset = With(Offset);
  Row = With(Row);
  for (size_t I = 0; I < By->Loops.size(); ++I) {
    Polynomial First = With(By->Loops[I].First), End = With(By->Loops[I].End);
    if (First == By->Loops[I].First && End == By->Loops[I].End)
      continue;
    if (By != &Sized)
      Sized = *By;
    By = &Sized;
    Sized.Loops[I].First = std::move(First);
    Sized.Loops[I].End = std::move(End);
  }
}

//===-- Moving bounds -----------------------------------------------------------===//

const EnclosingLoop *mapp::boundsMovedBy(const Execution &By) {
  const auto Divided = llvm::find_if(
      By.Loops, [&](const EnclosingLoop &L) { return By.Divided && L.Loop == By.Divided; });
  if (Divided == By.Loops.end())
    return nullptr;
  for (const EnclosingLoop &L : llvm::make_range(By.Loops.begin(), Divided)) {
    const std::optional<int64_t> First = L.First.constant(), End = L.End.constant();
    const FactorId Index = L.Loop->Factor;
    if (L.Loop->Counted && First && End && *End - *First >= Samples &&
        (Divided->First.mentions(Index) || Divided->End.mentions(Index)))
      return &L;
  }
  return nullptr;
}

int64_t mapp::sample(const EnclosingLoop &L, unsigned Number) {
  const int64_t First = *L.First.constant(), Length = *L.End.constant() - First;
  return First + Length / Samples * Number + Length / (2 * Samples);
}

Execution mapp::withIndex(const Execution &By, FactorId Index, int64_t Value) {
  Execution Given = By;
  for (EnclosingLoop &L : Given.Loops) {
    L.First = FactorTable::replaced(L.First, Index, Polynomial(Value));
    L.End = FactorTable::replaced(L.End, Index, Polynomial(Value));
  }
  return Given;
}

//===-- Begins of rows and shares ------------------------------------------------===//

namespace {

/// Something in it is read from memory for the parallel index.
bool isReadForShare(FactorTable &Factors, const Polynomial &F, const Scope &Divided) {
  return llvm::any_of(F.terms(), [&](const Term &T) {
    return llvm::any_of(T.Factors, [&](FactorId Id) {
      return Factors[Id].Kind == FactorKind::Loaded &&
             llvm::is_contained(Factors.dependence(Id).Loops, Divided.Factor);
    });
  });
}

/// The bytes that the offset moves by with the factor alone; 0 where it does not.
int64_t stepOf(const Polynomial &Offset, FactorId Id) {
  const auto Found = llvm::find_if(Offset.terms(), [&](const Term &T) {
    return T.Factors.size() == 1 && *T.Factors.begin() == Id;
  });
  return Found == Offset.terms().end() ? 0 : Found->Coefficient;
}

/// What was read from the same address is the same number.
Polynomial withReads(const FactorTable &Factors, const Polynomial &F, FactorId Read) {
  const Factor &Same = Factors[Read];
  Polynomial Result = F;
  for (const Term &T : F.terms())
    for (const FactorId Id : T.Factors) {
      const Factor &Other = Factors[Id];
      const bool IsOwn = Id.Unit == Read.Unit && Other.Index == Same.Index;
      if (Id != Read && IsOwn && Other.Kind == FactorKind::Loaded && Other.Base == Same.Base &&
          Other.Bound == Same.Bound && Other.Of == Same.Of)
        Result = FactorTable::replaced(Result, Id, Polynomial(Read));
    }
  return Result;
}

Term without(const Term &Of, FactorId Id) {
  Term Result{{}, Of.Coefficient};
  bool Left = false;
  for (const FactorId Each : Of.Factors)
    if (Each != Id || std::exchange(Left, true))
      Result.Factors.add(Each);
  return Result;
}

/// A term as a polynomial.
Polynomial product(const Term &Of) {
  Polynomial Result(Of.Coefficient);
  for (const FactorId Id : Of.Factors)
    Result = *Result.times(Polynomial(Id)); // No longer than the term.
  return Result;
}

/// Another loop inside the divided one steps over more than this one does, as from row to row of a
/// box.
bool isWithinRows(const Polynomial &Offset, const Execution &By, const EnclosingLoop &Inner,
                  int64_t Step) {
  const EnclosingLoop *Divided = loopOf(By, By.Divided->Factor);
  return llvm::any_of(Offset.terms(), [&](const Term &T) {
    const bool IsFurther = T.Factors.size() > 1 || std::llabs(T.Coefficient) > Step;
    return IsFurther && llvm::any_of(T.Factors, [&](FactorId Id) {
             const EnclosingLoop *L = loopOf(By, Id);
             return L && L > Divided && L != &Inner;
           });
  });
}

/// `a[start[i] + k]`, k from 0 to start[i + 1] - start[i], or to length[i], is a[k] with k from
/// start[i] on.
std::optional<CountedAccess> countedFromStart(FactorTable &Factors, const Polynomial &Offset,
                                              const Execution &By) {
  for (size_t I = 0; By.Divided && I < By.Loops.size(); ++I) {
    const EnclosingLoop &L = By.Loops[I];
    const int64_t Step = stepOf(Offset, L.Loop->Factor);
    if (L.Loop == By.Divided || !L.Loop->Counted || Step <= 0 || !L.First.constant() ||
        !isReadForShare(Factors, L.End, *By.Divided) || isWithinRows(Offset, By, L, Step))
      continue;
    for (const Term &T : Offset.terms()) {
      if (T.Coefficient != Step || T.Factors.size() != 1)
        continue;
      const FactorId Read = *T.Factors.begin();
      const Polynomial Start(Read), Length = withReads(Factors, L.End, Read);
      const std::optional<Polynomial> First = L.First.plus(Start), End = Length.plus(Start);
      if (!isReadForShare(Factors, Start, *By.Divided) || !First || !End)
        continue;
      CountedAccess Result{Offset.filtered([&](const Term &Of) { return !(Of == T); }), By};
      Result.By.Loops[I].First = *First;
      Result.By.Loops[I].End = *End;
      return Result;
    }
  }
  return std::nullopt;
}

/// The term that the factor is in, without it; none where it is in several, or more than once.
std::optional<Term> strideOf(const Polynomial &Offset, FactorId Id) {
  std::optional<Term> Result;
  for (const Term &T : Offset.terms()) {
    const auto Count = llvm::count(T.Factors, Id);
    if (Count > 1 || (Count == 1 && Result))
      return std::nullopt;
    if (Count == 1)
      Result = without(T, Id);
  }
  return Result;
}

/// Every term of it is a multiple of `By`.
std::optional<Polynomial> quotient(const Polynomial &Of, const Term &By) {
  Polynomial Rest = Of;
  for (const FactorId Id : By.Factors) {
    Polynomial Next;
    for (const Term &T : Rest.terms())
      if (std::optional<Polynomial> Sum =
              llvm::is_contained(T.Factors, Id) ? Next.plus(product(without(T, Id))) : std::nullopt)
        Next = std::move(*Sum);
      else
        return std::nullopt;
    Rest = std::move(Next);
  }
  return Rest.dividedBy(By.Coefficient);
}

/// One thread's share ends where that of the next one begins: the length is said by the threads'
/// numbers, too, or is what the start grows by. Buffers of threads have mostly a constant size.
bool isShare(FactorTable &Factors, const Polynomial &Start, const Polynomial &Length) {
  if (Factors.dependsOnThread(Length))
    return true;
  const auto Grows = [&](const Term &T) {
    const auto *Number =
        llvm::find_if(T.Factors, [&](FactorId Id) { return Factors.isThreadNumber(Id); });
    return Number != T.Factors.end() && product(without(T, *Number)) == Length;
  };
  return !Length.constant() && Start.terms().size() == 1 && Grows(Start.terms()[0]);
}

/// `a[start + k]`, start by the thread's number and k from 0 to the length of its share, is a[k]
/// with k from start on.
std::optional<CountedAccess> countedFromThread(FactorTable &Factors, const Polynomial &Offset,
                                               const Execution &By) {
  if (!By.Parallel || By.Divided || By.Who != Execution::Threads::All)
    return std::nullopt;
  const Polynomial OfThread = Offset.filtered([&](const Term &T) {
    return llvm::any_of(T.Factors, [&](FactorId Id) { return Factors.dependence(Id).Thread; });
  });
  const bool IsNumber = llvm::all_of(OfThread.terms(), [&](const Term &T) {
    return llvm::none_of(T.Factors,
                         [&](FactorId Id) { return Factors[Id].Kind == FactorKind::Row; });
  });
  for (size_t I = 0; IsNumber && !OfThread.terms().empty() && I < By.Loops.size(); ++I) {
    const EnclosingLoop &L = By.Loops[I];
    const std::optional<Term> Stride =
        L.InParallel && L.Loop->Counted ? strideOf(Offset, L.Loop->Factor) : std::nullopt;
    const std::optional<Polynomial> Start = Stride ? quotient(OfThread, *Stride) : std::nullopt;
    const std::optional<Polynomial> Length = L.End.minus(L.First), Rest = Offset.minus(OfThread);
    if (!Start || !Length || !Rest || !isShare(Factors, *Start, *Length))
      continue;
    const std::optional<Polynomial> First = L.First.plus(*Start), End = L.End.plus(*Start);
    if (!First || !End)
      continue;
    CountedAccess Result{*Rest, By};
    Result.By.Loops[I] = {L.Loop, *First, *End, true, true};
    divideByThread(Result.By, *L.Loop);
    if (!Factors.dependsOnThread(*Length)) // Each of the threads goes over so much.
      Result.By.Share *= threadsOf(By);
    return Result;
  }
  return std::nullopt;
}

} // namespace

std::optional<CountedAccess> mapp::countedFromBegin(FactorTable &Factors, const Polynomial &Offset,
                                                    const Execution &By) {
  std::optional<CountedAccess> OfRow = countedFromStart(Factors, Offset, By);
  return OfRow ? OfRow : countedFromThread(Factors, Offset, By);
}
