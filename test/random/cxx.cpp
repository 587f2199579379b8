//===-- cxx.cpp - random calls of mai.hpp ----------------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "calls.h"

#include <mai.hpp>
#include <utility>
#include <vector>

#include "machine.h"

namespace {

mai::policy drawPolicy(worker *w) {
  const unsigned node = machine.nodes[draw(w, machine.node_count)];
  switch (draw(w, 10)) {
  case 0:
    return "bind " + std::to_string(node);
  case 1:
    return "cyclic on " + std::to_string(node);
  case 2:
    return "block for " + std::to_string(1 + draw(w, 5)) + " threads";
  case 3:
    return "skew on threads";
  case 4:
    return mai::policy("cyclic by rows");
  case 5:
    return "irregular 1 by rows";
  case 6:
    return "weighted populate";
  case 7:
    return "random " + std::to_string(draw(w, 100)) + " by pages";
  case 8:
    return mai::policy("next-touch");
  default:
    return mai::policy("local");
  }
}

template <class Array> void fill(Array &array, double first) {
  for (auto &x : array)
    x = static_cast<typename Array::value_type>(first++);
}

template <class Array> bool isFilled(const Array &array, double first, std::size_t count) {
  for (std::size_t i = 0; i < count; i++, first++)
    if (array.data()[i] != static_cast<typename Array::value_type>(first))
      return false;
  return true;
}

template <class Array> void check(worker *w, const Array &array) {
  const mai_pages pages = array.verify();
  const mai_statistics statistics = array.statistics();
  if (pages.placed + pages.spilled + pages.untouched + pages.failed != pages.total ||
      statistics.bytes != array.size() * sizeof(typename Array::value_type))
    wrong(w, "%zu pages, %zu bytes", pages.total, statistics.bytes);
}

template <class T> void useMatrix(worker *w) {
  const std::size_t rows = 1 + draw(w, 60), columns = 1 + draw(w, 300);
  calling(w, "mai::array<%zu bytes, 2>({%zu, %zu})", sizeof(T), rows, columns);
  mai::array<T, 2> u({rows, columns}, drawPolicy(w), "matrix");
  fill(u, 1);
  auto last = u[rows - 1];
  mai::array<T, 2> moved(std::move(u));
  if (last[columns - 1] != static_cast<T>(rows * columns) || last.end() != moved.end())
    wrong(w, "the last row");
  moved.place(drawPolicy(w));
  moved.migrate_rows(draw(w, rows), 1, machine.nodes[0]);
  moved.migrate_columns(0, draw(w, columns + 1), machine.nodes[0]);
  if (!isFilled(moved, 1, rows * columns))
    wrong(w, "other contents");
  check(w, moved);
  const std::size_t more = 1 + draw(w, 2 * rows);
  calling(w, "resize(%zu) of %zu", more, rows);
  moved.resize(more);
  if (!isFilled(moved, 1, std::min(rows, more) * columns))
    wrong(w, "other contents");
  u = std::move(moved);
  check(w, u);
}

void useVector(worker *w) {
  using vector = std::vector<double, mai::allocator<double>>;
  const std::size_t count = draw(w, 30000);
  calling(w, "std::vector of %zu", count);
  vector v(count, 1.5, mai::allocator<double>(drawPolicy(w), one_in(w, 2) ? "vector" : nullptr));
  for (int i = 0; i < 100; i++)
    v.push_back(i);
  vector copy(v), other;
  other = std::move(v);
  swap(copy, other);
  if (copy != other || copy.size() != count + 100 || copy.back() != 99)
    wrong(w, "other contents");
}

// What is wrong throws what it should, and leaves nothing behind.
void useWrongly(worker *w) {
  calling(w, "mai::array with wrong arguments");
  int caught = 0;
  try {
    mai::array<int, 2>({5, SIZE_MAX});
  } catch (const std::system_error &error) {
    caught += error.code().value() == EOVERFLOW;
  }
  try {
    mai::array<int>(100, mai::policy("bind 1000"));
  } catch (const std::system_error &error) {
    caught += error.code().value() == ENODEV;
  }
  try {
    mai::policy("blick");
  } catch (const std::invalid_argument &) {
    caught++;
  }
  mai::array<int> u(10);
  try {
    u.at(10) = 5;
  } catch (const std::out_of_range &) {
    caught++;
  }
  try {
    u.migrate_columns(0, 1, 0);
  } catch (const std::system_error &error) {
    caught += error.code().value() == EINVAL;
  }
  try {
    u.resize(SIZE_MAX / 8);
  } catch (const std::bad_alloc &) {
    caught++;
  }
  if (caught != 6)
    wrong(w, "%d of 6 exceptions", caught);
}

void useCopies(worker *w) {
  calling(w, "mai::array with copies");
  mai::array<long> table(1 + draw(w, 5000), mai::policy("replicate"), "table");
  fill(table, 7);
  table.replicate();
  if (table.replica()[table.size() - 1] != static_cast<long>(table.size()) + 6)
    wrong(w, "other contents");
  check(w, table);
  table.drop_replicas();
  fill(table, 8);
  table.next_touch();
  if (!isFilled(table, 8, table.size()))
    wrong(w, "other contents");
}

} // namespace

void call_cxx(struct worker *worker) try {
  static void (*const uses[])(struct worker *) = {useMatrix<double>, useMatrix<int>, useVector,
                                                  useWrongly, useCopies};
  uses[draw(worker, 5)](worker);
} catch (const std::exception &error) {
  wrong(worker, "%s", error.what());
}
