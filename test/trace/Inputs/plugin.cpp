// A plugin that allocates by C++'s operators: in the program there are none.
#include <cstdlib>
#include <map>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

namespace {
struct alignas(128) Wide {
  double Values[16];
};
} // namespace

extern "C" int run() {
  std::map<int, std::string> Names;
  for (int I = 0; I < 100; ++I)
    Names[I] = std::to_string(I) + " is a number that does not fit into a short string";
  std::vector<double> Numbers(4096, 0.5);
  Wide *Aligned = new Wide[3]();
  bool IsAligned = reinterpret_cast<std::size_t>(Aligned) % alignof(Wide) == 0;
  delete[] Aligned;
  void *Huge = ::operator new(~std::size_t(0) / 4, std::nothrow);
  try {
    throw std::runtime_error(Names[7]);
  } catch (const std::exception &E) {
    return static_cast<int>(E.what()[0] - '0' + Numbers.size()) + IsAligned + (Huge != nullptr);
  }
}
