/* Two loops that end alike: where the second one ends, a compiler may ask for what the first one counted up to. */
#include <stdio.h>

struct part {
  long value;
  char rest[56];
};

static struct part first[1000], second[1000];
static long sum, products[2] = {1, 1};
static void *volatile tables[] = {first, second, &sum, products};
static volatile int threads;

__attribute__((noipa)) static void finish(void) {}

__attribute__((noipa)) static void join(void) {
  void *copies[] = {tables[0], tables[1], tables[2], tables[3]};
  unsigned long n = (unsigned long)threads;
  __asm__ volatile("" : : "r"(copies) : "memory");
  char *at = copies[0];
  for (unsigned long i = 0;;) {
    *(long *)copies[2] += ((struct part *)at)->value;
    at += sizeof(struct part);
    if (++i == n)
      break;
  }
  finish();
  at = copies[1];
  long *product = copies[3];
  for (unsigned long i = 0;;) {
    product[0] *= ((struct part *)at)->value;
    product[1] *= ((struct part *)at)->value;
    at += sizeof(struct part);
    if (++i == n)
      break;
  }
}

int main(void) {
  for (int i = 0; i < 1000; i++)
    second[i].value = 1;
  threads = 3;
  join();
  threads = 1000;
  join();
  printf("%ld %ld %ld\n", sum, products[0], products[1]);
  return 0;
}
