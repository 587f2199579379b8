// Feeds files that may hold anything to the reader of perf's files.
#include "sample/PerfFile.h"

#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  const std::string_view All(reinterpret_cast<const char *>(Data), Size);
  uint64_t Last = 0;
  sample::PerfFile File(All);
  const std::string Wrong = File.read([&](const sample::Event &Its) {
    if (const auto *S = std::get_if<sample::Sample>(&Its.What))
      if (S->From >= File.sources().size())
        std::abort();
    Last = Its.Time;
  });
  if (Wrong.empty() && File.sources().empty())
    std::abort(); // without a description of events nothing can be read
  if (!Wrong.empty() && !Wrong.starts_with("byte "))
    std::abort(); // every refusal says where
  return 0;
}
