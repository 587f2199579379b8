//===-- Location.cpp - where debug information says that variables lie *- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Location.h"

#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/DebugInfo/DWARF/DWARFUnit.h"

using namespace names;
using namespace llvm;

bool Expression::take(uint8_t Operation) {
  if (IsBroken || At == Data.size() || static_cast<uint8_t>(Data.getData()[At]) != Operation)
    return false;
  ++At;
  return true;
}

/// Nothing is passed where there is no whole number.
template <typename Reader> auto Expression::read(Reader Number) {
  const uint64_t Before = At;
  const auto Result = Number();
  IsBroken |= At == Before;
  return Result;
}

uint64_t Expression::unsignedNumber() {
  return read([&] { return Data.getULEB128(&At); });
}

int64_t Expression::signedNumber() {
  return read([&] { return Data.getSLEB128(&At); });
}

uint64_t Expression::address() {
  return read([&] { return Data.getAddress(&At); });
}

std::vector<uint8_t> names::firstLocation(DWARFDie Entry) {
  auto Locations = Entry.getLocations(dwarf::DW_AT_location);
  if (!Locations) {
    consumeError(Locations.takeError());
    return {};
  }
  if (Locations->empty())
    return {};
  return {Locations->front().Expr.begin(), Locations->front().Expr.end()};
}

/// The address with which an expression begins.
static std::optional<uint64_t> takeAddress(Expression &Of, DWARFUnit &Unit) {
  if (Of.take(dwarf::DW_OP_addr))
    return Of.address();
  if (!Of.take(dwarf::DW_OP_addrx))
    return std::nullopt;
  const auto Number = static_cast<uint32_t>(Of.unsignedNumber());
  const auto Address = Unit.getAddrOffsetSectionItem(Number);
  return Address ? std::optional<uint64_t>(Address->Address) : std::nullopt;
}

std::optional<uint64_t> names::staticAddress(DWARFDie Variable) {
  const auto Location = Variable.find(dwarf::DW_AT_location);
  const auto Bytes = Location ? Location->getAsBlock() : std::nullopt;
  if (!Bytes)
    return std::nullopt;
  Expression Of(*Bytes);
  std::optional<uint64_t> Address = takeAddress(Of, *Variable.getDwarfUnit());
  if (Address && Of.take(dwarf::DW_OP_plus_uconst))
    *Address += Of.unsignedNumber();
  return Of.isAtEnd() ? Address : std::nullopt;
}
