//===-- CountedModel.h - what a placement costs by counts -------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The model of CostModel.h with counted accesses in the place of estimated ones.  A profile says
// who used which part of an array how often; it does not say when.  So how threads that use the
// same part meet there remains an estimate: by what the sources show, or else as if they went over
// it together.
//
//===----------------------------------------------------------------------===//
#ifndef MAPP_COUNTEDMODEL_H
#define MAPP_COUNTEDMODEL_H

#include "CostModel.h"
#include "Counts.h"

namespace mapp {

class CountedModel {
public:
  CountedModel(const ArrayDeclaration &Declared, const std::vector<Use> &All, const Machine &Wanted,
               const Counted &Counts);

  /// Fills in the metrics by counts.
  void estimate(Alternative &A) const;

  /// Bytes, as prices are in.
  double traffic() const { return Known.Counts.accesses() * Known.bytesEach(); }
  /// The team that the counted threads are; 0: the default one.
  int64_t team() const { return Team; }
  /// How many rows there were, at least: of what is known of its lines, too.
  double rows() const;
  /// How many bytes a row had when counts were taken: all that may be. None for a block, but where
  /// it is a row.
  std::vector<uint64_t> rowBytes() const;

private:
  using Traffic = std::vector<std::vector<double>>; ///< accesses [node][cell]
  using Sums = std::vector<std::vector<double>>;    ///< accesses [node][memory]

  unsigned nodeOf(uint32_t Thread) const;
  void addUp();
  double commonPart() const;
  double sweepingPart() const;
  std::vector<CostModel::Shares> whereCellsAre(const Alternative &A,
                                               const CostModel::Shares &Placed) const;
  Metrics byCells(const Alternative &A, const CostModel::Shares &Placed, bool InPieces) const;
  Metrics folded(const Alternative &A, const CostModel::Shares &Placed) const;
  Metrics foldedBy(const Alternative &A, const CostModel::Shares &Placed, uint64_t RowBytes) const;
  double pageRounding(const Alternative &A) const;
  Metrics sum(const Sums &Parallel, const Sums &Serial, double Meeting) const;
  CostModel::Streams streams(const Sums &Of, double Whole) const;

  const ArrayDeclaration &Array;
  const std::vector<Use> &Uses;
  const Machine &On;
  const Counted &Known;
  const maiprof::ArrayCounts &Counts;
  const CostModel Cost;
  int64_t Team = 0;
  CostModel::Segments Nodes; ///< of the counted threads
  Traffic Parallel, Serial;
};

} // namespace mapp

#endif // MAPP_COUNTEDMODEL_H
