/*===-- policy_text_fuzzer.c - any text as a policy --------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * For libFuzzer: whatever the text is, the parser either gives an empty policy and an error that
 * says where, or a policy that is written in a form that gives the same form again.
 *
 *   clang -D_GNU_SOURCE -g -fsanitize=fuzzer,address,undefined -Iinclude -I. \
 *     test/mai/Inputs/policy_text_fuzzer.c mai/policy/policy_text.c mai/policy/placement.c
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "mai/policy/policy.h"

int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t size);

static void require(int condition) {
  if (!condition)
    abort();
}

static char *write_policy(const mai_policy_t *policy) {
  int length = mai_policy_format(policy, NULL, 0);
  require(length > 0);
  char *text = malloc((size_t)length + 1);
  require(text != NULL);
  require(mai_policy_format(policy, text, (size_t)length + 1) == length);
  require(strlen(text) == (size_t)length);
  return text;
}

static void check_again(const char *written) {
  mai_policy_t policy;
  struct mai_policy_error error;
  require(mai_policy_read(written, &policy, &error) == 0);
  char *again = write_policy(&policy);
  require(strcmp(written, again) == 0);
  free(again);
  mai_policy_release(&policy);
}

int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t size) {
  mai_policy_t policy;
  struct mai_policy_error error;
  char explained[MAI_POLICY_EXPLAINED];
  char *text = malloc(size + 1);
  require(text != NULL);
  memcpy(text, bytes, size);
  text[size] = '\0';
  int result = mai_policy_read(text, &policy, &error);
  int reason = errno;
  mai_policy_explain(text, &error, explained, sizeof explained);
  if (result == 0) {
    require(!*explained && policy.node_count <= 1024 && policy.share_count <= 1024);
    char *written = write_policy(&policy);
    check_again(written);
    free(written);
  } else {
    require(reason == EINVAL && strncmp(explained, "column ", 7) == 0);
    require(strlen(explained) + 1 < sizeof explained && strchr(explained, '^'));
    require(!policy.nodes && !policy.shares);
  }
  mai_policy_release(&policy);
  free(text);
  return 0;
}
