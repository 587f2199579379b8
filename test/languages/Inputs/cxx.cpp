//===-- cxx.cpp - what mai.hpp promises -------------------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include <atomic>
#include <complex>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <list>
#include <mai.hpp>
#include <mai_memory.hpp>
#include <map>
#include <memory>
#include <memory_resource>
#include <numeric>
#include <set>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <vector>

static int failures;

static void expect(bool holds, const char *what, int line) {
  if (holds)
    return;
  std::printf("line %d: not so: %s\n", line, what);
  failures++;
}
#define EXPECT(...) expect((__VA_ARGS__), #__VA_ARGS__, __LINE__)

template <class Error, class Call> static std::string message_of(Call call) {
  try {
    call();
  } catch (const Error &error) {
    return error.what();
  } catch (const std::exception &other) {
    return std::string("another exception: ") + other.what();
  }
  return "no exception";
}

template <class Error, class Call> static bool throws(Call call) {
  try {
    call();
  } catch (const Error &) {
    return true;
  }
  return false;
}

template <class Call> static int code_of(Call call) {
  try {
    call();
  } catch (const std::system_error &error) {
    return error.code() == std::error_code(error.code().value(), std::generic_category())
               ? error.code().value()
               : -1;
  }
  return 0;
}

using vector = std::vector<double, mai::allocator<double>>;

static_assert(!std::is_copy_constructible_v<mai::array<int>>);
static_assert(!std::is_copy_assignable_v<mai::array<int>>);
static_assert(std::is_nothrow_move_constructible_v<mai::array<int, 3>>);
static_assert(std::is_nothrow_move_assignable_v<mai::array<int, 3>>);
static_assert(std::is_nothrow_swappable_v<mai::array<int, 3>>);
static_assert(std::is_nothrow_default_constructible_v<mai::array<int>>);
static_assert(!std::is_convertible_v<std::size_t, mai::array<int>>);
static_assert(!std::is_constructible_v<mai::array<int, 2>, std::size_t>);
static_assert(mai::array<double, 4>::rank() == 4);
static_assert(std::is_nothrow_default_constructible_v<mai::policy>);
static_assert(std::is_nothrow_copy_constructible_v<mai::policy>);
static_assert(std::is_nothrow_copy_assignable_v<mai::policy>);
static_assert(std::is_nothrow_default_constructible_v<mai::allocator<int>>);
static_assert(std::is_nothrow_copy_constructible_v<mai::allocator<int>>);
static_assert(std::is_nothrow_constructible_v<mai::allocator<int>, mai::allocator<char>>);
static_assert(std::is_nothrow_default_constructible_v<vector>);
static_assert(std::is_nothrow_copy_constructible_v<mai::pool_allocator<int>>);
static_assert(std::is_convertible_v<mai::view<int, 2>, mai::view<const int, 2>>);
static_assert(!std::is_convertible_v<mai::view<const int, 2>, mai::view<int, 2>>);
static_assert(!std::is_convertible_v<const mai::array<int> &, mai::view<int>>);
static_assert(std::is_nothrow_move_assignable_v<vector>);

// What reports say of arrays, names among it.
static std::string report() {
  char *text = nullptr;
  std::size_t size = 0;
  std::FILE *stream = open_memstream(&text, &size);
  mai_report(stream, MAI_REPORT_TEXT);
  std::fclose(stream);
  std::string result(text, size);
  std::free(text);
  return result;
}

