//===-- Location.cpp - where debug information says that variables lie *- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Location.h"

#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/DebugInfo/DWARF/DWARFUnit.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/LEB128.h"

using namespace names;
using namespace llvm;

bool Expression::take(uint8_t Operation) {
  if (Left.empty() || Left.front() != Operation)
    return false;
  Left = Left.drop_front();
  return true;
}

uint64_t Expression::unsignedNumber() {
  unsigned Length = 0;
  const char *Error = nullptr;
  const uint64_t Number = decodeULEB128(Left.data(), &Length, Left.end(), &Error);
  pass(Length, !Error);
  return Number;
}

int64_t Expression::signedNumber() {
  unsigned Length = 0;
  const char *Error = nullptr;
  const int64_t Number = decodeSLEB128(Left.data(), &Length, Left.end(), &Error);
  pass(Length, !Error);
  return Number;
}

uint64_t Expression::address() {
  const bool IsWhole = Left.size() >= sizeof(uint64_t);
  const uint64_t Number = IsWhole ? support::endian::read64le(Left.data()) : 0;
  pass(sizeof Number, IsWhole);
  return Number;
}

void Expression::pass(unsigned Length, bool IsGood) {
  Left = IsGood ? Left.drop_front(Length) : ArrayRef<uint8_t>();
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
