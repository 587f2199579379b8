//===-- links.cpp - kernels on a graph of raw arrays ------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Ranks, components and searches in a graph that knows who links where and from where. Arrays own
// what new[] gives them and are moved; all threads build the graph, by atomic additions, and rows
// are pointers into one array of all neighbours. Loops take pieces as they come where nodes have
// different amounts of work.
//
//     g++ -O2 -g -fopenmp links.cpp -o links
//
//===----------------------------------------------------------------------===//
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

// An array whose elements nobody has touched yet, or that all threads fill.
template <class Value> class Column {
public:
  explicit Column(std::size_t count) : Begin(new Value[count]), End(Begin + count) {}
  Column(std::size_t count, Value value) : Column(count) { fill(value); }
  Column(Column &&other) noexcept
      : Begin(std::exchange(other.Begin, nullptr)), End(std::exchange(other.End, nullptr)) {}
  ~Column() { delete[] Begin; }

  Value &operator[](std::size_t i) { return Begin[i]; }
  const Value &operator[](std::size_t i) const { return Begin[i]; }
  Value *begin() const { return Begin; }
  Value *end() const { return End; }
  std::size_t size() const { return static_cast<std::size_t>(End - Begin); }

private:
  void fill(Value value) {
#pragma omp parallel for
    for (Value *each = Begin; each < End; each++)
      *each = value;
  }
  Value *Begin, *End;
};

using Node = std::int32_t;

struct Link {
  Node from, to;
};

// Who a node is linked with: rows that follow one another.
struct Rows {
  Node **row = nullptr; // one more than there are nodes
  Node *nodes = nullptr;
};

class Graph {
public:
  Graph(Node count, Rows outgoing, Rows incoming) : Count(count), Out(outgoing), In(incoming) {}
  Graph(Graph &&other) noexcept
      : Count(other.Count), Out(std::exchange(other.Out, {})), In(std::exchange(other.In, {})) {}
  ~Graph() {
    for (const Rows &each : {Out, In}) {
      delete[] each.row;
      delete[] each.nodes;
    }
  }

  struct Range {
    Node *first, *last;
    Node *begin() const { return first; }
    Node *end() const { return last; }
  };
  Node count() const { return Count; }
  Range out(Node n) const { return {Out.row[n], Out.row[n + 1]}; }
  Range in(Node n) const { return {In.row[n], In.row[n + 1]}; }
  std::int64_t links(Node n) const { return Out.row[n + 1] - Out.row[n]; }

private:
  Node Count;
  Rows Out, In;
};

class Builder {
public:
  explicit Builder(Node count) : Count(count) {}

  Graph build(int degree) const {
    const Column<Link> links = generate(degree);
    const Rows out = gather(links, &Link::from, &Link::to);
    const Rows in = gather(links, &Link::to, &Link::from);
    return {Count, out, in};
  }

private:
  static std::uint64_t mix(std::uint64_t x) {
    x = (x ^ x >> 33) * 0xff51afd7ed558ccdU;
    x = (x ^ x >> 33) * 0xc4ceb9fe1a85ec53U;
    return x ^ x >> 33;
  }

  // Each node links to the next one, and to others at random.
  Column<Link> generate(int degree) const {
    Column<Link> links(std::size_t(Count) * std::size_t(degree));
#pragma omp parallel for
    for (std::size_t i = 0; i < links.size(); i++) {
      const Node from = Node(i / std::size_t(degree));
      const bool isNext = i % std::size_t(degree) == 0;
      links[i] = {from, isNext ? (from + 1) % Count : Node(mix(i) % std::uint64_t(Count))};
    }
    return links;
  }

  using End = Node Link::*;

  // One row for each node at that end.
  Rows gather(const Column<Link> &links, End at, End other) const {
    Column<Node> degrees(std::size_t(Count), 0);
#pragma omp parallel for
    for (const Link *link = links.begin(); link < links.end(); link++)
      __atomic_fetch_add(&degrees[link->*at], 1, __ATOMIC_RELAXED);
    Column<std::int64_t> next = sums(degrees);
    const Rows rows = divide(next);
#pragma omp parallel for
    for (const Link *link = links.begin(); link < links.end(); link++)
      rows.nodes[__atomic_fetch_add(&next[link->*at], 1, __ATOMIC_RELAXED)] = link->*other;
#pragma omp parallel for schedule(dynamic, 256)
    for (Node n = 0; n < Count; n++)
      std::sort(rows.row[n], rows.row[n + 1]);
    return rows;
  }