static void test_elements() {
  mai::array<int, 5> u({2, 3, 4, 5, 6}, mai::policy("cyclic"));
  EXPECT(u.size() == 720 && u.extent(3) == 5 && !u.empty());
  EXPECT(std::accumulate(u.begin(), u.end(), 0) == 0);
  std::iota(u.begin(), u.end(), 0);
  EXPECT(u(1, 2, 3, 4, 5) == 719 && u(0, 0, 0, 1, 0) == 6);
  EXPECT(u[1][2][3][4][5] == 719 && u[0][0][1][0][2] == 32);
  u[1][0][0][0][0] = -1;
  const auto &same = u;
  EXPECT(same(1, 0, 0, 0, 0) == -1 && same[1][0][0][0][0] == -1);
  EXPECT(&same.at(1, 2, 0, 0, 0) == u.data() + 600 && same[1][2].size() == 120);
  EXPECT(same[1][2].begin() == u.data() + 600 && same[1][2][3].end() == u.data() + 720);
  EXPECT(message_of<std::out_of_range>([&] { return same.at(1, 3, 0, 0, 0); }) ==
         "mai::array: index 3 of dimension 1, which has 3");
  EXPECT(message_of<std::out_of_range>([&] { return u.at(0, 0, 0, 0, -1); }) != "no exception");

  mai::array<std::complex<float>> z(10);
  z[9] = {1, 2};
  EXPECT(z(9).imag() == 2 && z.at(9).real() == 1 && z.end() - z.begin() == 10);
}

static void test_ownership() {
  mai::array<int> empty;
  EXPECT(empty.empty() && empty.data() == nullptr && empty.begin() == empty.end());
  mai::array<int> a(1000, mai::policy("block"), "a");
  a[999] = 7;
  const int *data = a.data();
  mai::array<int> b(std::move(a));
  EXPECT(b.data() == data && b[999] == 7 && a.data() == nullptr && a.empty());
  mai::array<int> c(5);
  c = std::move(b);
  EXPECT(c.data() == data && b.empty());
  c = std::move(*&c);
  EXPECT(c.data() == data && c.size() == 1000);
  swap(c, empty);
  EXPECT(empty.data() == data && c.empty());
  empty.resize(100000);
  EXPECT(empty.size() == 100000 && empty[999] == 7 && empty[99999] == 0);
  const int *address = empty.data();
  empty = mai::array<int>();
  mai_pages pages;
  EXPECT(mai_verify(address, &pages, nullptr, 0) == -1);
}

// A part is its elements, whichever object owns them.
static void test_parts() {
  mai::array<int, 3> u({4, 5, 6});
  std::iota(u.begin(), u.end(), 0);
  auto plane = u[3];
  auto row = std::as_const(u)[3][4];
  const auto is_as_it_was = [&] {
    return plane.size() == 30 && plane[4][5] == 119 && plane[0].begin() == plane.data() &&
           row.size() == 6 && row[5] == 119 && row.end() - row.begin() == 6;
  };
  EXPECT(is_as_it_was());
  mai::array<int, 3> moved(std::move(u));
  EXPECT(is_as_it_was());
  u = mai::array<int, 3>({2, 3, 7});
  EXPECT(is_as_it_was());
  swap(u, moved);
  EXPECT(is_as_it_was());
  plane[4][5] = -1;
  EXPECT(u(3, 4, 5) == -1 && row[5] == -1);
  auto kept = std::make_unique<mai::array<int, 3>>(std::move(u));
  plane = (*kept)[2];
  moved = std::move(*kept);
  kept.reset();
  EXPECT(plane[4][5] == 89 && moved(2, 4, 5) == 89);
}

static int sum_of(mai::view<const int, 2> values) {
  int sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (auto row : values.rows())
    sum = std::accumulate(row.begin(), row.end(), sum);
  return sum;
}

