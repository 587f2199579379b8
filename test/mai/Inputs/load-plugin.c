/*===-- load-plugin.c - runs programs that are shared libraries --*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/* Usage: load-plugin STEP... ARGUMENT...
   A step is the path of a library, which is loaded so that nobody else sees its functions, and whose
   plugin_main() is called with the arguments; "lazy:PATH": one that finds functions when it calls them;
   "all": call all libraries again; "thread": the same in a thread of its own; "close": unload the last
   one.  Steps end at the first argument that is a number or has no slash and is none of these words. */
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

enum { MOST = 16 };

static struct {
  void *library;
  int (*plugin_main)(int, char **);
} plugins[MOST];

static int count, argument_count;
static char **arguments;

static int call_all(void) {
  for (int i = 0; i < count; i++)
    if (plugins[i].plugin_main(argument_count, arguments) != 0)
      return 1;
  return 0;
}

static void *call_all_in_thread(void *unused) {
  (void)unused;
  return call_all() ? &plugins : NULL;
}

static int run_thread(void) {
  pthread_t thread;
  void *failed = &plugins;
  if (pthread_create(&thread, NULL, call_all_in_thread, NULL) == 0)
    pthread_join(thread, &failed);
  return failed != NULL;
}

static int load(const char *path) {
  int lazy = strncmp(path, "lazy:", 5) == 0;
  void *library = dlopen(path + (lazy ? 5 : 0), RTLD_LOCAL | (lazy ? RTLD_LAZY : RTLD_NOW));
  if (!library || count == MOST ||
      !(*(void **)&plugins[count].plugin_main = dlsym(library, "plugin_main"))) {
    fprintf(stderr, "%s\n", dlerror());
    return 2;
  }
  plugins[count].library = library;
  return plugins[count++].plugin_main(argument_count, arguments);
}

static int do_step(const char *step) {
  if (strcmp(step, "all") == 0)
    return call_all();
  if (strcmp(step, "thread") == 0)
    return run_thread();
  if (strcmp(step, "close") == 0)
    return dlclose(plugins[--count].library);
  return load(step);
}

static int is_step(const char *word) {
  return strchr(word, '/') || strcmp(word, "all") == 0 || strcmp(word, "thread") == 0 ||
         strcmp(word, "close") == 0;
}

int main(int argc, char **argv) {
  int steps = 1;
  while (steps < argc && is_step(argv[steps]))
    steps++;
  arguments = argv + steps - 1;
  argument_count = argc - steps + 1;
  for (int i = 1; i < steps; i++)
    if (do_step(argv[i]) != 0)
      return 1;
  return 0;
}
