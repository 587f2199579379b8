//===-- arena.cpp - structures of arrays in an arena ------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Particles that move in a box, as a structure of arrays. Those of a species have an arena of their
// own, from which an allocator of their containers takes memory piece by piece.
//
//     g++ -O2 -g -fopenmp arena.cpp -o arena
//
//===----------------------------------------------------------------------===//
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <vector>

// Memory that is given back as a whole.
class Arena {
public:
  explicit Arena(std::size_t bytes)
      : Memory(static_cast<char *>(std::malloc(bytes))), Bytes(bytes) {
    if (!Memory)
      throw std::bad_alloc();
  }
  ~Arena() { std::free(Memory); }
  Arena(const Arena &) = delete;
  Arena &operator=(const Arena &) = delete;

  void *take(std::size_t bytes) {
    const std::size_t rounded = (bytes + 63) / 64 * 64;
    if (rounded > Bytes - Used)
      throw std::bad_alloc();
    void *piece = Memory + Used;
    Used += rounded;
    return piece;
  }

private:
  char *Memory;
  std::size_t Bytes, Used = 0;
};

template <class T> struct ArenaAllocator {
  using value_type = T;
  explicit ArenaAllocator(Arena &from) : From(&from) {}
  template <class U> ArenaAllocator(const ArenaAllocator<U> &other) : From(other.From) {}
  T *allocate(std::size_t count) { return static_cast<T *>(From->take(count * sizeof(T))); }
  void deallocate(T *, std::size_t) {}
  bool operator==(const ArenaAllocator &other) const { return From == other.From; }
  bool operator!=(const ArenaAllocator &other) const { return From != other.From; }
  Arena *From;
};

using Column = std::vector<double, ArenaAllocator<double>>;

struct Particles {
  Particles(std::size_t count, double speed)
      : arena(count * 4 * sizeof(double) + 4096), x(count, 0.0, ArenaAllocator<double>(arena)),
        y(x), vx(count, speed, ArenaAllocator<double>(arena)), vy(vx) {
    for (std::size_t i = 0; i < count; i++) {
      x[i] = static_cast<double>(i) / static_cast<double>(count);
      vy[i] = -speed / 2;
    }
  }

  // Walls throw them back.
  void move(double time) {
#pragma omp parallel for
    for (std::size_t i = 0; i < x.size(); i++) {
      bounce(x[i], vx[i], time);
      bounce(y[i], vy[i], time);
    }
  }

  double energy() const {
    double sum = 0;
#pragma omp parallel for reduction(+ : sum)
    for (std::size_t i = 0; i < vx.size(); i++)
      sum += vx[i] * vx[i] + vy[i] * vy[i];
    return sum / 2;
  }

  Arena arena;
  Column x, y, vx, vy;

private:
  static void bounce(double &place, double &speed, double time) {
    place += speed * time;
    if (place < 0 || place > 1) {
      place = place < 0 ? -place : 2 - place;
      speed = -speed;
    }
  }
};

int main(int argc, char **argv) {
  const std::size_t size = argc > 1 ? std::atol(argv[1]) : 1; // how many times as large
  const std::size_t count = 50000 * size;
  Particles light(count, 2.0), heavy(count / 5, 0.5);
  for (int step = 0; step < 50; step++) {
    light.move(0.01);
    heavy.move(0.01);
  }
  const double expected = count * (4.0 + 1.0) / 2 + count / 5 * (0.25 + 0.0625) / 2;
  const double energy = light.energy() + heavy.energy();
  const bool right = std::fabs(energy - expected) < 1e-6 * expected;
  std::printf("arena: energy %.3f, %s\n", energy, right ? "verified" : "WRONG");
  return right ? 0 : 1;
}
