/* A hash table with open addressing: each thread has a part of the slots, clears it, and looks up
   and inserts there.

   verdict: none
 */
#include <omp.h>

enum { THREADS = 8, PART = 1 << 14, LOOKUPS = 60000 };

static struct slot {
  unsigned long key, value;
} slots[THREADS * PART];

static struct slot *find(struct slot *part, unsigned long key) {
  unsigned long at = key * 0x9e3779b97f4a7c15U >> 50;
  while (part[at].key != 0 && part[at].key != key)
    at = (at + 1) % PART;
  return &part[at];
}

int main(void) {
  unsigned long all = 0;
#pragma omp parallel num_threads(THREADS) reduction(+ : all)
  {
    struct slot *part = slots + omp_get_thread_num() * PART;
    for (int i = 0; i < PART; i++)
      part[i] = (struct slot){0, 0};
    unsigned long random = (unsigned long)omp_get_thread_num() + 1;
    for (int i = 0; i < LOOKUPS; i++) {
      random = random * 6364136223846793005U + 1442695040888963407U;
      struct slot *slot = find(part, 1 + (random >> 40) % (PART / 2));
      slot->key = 1 + (random >> 40) % (PART / 2);
      all += slot->value++;
    }
  }
  return all == 1;
}
