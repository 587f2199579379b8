//===-- mai.hpp - arrays of a NUMA machine, for C++ ------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// C++17 over mai.h, header-only:
//
//     mai::array<double, 2> u({n, m}, "block", "u");     // rows near their threads
//     u(i, j) = 0;
//     for (double &x : u) ...
//
//     std::vector<double, mai::allocator<double>> v(n, mai::policy("cyclic"));
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
#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <limits>
#include <memory>
#include <new>
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

//===-- Arrays -------------------------------------------------------------===//

/// An array of N dimensions that owns its memory, contiguous, the last index running fastest.
/// Elements are zero at first, in pages that come into being where they belong when threads first
/// touch them: nothing is constructed, so T must be a type for which bytes of zero are a value.
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
  using extents_type = std::array<size_type, N>;

  /// No elements.
  array() noexcept = default;

  /// @param name what reports call it; nullptr: its address
  explicit array(const extents_type &extents, const policy &where = policy::block(),
                 const char *name = nullptr, const mai_options_t *options = nullptr)
      : Extents(extents) {
    const mai_options_t for_elements = detail::options_for<T>(options);
    Data = static_cast<T *>(mai_alloc_shape(static_cast<unsigned>(N), extents.data(), sizeof(T),
                                            where.c_str(), &for_elements, name));
    if (!Data)
      detail::fail("mai_alloc_shape");
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
  }
  friend void swap(array &a, array &b) noexcept { a.swap(b); }

  //===-- Elements

  /// One index for each dimension; not checked.
  template <class... Index> reference operator()(Index... index) noexcept {
    return Data[offset(index...)];
  }
  template <class... Index> const_reference operator()(Index... index) const noexcept {
    return Data[offset(index...)];
  }

  /// A vector's element; a row, to be indexed further, of what has more dimensions.  A row stays
  /// the same elements when the array is moved, and ends with them, as iterators do.
  decltype(auto) operator[](size_type i) noexcept { return step<T, N>(Data, Extents.data(), i); }
  decltype(auto) operator[](size_type i) const noexcept {
    return step<const T, N>(Data, Extents.data(), i);
  }

  /// Checked: throws std::out_of_range.
  template <class... Index> reference at(Index... index) { return Data[checked(index...)]; }
  template <class... Index> const_reference at(Index... index) const {
    return Data[checked(index...)];
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
  size_type size() const noexcept {
    size_type product = 1;
    for (size_type extent : Extents)
      product *= extent;
    return product;
  }
  bool empty() const noexcept { return size() == 0; }
  const extents_type &extents() const noexcept { return Extents; }
  size_type extent(size_type dimension) const noexcept { return Extents[dimension]; }
  static constexpr size_type rank() noexcept { return N; }

  /// Change the extent of the first dimension.  Invalidates pointers, iterators and rows.  Throws
  /// EINVAL for an array that has no memory.
  void resize(size_type count) {
    void *moved = mai_realloc(Data, count);
    if (!moved)
      detail::fail("mai_realloc");
    Data = static_cast<T *>(moved);
    Extents[0] = count;
  }

  //===-- Placement; see mai.h for what each does

  mai_moves place(const policy &where) {
    return moves_of(mai_replace, "mai_replace", where.c_str());
  }
  mai_moves place() { return moves_of(mai_replace, "mai_replace", nullptr); }
  mai_moves migrate(unsigned node) { return moves_of(mai_migrate, "mai_migrate", node); }
  mai_moves migrate_rows(size_type first, size_type count, unsigned node) {
    return moves_of(mai_migrate_rows, "mai_migrate_rows", first, count, node);
  }
  mai_moves migrate_columns(size_type first, size_type count, unsigned node) {
    return moves_of(mai_migrate_columns, "mai_migrate_columns", first, count, node);
  }
  void next_touch() { detail::check(mai_next_touch(Data, 0, 0), "mai_next_touch"); }

  void replicate() { detail::check(mai_replicate(Data), "mai_replicate"); }
  const_pointer replica() const {
    const void *copy = mai_replica(Data);
    if (!copy)
      detail::fail("mai_replica");
    return static_cast<const_pointer>(copy);
  }
  void drop_replicas() { detail::check(mai_drop_replicas(Data), "mai_drop_replicas"); }

  mai_pages verify() const {
    mai_pages pages = {};
    detail::check(mai_verify(Data, &pages, nullptr, 0), "mai_verify");
    return pages;
  }
  /// Pages on each node, by OS index.
  std::vector<size_type> pages_per_node(unsigned nodes) const {
    std::vector<size_type> result(nodes);
    mai_pages pages = {};
    detail::check(mai_verify(Data, &pages, result.data(), nodes), "mai_verify");
    return result;
  }
  mai_statistics statistics() const {
    mai_statistics result = {};
    detail::check(mai_get_statistics(Data, &result), "mai_get_statistics");
    return result;
  }

private:
  // Elements from one index to the next, of what has these extents.
  template <std::size_t Rank> static size_type stride(const size_type *extents) noexcept {
    size_type product = 1;
    for (std::size_t i = 1; i < Rank; i++)
      product *= extents[i];
    return product;
  }

  // What is behind the first indices: elements of a part with the last `Rank` dimensions.  Its
  // extents are its own: the array that they are from may be moved meanwhile.
  template <class U, std::size_t Rank> class part {
  public:
    part(U *data, const size_type *extents) noexcept : Data(data) {
      std::copy_n(extents, Rank, Extents.begin());
    }
    decltype(auto) operator[](size_type i) const noexcept {
      return step<U, Rank>(Data, Extents.data(), i);
    }
    U *begin() const noexcept { return Data; }
    U *end() const noexcept { return Data + size(); }
    U *data() const noexcept { return Data; }
    size_type size() const noexcept { return stride<Rank>(Extents.data()) * Extents[0]; }

  private:
    U *Data;
    std::array<size_type, Rank> Extents;
  };

  // What index `i` is of elements with these `Rank` extents: a part, or an element.
  template <class U, std::size_t Rank>
  static decltype(auto) step(U *data, const size_type *extents, size_type i) noexcept {
    U *there = data + i * stride<Rank>(extents);
    if constexpr (Rank == 1)
      return static_cast<U &>(*there);
    else
      return part<U, Rank - 1>(there, extents + 1);
  }

  template <class... Index> size_type offset(Index... index) const noexcept {
    static_assert(sizeof...(Index) == N, "one index for each dimension");
    static_assert((std::is_convertible_v<Index, size_type> && ...), "indices are numbers");
    const size_type indices[] = {static_cast<size_type>(index)...};
    size_type result = indices[0];
    for (std::size_t i = 1; i < N; i++)
      result = result * Extents[i] + indices[i];
    return result;
  }

  template <class... Index> size_type checked(Index... index) const {
    const size_type indices[] = {static_cast<size_type>(index)...};
    for (std::size_t i = 0; i < N; i++)
      if (indices[i] >= Extents[i])
        detail::raise(std::out_of_range("mai::array: index " + std::to_string(indices[i]) +
                                        " of dimension " + std::to_string(i) + ", which has " +
                                        std::to_string(Extents[i])));
    return offset(index...);
  }

  template <class Function, class... Arguments>
  mai_moves moves_of(Function function, const char *call, Arguments... arguments) {
    mai_moves moves = {};
    detail::check(function(Data, arguments..., &moves), call);
    return moves;
  }

  T *Data = nullptr;
  extents_type Extents = {};
};

//===-- For standard containers --------------------------------------------===//

/// Gives containers memory that is placed by a policy.  What a container allocates anew, as it
/// grows or is copied, is placed by the same policy, which goes along when containers are copied,
/// moved and swapped.  All are equal: any may free what any has allocated.
///
/// Every allocation is a mapping of its own, of whole pages: for containers of few, large pieces of
/// memory (vector), not for those of many small ones (list, map).  A vector's constructor writes
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
    const std::size_t extent = std::max<std::size_t>(count, 1);
    const mai_options_t options = detail::options_for<T>(nullptr);
    void *memory = mai_alloc_shape(1, &extent, sizeof(T), Where.c_str(), &options, name());
    if (!memory)
      detail::fail("mai_alloc_shape");
    return static_cast<T *>(memory);
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
