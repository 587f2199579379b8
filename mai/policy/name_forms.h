/*===-- name_forms.h - the forms of an array's name -------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * Tools see an array from different sides: a parallel region knows chunk.field.rows[2], the source
 * that allocates it field.rows, a member's own class rows.  Whoever has read one of these means the
 * array.
 */
#ifndef MAI_NAME_FORMS_H
#define MAI_NAME_FORMS_H

#include <stdbool.h>

/** Whether a name is a text, or fits it as a pattern (pattern.h): [ is part of many names. */
bool mai_name_fits(const char *pattern, const char *name);

/** The same for one of the forms of a name: whole, or from one of its members on, with or without
 *  what stands in brackets: indices, arguments of templates, the procedure that keeps a variable.
 */
bool mai_name_form_fits(const char *pattern, const char *name);

#endif /* MAI_NAME_FORMS_H */