static void test_views() {
  mai::array<int, 2> u({6, 7});
  std::iota(u.begin(), u.end(), 0);
  EXPECT(sum_of(u) == 41 * 42 / 2 && sum_of(u.part(1, 2)) == 27 * 7);
  mai::view<int, 2> middle = u.part(2, 3);
  EXPECT(middle.extent(0) == 3 && middle.size() == 21 && middle(0, 1) == 15 &&
         &middle[2][6] == &u(4, 6));
  EXPECT(message_of<std::out_of_range>([&] { return middle.at(3, 0); }) ==
         "mai::array: index 3 of dimension 0, which has 3");
  for (auto row : middle.rows())
    row[0] = -1;
  EXPECT(u(1, 0) == 7 && u(2, 0) == -1 && u(4, 0) == -1 && u(5, 0) == 35);
  auto rows = std::as_const(u).rows();
  auto last = rows.end() - 1;
  EXPECT(rows.size() == 6 && rows.end() - rows.begin() == 6 && rows.begin()[5][0] == 35);
  EXPECT((*last)[6] == 41 && rows.begin() < last && last-- != rows.begin() && (*last)[6] == 34);
  EXPECT((mai::view<int, 3>().empty()) && u.part(6, 0).rows().empty());
  mai::array<int> v(10);
  v.part(3, 4)[1] = 5;
  EXPECT(v[4] == 5 && v.part(3, 4).end() == &v[7]);
}

// Arrays without elements are arrays like others.
static void test_empty() {
  mai::array<int, 2> u({0, 5}, mai::policy("cyclic on 0"), "grows");
  EXPECT(u.empty() && u.extent(1) == 5 && u.begin() == u.end() && u.rows().empty());
  EXPECT(u.verify().total == 0 && u.migrate(0).moved == 0 && u.statistics().bytes == 0);
  u.next_touch();
  u.replicate();
  u.drop_replicas();
  EXPECT(u.replica() == nullptr);
  u.resize(100);
  EXPECT(u.size() == 500 && u(99, 4) == 0 && report().find("grows") != std::string::npos);
  u(0, 0) = 7;
  u.place(mai::policy("bind 0"));
  u.resize(0);
  EXPECT(u.empty() && u.data() == nullptr && report().find("grows") == std::string::npos);
  EXPECT(u.where() == mai::policy("bind 0"));
  u.place(mai::policy("skew on 0"));
  u.resize(3);
  char text[64];
  EXPECT(u(0, 0) == 0 && mai_policy_of(u.data(), text, sizeof text) > 0);
  EXPECT(std::string(text) == "skew on 0" && u.where() == mai::policy("skew on 0"));

  mai::array<int> none;
  none.place(mai::policy("cyclic"));
  none.resize(5);
  EXPECT(none.size() == 5 && none[4] == 0 && none.where() == mai::policy("cyclic"));
  EXPECT((mai::array<int, 2>({5, 0}).empty()) && mai::array<int>(0).size() == 0);
}

static void test_place() {
  std::vector<double> v(100000, 1.5);
  mai::place(v, "bind 0", "v");
  EXPECT(report().find("v ") != std::string::npos && v[99999] == 1.5);
  mai::forget(v);
  EXPECT(code_of([&] { mai::forget(v); }) == EINVAL);
  mai::place(v.data(), 50000, mai::policy("cyclic"));
  EXPECT(code_of([&] { mai::place(v, "bind 1000"); }) == ENODEV);
  std::vector<int> none;
  mai::place(none, "block");
  mai::forget(none);
}

static int answer() { return 42; }

static void test_nodes() {
  unsigned node = 0;
  mai_list_nodes(&node, 1);
  EXPECT(mai::on_node(node, answer) == 42);
  EXPECT(mai::on_node(node, [] { return std::make_unique<int>(7); }) != nullptr);
  EXPECT(message_of<std::runtime_error>(
             [&] { mai::on_node(node, [] { throw std::runtime_error("lost"); }); }) == "lost");
  EXPECT(code_of([] { mai::on_node(1000, [] {}); }) == ENODEV);
  std::atomic<unsigned> calls{0};
  mai::parallel_nodes([&](unsigned) { calls++; });
  EXPECT(calls > 0);
  EXPECT(message_of<std::runtime_error>([] {
           mai::parallel_nodes([](unsigned) { throw std::runtime_error("lost"); });
         }) == "lost");
}

template <std::size_t Alignment> struct alignas(Alignment) aligned {
  char bytes[Alignment];
};

