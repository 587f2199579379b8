// Prints its name, a word from a library, the first lines of the files in its arguments, its
// environment, and the number of OpenMP threads.
#include <omp.h>
#include <stdio.h>

extern char **environ;
const char *word(void);

static void print_first_line(const char *name) {
  char line[80] = "";
  FILE *file = fopen(name, "r");
  if (file != NULL && fgets(line, sizeof line, file) != NULL)
    printf("%s: %s", name, line);
  if (file != NULL)
    fclose(file);
}

int main(int argc, char **argv) {
  printf("%s\n%s\n", argv[0], word());
  for (int i = 1; i < argc; i++)
    print_first_line(argv[i]);
  for (char **variable = environ; *variable != NULL; variable++)
    puts(*variable);
  printf("threads %d\n", omp_get_max_threads());
  return 0;
}
