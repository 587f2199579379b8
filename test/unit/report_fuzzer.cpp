// Feeds profiles that may hold anything to what works on them: verdicts, and all reports.
#include "trace/profile/Analysis.h"
#include "trace/tool/CodeLines.h"
#include "trace/tool/Report.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>

static bool isPart(double Value) { return Value >= 0 && Value <= 1.001; }

/// Of more threads reports take too long.
static bool isSmall(const maiprof::Profile &P) {
  return !P.Threads.empty() && P.Threads.size() <= 64 && P.Nodes.size() <= 64 &&
         std::all_of(P.Threads.begin(), P.Threads.end(),
                     [](const maiprof::Thread &T) { return T.Number <= 256; });
}

static void report(const maiprof::Profile &P) {
  const maiprof::Usage U = maiprof::usage(P, maiprof::layoutOf(P));
  maiprof::infoText(P, U);
  const maiprof::Judgement J = maiprof::judge(P, U);
  for (const advice::Advice &Each : J.OfArrays)
    if (!isPart(Each.Now.Remote) || !isPart(Each.Now.Busiest) || !isPart(Each.Then.Remote) ||
        !isPart(Each.Then.Busiest))
      std::abort();
  const maiprof::Latencies Times = maiprof::latencies(P, U.Where, maiprof::byDistances(U.Where));
  maiprof::reportHtml(P, U, J, Times, {});
  maiprof::reportText(P, U, J, Times, {});
  maiprof::callgrind(P, maiprof::codeLines(P, U));
  maiprof::speedscope(P);
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  std::string Error;
  const std::string_view Bytes(reinterpret_cast<const char *>(Data), Size);
  std::optional<maiprof::Profile> P = maiprof::parse(Bytes, Error);
  if (!P || !isSmall(*P))
    return -1; // libFuzzer keeps what reports can be made of
  if (Size % 2 == 0)
    maiprof::leaveOutOwnStacks(*P);
  maiprof::divideHolders(*P);
  report(*P);
  return 0;
}