template <class T> static bool is_aligned(const T *data) {
  return reinterpret_cast<std::uintptr_t>(data) % alignof(T) == 0;
}

// One after the other, since the starts of large arrays are spread.
template <std::size_t Alignment> static void test_alignment() {
  using element = aligned<Alignment>;
  using elements = std::vector<element, mai::allocator<element>>;
  for (int i = 0; i < 8; i++) {
    const std::size_t count = 70000 / Alignment + 1;
    mai::array<element> a(count);
    mai::array<element, 2> b({3, count}, mai::policy("cyclic"), "b");
    const mai_options_t less = {16, MAI_HUGE_OFF};
    mai::array<element> c(count, mai::policy("block"), nullptr, &less);
    EXPECT(is_aligned(a.data()) && is_aligned(b.data()) && is_aligned(c.data()));
    a.resize(2 * count);
    EXPECT(is_aligned(a.data()));
    elements v(count);
    v.resize(2 * count);
    EXPECT(is_aligned(v.data()));
  }
  const mai_options_t wrong = {48, MAI_HUGE_DEFAULT};
  EXPECT(code_of([&] { mai::array<element>(5, mai::policy("block"), nullptr, &wrong); }) == EINVAL);
}

// Aligned for more than T, where that is asked for.
static void test_options() {
  const mai_options_t page = {1 << 16, MAI_HUGE_OFF};
  for (int i = 0; i < 4; i++) {
    mai::array<aligned<1024>> a(100, mai::policy("block"), nullptr, &page);
    EXPECT(reinterpret_cast<std::uintptr_t>(a.data()) % page.alignment == 0);
  }
}

static void test_policies() {
  EXPECT(mai::policy("cyclic on 0  by rows").text() == "cyclic by rows on 0");
  EXPECT(mai::policy(std::string("bind 3")) == mai::policy(" bind 3") &&
         mai::policy("bind 3") != mai::policy("bind 2"));
  EXPECT(mai::policy(std::string("block along ") + "start strict").text() ==
         "block along start strict");
  EXPECT(mai::policy().text() == "first-touch" && mai::policy() == mai::policy("first-touch"));
  mai::policy copy;
  {
    mai::policy original("cyclic on 0");
    copy = original;
  }
  EXPECT(copy.text() == "cyclic on 0" && std::string(copy.c_str()) == copy.text());
  copy = *&copy;
  EXPECT(copy == "cyclic on 0" && std::string("skew") != copy);
  EXPECT(message_of<std::invalid_argument>([] {
           mai::policy("bind");
         }).find("column 5: expected") == 0);
  EXPECT(message_of<std::invalid_argument>([] {
           mai::array<int>(10, "bind x");
         }).find("found 'x'\n  bind x\n       ^") != std::string::npos);
}

static void test_errors() {
  EXPECT(code_of([] { mai::array<int>(10, mai::policy("bind 1000")); }) == ENODEV);
  EXPECT(code_of([] { mai::array<int, 2>({SIZE_MAX, 5}); }) == EOVERFLOW);
  EXPECT(code_of([] { mai::array<int>(10).migrate(1000); }) == ENODEV);
  EXPECT(code_of([] { mai::array<int>(10).migrate_columns(0, 1, 0); }) == EINVAL);
  EXPECT(throws<std::bad_alloc>([] { mai::array<char>(SIZE_MAX / 2); }));
  EXPECT(throws<std::bad_alloc>([] { vector v(SIZE_MAX / 32); }));
  EXPECT(throws<std::bad_array_new_length>(
      [] { return mai::allocator<double>().allocate(SIZE_MAX); }));
  EXPECT(code_of([] { vector v(10, mai::policy("bind 1000")); }) == ENODEV);
}

