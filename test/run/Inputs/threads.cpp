// Says on how many CPUs threads may run: of std::thread, the first, and of OpenMP.
#include <cstdio>
#include <sched.h>
#include <thread>

static void say(const char *what) {
  cpu_set_t mask;
  sched_getaffinity(0, sizeof mask, &mask);
  std::printf("%s: %d\n", what, CPU_COUNT(&mask));
}

int main() {
  for (int i = 0; i < 2; i++)
    std::thread(say, "thread").join();
  say("first");
#pragma omp parallel num_threads(2)
#pragma omp critical
  say("team");
}
