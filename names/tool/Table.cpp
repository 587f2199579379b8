//===-- Table.cpp - a table of regions and types while it is made -*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Table.h"

#include <algorithm>
#include <cstring>

using namespace names;

Table::Table() : Texts(1, '\0') { Types.push_back({MINAS_NAMES_NOTHING, 0, 0, 0, 0, 0}); }

uint32_t Table::text(llvm::StringRef Text) {
  Text = Text.take_front(MINAS_NAMES_MOST_TEXT);
  if (Text.empty())
    return 0;
  const auto [Entry, IsNew] = Offsets.try_emplace(Text, static_cast<uint32_t>(Texts.size()));
  if (IsNew)
    Texts.append(Text.begin(), Text.end()).push_back('\0');
  return Entry->second;
}

template <typename Item> static void append(std::string &File, const std::vector<Item> &List) {
  if (!List.empty())
    File.append(reinterpret_cast<const char *>(List.data()), List.size() * sizeof(Item));
}

static minas_names_variable laidOut(Table &In, const Variable &Of) {
  return {In.text(Of.Name), Of.Type, Of.Offset, Of.Bytes, static_cast<uint32_t>(Of.Rank), 0};
}

/// Of pieces that lie in one another, which no compiler makes, the later ones are left out.
static std::vector<minas_names_piece> laidOut(std::vector<Piece> &Code) {
  std::sort(Code.begin(), Code.end(),
            [](const Piece &A, const Piece &B) { return A.Start < B.Start; });
  std::vector<minas_names_piece> List;
  uint64_t End = 0;
  for (const Piece &Each : Code) {
    if (Each.Start < End || Each.End - Each.Start > UINT32_MAX)
      continue;
    End = Each.End;
    List.push_back({Each.Start, static_cast<uint32_t>(End - Each.Start), Each.Place,
                    Each.IsOutlined ? 1u : 0u, 0});
  }
  return List;
}

std::string Table::file(llvm::ArrayRef<uint8_t> BuildId) {
  std::sort(Regions.begin(), Regions.end(),
            [](const Region &A, const Region &B) { return A.Address < B.Address; });
  std::vector<minas_names_region> RegionList;
  std::vector<minas_names_variable> Variables;
  for (const Region &Of : Regions) {
    RegionList.push_back({Of.Address, static_cast<uint32_t>(Variables.size()),
                          static_cast<uint32_t>(Of.Variables.size())});
    for (const Variable &Each : Of.Variables)
      Variables.push_back(laidOut(*this, Each));
  }
  const size_t OfRegions = Variables.size();
  for (const Variable &Each : Statics)
    Variables.push_back(laidOut(*this, Each));

  const std::vector<minas_names_piece> Pieces = laidOut(Code);

  minas_names_header Header{};
  std::memcpy(Header.magic, MINAS_NAMES_MAGIC, sizeof Header.magic);
  Header.version = MINAS_NAMES_VERSION;
  BuildId = BuildId.take_front(MINAS_NAMES_MOST_ID);
  Header.id_bytes = static_cast<uint32_t>(BuildId.size());
  std::copy(BuildId.begin(), BuildId.end(), Header.id);
  Header.regions = static_cast<uint32_t>(RegionList.size());
  Header.variables = static_cast<uint32_t>(OfRegions);
  Header.statics = static_cast<uint32_t>(Statics.size());
  Header.types = static_cast<uint32_t>(Types.size());
  Header.members = static_cast<uint32_t>(Members.size());
  Header.pieces = static_cast<uint32_t>(Pieces.size());
  Header.text_bytes = static_cast<uint32_t>(Texts.size());

  std::string File(reinterpret_cast<const char *>(&Header), sizeof Header);
  append(File, RegionList);
  append(File, Variables);
  append(File, Types);
  append(File, Members);
  append(File, Pieces);
  File += Texts;
  return File.size() <= MINAS_NAMES_MOST_BYTES ? File : "";
}
