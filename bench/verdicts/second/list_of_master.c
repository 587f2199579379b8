/* The first thread allocates all members of the threads' lists, one by one, in turn.

   verdict: placement member
   cure: thread|#pragma
 */
#include <stdlib.h>

enum { LISTS = 8, LENGTH = 1000, ROUNDS = 10 };
struct member {
  struct member *next;
  double value[7];
};
static struct member *lists[LISTS];

int main(void) {
#ifdef CURED
#pragma omp parallel for schedule(static, 1)
  for (int list = 0; list < LISTS; list++)
    for (int k = 0; k < LENGTH; k++) {
#else
  for (int k = 0; k < LENGTH; k++)
    for (int list = 0; list < LISTS; list++) {
#endif
      struct member *member = malloc(sizeof *member);
      member->value[0] = k;
      member->next = lists[list];
      lists[list] = member;
    }
  for (int round = 0; round < ROUNDS; round++)
#pragma omp parallel for schedule(static, 1)
    for (int list = 0; list < LISTS; list++)
      for (struct member *member = lists[list]; member; member = member->next)
        member->value[1] += member->value[0];
  return lists[1]->value[1] < 0;
}
