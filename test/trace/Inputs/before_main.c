/* Runs before main(), before constructors and libraries. */
#include <stdio.h>

_Alignas(64) static double early[1024], later[1024];

static void run_first(int count, char **arguments, char **environment) {
  (void)arguments;
  (void)environment;
  for (int i = 0; i < 1024; i++)
    early[i] = count;
}

__attribute__((section(".preinit_array"), used)) static void (*const first)(int, char **,
                                                                            char **) = run_first;

__attribute__((constructor(101))) static void construct(void) {
  for (int i = 0; i < 1024; i++)
    later[i] = early[i] + 1;
}

int main(void) {
  int sum = 0;
  for (int i = 0; i < 1024; i++)
    sum += (int)later[i];
  printf("%d\n", sum + (1 << sum % 3));
  return 0;
}
