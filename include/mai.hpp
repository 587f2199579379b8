//===-- mai.hpp - arrays of a NUMA machine, for C++ ------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// C++17 over mai.h, header-only:
//
//     mai::array<double, 2> u({n, m}, "block", "u");     // rows near their threads
//     u(i, j) = 0;
//     for (auto row : u.rows()) ...
//
//     std::vector<double, mai::allocator<double>> v(n, mai::policy("cyclic"));
//     mai::place(w, "block", "w");                        // a std::vector as it is
//     mai::on_node(1, [&] { ... });
//
// mai_memory.hpp has memory for containers of many small pieces, and for std::pmr.
//
// Policies are values of mai::policy, made from texts as minas(7) describes them.
//
// Errors.  Functions throw std::system_error with the errno that mai.h documents for the call they
// make, std::bad_alloc where that is ENOMEM, and std::invalid_argument for a text that is no
// policy.  In a program compiled without exceptions (-fno-exceptions) they end it by abort().
//
// Threads.  As mai.h: different objects may be used by different threads at any time.  An array's
// member functions that place it anew need it for themselves.
//
//===----------------------------------------------------------------------===//
#ifndef MAI_HPP
#define MAI_HPP

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <exception>
#include <iterator>
#include <limits>
#include <memory>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>
#include <system_error>
#include <type_traits>
#include <utility>
#include <vector>

#include "mai.h"

namespace mai {

namespace detail {

template <class Error> [[noreturn]] void raise(const Error &error) {
#ifdef __cpp_exceptions
  throw error;
#else
  static_cast<void>(error);
  std::abort();
#endif
}

[[noreturn]] inline void fail(const char *call) {
  if (errno == ENOMEM)
    raise(std::bad_alloc());
  raise(std::system_error(errno, std::generic_category(), call));
}

inline void check(int result, const char *call) {
  if (result != 0)
    fail(call);
}

// What mai.h aligns to unasked.
inline constexpr std::size_t least_alignment = 64;

/// As asked, and aligned for T.  An alignment that is none is left, for mai.h to refuse.
template <class T> mai_options_t options_for(const mai_options_t *asked) noexcept {
  mai_options_t options = asked ? *asked : mai_options_t{0, MAI_HUGE_DEFAULT};
  const bool valid = (options.alignment & (options.alignment - 1)) == 0;
  if (alignof(T) > least_alignment && valid)
    options.alignment = std::max(options.alignment, alignof(T));
  return options;
}

} // namespace detail

//===-- Policies -----------------------------------------------------------===//

/// A policy, from text as minas(7) describes it: "cyclic by rows on 0,2".  A value: cheap to copy,
/// equal when it means the same.
class policy {
public:
  /// First touch.
  policy() noexcept = default;

  /// Throws std::invalid_argument, which shows where a text is wrong that is no policy.
  policy(const char *text) : Text(canonical(text)) {}
  policy(const std::string &text) : policy(text.c_str()) {}

  /// The default of arrays and allocators: "block".  It needs no memory, so nothing can fail.
  static policy block() noexcept {
    policy result;
    result.Constant = "block";
    return result;
  }

  /// The default of pools: near the thread that touches memory first.  As block().
  static policy local() noexcept {
    policy result;
    result.Constant = "local";
    return result;
  }

  /// As mai_policy_canonical() writes it.
  const char *c_str() const noexcept { return Text ? Text->c_str() : Constant; }
  std::string text() const { return c_str(); }

  friend bool operator==(const policy &a, const policy &b) { return a.text() == b.text(); }
  friend bool operator!=(const policy &a, const policy &b) { return !(a == b); }

private:
  [[noreturn]] static void refuse(const char *text) {
    char error[512];
    if (mai_policy_check(text, error, sizeof error) != 0 && errno == EINVAL)
      detail::raise(std::invalid_argument(error));
    detail::fail("mai::policy");
  }

  static std::shared_ptr<const std::string> canonical(const char *text) {
    const int length = mai_policy_canonical(text, nullptr, 0);
    if (length < 0)
      refuse(text);
    auto result = std::make_shared<std::string>(static_cast<std::size_t>(length), '\0');
    mai_policy_canonical(text, result->data(), result->size() + 1);
    return result;
  }

