/* Accesses to the thread's segment by offsets in it, which an address space has. */
#include <asm/prctl.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifdef __SEG_FS
static int __seg_fs *const nothing = 0;
_Thread_local int values[8] = {3, 1, 4, 1, 5, 9, 2, 6};

/* The thread's own address is at the segment's start. */
static char *segment(void) { return *(char *__seg_fs *)nothing; }

__attribute__((noipa)) static int read_at(int __seg_fs *place, int i) { return place[i]; }
__attribute__((noipa)) static void write_at(int __seg_fs *place, int value) { *place = value; }

/* The other segment begins where the program says, here at an array. */
static long others[64] = {5, 8};

__attribute__((noipa)) static long use_other(long __seg_gs *place, int i) {
  static volatile long __seg_gs *const second = (volatile long __seg_gs *)sizeof(long);
  place[i] += *second;
  *second = place[i - 1] * 2;
  return place[i] + *second;
}

int main(void) {
  syscall(SYS_arch_prctl, ARCH_SET_GS, others);
  long offset = (char *)values - segment();
  int __seg_fs *place = (int __seg_fs *)offset;
  volatile int __seg_fs *again = place;
  write_at(place + 1, 7);
  again[2] += again[3];
  int sum = 0;
  for (int i = 0; i < 8; i++)
    sum += read_at(place, i) * 10 + place[i];
  volatile int *by_name = (volatile int *)((char *)__builtin_thread_pointer() + offset);
  long last = use_other((long __seg_gs *)0, 7);
  printf("%d %d %ld %ld %ld\n", sum, by_name[1] + by_name[2], last, others[1], others[7]);
  return 0;
}
#else
int main(void) { puts("no address spaces"); }
#endif
