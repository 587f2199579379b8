/* Calls a function of resolver.c. */
#include <stdio.h>

int use(int x);

int main(void) {
  printf("%d\n", use(3));
  return 0;
}
