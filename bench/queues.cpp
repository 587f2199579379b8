//===-- queues.cpp - items through a bounded queue --------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
//   queues mai|tbb SENDERS TAKERS CAPACITY ITEMS
//
// Passes pointers from senders to takers through one node's queue, and prints nanoseconds an item:
// of time, and of CPUs' time.
//
//===----------------------------------------------------------------------===//

#include <mai.h>
#include <mai_sharing.h>

#include <sys/resource.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <vector>

#include <tbb/concurrent_queue.h>

namespace {

class MaiQueue {
public:
  explicit MaiQueue(size_t Capacity) : Queue(mai_queue_new(sizeof(void *), Capacity, 0)) {
    mai_list_nodes(&Node, 1);
  }
  ~MaiQueue() { mai_queue_free(Queue); }
  void put(void *Item) { mai_queue_put(Queue, Node, &Item); }
  void *take() {
    void *Item = nullptr;
    mai_queue_take_from(Queue, Node, &Item);
    return Item;
  }

private:
  mai_queue_t *Queue;
  unsigned Node = 0;
};

class TbbQueue {
public:
  explicit TbbQueue(size_t Capacity) { Queue.set_capacity(static_cast<std::ptrdiff_t>(Capacity)); }
  void put(void *Item) { Queue.push(Item); }
  void *take() {
    void *Item = nullptr;
    Queue.pop(Item);
    return Item;
  }

private:
  tbb::concurrent_bounded_queue<void *> Queue;
};

/// Of all threads, in nanoseconds.
double usedTime() {
  rusage Used;
  getrusage(RUSAGE_SELF, &Used);
  return 1e9 * double(Used.ru_utime.tv_sec + Used.ru_stime.tv_sec) +
         1e3 * double(Used.ru_utime.tv_usec + Used.ru_stime.tv_usec);
}

/// A null pointer for each taker ends it. \returns nanoseconds an item
template <class Queue> double measure(Queue &Through, int Senders, int Takers, long Items) {
  std::vector<std::thread> Sending, Taking;
  const auto Begin = std::chrono::steady_clock::now();
  for (int I = 0; I < Takers; ++I)
    Taking.emplace_back([&] {
      while (Through.take())
        ;
    });
  for (int I = 0; I < Senders; ++I)
    Sending.emplace_back([&] {
      for (long Item = 0; Item < Items / Senders; ++Item)
        Through.put(&Through);
    });
  for (std::thread &Each : Sending)
    Each.join();
  for (int I = 0; I < Takers; ++I)
    Through.put(nullptr);
  for (std::thread &Each : Taking)
    Each.join();
  const std::chrono::duration<double, std::nano> Time = std::chrono::steady_clock::now() - Begin;
  return Time.count() / double(Items);
}

} // namespace

int main(int Count, char **Arguments) {
  if (Count != 6) {
    std::fprintf(stderr, "usage: queues mai|tbb SENDERS TAKERS CAPACITY ITEMS\n");
    return 2;
  }
  const int Senders = std::atoi(Arguments[2]), Takers = std::atoi(Arguments[3]);
  const auto Capacity = static_cast<size_t>(std::atol(Arguments[4]));
  const long Items = std::atol(Arguments[5]);
  double Time = 0;
  const double Before = usedTime();
  if (std::strcmp(Arguments[1], "mai") == 0) {
    MaiQueue Queue(Capacity);
    Time = measure(Queue, Senders, Takers, Items);
  } else {
    TbbQueue Queue(Capacity);
    Time = measure(Queue, Senders, Takers, Items);
  }
  std::printf("%.2f %.2f\n", Time, (usedTime() - Before) / double(Items));
}
