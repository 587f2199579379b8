//===-- nested.cpp - containers of containers -------------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Distances in a graph, which is built from a list of edges into rows that follow one another, with
// a container of its own, as graph codes have; then a grid of several levels, a vector of vectors,
// is made coarser and finer, and named fields lie in a map.
//
//     g++ -O2 -g -fopenmp nested.cpp -o nested
//
//===----------------------------------------------------------------------===//
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <utility>
#include <vector>

// A vector whose elements nobody has touched yet.
template <class T> class Plain {
public:
  Plain() = default;
  explicit Plain(std::size_t count) : Data(new T[count]), Count(count) {}
  Plain(Plain &&other) noexcept { swap(other); }
  Plain &operator=(Plain &&other) noexcept {
    swap(other);
    return *this;
  }
  ~Plain() { delete[] Data; }
  T &operator[](std::size_t i) { return Data[i]; }
  const T &operator[](std::size_t i) const { return Data[i]; }
  std::size_t size() const { return Count; }

private:
  void swap(Plain &other) {
    std::swap(Data, other.Data);
    std::swap(Count, other.Count);
  }
  T *Data = nullptr;
  std::size_t Count = 0;
};

using Node = std::int32_t;

struct Graph {
  Plain<std::int64_t> offsets;
  Plain<Node> neighbours;
};

struct Edge {
  Node from, to;
};

class Builder {
public:
  explicit Builder(Node nodes) : Nodes(nodes) {}

  Graph build() const {
    const Plain<Edge> edges = halves();
    Graph graph;
    graph.offsets = Plain<std::int64_t>(Nodes + 1);
    graph.neighbours = Plain<Node>(edges.size());
    Plain<std::int64_t> at(Nodes + 1);
#pragma omp parallel for
    for (Node n = 0; n <= Nodes; n++)
      at[n] = graph.offsets[n] = std::int64_t(n) * Degree;
    for (std::size_t i = 0; i < edges.size(); i++)
      graph.neighbours[at[edges[i].from]++] = edges[i].to;
    return graph;
  }

private:
  static constexpr int Degree = 2;

  // Node n is reached from n/2 and from what lies half of the nodes behind that.
  Plain<Edge> halves() const {
    Plain<Edge> edges(std::size_t(Nodes) * Degree);
#pragma omp parallel for
    for (Node n = 0; n < Nodes; n++)
      for (int d = 0; d < Degree; d++)
        edges[std::size_t(n) * Degree + d] = {n, n / 2 + d * (Nodes / 2)};
    return edges;
  }

  Node Nodes;
};

// Breadth-first, by pulling.
static std::vector<Node> distances(const Graph &graph, Node nodes) {
  std::vector<Node> depth(nodes, -1);
  depth[0] = 0;
  std::int64_t found = 1;
  for (Node level = 0; level < nodes && found > 0; level++) {
    found = 0;
#pragma omp parallel for reduction(+ : found) schedule(dynamic, 1024)
    for (Node n = 0; n < nodes; n++) {
      if (__atomic_load_n(&depth[n], __ATOMIC_RELAXED) >= 0)
        continue;
      for (std::int64_t i = graph.offsets[n]; i < graph.offsets[n + 1]; i++)
        if (__atomic_load_n(&depth[graph.neighbours[i]], __ATOMIC_RELAXED) == level) {
          __atomic_store_n(&depth[n], level + 1, __ATOMIC_RELAXED);
          found++;
          break;
        }
    }
  }
  return depth;
}

static double average(const std::vector<double> &values) {
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (std::size_t i = 0; i < values.size(); i++)
    sum += values[i];
  return sum / static_cast<double>(values.size());
}

// Half as many cells on each level, and back again.
static double levels(std::size_t cells) {
  std::vector<std::vector<double>> grid;
  for (std::size_t size = cells; size >= cells / 8; size /= 2)
    grid.emplace_back(size, 1.0);
  for (std::size_t level = 1; level < grid.size(); level++) {
    const std::vector<double> &fine = grid[level - 1];
    std::vector<double> &coarse = grid[level];
#pragma omp parallel for
    for (std::size_t i = 0; i < coarse.size(); i++)
      coarse[i] = 0.5 * (fine[2 * i] + fine[2 * i + 1]);
  }
  std::map<std::string, std::vector<double>> fields;
  for (const char *name : {"pressure", "density"})
    fields[name] = grid.front();
  return average(grid.back()) + average(fields["pressure"]) + average(fields["density"]);
}

int main(int argc, char **argv) {
  const int size = argc > 1 ? std::atoi(argv[1]) : 1; // how many times as large, a power of two
  const int bits = 16 + std::ilogb(size);             // as many as a node's distance from 0 can be
  const Node nodes = 1 << bits;
  const Graph graph = Builder(nodes).build();
  Node furthest = 0;
  for (Node depth : distances(graph, nodes))
    furthest = depth > furthest ? depth : furthest;
  const double sum = levels(std::size_t(1) << bits);
  const bool right = furthest == bits && sum == 3.0;
  std::printf("nested: distance %d, sum %g, %s\n", furthest, sum, right ? "verified" : "WRONG");
  return right ? 0 : 1;
}
