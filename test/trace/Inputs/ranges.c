/* Copies and fillings of memory of many sizes, known to the compiler and not. */
#include <stdio.h>
#include <string.h>

enum { N = 4096 };
struct record {
  double parts[12];
};

_Alignas(64) char from[N], copied[N], moved[N], filled[N], ended[N], small[N];
_Alignas(64) struct record records[16], others[16];

__attribute__((noinline)) static void of_any_size(size_t size) {
  memcpy(copied, from, size);
  memmove(moved, from, size);
  memset(filled, 1, size);
}

/* Multiples of 8 everywhere: an access for every 8 bytes. */
int main(int count, char **arguments) {
  (void)arguments;
  for (int i = 0; i < 10; i++)
    of_any_size((size_t)(count * 2048));
  memcpy(copied + 2048, from + 2048, 1024);
  memmove(moved + 2048, from + 2048, 1024);
  memset(filled + 2048, 2, 1024);
  for (int i = 0; i < 64; i++) {
    memcpy(small + 64 * i, from + 64 * i, 24);
    memset(small + 64 * i + 32, 3, 24);
  }
  *(char *)__builtin_mempcpy(ended, from, 2048) = 1;
  for (int i = 0; i < 16; i++)
    records[i] = others[i];
  printf("%d\n",
         copied[0] + moved[1] + filled[2] + small[40] + ended[2048] + (int)records[3].parts[4]);
  return 0;
}
