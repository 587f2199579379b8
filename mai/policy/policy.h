/*===-- policy.h - a policy as a value, and as text -------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * The only parser and the only printer of policies: MAi and mapp-rewrite have both from here.
 */
#ifndef MAI_POLICY_POLICY_H
#define MAI_POLICY_POLICY_H

#include <stddef.h>

#include "mai_types.h"

/** What is wrong with a text that is no policy. */
struct mai_policy_error {
  size_t column;    /**< of the text, counted from 1; 0: nothing is wrong with it */
  char reason[256]; /**< "expected ..., found ..." */
};

/** Read a policy, as minas(7) describes it.
 *  @param policy receives it; its lists are allocated, free them with mai_policy_release()
 *  @return 0, or -1 with errno EINVAL and the error, or ENOMEM */
int mai_policy_read(const char *text, mai_policy_t *policy, struct mai_policy_error *error);

/** Free the lists of a policy of mai_policy_read().  Keeps errno. */
void mai_policy_release(mai_policy_t *policy);

/** Write a policy as mai_policy_read() reads it, cut off after size - 1 bytes.  Policies that mean
 *  the same by the same members are written alike.
 *  @param text may be NULL where size is 0
 *  @return its length without cutting off, as snprintf() */
int mai_policy_format(const mai_policy_t *policy, char *text, size_t size);

/** The most bytes that mai_policy_show() and mai_policy_explain() write. */
#define MAI_POLICY_SHOWN 256
#define MAI_POLICY_EXPLAINED 512

/** Two lines, each after a newline: the text, or the part of it around a column, and a caret under
 *  that column.  Cut off after size - 1 bytes. */
void mai_policy_show(const char *text, size_t column, char *shown, size_t size);

/** "column N: expected ..., found ...", and the lines of mai_policy_show(); empty where nothing is
 *  wrong. */
void mai_policy_explain(const char *text, const struct mai_policy_error *error, char *explained,
                        size_t size);

#endif /* MAI_POLICY_POLICY_H */
