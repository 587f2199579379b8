//===-- Entries.cpp - matrices of which only some pairs are listed *- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Entries.h"

#include "Lines.h"

#include <algorithm>
#include <cctype>
#include <tuple>
#include <vector>

using namespace threadmap;

namespace {

constexpr double MostEntries = double{MaxThreads} * MaxThreads;

std::string lower(std::string Text) {
  std::transform(Text.begin(), Text.end(), Text.begin(),
                 [](unsigned char C) { return static_cast<char>(std::tolower(C)); });
  return Text;
}

/// What both forms have in common: a line has two threads and what they share.
class EntryReader {
public:
  EntryReader(std::istream &From, const std::string &Name) : Input(From, Name) {}

  std::optional<Matrix> triples(std::string &Message) {
    const bool IsGood = readNames() && readEntries('#', /*First=*/0, MaxThreads - 1) &&
                        (!Entries.empty() || failHere(0, "expected a pair of threads, found none"));
    return result(IsGood, Greatest + 1, Message);
  }

  std::optional<Matrix> matrixMarket(std::string &Message) {
    const bool IsGood = readBanner() && readSizes() && readEntries('%', /*First=*/1, Threads) &&
                        (Entries.size() == Count ||
                         failHere(0, "expected " + std::to_string(Count) + " entries, found " +
                                         std::to_string(Entries.size())));
    return result(IsGood, Threads, Message);
  }

private:
  struct Entry {
    uint32_t Less, Greater; ///< the threads
    bool IsTurned;          ///< the greater one is listed first
    double Volume;
    uint64_t Line;
  };

  bool failHere(uint64_t Column, const std::string &What) {
    return Input.fail(Input.number(), Column, What);
  }

  std::optional<Matrix> result(bool IsGood, uint32_t Size, std::string &Message) {
    std::optional<Matrix> Result;
    if (IsGood && sortEntries())
      Result = symmetric(Size);
    Message = Input.message();
    return Result;
  }

  /// The line of names above triples, or above those with a fourth column, which is passed over.
  bool readNames() {
    if (!nextLine('#', "the names of three columns"))
      return false;
    const std::string Line = lower({Input.position(), Input.end()});
    const auto Separators =
        std::count_if(Line.begin(), Line.end(), [](char C) { return C == ',' || C == ';'; });
    IsDirected = Line.starts_with("from,to,");
    HasCount = Separators == 3;
    return Separators == 2 || Separators == 3 ||
           failHere(1, "expected numbers, or a line of three names such as thread,thread,volume "
                       "above triples, found " +
                           Input.found(Input.position()));
  }

  /// "%%MatrixMarket matrix coordinate real symmetric"
  bool readBanner() {
    if (!nextLine('\n', "a matrix"))
      return false;
    const std::string Line = lower({Input.position(), Input.end()});
    const auto Has = [&](const char *Word) { return Line.find(Word) != std::string::npos; };
    IsSymmetric = Has(" symmetric");
    IsPattern = Has(" pattern ");
    const bool IsKnown = Line.starts_with("%%matrixmarket matrix coordinate ") &&
                         (Has(" real ") || Has(" integer ") || IsPattern) &&
                         (IsSymmetric || Has(" general"));
    return IsKnown ||
           failHere(1, "expected '%%MatrixMarket matrix coordinate', then real, integer or "
                       "pattern, then general or symmetric");
  }

  bool readSizes() {
    uint64_t Rows = 0, Columns = 0;
    if (!nextLine('%', "the sizes of the matrix"))
      return false;
    if (!readWhole("a number of rows", 1, MaxThreads, Rows) ||
        !readWhole("a number of columns", 1, MaxThreads, Columns) ||
        !readWhole("a number of entries", 0, static_cast<uint64_t>(MostEntries), Count))
      return false;
    Threads = static_cast<uint32_t>(Rows);
    return Rows == Columns ||
           failHere(0, "expected as many columns as rows, found " + std::to_string(Columns) +
                           " and " + std::to_string(Rows) + " (a sharing matrix is square)");
  }

  /// Moves to the next line that is not empty.
  bool nextLine(char Comment) {
    while (Input.next(Comment))
      if (Input.skipBlanks())
        return true;
    return false;
  }

  bool nextLine(char Comment, const std::string &Expected) {
    return nextLine(Comment) ||
           (Input.message().empty() && failHere(0, "expected " + Expected + ", found the end"));
  }

  bool readEntries(char Comment, uint64_t First, uint64_t Last) {
    while (nextLine(Comment))
      if (!readEntry(First, Last))
        return false;
    return Input.message().empty();
  }

