/* Static arrays whose ends lie in the middle of lines, beside others and beside small variables. */
enum { BYTES = 100, ROUNDS = 1000 };

struct {
  char before;
} small;
static char left[BYTES];
static int counter;
static char middle[BYTES];
static char right[BYTES];
static int last;

__attribute__((noinline)) static void write_all(char *array, int bytes) {
  for (int i = 0; i < bytes; i++)
    ((volatile char *)array)[i] = 1;
}

int main(void) {
  small.before = 1;
  write_all(left, BYTES);
  write_all(middle, BYTES);
  write_all(middle, BYTES);
  write_all(right, BYTES);
  for (int i = 0; i < ROUNDS; i++) {
    *(volatile int *)&counter += 1;
    *(volatile int *)&last += 1;
    ((volatile char *)left)[BYTES - 1] = 2;
  }
  return 0;
}
