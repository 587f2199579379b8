// Fields of three lengths for each of two levels that a pool carves out of one block, filled by one thread, and how many of their threads'
// parts are not on the node whose threads use them. Another pool has room that nobody needs, as much in a small run as in a large one.
#include "node_of.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

constexpr int Nodes = 4, Steps = 8, Parts = 8;
constexpr size_t Room = 40000;

class Pool {
public:
  explicit Pool(size_t count) : block(new double[count]), next(block) {}
  ~Pool() { delete[] block; }
  double *take(size_t count) {
    double *piece = next;
    next += count;
    std::fill(piece, next, 1.0);
    return piece;
  }

private:
  double *block, *next;
};

// In the middle of what each thread has.
static void tell(const char *name, const double *field, size_t count) {
  int wrong = 0;
  for (size_t part = 0; part < Parts; part++)
    wrong += nodeOf(field + count * (2 * part + 1) / (2 * Parts)) != int(part * Nodes / Parts);
  std::printf("%s: wrong parts %d\n", name, wrong);
}

struct Level {
  Level(Pool &pool, size_t count)
      : n(count), flux(pool.take(11 * n)), density(pool.take(2 * n)), moments(pool.take(4 * n)) {}

  void step() {
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < n; i++) {
      for (int k = 0; k < 11; k++)
        flux[11 * i + k] += density[2 * i] + density[2 * i + 1];
      for (int k = 0; k < 4; k++)
        moments[4 * i + k] += flux[11 * i + k];
    }
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < 2 * n; i++)
      density[i] += moments[2 * i];
  }

  void tellAll() {
    tell("flux", flux, 11 * n);
    tell("density", density, 2 * n);
    tell("moments", moments, 4 * n);
  }

  size_t n;
  double *flux, *density, *moments;
};

int main(int argc, char **argv) {
  const size_t n = argc > 1 ? std::atol(argv[1]) : 2048;
  const size_t used = 17 * (n + n / 8);
  Pool exact(used), roomy(used + Room);
  Level levels[] = {{exact, n}, {exact, n / 8}, {roomy, n}, {roomy, n / 8}};
  for (int step = 0; step < Steps; step++)
    for (Level &level : levels)
      level.step();
  for (Level &level : levels)
    level.tellAll();
}
