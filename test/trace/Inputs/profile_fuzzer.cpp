// Feeds profiles that may hold anything to the reader and to what works on what it reads.
#include "Analysis.h"
#include "Report.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>

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
  if (Sum % 32 != 0)
    maiprof::leaveOutOwnStacks(*P);
  const maiprof::Usage U = maiprof::usage(*P, maiprof::layoutOf(*P));
  maiprof::infoText(*P, U);
  maiprof::reportHtml(*P, U, {});
  return 0;
}