  bool readEntry(uint64_t First, uint64_t Last) {
    uint64_t A = 0, B = 0;
    double Volume = 1;
    if (!readWhole("a thread", First, Last, A) || !readWhole("a thread", First, Last, B) ||
        (!IsPattern && !readVolume(Volume)) || (HasCount && !passCount()))
      return false;
    if (Input.skipBlanks())
      return failHere(Input.column(),
                      "expected the end of the line, found " + Input.found(Input.position()));
    if (static_cast<double>(Entries.size()) >= MostEntries)
      return failHere(0, "expected no more pairs than there can be");
    Greatest = std::max(Greatest, static_cast<uint32_t>(std::max(A, B) - First));
    Entries.push_back({static_cast<uint32_t>(std::min(A, B) - First),
                       static_cast<uint32_t>(std::max(A, B) - First), A > B, Volume,
                       Input.number()});
    return true;
  }

  bool readWhole(const std::string &What, uint64_t Least, uint64_t Most, uint64_t &Into) {
    const char *Position = Input.position();
    double Value = -1;
    const bool IsNumber = Input.read(Value) == std::errc();
    const bool IsInRange =
        Value >= static_cast<double>(Least) && Value <= static_cast<double>(Most);
    Into = IsNumber && IsInRange ? static_cast<uint64_t>(Value) : 0;
    if (!IsNumber || !IsInRange || static_cast<double>(Into) != Value)
      return failHere(Input.columnOf(Position),
                      "expected " + What + " from " + std::to_string(Least) + " to " +
                          std::to_string(Most) + ", found " + Input.found(Position));
    Input.skipSeparator();
    return true;
  }

  bool readVolume(double &Into) {
    const char *Position = Input.position();
    const bool IsGood = Input.read(Into) == std::errc() && Into >= 0 && Into <= MaxVolume;
    return IsGood || failHere(Input.columnOf(Position),
                              "expected a volume from 0 to 1e18, found " + Input.found(Position));
  }

  bool passCount() {
    double Messages = 0;
    Input.skipSeparator();
    return readVolume(Messages);
  }

  /// Brings the entries of a pair together. @return whether none is listed twice
  bool sortEntries() {
    const auto Key = [](const Entry &E) { return std::tuple(E.Less, E.Greater, E.IsTurned); };
    std::stable_sort(Entries.begin(), Entries.end(),
                     [&](const Entry &A, const Entry &B) { return Key(A) < Key(B); });
    const auto Twice =
        std::adjacent_find(Entries.begin(), Entries.end(), [&](const Entry &A, const Entry &B) {
          return IsSymmetric ? isSamePair(A, B) : Key(A) == Key(B);
        });
    return Twice == Entries.end() ||
           Input.fail(std::max(Twice->Line, Twice[1].Line), 0,
                      "this pair stands in line " +
                          std::to_string(std::min(Twice->Line, Twice[1].Line)) + ", too");
  }

  static bool isSamePair(const Entry &A, const Entry &B) {
    return A.Less == B.Less && A.Greater == B.Greater;
  }

  Matrix symmetric(uint32_t Size) {
    std::vector<SharingPair> Pairs;
    for (size_t I = 0; I < Entries.size(); ++I) {
      const Entry &First = Entries[I];
      double Volume = First.Volume;
      if (I + 1 < Entries.size() && isSamePair(First, Entries[I + 1]))
        Volume = IsDirected ? Volume + Entries[++I].Volume : mean(First, Entries[++I]);
      if (First.Less != First.Greater)
        Pairs.push_back({First.Less, First.Greater, Volume});
    }
    return {Size, Pairs};
  }

  double mean(const Entry &A, const Entry &B) {
    if (A.Volume != B.Volume && Input.message().empty())
      Input.fail(std::max(A.Line, B.Line), 0,
                 "the matrix is not symmetric (in line " +
                     std::to_string(std::min(A.Line, B.Line)) +
                     " the pair has another volume); the mean of both is taken for every pair");
    return (A.Volume + B.Volume) / 2;
  }

  Lines Input;
  bool IsSymmetric = false, IsPattern = false;
  bool IsDirected = false; ///< a line has what one sends to the other
  bool HasCount = false;   ///< of messages, behind the volume
  uint64_t Count = 0;      ///< of entries that are announced
  uint32_t Threads = 0;    ///< that are announced
  uint32_t Greatest = 0;   ///< thread
  std::vector<Entry> Entries;
};

} // namespace

std::optional<Matrix> threadmap::readTriples(std::istream &Input, const std::string &Name,
                                             std::string &Message) {
  return EntryReader(Input, Name).triples(Message);
}

std::optional<Matrix> threadmap::readMatrixMarket(std::istream &Input, const std::string &Name,
                                                  std::string &Message) {
  return EntryReader(Input, Name).matrixMarket(Message);
}
