/* Does with large blocks what programs do, again and again, while parallel regions write them: the
   kernel writes into them, children have copies or borrow them, handlers of signals and threads touch them, they
   are protected, moved and given back, another program takes their place.  Says what went wrong. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

enum { BYTES = 4 << 20, PART = 64 << 10, TURNS = 4 };

static unsigned failures;
static char *block;

#define CHECK(condition)                                                                           \
  do {                                                                                             \
    if (!(condition)) {                                                                            \
      printf("line %d: %s (%s)\n", __LINE__, #condition, strerror(errno));                         \
      failures++;                                                                                  \
    }                                                                                              \
  } while (0)

static char value(size_t i, unsigned turn) { return (char)(i / 61 + turn); }

static void fill(unsigned turn) {
#pragma omp parallel for schedule(static)
  for (size_t i = 0; i < BYTES; i++)
    block[i] = value(i, turn);
}

static bool is_filled(const char *bytes, unsigned turn) {
  for (size_t i = 0; i < BYTES; i++)
    if (bytes[i] != value(i, turn))
      return false;
  return true;
}

/*===-- The kernel writes --------------------------------------------------===*/

static void read_file(int file, unsigned turn) {
  CHECK(pwrite(file, block, BYTES, 0) == BYTES);
  fill(turn + 1);
  struct iovec parts[2] = {{block, PART}, {block + PART, BYTES - PART}};
  CHECK(preadv(file, parts, 2, 0) == BYTES);
  CHECK(is_filled(block, turn));
}

static void read_stream(int file, unsigned turn) {
  FILE *stream = fdopen(dup(file), "r");
  fill(turn + 1);
  rewind(stream);
  CHECK(fread(block, 1, BYTES, stream) == BYTES);
  CHECK(is_filled(block, turn));
  fclose(stream);
}

static void receive(unsigned turn) {
  int ends[2];
  static char sent[PART];
  CHECK(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
  memset(sent, (char)turn, sizeof sent);
  for (size_t at = 0; at + PART <= BYTES; at += BYTES / 8) {
    CHECK(send(ends[0], sent, PART, 0) == PART);
    CHECK(recv(ends[1], block + at, PART, MSG_WAITALL) == PART);
    CHECK(memcmp(block + at, sent, PART) == 0);
  }
  close(ends[0]);
  close(ends[1]);
}

static void ask(void) {
  for (size_t at = 0; at + PART <= BYTES; at += BYTES / 16) {
    CHECK(getrandom(block + at, 256, 0) == 256);
    CHECK(clock_gettime(CLOCK_REALTIME, (struct timespec *)(void *)(block + at)) == 0);
    CHECK(stat("/", (struct stat *)(void *)(block + at + 4096)) == 0);
  }
}

/*===-- Other processes ----------------------------------------------------===*/

static void fork_child(unsigned turn) {
  fill(turn);
  pid_t child = fork();
  if (child == 0) {
    bool same = is_filled(block, turn);
    memset(block, 1, BYTES);
    _exit(same && block[BYTES - 1] == 1 ? 0 : 1);
  }
  int status = 1;
  fill(turn + 1);
  CHECK(waitpid(child, &status, 0) == child && status == 0);
  CHECK(is_filled(block, turn + 1));
}

static void spawn(void) {
  char *arguments[] = {"true", NULL};
  pid_t child;
  int status = 1;
  CHECK(posix_spawnp(&child, "true", NULL, NULL, arguments, environ) == 0);
  CHECK(waitpid(child, &status, 0) == child && status == 0);
}

/* The child borrows the memory, and writes to it, until it ends; the parent waits. */
static void borrow(unsigned turn) {
  fill(turn);
  int status = 1;
  pid_t child = vfork();
  if (child == 0) {
    for (size_t at = 0; at < BYTES; at += 4096)
      block[at] = 3;
    _exit(0);
  }
  CHECK(waitpid(child, &status, 0) == child && status == 0);
  CHECK(block[0] == 3 && block[BYTES - 4096] == 3 && block[1] == value(1, turn));
}

/*===-- Handlers and threads -----------------------------------------------===*/

static void handle(int signal) {
  for (size_t at = 0; at < BYTES; at += 4096)
    block[at] = (char)signal;
}

static void raise_signal(void) {
  signal(SIGUSR1, handle);
  raise(SIGUSR1);
  CHECK(block[0] == SIGUSR1 && block[BYTES - 4096] == SIGUSR1);
}

static void *write_block(void *argument) {
  memset(block, *(char *)argument, BYTES);
  return NULL;
}

static void make_thread(unsigned turn) {
  pthread_t thread;
  char byte = (char)turn;
  CHECK(pthread_create(&thread, NULL, write_block, &byte) == 0);
  CHECK(pthread_join(thread, NULL) == 0);
  CHECK(block[BYTES / 2] == byte);
}

/*===-- Protection and new addresses ---------------------------------------===*/

static volatile sig_atomic_t faults;
static void allow(int signal, siginfo_t *info, void *context) {
  (void)signal;
  (void)context;
  faults++;
  mprotect((void *)((unsigned long)info->si_addr & ~4095UL), 4096, PROT_READ | PROT_WRITE);
}

static void protect(void) {
  struct sigaction action = {.sa_sigaction = allow, .sa_flags = SA_SIGINFO}, before;
  volatile char *page = (char *)(((unsigned long)block + BYTES / 2) & ~4095UL);
  sigaction(SIGSEGV, &action, &before);
  faults = 0;
  CHECK(mprotect((void *)page, 3 * 4096, PROT_READ) == 0);
  page[0] = page[4096] = page[2 * 4096] = 7;
  CHECK(faults == 3 && page[4096] == 7);
  sigaction(SIGSEGV, &before, NULL);
}

static void grow(unsigned turn) {
  fill(turn);
  char *larger = realloc(block, 2 * BYTES);
  CHECK(larger);
  block = larger;
  CHECK(is_filled(block, turn));
  larger = realloc(block, BYTES);
  CHECK(larger);
  block = larger;
  CHECK(is_filled(block, turn));
}

static void begin_anew(unsigned turn) {
  free(block);
  block = malloc(BYTES);
  CHECK(block);
  fill(turn);
}

static void forget_contents(void) {
  char *page = (char *)(((unsigned long)block + BYTES / 4) & ~4095UL);
  CHECK(madvise(page, BYTES / 4, MADV_DONTNEED) == 0);
  CHECK(page[0] == 0 && page[BYTES / 4 - 1] == 0);
}

/* Another program takes the place of this one, whose memory is being watched: this one again. */
static int begin_again(void) {
  char *arguments[] = {"again", NULL};
  fflush(stdout);
  execv("/proc/self/exe", arguments);
  return 1;
}

int main(int count, char **arguments) {
  (void)count;
  char name[] = "/tmp/dynamic-XXXXXX";
  int file = mkstemp(name);
  unlink(name);
  begin_anew(0);
  for (unsigned turn = 1; turn <= TURNS; turn++) {
    fill(turn);
    read_file(file, turn);
    read_stream(file, turn);
    receive(turn);
    ask();
    if (turn % 4 == 0) {
      fork_child(turn);
      borrow(turn);
      spawn();
    }
    raise_signal();
    make_thread(turn);
    protect();
    grow(turn);
    forget_contents();
    begin_anew(turn);
  }
  if (strcmp(arguments[0], "again") != 0 && failures == 0)
    return begin_again();
  free(block);
  printf(failures ? "%u wrong\n" : "all right\n", failures);
  return failures != 0;
}
