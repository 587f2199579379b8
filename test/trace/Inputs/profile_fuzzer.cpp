// Feeds profiles that may hold anything to the reader and to what works on what it reads.
#include "trace/profile/Analysis.h"
#include "trace/profile/ArrayCounts.h"
#include "trace/tool/CodeLines.h"
#include "trace/tool/Report.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>

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
  std::optional<maiprof::Profile> P = maiprof::parse(Bytes, Error);
  if (!P) {
    if (Error.empty())
      std::abort(); // every refusal says why
    return 0;
  }
  // Reports take a hundred times as long: some inputs go that far.
  unsigned Sum = 0;
  for (size_t I = 0; I < Size; ++I)
    Sum += Data[I];
  if (Sum % 16 != 0)
    return 0;
  if (P->Threads.empty() || P->Threads.size() > 64 || P->Nodes.size() > 64)
    return 0;
  for (const maiprof::Thread &T : P->Threads)
    if (T.Number > 256)
      return 0;
  sumUp(*P);
  if (Sum % 32 != 0)
    maiprof::leaveOutOwnStacks(*P);
  const maiprof::Usage U = maiprof::usage(*P, maiprof::layoutOf(*P));
  maiprof::infoText(*P, U);
  const maiprof::Judgement J = maiprof::judge(*P, U);
  for (const advice::Advice &Each : J.OfArrays)
    if (!isPart(Each.Now.Remote) || !isPart(Each.Now.Busiest) || !isPart(Each.Then.Remote) ||
        !isPart(Each.Then.Busiest))
      std::abort();
  const maiprof::Latencies Times = maiprof::latencies(*P, U.Where, maiprof::byDistances(U.Where));
  maiprof::reportHtml(*P, U, J, Times, {});
  maiprof::reportText(*P, U, J, Times, {});
  maiprof::callgrind(*P, maiprof::codeLines(*P, U));
  maiprof::speedscope(*P);
  return 0;
}
