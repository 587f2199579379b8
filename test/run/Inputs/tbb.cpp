// Blocks of TBB's allocators, each asked for at a place of its own; what they hold stays when they grow.  There is no memory
// for the first.
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <new>
#include <tbb/cache_aligned_allocator.h>
#include <tbb/scalable_allocator.h>
#include <tbb/tbb_allocator.h>
#include <vector>

constexpr std::size_t Bytes = 1 << 21;

static char *grown(char *Block, std::size_t Alignment) {
  std::memset(Block, 7, Bytes / 2);
  if (Alignment)
    return static_cast<char *>(scalable_aligned_realloc(Block, Bytes, Alignment));
  return static_cast<char *>(scalable_realloc(Block, Bytes));
}

template <class Vector> static double sumOf(const Vector &Values) {
  double Sum = 0;
  for (const double Value : Values)
    Sum += Value;
  return Sum;
}

static bool isRefused(std::size_t Bytes) {
  try {
    tbb::cache_aligned_allocator<char>().deallocate(
        tbb::cache_aligned_allocator<char>().allocate(Bytes), Bytes);
  } catch (const std::bad_alloc &) {
    return true;
  }
  return false;
}

int main() {
  int Wrong = !isRefused(SIZE_MAX / 2);
  const std::vector<double, tbb::cache_aligned_allocator<double>> Aligned(Bytes / 8, 1);
  const std::vector<double, tbb::tbb_allocator<double>> Plain(Bytes / 8, 1);
  const std::vector<double, tbb::scalable_allocator<double>> Scalable(Bytes / 8, 1);
  auto *Zeros = static_cast<char *>(scalable_calloc(Bytes, 1));
  char *Moved = grown(static_cast<char *>(scalable_malloc(Bytes / 2)), 0);
  char *MovedAligned = grown(static_cast<char *>(scalable_aligned_malloc(Bytes / 2, 4096)), 4096);
  void *Pages = nullptr;
  Wrong += scalable_posix_memalign(&Pages, 65536, Bytes) != 0;
  std::memset(Pages, 1, Bytes);
  for (std::size_t I = 0; I < Bytes / 2; I++)
    Wrong += Moved[I] != 7 || MovedAligned[I] != 7 || Zeros[I] != 0;
  std::printf("sum %g, wrong: %d\n", sumOf(Aligned) + sumOf(Plain) + sumOf(Scalable), Wrong);
  scalable_free(Zeros);
  scalable_free(Moved);
  scalable_aligned_free(MovedAligned);
  scalable_free(Pages);
}
