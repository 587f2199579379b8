/*===-- text.c - random calls of policies as text, and of messages *- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include <errno.h>
#include <mai.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "calls.h"
#include "policies.h"

/* What is written is read as the same. */
static void read_again(struct worker *worker, const char *text) {
  char error[512] = "unset";
  char written[400];
  char again[400];
  calling(worker, "mai_policy_check('%s')", text);
  expect_done(worker, mai_policy_check(text, error, sizeof error), 0);
  if (*error)
    wrong(worker, "%s", error);
  int length = mai_policy_canonical(text, written, sizeof written);
  if (mai_policy_canonical(written, again, sizeof again) != length || strcmp(again, written) != 0)
    wrong(worker, "it is written as '%s', and that as '%s'", written, again);
}

/* Some letters of a text are others, or gone. */
static void spoil(struct worker *worker, char *text) {
  static const char letters[] = "0123456789,-. xby*aeilnort\t\n\xff";
  size_t length = strlen(text);
  for (size_t i = draw(worker, 4); length && i > 0; i--) {
    size_t at = draw(worker, length);
    if (one_in(worker, 4))
      memmove(text + at, text + at + 1, length-- - at);
    else
      text[at] = letters[draw(worker, sizeof letters - 1)];
  }
}

static void read_spoilt(struct worker *worker, char *text) {
  char error[512];
  size_t size = draw(worker, 3) ? sizeof error : draw(worker, 20);
  spoil(worker, text);
  memset(error, 'x', sizeof error);
  calling(worker, "mai_policy_check('%s')", text);
  int result = mai_policy_check(text, size ? error : NULL, size);
  if (size && !memchr(error, 0, size))
    wrong(worker, "the error has no end");
  if (size && size < sizeof error && error[size] != 'x')
    wrong(worker, "more than %zu bytes of error", size);
  if (!expect_done(worker, result, EINVAL, 0) && size > 1 && !*error)
    wrong(worker, "no error is told");
}

/* Cut off where there is no room. */
static void write_short(struct worker *worker, const struct policy *policy) {
  char whole[400];
  char text[64];
  size_t size = draw(worker, sizeof text);
  memset(text, 'x', sizeof text);
  calling(worker, "mai_policy_canonical('%s') into %zu bytes", policy->text, size);
  int length = mai_policy_canonical(policy->text, size ? text : NULL, size);
  size_t written = (size_t)length < size ? (size_t)length : size - 1;
  if (length != mai_policy_canonical(policy->text, whole, sizeof whole) || text[size] != 'x' ||
      (size && (memcmp(text, whole, written) != 0 || text[written])))
    wrong(worker, "length %d", length);
}

/* Dimensions that are turned twice are as before. */
static void turn(struct worker *worker, struct extents array, const struct policy *policy) {
  char once[400];
  char twice[400];
  char whole[400];
  size_t turned[3] = {0};
  for (unsigned i = 0; i < array.dimensions; i++)
    turned[i] = array.extents[array.dimensions - 1 - i];
  calling(worker, "mai_policy_turned('%s', %u)", policy->text, array.dimensions);
  int first = mai_policy_turned(policy->text, array.dimensions, array.extents, once, sizeof once);
  int second = mai_policy_turned(once, array.dimensions, turned, twice, sizeof twice);
  mai_policy_canonical(policy->text, whole, sizeof whole);
  if (first < 0 || second < 0 || strcmp(whole, twice) != 0)
    wrong(worker, "it becomes '%s'", twice);
}

void call_policy_text(struct worker *worker) {
  size_t extents[] = {100, 50, 20};
  struct extents array = {1 + (unsigned)draw(worker, 3), extents};
  struct policy policy;
  draw_policy(worker, array, true, &policy);
  switch (draw(worker, 4)) {
  case 0:
    read_again(worker, policy.text);
    break;
  case 1:
    read_spoilt(worker, policy.text);
    break;
  case 2:
    turn(worker, array, &policy);
    break;
  default:
    write_short(worker, &policy);
  }
}

/*===-- Messages -----------------------------------------------------------===*/

static _Atomic unsigned messages;

static void count_message(const char *message, void *context) {
  messages += *message && context == &messages;
}

void call_messages(struct worker *worker) {
  calling(worker, "mai_set_message_handler, mai_init");
  mai_set_message_handler(one_in(worker, 2) ? count_message : NULL, &messages);
  expect_done(worker, mai_init(), 0);
  calling(worker, "mai_tell");
  mai_tell("random: a message");
}
