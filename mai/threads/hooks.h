/*===-- hooks.h - what the hooks into the C library need ---------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#ifndef MAI_HOOKS_H
#define MAI_HOOKS_H

/** Let children of fork() begin with the process's own mask. @return 0, or -1 with errno ENOMEM */
int mai_process_hooks_init(void);

#endif /* MAI_HOOKS_H */
