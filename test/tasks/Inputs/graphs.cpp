//===-- graphs.cpp - random graphs of tasks, which check themselves -------------------------------===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------------------------------===//
//
// graphs FIRST COUNT [detached]: runs the graphs of the numbers FIRST to FIRST + COUNT - 1 and prints what each computes,
// which depends on nothing but its number.  A graph consists of tasks of all kinds that make tasks, wait for children, for
// groups, for nothing, and reduce; after each wait it is checked that what it waits for is done.  Detached tasks are among
// them only where that is asked for.
//
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <omp.h>
#include <stdexcept>

extern "C" int mai_task_on(unsigned node) __attribute__((weak));
extern "C" int mai_task_near(const void *memory, size_t bytes) __attribute__((weak));

namespace {

std::atomic<long> Total;  // of tasks that nobody waits for
std::atomic<long> Living; // objects
std::atomic<bool> Failed;
omp_lock_t Second;
bool WithDetached;

void check(bool Right, const char *What) {
  if (!Right && !Failed.exchange(true))
    std::fprintf(stderr, "wrong: %s\n", What);
}

uint64_t mix(uint64_t State) {
  State += UINT64_C(0x9e3779b97f4a7c15);
  State = (State ^ State >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  State = (State ^ State >> 27) * UINT64_C(0x94d049bb133111eb);
  return State ^ State >> 31;
}

class Random {
public:
  explicit Random(uint64_t Seed) : State(Seed) {}
  uint64_t next() { return State = mix(State); }
  unsigned below(unsigned Limit) { return unsigned(next() % Limit); }

private:
  uint64_t State;
};

// What a task gets by its copy constructor, and must destroy.
class Object {
public:
  explicit Object(uint64_t Value) : Value(Value), Self(this) { ++Living; }
  Object(const Object &Other) : Value(Other.Value), Self(this) { ++Living; }
  Object &operator=(const Object &) = delete;
  ~Object() { --Living; }
  uint64_t value() const {
    check(Self == this, "an object has been copied byte by byte");
    return Value;
  }

private:
  uint64_t Value;
  const Object *Self;
};

long work(uint64_t Seed, int Depth);

struct Child {
  uint64_t Seed;
  int Depth;
  long *Slot; // null: nobody waits
};

void finish(const Child &Made) {
  long Result = work(Made.Seed, Made.Depth);
  if (Made.Slot)
    __atomic_store_n(Made.Slot, Result, __ATOMIC_RELAXED);
  else
    Total += Result;
}

void maybeSayHome(uint64_t Seed) {
  if (mai_task_on && Seed % 3 == 1)
    mai_task_on(unsigned(Seed / 3 % 2));
  if (mai_task_near && Seed % 3 == 2)
    mai_task_near(&Seed, sizeof Seed);
}

// LLVM's run-time may wait for ever where tasks yield.
void yieldToOthers() {
#ifndef __clang__
#pragma omp taskyield
#endif
}

// A tied task goes on in the thread in which it began.
void stayAfterYield() {
  int Thread = omp_get_thread_num();
  yieldToOthers();
  check(Thread == omp_get_thread_num(), "a tied task has gone to another thread");
}

// What a task sets is inherited by those that it makes from then on, and nobody else's.
void finishWithSetting(const Child &Made) {
  int Before = omp_get_max_threads(), Set = 2 + int(Made.Seed % 3);
  omp_set_num_threads(Set);
  std::atomic<bool> Inherited{false};
#pragma omp task shared(Inherited) firstprivate(Set)
  Inherited = omp_get_max_threads() == Set;
#pragma omp taskwait
  check(Inherited, "a setting has not been inherited");
  check(omp_get_max_threads() == Set, "a setting has not been kept");
  finish(Made);
  omp_set_num_threads(Before);
}

void makeDetached(const Child &Made) {
  omp_event_handle_t Event{};
#pragma omp task detach(Event) firstprivate(Made)
  {
    omp_fulfill_event(Event);
    finish(Made);
  }
}

// Makes a task of any kind.
void spawn(Child Made) {
  enum { BIG = 500 };
  char Big[BIG];
  Object Copied(Made.Seed);
  [[maybe_unused]] long *Slot = Made.Slot; // for the clause depend
  Random Draw(Made.Seed ^ 77);
  maybeSayHome(Draw.next());
  switch (Draw.below(16)) {
  case 0:
#pragma omp task untied firstprivate(Made)
    finish(Made);
    break;
  case 1:
#pragma omp task if (0) firstprivate(Made)
    finish(Made);
    break;
  case 2:
#pragma omp task final(1) firstprivate(Made)
  {
    check(omp_in_final(), "a final task is none");
    finish(Made);
  } break;
  case 3:
#pragma omp task mergeable firstprivate(Made)
    finish(Made);
    break;
  case 4:
#pragma omp task priority(1) firstprivate(Made)
    finish(Made);
    break;
  case 5:
#pragma omp task depend(inout : Slot[0 : 1]) firstprivate(Made)
    finish(Made);
    break;
  case 6:
#pragma omp task firstprivate(Made, Copied)
  {
    check(Copied.value() == Made.Seed, "an object of a task");
    finish(Made);
  } break;
  case 7:
    std::memset(Big, int(Made.Seed & 127), sizeof Big);
#pragma omp task firstprivate(Made, Big)
    {
      check(Big[0] == int(Made.Seed & 127) && Big[BIG - 1] == Big[0], "an array of a task");
      finish(Made);
    }
    break;
  case 8:
#pragma omp task firstprivate(Made)
    try {
      finish(Made);
      throw std::runtime_error("thrown");
    } catch (const std::runtime_error &) {
    }
    break;
  case 9: // waits for nobody but itself
#pragma omp task if (0) depend(out : Copied) firstprivate(Made)
    finish(Made);
    break;
  case 10:
#pragma omp task untied firstprivate(Made, Copied)
  {
    yieldToOthers();
    check(Copied.value() == Made.Seed, "an object of an untied task");
    finish(Made);
    yieldToOthers();
  } break;
  case 11:
#pragma omp task firstprivate(Made)
  {
    stayAfterYield();
    finish(Made);
    stayAfterYield();
  } break;
  case 12:
#pragma omp task firstprivate(Made)
    finishWithSetting(Made);
    break;
  case 13:
    if (WithDetached) {
      makeDetached(Made);
      break;
    }
    [[fallthrough]];
  default:
#pragma omp task affinity(Big[0 : BIG]) firstprivate(Made)
    finish(Made);
  }
}

enum { MOST = 5 };

long sum(const long *Slots, unsigned Count, const char *What) {
  long Result = 0;
  for (unsigned I = 0; I < Count; I++) {
    long Slot = __atomic_load_n(&Slots[I], __ATOMIC_RELAXED);
    check(Slot != 0, What);
    Result = Result * 3 + Slot;
  }
  return Result;
}

void spawnAll(Random &Draw, int Depth, long *Slots, unsigned Count) {
  for (unsigned I = 0; I < Count; I++)
    spawn({Draw.next(), Depth - 1, Slots + I});
}

long waitForChildren(Random &Draw, int Depth) {
  long Slots[MOST] = {};
  unsigned Count = Draw.below(MOST + 1);
  spawnAll(Draw, Depth, Slots, Count);
#pragma omp taskwait
  return sum(Slots, Count, "a child has not ended");
}

// Some before the group, some in it, of which some have children that nobody else waits for.
long waitForGroup(Random &Draw, int Depth) {
  long Slots[MOST] = {}, Grandchildren[MOST] = {};
  unsigned Before = Draw.below(3);
  spawnAll(Draw, Depth, Slots, Before);
#pragma omp taskgroup
  {
    for (unsigned I = 0; I < MOST; I++) {
      uint64_t Seed = Draw.next();
      long *Slot = &Grandchildren[I];
#pragma omp task firstprivate(Seed, Depth, Slot)
      spawn({Seed, Depth - 2, Slot});
    }
    spawnAll(Draw, Depth, Slots + Before, MOST - Before);
  }
  long Result = sum(Grandchildren, MOST, "a grandchild of the group has not ended");
  Result += sum(Slots + Before, MOST - Before, "a task of the group has not ended");
#pragma omp taskwait
  return Result + sum(Slots, Before, "a child before the group has not ended");
}

long waitForNobody(Random &Draw, int Depth) {
  for (unsigned I = Draw.below(MOST); I > 0; I--)
    spawn({Draw.next(), Depth - 1, nullptr});
  return 0;
}

long reduceInGroup(Random &Draw, int Depth) {
  long Sum = 0;
#pragma omp taskgroup task_reduction(+ : Sum)
  for (unsigned I = 0; I < MOST; I++) {
    uint64_t Seed = Draw.next();
    maybeSayHome(Seed);
#pragma omp task in_reduction(+ : Sum) firstprivate(Seed, Depth)
    Sum += work(Seed, Depth - 2);
  }
  return Sum;
}

long runLoops(Random &Draw, int Depth) {
  long Sum = 0, Last = 0, Count = Draw.below(40), Grain = 1 + Draw.below(7);
  uint64_t Seed = Draw.next();
  std::atomic<long> Runs{0};
#pragma omp taskloop reduction(+ : Sum) grainsize(Grain) firstprivate(Seed)
  for (long I = 0; I < Count; I++)
    Sum += long(mix(Seed + uint64_t(I)) >> 8);
#pragma omp taskloop num_tasks(Grain) lastprivate(Last) firstprivate(Seed) shared(Runs)
  for (long I = Count; I > -Count; I -= 3) {
    Last = I;
    spawn({Seed + uint64_t(I), Depth - 2, nullptr});
    ++Runs;
  }
  check(Runs == (2 * Count + 2) / 3, "iterations of a loop");
#pragma omp taskloop nogroup if (Seed % 2) shared(Total)
  for (unsigned long long I = 3; I < 60; I += 7)
    Total += long(I);
#pragma omp taskwait
  return Sum + Last;
}

// Each task needs what those before it have made of its number.
long runInOrder(Random &Draw, int Depth) {
  enum { NUMBERS = 3, TASKS = 12 };
  long Numbers[NUMBERS] = {1, 2, 3}, Read = 0;
  for (int I = 0; I < TASKS; I++) {
    uint64_t Seed = Draw.next();
    long *To = &Numbers[Seed % NUMBERS], *From = &Numbers[Seed / NUMBERS % NUMBERS];
    maybeSayHome(Seed);
    if (To == From) {
#pragma omp task depend(inout : To[0 : 1]) firstprivate(To, Seed)
      *To = *To * 5 + long(Seed >> 20);
    } else if (Seed / 16 % 4 == 0) {
#pragma omp task depend(mutexinoutset : To[0 : 1]) untied firstprivate(To, Seed)
      *To += long(Seed >> 21);
    } else {
#pragma omp task depend(in : From[0 : 1]) depend(inout : To[0 : 1])                                \
    firstprivate(To, From, Seed, Depth)
      *To = *To * 3 + *From + work(Seed, Depth - 3);
    }
  }
#pragma omp taskwait depend(in : Numbers[0 : 1])
  Read = Numbers[0];
#pragma omp taskwait
  check(Read == Numbers[0], "a task that was waited for has not ended");
  return Numbers[0] + 3 * Numbers[1] + 7 * Numbers[2];
}

// Where it is allowed to cancel, one of the tasks does so: it has run, whatever the others have done.
long searchInGroup(Random &Draw) {
  enum { TASKS = 24 };
  unsigned Wanted = Draw.below(TASKS);
  std::atomic<long> Found{-1}, Looked{0};
#pragma omp taskgroup
  for (unsigned I = 0; I < TASKS; I++) {
#pragma omp task shared(Found, Looked) firstprivate(I, Wanted)
    {
#pragma omp cancellation point taskgroup
      ++Looked;
      if (I == Wanted) {
        Found = long(I);
#pragma omp cancel taskgroup
      }
    }
  }
  check(Found == long(Wanted), "what was looked for has not been found");
  check(omp_get_cancellation() || Looked == TASKS, "a task has been left out");
  return Found;
}

// Tasks of tasks reduce what the outermost of two groups reduces, and a loop does.
long reduceByAll(Random &Draw, int Depth) {
  long Sum = 0, Product = 1;
  uint64_t Seed = Draw.next();
#pragma omp taskgroup task_reduction(+ : Sum) task_reduction(* : Product)
  {
#pragma omp task in_reduction(+ : Sum) in_reduction(* : Product) firstprivate(Seed, Depth)
    {
      Product *= 3;
      for (int I = 0; I < 3; I++) {
#pragma omp task in_reduction(+ : Sum) firstprivate(Seed, Depth, I)
        Sum += work(Seed + uint64_t(I), Depth - 3);
      }
    }
#pragma omp taskloop in_reduction(* : Product) num_tasks(3) collapse(2) untied
    for (int I = 0; I < 3; I++)
      for (int J = 0; J < 2; J++)
        Product *= 5;
#pragma omp taskloop simd in_reduction(+ : Sum) firstprivate(Seed) priority(1) mergeable
    for (int I = 0; I < 50; I++)
      Sum += long(Seed % 97) + I;
  }
  return Sum + Product;
}

long throwAway(Random &Draw, int Depth) {
  long Slots[MOST] = {};
  try {
    spawnAll(Draw, Depth, Slots, MOST);
#pragma omp taskwait
    throw sum(Slots, MOST, "a child has not ended before the throw");
  } catch (long Result) {
    return Result;
  }
}

long runInnerTeam(Random &Draw, int Depth) {
  long Slots[MOST] = {};
  spawnAll(Draw, Depth, Slots, 2);
#pragma omp parallel num_threads(2) shared(Slots, Draw)
#pragma omp single
  spawnAll(Draw, Depth - 1, Slots + 2, MOST - 2);
  long Result = sum(Slots + 2, MOST - 2, "a task of an inner team has not ended");
#pragma omp taskwait
  return Result + sum(Slots, 2, "a child has not ended after an inner team");
}

// A child's child needs what its grandparent or its parent's sibling holds while that waits for its own children alone.
// A thread of LLVM's run-time that waits for children may run the children's children as well: there it is only computed.
#ifdef __clang__
long holdLock(Random &Draw) {
  uint64_t Seed = Draw.next();
  for (int Shift = 8; Shift <= 10; Shift++)
    Total += long(mix(Seed) >> Shift);
  return 0;
}
#else
long holdLock(Random &Draw) {
  omp_lock_t *Lock = new omp_lock_t;
  omp_init_lock(Lock);
  omp_set_lock(Lock);
  uint64_t Seed = Draw.next();
#pragma omp task firstprivate(Lock, Seed)
  {
#pragma omp task firstprivate(Lock, Seed)
    {
      omp_set_lock(Lock);
      Total += long(mix(Seed) >> 8);
      omp_unset_lock(Lock);
      omp_destroy_lock(Lock);
      delete Lock;
    }
#pragma omp task firstprivate(Seed)
    {
      omp_set_lock(&Second);
      Total += long(mix(Seed) >> 9);
      omp_unset_lock(&Second);
    }
  }
#pragma omp task firstprivate(Seed)
  {
    omp_set_lock(&Second);
#pragma omp task firstprivate(Seed)
    Total += long(mix(Seed) >> 10);
#pragma omp taskwait
    omp_unset_lock(&Second);
  }
#pragma omp taskwait
  omp_unset_lock(Lock);
  return 0;
}
#endif

long work(uint64_t Seed, int Depth) {
  Random Draw(Seed);
  long Result = long(mix(Seed) >> 8 | 1);
  if (Depth <= 0)
    return Result;
  switch (Draw.below(13)) {
  case 0:
    return Result + 2 * waitForGroup(Draw, Depth);
  case 1:
    return Result + 2 * waitForNobody(Draw, Depth);
  case 2:
    return Result + 2 * reduceInGroup(Draw, Depth);
  case 3:
    return Result + 2 * runLoops(Draw, Depth);
  case 4:
    return Result + 2 * throwAway(Draw, Depth);
  case 5:
    return Result + 2 * runInnerTeam(Draw, Depth);
  case 6:
    return Result + 2 * runInOrder(Draw, Depth);
  case 7:
    return Result + 2 * searchInGroup(Draw);
  case 8:
    return Result + 2 * reduceByAll(Draw, Depth);
  default:
    return Result + 2 * waitForChildren(Draw, Depth);
  }
}

// One thread makes the first task, or all do, or the iterations of a loop that reduces.
long runGraph(uint64_t Seed) {
  long Sum = 0;
  int Depth = 4;
  switch (Seed % 4) {
  case 0:
#pragma omp parallel reduction(+ : Sum)
#pragma omp single nowait
    Sum += work(Seed, Depth + 1);
    break;
  case 1:
#pragma omp parallel num_threads(3) reduction(+ : Sum)
    Sum += work(mix(Seed) + uint64_t(omp_get_thread_num()), Depth);
    break;
  case 2:
#pragma omp parallel num_threads(4)
  {
    spawn({mix(Seed) + uint64_t(omp_get_thread_num()), Depth - 2, nullptr});
#pragma omp for reduction(task, + : Sum) schedule(dynamic)
    for (int I = 0; I < 6; I++) {
      uint64_t Inner = mix(Seed + uint64_t(I));
#pragma omp task in_reduction(+ : Sum) firstprivate(Inner, Depth)
      Sum += work(Inner, Depth - 1);
    }
    spawn({mix(Seed) + 9 + uint64_t(omp_get_thread_num()), Depth - 2, nullptr});
  } break;
  default:
#pragma omp parallel reduction(+ : Sum)
#pragma omp single
  {
    Random Draw(Seed);
    Sum += holdLock(Draw) + work(Seed, Depth);
    for (unsigned I = 0; I < 300; I++)
      spawn({Draw.next(), int(I % 3), nullptr});
  }
  }
  return Sum;
}

} // namespace

int main(int Count, char **Arguments) {
  if (Count != 3 && Count != 4)
    return 2;
  WithDetached = Count == 4;
  uint64_t First = std::strtoull(Arguments[1], nullptr, 10);
  uint64_t End = First + std::strtoull(Arguments[2], nullptr, 10);
  omp_set_max_active_levels(2);
  omp_init_lock(&Second);
  for (uint64_t Seed = First; Seed < End; Seed++) {
    Total = 0;
    long Sum = runGraph(Seed);
    check(Living == 0, "an object has not been destroyed");
    std::printf("%llu: %ld %ld\n", (unsigned long long)Seed, Sum, Total.load());
    if (Failed)
      return 1;
  }
  omp_destroy_lock(&Second);
}
