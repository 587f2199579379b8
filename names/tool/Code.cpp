//===-- Code.cpp - the lines that code stands in ----------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Code.h"

#include "Types.h"
#include "support/CallPlace.h"

#include "llvm/DebugInfo/DWARF/DWARFDebugLine.h"
#include "llvm/DebugInfo/DWARF/DWARFUnit.h"

using namespace names;
using namespace llvm;

namespace {

/// Programs of more lines have places for the first ones.
constexpr size_t MostPieces = size_t(1) << 20;

/// The code of one compile unit.
class UnitCode {
public:
  UnitCode(DWARFContext &Of, Table &Result) : Context(Of), Into(Result) {}

  void read(const DWARFDebugLine::LineTable &Lines) {
    for (size_t I = 0; I + 1 < Lines.Rows.size(); ++I) {
      const DWARFDebugLine::Row &Row = Lines.Rows[I];
      const uint64_t End = Lines.Rows[I + 1].Address.Address;
      if (!Row.EndSequence && Row.Address.Address < End)
        add(Row.Address, End);
    }
  }

private:
  /// Neighbours of one place are one piece.
  void add(object::SectionedAddress Start, uint64_t End) {
    const ::support::CallPlace Place = ::support::callPlace(Context.getInliningInfoForAddress(
        Start, {DILineInfoSpecifier::FileLineInfoKind::AbsoluteFilePath,
                DILineInfoSpecifier::FunctionNameKind::LinkageName}));
    if (Place.Lines.empty() || Into.Code.size() == MostPieces)
      return;
    const Piece New{Start.Address, End, Into.text(Place.Lines), Place.IsOutlined};
    Piece *Last = Into.Code.empty() ? nullptr : &Into.Code.back();
    if (Last && Last->End == New.Start && Last->Place == New.Place &&
        Last->IsOutlined == New.IsOutlined)
      Last->End = End;
    else
      Into.Code.push_back(New);
  }

  DWARFContext &Context;
  Table &Into;
};

} // namespace

void names::readCode(DWARFContext &Context, Table &Into) {
  for (const auto &Unit : Context.info_section_units())
    if (const DWARFDebugLine::LineTable *Lines = Context.getLineTableForUnit(Unit.get()))
      UnitCode(Context, Into).read(*Lines);
}
