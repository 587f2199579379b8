// Threads of std::thread and pthreads that join groups one after the other: which CPU each gets, and whether its mask has no other.
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <mai.h>
#include <mai_sharing.h>
#include <pthread.h>
#include <sched.h>
#include <thread>

struct Joining {
  unsigned Group;
  int Node;
  unsigned Flags;
  int Cpu;
};

static int countCpus() {
  cpu_set_t Mask;
  sched_getaffinity(0, sizeof Mask, &Mask);
  return CPU_COUNT(&Mask);
}

// At the start, when a run-time of OpenMP has bound the first thread where it was asked to.
static const int CpusOfProcess = countCpus();

static void join(Joining &It) {
  It.Cpu = mai_pin_group(It.Group, It.Node, It.Flags);
  cpu_set_t Mask;
  sched_getaffinity(0, sizeof Mask, &Mask);
  if (It.Cpu >= 0 &&
      (CPU_COUNT(&Mask) != 1 || !CPU_ISSET(It.Cpu, &Mask) || sched_getcpu() != It.Cpu))
    std::abort();
}

static void *joinByPthread(void *Argument) {
  join(*static_cast<Joining *>(Argument));
  // What it makes has the CPUs of the process.
  std::thread([] {
    if (countCpus() != CpusOfProcess)
      std::abort();
  }).join();
  return nullptr;
}

static void say(unsigned Group, int Node, unsigned Flags, unsigned Threads) {
  std::printf("group %u, node %d%s:", Group, Node, Flags & MAI_PIN_APART ? ", apart" : "");
  for (unsigned I = 0; I < Threads; I++) {
    Joining It = {Group, Node, Flags, 0};
    if (I % 2) {
      pthread_t Thread;
      pthread_create(&Thread, nullptr, joinByPthread, &It);
      pthread_join(Thread, nullptr);
    } else {
      std::thread(join, std::ref(It)).join();
    }
    std::printf(" %d", It.Cpu);
  }
  std::puts("");
}

static void refuse(unsigned Flags, int Node) {
  const int Result = mai_pin_group(0, Node, Flags);
  std::printf("refused %d%s\n", Result,
              errno == EINVAL   ? " EINVAL"
              : errno == ENODEV ? " ENODEV"
              : errno == EBUSY  ? " EBUSY"
                                : "");
}

int main(int Count, char **Arguments) {
  for (int I = 1; I + 3 < Count; I += 4)
    say(unsigned(std::atoi(Arguments[I])), std::atoi(Arguments[I + 1]),
        unsigned(std::atoi(Arguments[I + 2])), unsigned(std::atoi(Arguments[I + 3])));
  refuse(2, 0);
  refuse(0, -2);
  refuse(0, 4096);
}
