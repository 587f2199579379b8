//===-- policies.cpp - templates over policies, smart pointers --*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A sweep over directions as transport codes have it: what runs a loop and how data lie are
// template arguments. Fields belong to smart pointers, and some are shared.
//
//     g++ -O2 -g -fopenmp policies.cpp -o policies
//
//===----------------------------------------------------------------------===//
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>

struct Serial {
  template <class Body> static void run(int count, const Body &body) {
    for (int i = 0; i < count; i++)
      body(i);
  }
};

struct Threads {
  template <class Body> static void run(int count, const Body &body) {
#pragma omp parallel for schedule(static)
    for (int i = 0; i < count; i++)
      body(i);
  }
};

// Which index runs fastest.
struct ZoneFastest {
  static long at(int zone, int group, int zones, int) { return long(group) * zones + zone; }
};
struct GroupFastest {
  static long at(int zone, int group, int, int groups) { return long(zone) * groups + group; }
};

template <class Layout> class Field {
public:
  Field(int zones, int groups)
      : Zones(zones), Groups(groups), Values(new double[size_t(zones) * groups]()) {}
  double &operator()(int zone, int group) const {
    return Values[Layout::at(zone, group, Zones, Groups)];
  }

private:
  int Zones, Groups;
  std::unique_ptr<double[]> Values;
};

template <class Execution, class Layout> class Sweep {
public:
  Sweep(int zones, int groups, std::shared_ptr<const Field<Layout>> source)
      : Zones(zones), Groups(groups), Source(std::move(source)),
        Flux(std::make_unique<Field<Layout>>(zones, groups)), Total(new double[zones]()) {}

  void run(int directions) {
    for (int d = 0; d < directions; d++)
      Execution::run(Zones, [&](int zone) {
        for (int group = 0; group < Groups; group++)
          (*Flux)(zone, group) += (*Source)(zone, group) / (d + 1);
      });
    Execution::run(Zones, [&](int zone) {
      for (int group = 0; group < Groups; group++)
        Total[zone] += (*Flux)(zone, group);
    });
  }

  double sum() const {
    double all = 0;
    for (int zone = 0; zone < Zones; zone++)
      all += Total[zone];
    return all;
  }

private:
  int Zones, Groups;
  std::shared_ptr<const Field<Layout>> Source;
  std::unique_ptr<Field<Layout>> Flux;
  std::unique_ptr<double[]> Total;
};

template <class Execution, class Layout> static double transport(int zones, int groups) {
  auto source = std::make_shared<Field<Layout>>(zones, groups);
  Execution::run(zones, [&](int zone) {
    for (int group = 0; group < groups; group++)
      (*source)(zone, group) = 1.0 + group;
  });
  Sweep<Execution, Layout> sweep(zones, groups, source);
  sweep.run(4);
  return sweep.sum();
}

int main(int argc, char **argv) {
  const int size = argc > 1 ? std::atoi(argv[1]) : 1; // how many times as large
  const int zones = 20000 * size, groups = 8;
  const double expected = zones * (groups * (groups + 1) / 2) * (1 + 1.0 / 2 + 1.0 / 3 + 1.0 / 4);
  const double threads = transport<Threads, GroupFastest>(zones, groups);
  const double turned = transport<Threads, ZoneFastest>(zones, groups);
  const double serial = transport<Serial, ZoneFastest>(zones, groups);
  const bool right = std::fabs(threads - expected) < 1e-9 * expected && turned == serial;
  std::printf("policies: flux %.3f, %s\n", threads, right ? "verified" : "WRONG");
  return right ? 0 : 1;
}
