// Thread-local objects with constructors and destructors, and what libstdc++ keeps in such variables.
#include <cstdio>
#include <future>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

static int Destroyed = 0;
static std::mutex Lock;

struct Log {
  std::vector<int> Entries;
  Log() { Entries.push_back(1); }
  ~Log() {
    std::lock_guard<std::mutex> Guard(Lock);
    Destroyed += static_cast<int>(Entries.size());
  }
};

thread_local Log Mine;
static thread_local std::string Name = std::string("thread") + "s";
inline thread_local int Shared = 5;

struct Holder {
  static thread_local long Count;
};
thread_local long Holder::Count = 7;

int main() {
  std::once_flag Once;
  int Calls = 0;
  std::vector<std::thread> Threads;
  for (int I = 0; I < 3; ++I)
    Threads.emplace_back([&, I] {
      thread_local std::vector<double> Inner(10, I);
      std::call_once(Once, [&] { ++Calls; });
      Mine.Entries.resize(Inner.size() + Name.size());
      Holder::Count += I + Shared++;
    });
  for (std::thread &T : Threads)
    T.join();
  auto Later = std::async(std::launch::async, [] { return Holder::Count + Shared; });
  std::printf("%d %d %ld %zu\n", Calls, Destroyed, Later.get(), Mine.Entries.size());
  return 0;
}