  static Column<std::int64_t> sums(const Column<Node> &degrees) {
    Column<std::int64_t> result(degrees.size() + 1);
    std::int64_t sum = 0;
    for (std::size_t n = 0; n < degrees.size(); n++) {
      result[n] = sum;
      sum += degrees[n];
    }
    result[degrees.size()] = sum;
    return result;
  }

  static Rows divide(const Column<std::int64_t> &offsets) {
    Rows rows{new Node *[offsets.size()], new Node[offsets[offsets.size() - 1]]};
#pragma omp parallel for
    for (std::size_t n = 0; n < offsets.size(); n++)
      rows.row[n] = rows.nodes + offsets[n];
    return rows;
  }

  Node Count;
};

static Column<double> ranks(const Graph &graph, int rounds) {
  const double all = graph.count();
  Column<double> rank(std::size_t(graph.count()), 1 / all);
  Column<double> given(std::size_t(graph.count()));
  for (int round = 0; round < rounds; round++) {
#pragma omp parallel for
    for (Node n = 0; n < graph.count(); n++)
      given[n] = rank[n] / double(graph.links(n));
#pragma omp parallel for schedule(dynamic, 256)
    for (Node n = 0; n < graph.count(); n++) {
      double sum = 0;
      for (const Node m : graph.in(n))
        sum += given[m];
      rank[n] = 0.15 / all + 0.85 * sum;
    }
  }
  return rank;
}

// Each node gets the least number that it is linked with.
static Column<Node> components(const Graph &graph) {
  Column<Node> least(std::size_t(graph.count()));
  const auto now = [&](Node n) { return __atomic_load_n(&least[n], __ATOMIC_RELAXED); };
#pragma omp parallel for
  for (Node n = 0; n < graph.count(); n++)
    least[n] = n;
  for (bool changes = true; changes;) {
    changes = false;
#pragma omp parallel for schedule(dynamic, 1024) reduction(|| : changes)
    for (Node n = 0; n < graph.count(); n++)
      for (const Node m : graph.out(n)) {
        const Node a = now(n), b = now(m);
        Node larger = std::max(a, b);
        if (a != b) {
          __atomic_compare_exchange_n(&least[larger], &larger, std::min(a, b), false,
                                      __ATOMIC_RELAXED, __ATOMIC_RELAXED);
          changes = true;
        }
      }
#pragma omp parallel for
    for (Node n = 0; n < graph.count(); n++)
      while (now(n) != now(now(n)))
        __atomic_store_n(&least[n], now(now(n)), __ATOMIC_RELAXED);
  }
  return least;
}

// From where each node is reached first; threads put what they have found into one queue.
static Column<Node> search(const Graph &graph, Node source) {
  Column<Node> from(std::size_t(graph.count()), -1);
  Column<Node> queue(std::size_t(graph.count()));
  std::size_t begin = 0, end = 1, filled = 1;
  from[source] = queue[0] = source;
  for (; begin < end; begin = end, end = filled) {
#pragma omp parallel
    {
      std::vector<Node> found;
#pragma omp for nowait
      for (std::size_t i = begin; i < end; i++)
        for (const Node m : graph.out(queue[i])) {
          Node nobody = -1;
          if (__atomic_load_n(&from[m], __ATOMIC_RELAXED) < 0 &&
              __atomic_compare_exchange_n(&from[m], &nobody, queue[i], false, __ATOMIC_RELAXED,
                                          __ATOMIC_RELAXED))
            found.push_back(m);
        }
      const std::size_t at = __atomic_fetch_add(&filled, found.size(), __ATOMIC_RELAXED);
      std::copy(found.begin(), found.end(), queue.begin() + at);
    }
  }
  return from;
}

int main(int argc, char **argv) {
  const int times = argc > 1 ? std::atoi(argv[1]) : 1; // how many times as large
  const Graph graph = Builder((1 << 12) * times).build(8);
  double sum = 0;
  for (const double rank : ranks(graph, 4))
    sum += rank;
  std::int64_t apart = 0, reached = 0;
  for (const Node least : components(graph))
    apart += least != 0;
  for (const Node source : {0, 17})
    for (const Node from : search(graph, source))
      reached += from >= 0;
  const bool right = std::fabs(sum - 1) < 1e-9 && apart == 0 && reached == 2L * graph.count();
  std::printf("links: ranks %.6f, %ld reached, %s\n", sum, long(reached),
              right ? "verified" : "WRONG");
  return right ? 0 : 1;
}
