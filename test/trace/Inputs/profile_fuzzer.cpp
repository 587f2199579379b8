// Feeds profiles that may hold anything to the reader and to what sums up what it reads.
#include "trace/profile/ArrayCounts.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <numeric>

static bool isPart(double Value) { return Value >= 0 && Value <= 1.001; }

/// What mapp-rewrite asks of an array, for which the answers have to be possible.
static void ask(const maiprof::ArrayCounts &Counts) {
  const auto [First, Last] = Counts.used();
  const std::vector<uint32_t> Ends = Counts.bestDivision();
  uint32_t Before = 0;
  bool Ascends = First < Last && Last <= Counts.cells();
  for (const uint32_t End : Ends) {
    Ascends &= End >= Before && End <= Counts.cells();
    Before = End;
  }
  if (!Ascends || !isPart(Counts.alternation().Regularity) ||
      !isPart(Counts.busiestThread().second) || !isPart(Counts.ownPart(Ends)))
    std::abort();
  (void)Counts.belongToThreads();
}

/// Arrays, and all of them as the rows of one.
static void sumUp(const maiprof::Profile &P) {
  std::vector<maiprof::ArrayCounts::Part> Rows;
  uint64_t Before = 0;
  for (size_t I = 0; I < P.Arrays.size() && I < 4; ++I) {
    const uint64_t Bytes = P.Arrays[I].Bytes;
    if (Bytes == 0)
      continue;
    ask(maiprof::ArrayCounts(P, {{P.Arrays[I].Start, Bytes}}));
    Rows.push_back({P.Arrays[I].Start, Bytes, 0, Before});
    Before += Bytes;
  }
  ask(maiprof::ArrayCounts(P, Rows));
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  std::string Error;
  const std::string_view Bytes(reinterpret_cast<const char *>(Data), Size);
  const std::optional<maiprof::Profile> P = maiprof::parse(Bytes, Error);
  if (!P && Error.empty())
    std::abort(); // every refusal says why
  // Sums take several times as long: some inputs go that far.
  if (P && std::accumulate(Data, Data + Size, 0U) % 8 == 0)
    sumUp(*P);
  return 0;
}
