/* In each round threads get the tiles of a matrix by lot, as if they claimed them: another thread
   each time.

   verdict: scattered tiles
   cure: static|affinity
 */
#include <omp.h>

static unsigned lot(unsigned tile, unsigned round) {
  unsigned x = tile * 2654435761U + round * 40503U;
  x ^= x >> 15;
  x *= 2246822519U;
  return x >> 13;
}

int main() {
  constexpr unsigned Tiles = 128, Size = 1024, Rounds = 12;
  auto *tiles = new double[Tiles * Size];
#pragma omp parallel for schedule(static)
  for (unsigned i = 0; i < Tiles * Size; i++)
    tiles[i] = i;
  for (unsigned round = 0; round < Rounds; round++)
#pragma omp parallel
    for (unsigned tile = 0; tile < Tiles; tile++)
      if (lot(tile, round) % omp_get_num_threads() == unsigned(omp_get_thread_num()))
        for (unsigned i = 0; i < Size; i++)
          tiles[tile * Size + i] += i;
  const bool wrong = tiles[1] < 0;
  delete[] tiles;
  return wrong;
}
