/* A function of megabytes. */
#include <stdio.h>

#if defined(__x86_64__)
#define ADD_OFTEN                                                                                  \
  __asm__ volatile(".rept 400000\n addq $1, %0\n addq $2, %0\n .endr" : "+m"(sum) : : "cc")
#else
#define ADD_OFTEN sum++
#endif

int main(void) {
  long sum = 0;
  for (int i = 0; i < 2000; i++)
    ADD_OFTEN;
  printf("sum %ld\n", sum);
  return 0;
}
