//===-- Halves.h - a forest in two, cutting least ---------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef THREADMAP_SEARCH_HALVES_H
#define THREADMAP_SEARCH_HALVES_H

#include "Forest.h"

#include <random>

namespace threadmap {

/// Divides items of a forest in two, so many into the first, in the one way of all that cuts least.
///
/// Items come with all that is below them to their parents, and for each number of them that may
/// be in the first half, and each half that the parent may be in, it is kept what is cut at least.
class Halves {
public:
  Halves(const Forest &Of, std::mt19937_64 &Generator, uint64_t &Counter);

  std::vector<float> Price; ///< by vertex: what it costs to cut it from its parent

  /// @param Members vertices, ascending
  /// @param Spread prices are changed at random, up to so many times as much more, so that another
  ///   time another division comes out
  void divide(const std::vector<uint32_t> &Members, uint32_t Count, double Spread);

  std::vector<uint32_t> First, Second; ///< what came out

private:
  /// What is cut at least, by how many are in the half: if the vertex is not in it, then if it is.
  struct Table {
    size_t Begin;
    uint32_t Size;
  };
  struct Step {
    uint32_t Parent, Child;
    float Cut;
    Table Before; ///< of the parent
  };

  Table newTable(uint32_t Size);
  void begin(const std::vector<uint32_t> &Members);
  float *costs(const Table &Of, int From) { return &Costs[Of.Begin + From * size_t{Of.Size}]; }
  void hang(uint32_t Child, uint32_t Parent, float Cut, uint32_t Most);
  void takeDown(const Step &S);

  const Forest &F;
  std::mt19937_64 &Random;
  uint64_t &Work;
  std::vector<Table> Below;   ///< by vertex, and of all roots
  std::vector<float> Costs;   ///< of all tables
  std::vector<float> Hung;    ///< a child's, as its parent sees it
  std::vector<Step> Steps;    ///< that led from single vertices to the whole
  std::vector<uint32_t> Left; ///< by vertex: how many at and below it are in the half
  std::vector<uint8_t> Half;  ///< by vertex
  std::vector<bool> IsMember; ///< by vertex
};

} // namespace threadmap

#endif // THREADMAP_SEARCH_HALVES_H
