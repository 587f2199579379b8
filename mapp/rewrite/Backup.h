//===-- Backup.h - what a rewritten file was ---------------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The original is kept as FILE.orig, or FILE.orig.1, FILE.orig.2, ... where that is taken, byte for
// byte, so that it can be used without any tool.  Beside it lies a record of what was changed in
// it: FILE.orig.edits, ...
//
// A record is text up to the line `text`, then bytes:
//
//   mapp-rewrite edits 1
//   digest SHA-256           of all that follows this line
//   original BYTES SHA-256
//   rewritten BYTES SHA-256
//   edit OFFSET REMOVED INSERTED ABOUT
//   text
//
// An edit takes REMOVED bytes at OFFSET of the original away and puts the next INSERTED of the
// bytes there.
//
//===----------------------------------------------------------------------===//
#ifndef MAPP_BACKUP_H
#define MAPP_BACKUP_H

#include "mapp/choice/Plan.h"

namespace mapp {

/// The original and the record that belong together.
struct Backup {
  std::string Original, Record; ///< names of files
};

/// What there are of a file, the oldest first; one of the two files may be missing.
std::vector<Backup> backupsOf(const std::string &File);

/// The next that is free behind all that there are.
Backup nextBackup(const std::string &File);

/// @param Edits of the text, in its order
std::string recordText(const std::string &Text, const std::vector<Edit> &Edits);

/// The edits of a record, which belongs to this original. Nothing where it is damaged, or does not.
std::optional<std::vector<Edit>> readRecord(const std::string &Record, const std::string &Original);

} // namespace mapp

#endif // MAPP_BACKUP_H
