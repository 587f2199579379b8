// Threads that name themselves, are named by others, have no name, and get another name: on how many CPUs each may run, and on which.
#include <cstdio>
#include <pthread.h>
#include <sched.h>
#include <semaphore>
#include <thread>

static void say(const char *What) {
  cpu_set_t Mask;
  sched_getaffinity(0, sizeof Mask, &Mask);
  std::printf("%s:", What);
  for (int Cpu = 0; Cpu < CPU_SETSIZE && CPU_COUNT(&Mask) == 1; Cpu++)
    if (CPU_ISSET(Cpu, &Mask))
      std::printf(" %d", Cpu);
  std::puts(CPU_COUNT(&Mask) == 1 ? "" : " any");
}

static void nameSelf(const char *Name) {
  std::thread([=] {
    pthread_setname_np(pthread_self(), Name);
    say(Name);
  }).join();
}

static void nameOther(const char *Name) {
  std::binary_semaphore Named(0);
  std::thread Other([&] {
    Named.acquire();
    say(Name);
  });
  pthread_setname_np(Other.native_handle(), Name);
  Named.release();
  Other.join();
}

int main() {
  nameSelf("rank-0");
  nameOther("rank-1");
  nameSelf("rank-2");
  nameSelf("other");
  nameOther("hash");
  std::thread([] {
    pthread_setname_np(pthread_self(), "rank-3");
    say("first name");
    pthread_setname_np(pthread_self(), "rank-3: busy");
    say("second name");
    pthread_setname_np(pthread_self(), "hash");
    say("third name");
  }).join();
  say("main");
}
