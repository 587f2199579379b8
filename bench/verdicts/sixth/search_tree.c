/* One thread builds a search tree in an array, once; all threads look up random keys in it.

   verdict: contention tree
   cure: replicate
 */
enum { LEVELS = 15, NODES = (1 << LEVELS) - 1, LOOKUPS = 40000 };

static struct node {
  int key;
  float payload[7];
} tree[NODES];
static float results[LOOKUPS];

static int build(int node, int next) {
  if (node >= NODES)
    return next;
  next = build(2 * node + 1, next);
  tree[node].key = next;
  tree[node].payload[0] = (float)next;
  return build(2 * node + 2, next + 1);
}

int main(void) {
  build(0, 0);
#pragma omp parallel for schedule(static)
  for (int i = 0; i < LOOKUPS; i++) {
    const int key = (int)((unsigned)i * 2654435761U % NODES);
    int node = 0;
    while (node < NODES && tree[node].key != key)
      node = 2 * node + (tree[node].key < key ? 2 : 1);
    results[i] = tree[node].payload[0];
  }
  return results[1] < 0;
}
