/*===-- learned.h - the policies to begin with next time --------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#ifndef MAI_LEARNED_H
#define MAI_LEARNED_H

/** Write the policies by which arrays were moved while the program ran into the file that MAI_LEARN
 *  names, as MAI_POLICY=@FILE reads them; nothing where it names none. */
void mai_learned_write(void);

#endif /* MAI_LEARNED_H */
