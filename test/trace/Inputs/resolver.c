/* A function that is chosen while the program is loaded, by code that uses variables. */
static int tries, levels[100];
__attribute__((visibility("hidden"))) int look(int level);

__attribute__((noinline)) static int has(int level) { return levels[level]++ + tries++; }
static int first(int x) { return x + 1; }
static int second(int x) { return x + 2; }

static int (*choose(void))(int) {
  tries++;
  return look(700) + has(3) >= 0 ? first : second;
}

int seen(int x) __attribute__((ifunc("choose")));
static int unseen(int x) __attribute__((ifunc("choose")));
int (*table[])(int) = {seen, unseen};

int use(int x);
int use(int x) { return seen(x) + unseen(x) + table[0](x) + table[1](x) + (tries > 0) * 100; }
