/*===-- policy_calls.c - the public functions on policies' texts -*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include <errno.h>

#include "mai.h"
#include "mai/policy/policy.h"
#include "mai/process/call.h"
#include "runtime/fail.h"

int mai_policy_check(const char *policy, char *error, size_t size) {
  MAI_CALL;
  struct mai_policy_error wrong;
  mai_policy_t read;
  int result = mai_policy_read(policy, &read, &wrong);
  if (error && size)
    mai_policy_explain(policy, &wrong, error, size);
  mai_policy_release(&read);
  return result;
}

static int read_policy(const char *text, mai_policy_t *policy) {
  struct mai_policy_error wrong;
  return mai_policy_read(text, policy, &wrong);
}

int mai_policy_canonical(const char *policy, char *text, size_t size) {
  MAI_CALL;
  mai_policy_t read;
  if (read_policy(policy, &read) != 0)
    return -1;
  int length = mai_policy_format(&read, text, size);
  mai_policy_release(&read);
  return length;
}

/*===-- The order of dimensions --------------------------------------------===*/

static int turn_dimension(unsigned dimensions, mai_policy_t *policy) {
  if (policy->dimension >= dimensions)
    return fail(EINVAL);
  policy->dimension = dimensions - 1 - policy->dimension;
  return 0;
}

/* What is not said of a block reaches from end to end. */
static int turn_blocks(unsigned dimensions, const size_t *extents, mai_policy_t *policy) {
  enum { MOST = sizeof policy->block / sizeof *policy->block };
  unsigned long turned[MOST] = {0};
  if (dimensions > MOST)
    return fail(EINVAL);
  for (unsigned i = 0; i < MOST; i++)
    if (i < dimensions)
      turned[dimensions - 1 - i] = policy->block[i] ? policy->block[i] : extents[i];
    else if (policy->block[i])
      return fail(EINVAL);
  for (unsigned i = 0; i < MOST; i++)
    policy->block[i] = turned[i];
  return 0;
}

static int turn(unsigned dimensions, const size_t *extents, mai_policy_t *policy) {
  switch (policy->unit) {
  case MAI_UNIT_DIMENSION:
    return turn_dimension(dimensions, policy);
  case MAI_UNIT_BLOCKS:
    return turn_blocks(dimensions, extents, policy);
  default:
    return 0;
  }
}

int mai_policy_turned(const char *policy, unsigned dimensions, const size_t *extents, char *text,
                      size_t size) {
  MAI_CALL;
  mai_policy_t read;
  if (read_policy(policy, &read) != 0)
    return -1;
  int result = turn(dimensions, extents, &read);
  if (result == 0)
    result = mai_policy_format(&read, text, size);
  mai_policy_release(&read);
  return result;
}