static void test_allocator() {
  vector v(1000, 1.5, mai::allocator<double>(mai::policy("cyclic"), "v"));
  for (int i = 0; i < 100000; i++)
    v.push_back(i);
  EXPECT(v.size() == 101000 && v[0] == 1.5 && v.back() == 99999);
  EXPECT(v.get_allocator().where() == mai::policy("cyclic"));
  vector copy(v);
  EXPECT(copy == v && copy.get_allocator().where() == mai::policy("cyclic"));
  vector other(10, mai::policy("bind 0"));
  const double *data = other.data();
  swap(copy, other);
  EXPECT(copy.data() == data && copy.get_allocator().where() == mai::policy("bind 0"));
  EXPECT(other.get_allocator().where() == mai::policy("cyclic"));
  copy = v;
  EXPECT(copy.get_allocator().where() == mai::policy("cyclic"));
  data = v.data();
  other = std::move(v);
  EXPECT(other.data() == data && other.size() == 101000);
  vector none(mai::allocator<double>{});
  EXPECT(none.empty());
  std::list<int, mai::allocator<int>> list({1, 2, 3}, mai::policy("skew"));
  std::map<int, int, std::less<int>, mai::allocator<std::pair<const int, int>>> map;
  map[5] = 6;
  EXPECT(std::accumulate(list.begin(), list.end(), map[5]) == 12);
  EXPECT(mai::allocator<int>() == mai::allocator<char>(mai::policy("bind 3")));
  EXPECT(!(mai::allocator<int>() != mai::allocator<int>()));
  mai::allocator<int> allocator;
  allocator.deallocate(allocator.allocate(0), 0);
}

// An allocator keeps the name that it was given, in all its copies and for all types.
static void test_names() {
  auto name = std::make_unique<std::string>("a name that is longer than short ones are");
  const mai::allocator<char> first(mai::policy("cyclic"), name->c_str());
  name.reset();
  const mai::allocator<double> rebound(first);
  vector v(10, rebound);
  EXPECT(std::string(rebound.name()).find("a name") == 0 && !mai::allocator<int>().name());
  v.resize(1000);
  EXPECT(report().find("a name that is longer") != std::string::npos);
}

template <class T> using basic = std::basic_string<T, std::char_traits<T>, mai::allocator<T>>;

static void test_containers() {
  std::deque<int, mai::allocator<int>> deque(5000, 3);
  EXPECT(std::accumulate(deque.begin(), deque.end(), 0) == 15000);
  basic<char> text(100, 'x');
  text += text;
  EXPECT(text.size() == 200 && text.back() == 'x');
  std::unordered_map<int, int, std::hash<int>, std::equal_to<int>,
                     mai::allocator<std::pair<const int, int>>>
      map;
  for (int i = 0; i < 100; i++)
    map[i] = i;
  EXPECT(map.size() == 100 && map[99] == 99);
  auto shared =
      std::allocate_shared<double>(mai::allocator<double>(mai::policy("bind 0"), "shared"), 1.5);
  EXPECT(*shared == 1.5);
}

// The policy of the array in which something lies.
template <class T> static std::string policy_around(const T &element) {
  char text[64] = "none";
  if (const void *around = mai_array_around(&element, nullptr))
    mai_policy_of(around, text, sizeof text);
  return text;
}

static void test_resource() {
  mai::memory_resource cyclic(mai::policy("cyclic"), "of the resource");
  mai::memory_resource other("bind 0");
  std::pmr::vector<int> v(1000, 3, &cyclic);
  EXPECT(policy_around(v[0]) == "cyclic" && policy_around(v[999]) == "cyclic");
  EXPECT(report().find("of the resource") != std::string::npos);
  EXPECT(cyclic == cyclic && cyclic != other && std::string(cyclic.name()) == "of the resource");
  std::pmr::vector<int> w(&other);
  w = std::move(v);
  EXPECT(w.size() == 1000 && w[999] == 3 && policy_around(w[0]) == "bind 0");
  std::pmr::monotonic_buffer_resource arena(&cyclic);
  std::pmr::list<int> list({1, 2, 3}, &arena);
  EXPECT(policy_around(list.back()) == "cyclic" && !other.name());
  void *aligned = cyclic.allocate(100, 8192);
  EXPECT(reinterpret_cast<std::uintptr_t>(aligned) % 8192 == 0);
  cyclic.deallocate(aligned, 100, 8192);
  cyclic.deallocate(cyclic.allocate(0), 0);
  mai::memory_resource nowhere("bind 1000");
  EXPECT(code_of([&] { return nowhere.allocate(8); }) == ENODEV);
}

