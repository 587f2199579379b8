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

enum { MAI_MOST_NAME_FORM = 256 };

/** Whether a name is a text, or fits it as a pattern (pattern.h): [ is part of many names. */
bool mai_name_fits(const char *pattern, const char *name);

/** The same for one of the forms of a name: whole, or from one of its members on, with or without
 *  what stands in brackets: indices, arguments of templates, the procedure that keeps a variable.
 */
bool mai_name_form_fits(const char *pattern, const char *name);

/** The form of a name without what stands in brackets; what is too long is cut off. */
void mai_name_without_brackets(const char *name, char plain[MAI_MOST_NAME_FORM]);

/** The form of a name that is nearest to one that fits none of its forms.
 * @param form receives it where it is nearer than the distance
 * @return the lesser of the distance and the form's (runtime/nearest.h) */
unsigned mai_nearest_name_form(const char *text, const char *name, unsigned distance,
                               char form[MAI_MOST_NAME_FORM]);

#endif /* MAI_NAME_FORMS_H */
