/*===-- call.c - what holds while a thread is inside the library *- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "call.h"

#include <errno.h>
#include <pthread.h>
#include <stddef.h>

#include "runtime/heap.h"
#include "runtime/lock.h"

/* A message that waits. */
struct waiting {
  struct waiting *next;
  void (*say)(const char *text);
  char *text;
};

/* The model of thread-local storage spares a call for each access, which could take memory. */
static _Thread_local struct {
  unsigned depth;
  int cancel_state; /* before the outermost call */
  struct waiting *first;
} self __attribute__((tls_model("initial-exec")));

bool mai_call_is_inside(void) { return self.depth > 0; }

/*===-- Messages -----------------------------------------------------------===*/

static void append(struct waiting *message) {
  struct waiting **link = &self.first;
  while (*link)
    link = &(*link)->next;
  *link = message;
}

void mai_call_say_later(void (*say)(const char *text), const char *text) {
  if (!mai_call_is_inside()) {
    MINAS_CALLS_OUT();
    say(text);
    return;
  }
  struct waiting *message = minas_alloc(sizeof *message);
  char *copy = minas_copy_text(text);
  if (!message || !copy) {
    minas_free(message);
    minas_free(copy);
    return;
  }
  *message = (struct waiting){NULL, say, copy};
  append(message);
}

/* A handler that calls the library gets messages of its own said, too: none is said twice. */
static void say_waiting(void) {
  struct waiting *message;
  MINAS_CALLS_OUT();
  while ((message = self.first)) {
    self.first = message->next;
    message->say(message->text);
    minas_free(message->text);
    minas_free(message);
  }
}

/*===-- Calls --------------------------------------------------------------===*/

static void go_in(void) {
  if (self.depth++ == 0)
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &self.cancel_state);
}

static void come_out(void) {
  if (--self.depth > 0)
    return;
  pthread_setcancelstate(self.cancel_state, NULL);
  if (self.first)
    say_waiting();
}

struct mai_call mai_call_begin(void) {
  go_in();
  return (struct mai_call){self.depth};
}

/* An inner call that was left by a jump has not ended. */
void mai_call_end(struct mai_call *call) {
  int error = errno;
  self.depth = call->depth;
  come_out();
  errno = error;
}

struct mai_call_outside mai_call_leave(void) {
  struct mai_call_outside outside = {self.depth};
  if (self.depth) {
    self.depth = 1;
    come_out();
  }
  return outside;
}

void mai_call_return(struct mai_call_outside outside) {
  int error = errno;
  if (outside.depth) {
    go_in();
    self.depth = outside.depth;
  }
  errno = error;
}
