//===-- mai_memory.hpp - placed memory for small pieces ---------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// C++17 over mai.hpp: memory by a policy for std::pmr, and for containers whose nodes are small.
//
//     mai::memory_resource near("bind 1", "near");
//     std::pmr::monotonic_buffer_resource arena(&near);
//     std::pmr::vector<double> v(n, &arena);
//
//     std::list<int, mai::pool_allocator<int>> l(mai::policy("bind 1"));
//
// Errors and threads: as mai.hpp.
//
//===----------------------------------------------------------------------===//
#ifndef MAI_MEMORY_HPP
#define MAI_MEMORY_HPP

#include <limits>
#include <memory>
#include <memory_resource>
#include <new>
#include <string>
#include <type_traits>
#include <utility>

#include "mai.hpp"

namespace mai {

/// Memory that is placed by a policy, for containers of std::pmr, and for its pools and arenas:
/// each piece is an array of its own.  Only what is from the same resource is freed by it, so that
/// a container that is assigned from one of another resource copies, and keeps its place.
class memory_resource : public std::pmr::memory_resource {
public:
  /// @param name what reports call its arrays (copied); nullptr: their addresses
  explicit memory_resource(policy where = policy::block(), const char *name = nullptr)
      : Where(std::move(where)), HasName(name), Name(name ? name : "") {}
  memory_resource(const memory_resource &) = delete;
  memory_resource &operator=(const memory_resource &) = delete;

  const policy &where() const noexcept { return Where; }

  /// nullptr: there is none.
  const char *name() const noexcept { return HasName ? Name.c_str() : nullptr; }

private:
  void *do_allocate(std::size_t bytes, std::size_t alignment) override {
    const mai_options_t options = {alignment > detail::least_alignment ? alignment : 0,
                                   MAI_HUGE_DEFAULT};
    return detail::allocate(bytes, 1, Where, options, name());
  }
  void do_deallocate(void *memory, std::size_t, std::size_t) override { mai_free(memory); }
  bool do_is_equal(const std::pmr::memory_resource &other) const noexcept override {
    return this == &other;
  }

  policy Where;
  bool HasName;
  std::string Name;
};

namespace detail {

/// Pools of pieces of each size, for each thread its own, on arrays that grow with them.
struct pool {
  pool(policy where, const char *name) : Arrays(std::move(where), name), Pools(&Arrays) {}

  memory_resource Arrays;
  std::pmr::synchronized_pool_resource Pools;
};

} // namespace detail

/// Gives containers of many small pieces (list, map, unordered_map) memory that is placed by a
/// policy: from a pool that an allocator shares with its copies, as containers that are copied,
/// moved and swapped do.  What is freed stays with the pool for the next; the pool's memory is
/// given back when its last allocator has ended.
///
/// By default pieces lie near the thread that asks for them.
template <class T> class pool_allocator {
public:
  using value_type = T;
  using propagate_on_container_copy_assignment = std::true_type;
  using propagate_on_container_move_assignment = std::true_type;
  using propagate_on_container_swap = std::true_type;
  using is_always_equal = std::false_type;

  /// A new pool.
  /// @param name what reports call its arrays (copied); nullptr: their addresses
  pool_allocator(policy where = policy::local(), const char *name = nullptr)
      : Pool(std::make_shared<detail::pool>(std::move(where), name)) {}

  // Moved ones have to stay as they were: they are copied.
  pool_allocator(const pool_allocator &) noexcept = default;
  pool_allocator &operator=(const pool_allocator &) noexcept = default;
  template <class U> pool_allocator(const pool_allocator<U> &other) noexcept : Pool(other.Pool) {}

  [[nodiscard]] T *allocate(std::size_t count) {
    if (count > std::numeric_limits<std::size_t>::max() / sizeof(T))
      detail::raise(std::bad_array_new_length());
    return static_cast<T *>(Pool->Pools.allocate(count * sizeof(T), alignof(T)));
  }
  void deallocate(T *memory, std::size_t count) noexcept {
    Pool->Pools.deallocate(memory, count * sizeof(T), alignof(T));
  }

  const policy &where() const noexcept { return Pool->Arrays.where(); }
  const char *name() const noexcept { return Pool->Arrays.name(); }

  /// Whether one may free what the other has allocated.
  template <class U> bool operator==(const pool_allocator<U> &other) const noexcept {
    return Pool == other.Pool;
  }
  template <class U> bool operator!=(const pool_allocator<U> &other) const noexcept {
    return Pool != other.Pool;
  }

private:
  template <class U> friend class pool_allocator;

  std::shared_ptr<detail::pool> Pool;
};

} // namespace mai

#endif // MAI_MEMORY_HPP
