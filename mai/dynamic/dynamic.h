/*===-- dynamic.h - places arrays while the program runs --------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * Arrays with the policy `dynamic` are watched by a thread of the library's, by samples of what
 * threads access or of their pages (round.c, samples.c, watch.c); what threads do with them says
 * where they belong
 * (inference.c), and when it pays they are moved (decision.c, move.c).
 *
 * The thread begins when a parallel region does and something is to be watched, and ends soon: a
 * program whose last thread ends waits for it, and one that makes no regions never has it.
 */
#ifndef MAI_DYNAMIC_H
#define MAI_DYNAMIC_H

/** Begin when the first array has the policy.  Called once, when the library starts. */
void mai_dynamic_listen(void);

#endif /* MAI_DYNAMIC_H */