using pooled_list = std::list<int, mai::pool_allocator<int>>;

static void test_pool() {
  pooled_list list({1, 2, 3}, mai::policy("bind 0"));
  for (int i = 0; i < 10000; i++)
    list.push_back(i);
  EXPECT(policy_around(list.front()) == "bind 0" && policy_around(list.back()) == "bind 0");
  std::set<const void *> arrays;
  for (const int &each : list)
    arrays.insert(mai_array_around(&each, nullptr));
  EXPECT(arrays.size() < 100 && !arrays.count(nullptr));
  const pooled_list copy(list);
  EXPECT(copy == list && copy.get_allocator() == list.get_allocator());
  pooled_list other(mai::policy("cyclic"));
  EXPECT(other.get_allocator() != list.get_allocator());
  const int *first = &list.front();
  other = std::move(list);
  EXPECT(&other.front() == first && other.get_allocator().where() == mai::policy("bind 0"));
  list.assign(100, 5);
  swap(list, other);
  EXPECT(list.size() == 10003 && other.size() == 100);

  std::map<int, double, std::less<int>, mai::pool_allocator<std::pair<const int, double>>> map;
#pragma omp parallel for
  for (int i = 0; i < 1000; i++)
#pragma omp critical
    map[i] = i;
  EXPECT(map.size() == 1000 && map[999] == 999 && policy_around(map[999]) == "local");
  std::vector<int, mai::pool_allocator<int>> large(1000000, 1, mai::policy("block"));
  EXPECT(policy_around(large[5]) == "block");
  EXPECT(throws<std::bad_array_new_length>(
      [] { return mai::pool_allocator<double>().allocate(SIZE_MAX); }));
}

// Before main() and after it, at a thread's end.
static mai::array<int> global(1000, mai::policy("block"), "global");
static thread_local mai::array<int> per_thread(1000, mai::policy("local"), "per thread");

static void test_lifetimes() {
  global[999] = 1;
#pragma omp parallel num_threads(2)
  per_thread[999] = 1;
  EXPECT(global[999] == 1 && per_thread[999] == 1);
}

static void test_placement() {
  mai::array<double, 2> u({64, 512}, mai::policy("first-touch"), "u");
  for (double &x : u)
    x = 1;
  u.place(mai::policy("bind 0"));
  EXPECT(u.verify().placed == u.verify().total && u.statistics().bytes == 64 * 512 * 8);
  u.migrate_rows(0, 1, 0);
  u.migrate_columns(0, 1, 0);
  u.migrate(0);
  u.place();
  u.next_touch();
  EXPECT(std::accumulate(u.begin(), u.end(), 0.0) == 64 * 512);

  mai::array<int> table(100, mai::policy("replicate"));
  table[5] = 6;
  table.replicate();
  EXPECT(table.replica()[5] == 6);
  table.drop_replicas();
  table[5] = 7;
}

int main() {
  test_elements();
  test_ownership();
  test_parts();
  test_views();
  test_empty();
  test_place();
  test_nodes();
  test_alignment<128>();
  test_alignment<1024>();
  test_alignment<8192>();
  test_options();
  test_policies();
  test_errors();
  test_allocator();
  test_names();
  test_resource();
  test_pool();
  test_containers();
  test_lifetimes();
  test_placement();
  std::printf("failures: %d\n", failures);
  return failures != 0;
}
