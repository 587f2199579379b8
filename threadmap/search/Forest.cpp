//===-- Forest.cpp - what branches, among all that is shared ----*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Forest.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <tuple>

using namespace threadmap;

namespace {

constexpr uint32_t NoItem = std::numeric_limits<uint32_t>::max();

/// So much of what is shared must be shared along the forest.
constexpr double Share = 0.7;

class Growing {
public:
  explicit Growing(const Graph &Of) : Volumes(Of), Tree(Of.size()), Near(Of.size()) {}

  std::optional<Forest> run() {
    if (!mayBeForest())
      return std::nullopt;
    std::iota(Tree.begin(), Tree.end(), 0);
    while (growTogether())
      ;
    if (Kept < Share * Total)
      return std::nullopt;
    Forest Result = rooted();
    Result.IsAll = isAll();
    return Result;
  }

private:
  struct Edge {
    double Volume = 0;
    uint32_t A = NoItem, B = NoItem;

    /// The heavier first; one order of all, or there might be rings.
    bool isBefore(const Edge &Other) const {
      return std::tuple(-Volume, std::min(A, B), std::max(A, B)) <
             std::tuple(-Other.Volume, std::min(Other.A, Other.B), std::max(Other.A, Other.B));
    }
  };

  /// What any two items share: in a matrix in full, the mean.
  void findBase() {
    const double Items = Volumes.size();
    double Least = std::numeric_limits<double>::infinity();
    for (uint32_t A = 0; A < Volumes.size(); ++A)
      Volumes.forEach(A, [&](uint32_t B, double Value) {
        if (A == B)
          return;
        Sum += Value / 2;
        Least = std::min(Least, Value);
      });
    Lowest = Volumes.isDense() ? Least : std::min(Least, 0.0);
    Base = Volumes.isDense() ? Sum / (Items * (Items - 1) / 2) : 0;
  }

  /// Each item has one parent at most, so the forest shares no more than each item's most.
  bool mayBeForest() {
    if (Volumes.size() < 3)
      return false;
    findBase();
    if (Lowest < 0)
      return false;
    double Most = 0;
    for (uint32_t A = 0; A < Volumes.size(); ++A) {
      double Greatest = 0;
      Volumes.forEach(A, [&](uint32_t B, double Value) {
        if (A == B || Value <= Base)
          return;
        Greatest = std::max(Greatest, Value - Base);
        Total += (Value - Base) / 2;
      });
      Most += Greatest;
    }
    return Total > 0 && Most >= Share * Total;
  }

  /// Whether all pairs beside those of the forest share the same.
  bool isAll() const {
    const double Items = Volumes.size(), Pairs = Items * (Items - 1) / 2;
    const double Others = (Sum - Pairs * Lowest) - (Kept + Edges * (Base - Lowest));
    return std::fabs(Others) <= 1e-9 * Sum;
  }

  uint32_t root(uint32_t Item) {
    while (Tree[Item] != Item)
      Item = Tree[Item] = Tree[Tree[Item]];
    return Item;
  }

  /// Joins each tree with another by the heaviest edge between them. @return whether there was one
  bool growTogether() {
    std::vector<Edge> Best(Volumes.size());
    for (uint32_t A = 0; A < Volumes.size(); ++A) {
      Edge &Of = Best[root(A)];
      Volumes.forEach(A, [&](uint32_t B, double Value) {
        const Edge New{Value - Base, A, B};
        if (Value - Base > 0 && Value - Base >= Of.Volume && New.isBefore(Of) && root(A) != root(B))
          Of = New;
      });
    }
    bool Found = false;
    for (const Edge &E : Best) {
      if (E.A == NoItem || root(E.A) == root(E.B))
        continue;
      Tree[root(E.A)] = root(E.B);
      Near[E.A].emplace_back(E.B, E.Volume);
      Near[E.B].emplace_back(E.A, E.Volume);
      Kept += E.Volume;
      ++Edges;
      Found = true;
    }
    return Found;
  }

  Forest rooted() const {
    Forest Result;
    std::vector<bool> Seen(Volumes.size(), false);
    const auto Add = [&](uint32_t Item, uint32_t Parent, double Volume) {
      Seen[Item] = true;
      Result.Item.push_back(Item);
      Result.Parent.push_back(Parent);
      Result.Volume.push_back(static_cast<float>(Volume));
    };
    for (uint32_t Root = 0; Root < Volumes.size(); ++Root) {
      if (Seen[Root])
        continue;
      uint32_t Next = Result.size();
      Add(Root, Volumes.size(), 0);
      for (; Next < Result.size(); ++Next)
        for (const auto &[Other, Volume] : Near[Result.Item[Next]])
          if (!Seen[Other])
            Add(Other, Next, Volume);
    }
    return Result;
  }

  const Graph &Volumes;
  std::vector<uint32_t> Tree; ///< by item: one nearer to the representative of its tree
  std::vector<std::vector<std::pair<uint32_t, double>>> Near; ///< by item: others in the forest
  double Sum = 0, Lowest = 0;                                 ///< of all volumes
  double Base = 0;                                            ///< what any two items share
  double Total = 0, Kept = 0; ///< shared above that: by all, along the forest
  uint32_t Edges = 0;         ///< of the forest
};

} // namespace

std::optional<Forest> threadmap::forestIn(const Graph &Volumes) { return Growing(Volumes).run(); }

std::vector<bool> threadmap::pairsIn(const Forest &Of, const std::vector<float> &Volume) {
  const uint32_t Count = Of.size();
  // What pairs below a vertex share at most, and with it in a pair of them, and with which child.
  std::vector<float> Without(Count + size_t{1}, 0), More(Count + size_t{1}, 0);
  std::vector<uint32_t> Child(Count + size_t{1}, NoItem);
  for (uint32_t Vertex = Count; Vertex-- > 0;) {
    const uint32_t Above = Of.Parent[Vertex];
    Without[Above] += Without[Vertex] + More[Vertex];
    const float Gain = Above == Count ? 0 : Volume[Vertex] - More[Vertex];
    if (Gain > More[Above]) {
      More[Above] = Gain;
      Child[Above] = Vertex;
    }
  }
  std::vector<bool> Result(Count, false);
  for (uint32_t Vertex = 0; Vertex < Count; ++Vertex)
    if (!Result[Vertex] && Child[Vertex] != NoItem)
      Result[Child[Vertex]] = true;
  return Result;
}
