/*===-- overrides.h - policies that the user sets by name -------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * MAI_POLICY holds a list of entries NAME:POLICY, separated by commas:
 *
 *     MAI_POLICY="u:block,colidx:bind 0,2,rhs*:cyclic by rows"
 *
 * or @FILE, with an entry a line (mai/policy/policy_list.h).
 *
 * A name may have wildcards, as file names have in a shell, and any form that tools show
 * (mai/policy/name_forms.h); the first entry that fits an array holds. POLICY is as minas(7)
 * describes it; its lists have commas too, which are told from those between entries by the colon
 * that an entry has.
 */
#ifndef MAI_OVERRIDES_H
#define MAI_OVERRIDES_H

#include <stdbool.h>
#include <stddef.h>

#include "mai/policy/policy.h"

/** Read MAI_POLICY.  Called once, by mai_init().  An entry that cannot be read is said and left
 * out; with MAI_STRICT it ends the program. */
void mai_overrides_read(void);

/** What mai_overrides_check() explains is never longer. */
#define MAI_OVERRIDES_EXPLAINED (MAI_POLICY_EXPLAINED + 4096)

/** Check a list of entries, or the file of @FILE.  For mai-run, which does not run a program with
 * less than what is asked for.
 * @param explained receives what is wrong, as mai_policy_explain(), behind the file and the line
 * @return 0, or -1 with errno */
int mai_overrides_check(const char *text, char *explained, size_t size);

/** The policy that the user sets for arrays of this name, or NULL. */
const mai_policy_t *mai_override_for(const char *name);

/** The same for something that has several names: the first entry that fits one of them holds. */
const mai_policy_t *mai_override_for_any(const char *const *names, size_t count);

/** In front of the name of a site: what is meant is the matrix whose rows its blocks are. */
#define MAI_ROWS_OF "rows of "

/** Behind the name of a site: the lines that lead to it, by which it is known where they are. */
#define MAI_AT_LINES " at "

/** What a site is called. */
struct mai_site_names {
  const char *const *list; /**< names that have one form */
  size_t count;
  const char *place; /**< the lines that lead to it; "": not known */
  const char *calls; /**< the same, whichever of several sites at these lines it is */
  bool of_rows;      /**< its matrix is meant; the names have MAI_ROWS_OF in front */
};

/** The same for a site, whose blocks may all be too small to be placed. */
const mai_policy_t *mai_override_for_site(const struct mai_site_names *names);

/** There is something that could be placed: entries that fit nothing are told at the end. */
void mai_overrides_matter(void);

/** Whether the user sets any. */
bool mai_overrides_exist(void);

/** Whether the user sets one for rows that were small in the run that was counted. */
bool mai_overrides_have_small_rows(void);

/** Say at the end of the process which entries have fitted no array, with the name that is nearest
 *  to each.  Nothing in a child of fork(), or when it is called again. */
void mai_overrides_tell_unused(void);

#endif /* MAI_OVERRIDES_H */
