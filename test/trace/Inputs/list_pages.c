/* Uses blocks of one place, which begin anywhere in a page; each page is on the node of the thread that has most of it. */
#include <omp.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { Page = 4096, Pages = 16, Bytes = Pages * Page };

static __attribute__((noinline)) char *make(void) {
  char *block = malloc(Bytes);
  return block;
}

/* It begins there in its page: what is large comes from the end of the heap. */
static char *make_at(uintptr_t offset) {
  enum { Header = 8, Large = 24 * Page };
  uintptr_t last = (uintptr_t)malloc(Large - Header) + Large;
  if (!malloc((offset - last) % Page + Large - Header))
    abort();
  char *block = make();
  if ((uintptr_t)block % Page != offset)
    abort();
  return block;
}

static int owner(long offset) { return offset < 0 ? 0 : (int)(offset / Page % 2); }

static void place(char *block) {
  memset(block, 1, Bytes);
  for (uintptr_t page = (uintptr_t)block / Page * Page; page < (uintptr_t)block + Bytes;
       page += Page) {
    void *address = (void *)page;
    int node = owner((long)(page + Page / 2 - (uintptr_t)block)), status;
    syscall(SYS_move_pages, 0, 1UL, &address, &node, &status, 2 /* MPOL_MF_MOVE */);
  }
}

static void use(char *block) {
  for (int times = 0; times < 20; times++)
#pragma omp parallel num_threads(2)
    for (long i = 0; i < Bytes; i += 64)
      if (owner(i) == omp_get_thread_num())
        block[i]++;
}

int main(void) {
  for (uintptr_t at = 16; at < Page; at += 3200) {
    char *block = make_at(at);
    place(block);
    use(block);
    free(block);
    if (!malloc(Bytes)) /* where it was */
      abort();
  }
}
