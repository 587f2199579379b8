/* Uses functions of memory without their header, as old programs do. */
int printf(const char *, ...);

static char from[100] = "abc", to[100];

int main(void) {
  char *copy = (char *)memcpy(to, from, 100);
  char *moved = (char *)memmove(copy + 1, from, 90);
  char *filled = (char *)memset(moved + 4, 'x', 3);
  printf("%s %s\n", copy, filled);
  return 0;
}