  const char *Constant = "first-touch";    // where there is no other text
  std::shared_ptr<const std::string> Text; // Copies share it, and it never changes.
};

//===-- Views --------------------------------------------------------------===//

template <class T, std::size_t N> class view;

namespace detail {

template <std::size_t N> using extents = std::array<std::size_t, N>;

// Elements with these extents.
template <std::size_t N> constexpr std::size_t elements(const extents<N> &of) noexcept {
  std::size_t product = 1;
  for (std::size_t i = 0; i < N; i++)
    product *= of[i];
  return product;
}

// The extents behind the first.
template <std::size_t N> constexpr extents<N - 1> inner(const extents<N> &of) noexcept {
  extents<N - 1> result = {};
  for (std::size_t i = 1; i < N; i++)
    result[i - 1] = of[i];
  return result;
}

// Where the element with these indices lies.
template <std::size_t N, class... Index>
constexpr std::size_t offset(const extents<N> &of, Index... index) noexcept {
  static_assert(sizeof...(Index) == N, "one index for each dimension");
  static_assert((std::is_convertible_v<Index, std::size_t> && ...), "indices are numbers");
  const std::size_t indices[] = {static_cast<std::size_t>(index)...};
  std::size_t result = indices[0];
  for (std::size_t i = 1; i < N; i++)
    result = result * of[i] + indices[i];
  return result;
}

// offset(), or std::out_of_range.
template <std::size_t N, class... Index>
std::size_t checked_offset(const extents<N> &of, Index... index) {
  const std::size_t indices[] = {static_cast<std::size_t>(index)...};
  for (std::size_t i = 0; i < N; i++)
    if (indices[i] >= of[i])
      raise(std::out_of_range("mai::array: index " + std::to_string(indices[i]) + " of dimension " +
                              std::to_string(i) + ", which has " + std::to_string(of[i])));
  return offset(of, index...);
}

// What the first index gives: a view of what is behind it, or an element.
template <class T, std::size_t N>
decltype(auto) step(T *data, const extents<N> &of, std::size_t i) noexcept {
  if constexpr (N == 1)
    return static_cast<T &>(data[i]);
  else
    return view<T, N - 1>(data + i * elements(inner(of)), inner(of));
}

/// Goes through the rows of what has N dimensions, 2 or more.
template <class T, std::size_t N> class row_iterator {
public:
  using iterator_category = std::random_access_iterator_tag;
  using value_type = view<T, N - 1>;
  using difference_type = std::ptrdiff_t;
  using pointer = void;
  using reference = value_type; // rows are values themselves

  row_iterator() noexcept = default;
  row_iterator(T *data, const extents<N> &of, std::size_t row) noexcept
      : Data(data), Extents(of), Row(static_cast<difference_type>(row)) {}

  reference operator*() const noexcept {
    return step(Data, Extents, static_cast<std::size_t>(Row));
  }
  reference operator[](difference_type n) const noexcept { return *(*this + n); }

  row_iterator &operator+=(difference_type n) noexcept {
    Row += n;
    return *this;
  }
  row_iterator &operator-=(difference_type n) noexcept { return *this += -n; }
  row_iterator &operator++() noexcept { return *this += 1; }
  row_iterator &operator--() noexcept { return *this -= 1; }
  row_iterator operator++(int) noexcept { return std::exchange(*this, *this + 1); }
  row_iterator operator--(int) noexcept { return std::exchange(*this, *this - 1); }

  friend row_iterator operator+(row_iterator i, difference_type n) noexcept { return i += n; }
  friend row_iterator operator+(difference_type n, row_iterator i) noexcept { return i += n; }
  friend row_iterator operator-(row_iterator i, difference_type n) noexcept { return i -= n; }
  friend difference_type operator-(const row_iterator &a, const row_iterator &b) noexcept {
    return a.Row - b.Row;
  }
  friend bool operator==(const row_iterator &a, const row_iterator &b) { return a.Row == b.Row; }
  friend bool operator!=(const row_iterator &a, const row_iterator &b) { return a.Row != b.Row; }
  friend bool operator<(const row_iterator &a, const row_iterator &b) { return a.Row < b.Row; }
  friend bool operator>(const row_iterator &a, const row_iterator &b) { return a.Row > b.Row; }
  friend bool operator<=(const row_iterator &a, const row_iterator &b) { return a.Row <= b.Row; }
  friend bool operator>=(const row_iterator &a, const row_iterator &b) { return a.Row >= b.Row; }

private:
  T *Data = nullptr;
  extents<N> Extents = {};
  difference_type Row = 0;
};

} // namespace detail

/// The rows of a view, for a loop over them, which may be a parallel one.
template <class T, std::size_t N> class row_range {
public:
  using iterator = detail::row_iterator<T, N>;
  using const_iterator = iterator;

  row_range(T *data, const detail::extents<N> &extents) noexcept : Data(data), Extents(extents) {}
  iterator begin() const noexcept { return {Data, Extents, 0}; }
  iterator end() const noexcept { return {Data, Extents, Extents[0]}; }
  std::size_t size() const noexcept { return Extents[0]; }
  bool empty() const noexcept { return size() == 0; }

private:
  T *Data;
  detail::extents<N> Extents;
};

/// Contiguous elements with N dimensions, of which it owns none: cheap to copy.  It stays the same
/// elements when their array is moved, and ends with them, as iterators do.
template <class T, std::size_t N = 1> class view {
  static_assert(N >= 1, "a view has dimensions");

public:
  using element_type = T;
  using value_type = std::remove_cv_t<T>;
  using size_type = std::size_t;
  using difference_type = std::ptrdiff_t;
  using reference = T &;
  using pointer = T *;
  using iterator = T *;
  using extents_type = detail::extents<N>;

  /// No elements.
  view() noexcept = default;
  view(T *data, const extents_type &extents) noexcept : Data(data), Extents(extents) {}

  /// One that changes elements is one that reads them.
  template <class U = T, class = std::enable_if_t<std::is_const_v<U>>>
  view(const view<value_type, N> &other) noexcept : view(other.data(), other.extents()) {}

  /// One index for each dimension; not checked.
  template <class... Index> reference operator()(Index... index) const noexcept {
    return Data[detail::offset(Extents, index...)];
  }

  /// An element of one dimension; of more, a view of what is behind the index.
  decltype(auto) operator[](size_type i) const noexcept { return detail::step(Data, Extents, i); }

  /// Checked: throws std::out_of_range.
  template <class... Index> reference at(Index... index) const {
    return Data[detail::checked_offset(Extents, index...)];
  }

  /// The indices [first, first + count) of the first dimension; not checked.
  view part(size_type first, size_type count) const noexcept {
    extents_type extents = Extents;
    extents[0] = 1;
    T *there = Data + first * detail::elements(extents);
    extents[0] = count;
    return {there, extents};
  }

  /// One after the other: `for (auto row : v.rows())`.
  template <class U = T> row_range<U, N> rows() const noexcept {
    static_assert(N >= 2, "the rows of a vector are its elements");
    return {Data, Extents};
  }

  pointer data() const noexcept { return Data; }
  iterator begin() const noexcept { return Data; }
  iterator end() const noexcept { return Data + size(); }
  size_type size() const noexcept { return detail::elements(Extents); }
  bool empty() const noexcept { return size() == 0; }
  const extents_type &extents() const noexcept { return Extents; }
  size_type extent(size_type dimension) const noexcept { return Extents[dimension]; }
  static constexpr size_type rank() noexcept { return N; }

private:
  T *Data = nullptr;
  extents_type Extents = {};
};

//===-- Arrays -------------------------------------------------------------===//

/// An array of N dimensions that owns its memory, contiguous, the last index running fastest.
/// Elements are zero at first, in pages that come into being where they belong when threads first
/// touch them: nothing is constructed, so T must be a type for which bytes of zero are a value.
///
/// One with an extent of 0 has no memory, but a policy for what it gets by resize(); placing it
/// does nothing else.
template <class T, std::size_t N = 1> class array {
  static_assert(std::is_trivially_copyable_v<T>,
                "elements come into being as bytes of zero, on whatever thread touches them first");
  static_assert(N >= 1 && N <= MAI_MOST_DIMENSIONS, "MAi knows arrays of 1 to 5 dimensions");

public:
  using value_type = T;
  using size_type = std::size_t;
  using difference_type = std::ptrdiff_t;
  using reference = T &;
  using const_reference = const T &;
  using pointer = T *;
  using const_pointer = const T *;
  using iterator = T *;
  using const_iterator = const T *;
  using extents_type = detail::extents<N>;

  /// No elements.
  array() noexcept = default;

  /// @param name what reports call it (copied); nullptr: its address
  explicit array(const extents_type &extents, const policy &where = policy::block(),
                 const char *name = nullptr, const mai_options_t *options = nullptr)
      : Extents(extents), Made(std::make_unique<making>()) {
    Made->Where = where;
    Made->HasName = name;
    Made->Name = name ? name : "";
    Made->Options = detail::options_for<T>(options);
    allocate();
  }

  /// A vector of so many elements.
  template <std::size_t Rank = N, class = std::enable_if_t<Rank == 1>>
  explicit array(size_type count, const policy &where = policy::block(), const char *name = nullptr,
                 const mai_options_t *options = nullptr)
      : array(extents_type{count}, where, name, options) {}

  array(array &&other) noexcept { swap(other); }
  array &operator=(array &&other) noexcept {
    array(std::move(other)).swap(*this);
    return *this;
  }
  array(const array &) = delete;
  array &operator=(const array &) = delete;
  ~array() { mai_free(Data); }

  void swap(array &other) noexcept {
    std::swap(Data, other.Data);
    std::swap(Extents, other.Extents);
    std::swap(Made, other.Made);
  }
  friend void swap(array &a, array &b) noexcept { a.swap(b); }

  //===-- Elements

  /// One index for each dimension; not checked.
  template <class... Index> reference operator()(Index... index) noexcept {
    return Data[detail::offset(Extents, index...)];
  }
  template <class... Index> const_reference operator()(Index... index) const noexcept {
    return Data[detail::offset(Extents, index...)];
  }

  /// A vector's element; of more dimensions a view of what is behind the index.
  decltype(auto) operator[](size_type i) noexcept { return detail::step(Data, Extents, i); }
  decltype(auto) operator[](size_type i) const noexcept {
    return detail::step<const T>(Data, Extents, i);
  }

  /// Checked: throws std::out_of_range.
  template <class... Index> reference at(Index... index) {
    return Data[detail::checked_offset(Extents, index...)];
  }
  template <class... Index> const_reference at(Index... index) const {
    return Data[detail::checked_offset(Extents, index...)];
  }

  /// All elements, for functions that need not own them.
  operator view<T, N>() noexcept { return {Data, Extents}; }
  operator view<const T, N>() const noexcept { return {Data, Extents}; }

  /// The indices [first, first + count) of the first dimension; not checked.
  view<T, N> part(size_type first, size_type count) noexcept {
    return view<T, N>(*this).part(first, count);
  }
  view<const T, N> part(size_type first, size_type count) const noexcept {
    return view<const T, N>(*this).part(first, count);
  }

  /// One after the other: `for (auto row : u.rows())`, also of a parallel loop.
  template <class U = T> row_range<U, N> rows() noexcept { return view<T, N>(*this).rows(); }
  template <class U = const T> row_range<U, N> rows() const noexcept {
    return view<const T, N>(*this).rows();
  }

  pointer data() noexcept { return Data; }
  const_pointer data() const noexcept { return Data; }
  iterator begin() noexcept { return Data; }
  iterator end() noexcept { return Data + size(); }
  const_iterator begin() const noexcept { return Data; }
  const_iterator end() const noexcept { return Data + size(); }
  const_iterator cbegin() const noexcept { return begin(); }
  const_iterator cend() const noexcept { return end(); }

  /// Of all elements.
  size_type size() const noexcept { return detail::elements(Extents); }
  bool empty() const noexcept { return Data == nullptr; }
  const extents_type &extents() const noexcept { return Extents; }
  size_type extent(size_type dimension) const noexcept { return Extents[dimension]; }
  static constexpr size_type rank() noexcept { return N; }

  /// Change the extent of the first dimension, also from 0 and to 0.  Policy, name and options
  /// stay; elements do as far as there are as many, new ones are zero.  Invalidates pointers,
  /// iterators and views.
  void resize(size_type count) {
    array resized;
    resized.Extents = Extents;
    resized.Extents[0] = count;
    if (!Data || resized.has_none()) {
      resized.Made = Made ? std::make_unique<making>(*Made) : nullptr;
      resized.allocate();
      resized.swap(*this);
      return;
    }
    void *moved = mai_realloc(Data, count);
    if (!moved)
      detail::fail("mai_realloc");
    Data = static_cast<T *>(moved);
    Extents[0] = count;
  }

  //===-- Placement; see mai.h for what each does

  /// The policy that it was given last.
  policy where() const noexcept { return Made ? Made->Where : policy::block(); }

  mai_moves place(const policy &where) {
    auto made = Made ? std::make_unique<making>(*Made) : default_making();
    made->Where = where;
    const mai_moves moves = moves_of(mai_replace, "mai_replace", where.c_str());
    Made = std::move(made);
    return moves;
  }
  mai_moves place() { return moves_of(mai_replace, "mai_replace", nullptr); }
  mai_moves migrate(unsigned node) { return moves_of(mai_migrate, "mai_migrate", node); }
  mai_moves migrate_rows(size_type first, size_type count, unsigned node) {
    return moves_of(mai_migrate_rows, "mai_migrate_rows", first, count, node);
  }
  mai_moves migrate_columns(size_type first, size_type count, unsigned node) {
    return moves_of(mai_migrate_columns, "mai_migrate_columns", first, count, node);
  }
  void next_touch() { check_call(mai_next_touch, "mai_next_touch", size_type{0}, size_type{0}); }

  void replicate() { check_call(mai_replicate, "mai_replicate"); }
  const_pointer replica() const {
    const void *copy = Data ? mai_replica(Data) : nullptr;
    if (Data && !copy)
      detail::fail("mai_replica");
    return static_cast<const_pointer>(copy);
  }
  void drop_replicas() { check_call(mai_drop_replicas, "mai_drop_replicas"); }

  mai_pages verify() const {
    mai_pages pages = {};
    check_call(mai_verify, "mai_verify", &pages, nullptr, 0U);
    return pages;
  }
  /// Pages on each node, by OS index.
  std::vector<size_type> pages_per_node(unsigned nodes) const {
    std::vector<size_type> result(nodes);
    mai_pages pages = {};
    check_call(mai_verify, "mai_verify", &pages, result.data(), nodes);
    return result;
  }
  mai_statistics statistics() const {
    mai_statistics result = {};
    check_call(mai_get_statistics, "mai_get_statistics", &result);
    return result;
  }

private:
  /// How memory is allocated.
  struct making {
    policy Where = policy::block();
    bool HasName = false;
    std::string Name;
    mai_options_t Options = {};
  };

  static std::unique_ptr<making> default_making() {
    auto made = std::make_unique<making>();
    made->Options = detail::options_for<T>(nullptr);
    return made;
  }

  bool has_none() const noexcept {
    return std::find(Extents.begin(), Extents.end(), size_type{0}) != Extents.end();
  }

  void allocate() {
    if (!Made)
      Made = default_making();
    if (has_none())
      return;
    Data = static_cast<T *>(mai_alloc_shape(static_cast<unsigned>(N), Extents.data(), sizeof(T),
                                            Made->Where.c_str(), &Made->Options,
                                            Made->HasName ? Made->Name.c_str() : nullptr));
    if (!Data)
      detail::fail("mai_alloc_shape");
  }

  // Without memory there is nothing to do.
  template <class Function, class... Arguments>
  void check_call(Function function, const char *call, Arguments... arguments) const {
    if (Data)
      detail::check(function(Data, arguments...), call);
  }

  template <class Function, class... Arguments>
  mai_moves moves_of(Function function, const char *call, Arguments... arguments) {
    mai_moves moves = {};
    check_call(function, call, arguments..., &moves);
    return moves;
  }

  T *Data = nullptr;
  extents_type Extents = {};
  std::unique_ptr<making> Made; // none: as by default
};

//===-- Memory that exists -------------------------------------------------===//

/// Place elements that the program has, in the memory of a std::vector, say: the pages wholly
/// inside.  They stay where they are in the program's eyes, and its to free; see mai_place() in
/// mai.h, also for what has to be forgotten before it is given back.
template <class T>
void place(T *data, std::size_t count, const policy &where, const char *name = nullptr) {
  if (count > 0)
    detail::check(mai_place(data, count, sizeof(T), where.c_str(), name), "mai_place");
}

/// The same for what has data() and size(): std::vector, std::span, views, ...
template <class Container, class = decltype(std::data(std::declval<Container &>())),
          class = decltype(std::size(std::declval<Container &>()))>
void place(Container &&container, const policy &where, const char *name = nullptr) {
  place(std::data(container), std::size(container), where, name);
}

/// Know no longer of elements that were placed by place().
template <class T> void forget(T *data) { detail::check(mai_forget(data), "mai_forget"); }
template <class Container, class = decltype(std::data(std::declval<Container &>())),
          class = decltype(std::size(std::declval<Container &>()))>
void forget(Container &&container) {
  if (std::size(container) > 0)
    forget(std::data(container));
}

//===-- Functions on nodes -------------------------------------------------===//

/// Run a function on a node, in the calling thread, with the threads of all teams that it opens.
/// @return what the function returns; what it throws is thrown
template <class Function> auto on_node(unsigned node, Function &&function) {
  using Result = std::decay_t<std::invoke_result_t<Function &>>;
  if constexpr (std::is_void_v<Result>) {
    auto call = [&] { function(); };
    void (*run)(void *) = [](void *called) { (*static_cast<decltype(call) *>(called))(); };
    detail::check(mai_on_node(node, run, &call), "mai_on_node");
  } else {
    std::optional<Result> result;
    on_node(node, [&] { result.emplace(function()); });
    return *std::move(result);
  }
}

namespace detail {

// What runs on every node, and what was thrown first.
template <class Function> struct on_every_node {
  Function &Run;
  std::atomic_flag HasFailed = ATOMIC_FLAG_INIT;
  std::exception_ptr Failure = nullptr;

  void run(unsigned node) {
#ifdef __cpp_exceptions
    try {
      Run(node);
    } catch (...) {
      if (!HasFailed.test_and_set())
        Failure = std::current_exception();
    }
#else
    Run(node);
#endif
  }
};

} // namespace detail

/// Run a function on every node with CPUs at the same time, in a thread for each, which may open
/// teams there; it gets the OS index of its node.  When all have ended, what was thrown first is
/// thrown.
template <class Function> void parallel_nodes(Function &&function) {
  detail::on_every_node<std::remove_reference_t<Function>> calls{function};
  void (*run)(unsigned, void *) = [](unsigned node, void *called) {
    static_cast<decltype(calls) *>(called)->run(node);
  };
  detail::check(mai_parallel_nodes(run, &calls), "mai_parallel_nodes");
  if (calls.Failure)
    std::rethrow_exception(calls.Failure);
}

//===-- For standard containers --------------------------------------------===//

namespace detail {

// Containers may ask for nothing, and want an address all the same.
inline void *allocate(std::size_t count, std::size_t size, const policy &where,
                      const mai_options_t &options, const char *name) {
  const std::size_t extent = std::max<std::size_t>(count, 1);
  void *memory = mai_alloc_shape(1, &extent, size, where.c_str(), &options, name);
  if (!memory)
    fail("mai_alloc_shape");
  return memory;
}

} // namespace detail

/// Gives containers memory that is placed by a policy.  What a container allocates anew, as it
/// grows or is copied, is placed by the same policy, which goes along when containers are copied,
/// moved and swapped.  All are equal: any may free what any has allocated.
///
/// Every allocation is an array of its own, of whole pages: for containers of few, large pieces of
/// memory (vector), not for those of many small ones (list, map), which mai::pool_allocator of
/// mai_memory.hpp is for.  A vector's constructor writes
/// all elements on one thread: pages go where the policy says all the same, but for those of
/// first_touch() and local().
template <class T> class allocator {
public:
  using value_type = T;
  using propagate_on_container_copy_assignment = std::true_type;
  using propagate_on_container_move_assignment = std::true_type;
  using propagate_on_container_swap = std::true_type;
  using is_always_equal = std::true_type;

  allocator() noexcept : Where(policy::block()) {}

  /// @param name what reports call what is allocated (copied); nullptr: its address
  allocator(policy where, const char *name = nullptr) : Where(std::move(where)) {
    if (name)
      Name = std::make_shared<const std::string>(name);
  }
  template <class U>
  allocator(const allocator<U> &other) noexcept : Where(other.Where), Name(other.Name) {}

  [[nodiscard]] T *allocate(std::size_t count) {
    if (count > std::numeric_limits<std::size_t>::max() / sizeof(T))
      detail::raise(std::bad_array_new_length());
    const mai_options_t options = detail::options_for<T>(nullptr);
    return static_cast<T *>(detail::allocate(count, sizeof(T), Where, options, name()));
  }
  void deallocate(T *memory, std::size_t) noexcept { mai_free(memory); }

  const policy &where() const noexcept { return Where; }

  /// nullptr: there is none.  It lives as long as an allocator that has it.
  const char *name() const noexcept { return Name ? Name->c_str() : nullptr; }

private:
  template <class U> friend class allocator;

  policy Where;
  std::shared_ptr<const std::string> Name; // shared: copying an allocator must not throw
};

template <class T, class U> bool operator==(const allocator<T> &, const allocator<U> &) noexcept {
  return true;
}
template <class T, class U> bool operator!=(const allocator<T> &, const allocator<U> &) noexcept {
  return false;
}

} // namespace mai

#endif // MAI_HPP
