/*===-- threads.h - who decides where threads run ---------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * On which CPU each OpenMP thread runs.  The map is known before any thread is: from
 * MAI_MAP_FILE, else compact over the CPUs that the process may use.  Threads are pinned to it when
 * they first enter a parallel region (teams.h), under libgomp and libomp alike.
 */
#ifndef MAI_THREADS_H
#define MAI_THREADS_H

#include <stdbool.h>
#include <stdint.h>

#include "numarch.h"
#include "openmp/openmp.h"

/** What is known of one thread of the top-level team. */
struct mai_thread_state {
  bool seen;         /**< has entered a parallel region */
  bool pinned;       /**< MAi has pinned it to `cpu` */
  uint32_t cpu;      /**< OS index of the CPU: the map's where there is one, else where it was last
                          seen; NUMARCH_NONE when neither is known */
  uint32_t last_cpu; /**< OS index of the CPU on which it was last seen entering a region;
                          NUMARCH_NONE before that */
};

/**
 * Make the thread map of this process.  Called once, by mai_init().
 *
 * @param machine what this process may use; must outlive the library's use
 * @param watch_only pin nothing, only note where threads are seen
 * @return 0, or -1 with errno ENOMEM
 */
int mai_threads_init(const numarch_t *machine, bool watch_only);

/** Have the program's first thread go on where the map has it, if threads are pinned: what it
 *  touches before its first region is to be there.  It may still run anywhere. */
void mai_threads_start_in_place(void);

/** What the rest of the library does when teams change or begin. */
struct mai_team_listener {
  void (*changed)(void); /**< their size, or where their threads are */
  /** The calling thread is about to open a region; true: the next region is to come by, too. */
  bool (*begins)(const struct mai_openmp *openmp);
};

/** Called once, before mai_threads_init(). */
void mai_threads_listen(const struct mai_team_listener *listener);

void mai_threads_tell_change(void);
bool mai_threads_tell_begin(const struct mai_openmp *openmp);

/** Who decides. */
enum mai_decision {
  MAI_UNDECIDED,     /**< mai_init() has not come here yet */
  MAI_PINS,          /**< the map */
  MAI_USER_BINDS,    /**< run-times, by the user's settings */
  MAI_KERNEL_DECIDES /**< nobody else */
};

enum mai_decision mai_threads_decision(void);

/** The machine, once that is decided. */
const numarch_t *mai_threads_machine(void);

/** Whether threads are noted where nobody but the kernel decides, to be reported. */
bool mai_threads_are_noted(void);

/** Whether arrays follow the team's size. */
bool mai_threads_follow(void);

/** The calling thread opens a region whose threads are to be pinned: the CPUs of the map are those
 *  that other programs leave, and in use from now on.
 *  @return whether the map is another one */
bool mai_threads_claim_cpus(void);

/** Whether the thread of an entry of the map may be pinned to its CPU; else it belongs on the CPU's
 *  node, as another program uses the CPU. */
bool mai_threads_may_pin(unsigned entry);

/** The kernel does not let threads be pinned: nobody is asked to be any more. */
void mai_threads_give_up(void);

/** The size of the team by which arrays are divided whose policies name none; at least 1.  Until
 * the program has opened a region or set the size, it is what the environment makes likely. */
unsigned mai_threads_team_size(void);

/** The same, of those that ask only whether it has changed. */
unsigned mai_threads_team_size_now(void);

/** Whether anything has been divided by that size. */
bool mai_threads_team_matters(void);

/** The program's teams have so many threads from now on: a map that depends on it is made anew.
 *  @return 0, or -1 with errno ENOMEM */
int mai_threads_set_team_size(unsigned size);

/** Whether the process has an OpenMP run-time, whose teams divide loops: it had one when the
 * library started, or a team has begun since. */
bool mai_threads_have_runtime(void);

/** Logical index of the node on which OpenMP thread `thread` runs; NUMARCH_NONE when not known
 * (nothing pins it). */
uint32_t mai_threads_node(unsigned thread);

/** Logical index of the node of a CPU (OS index); NUMARCH_NONE when there is no such CPU. */
uint32_t mai_threads_node_of_cpu(uint32_t cpu);

/** The state of one thread; false when it is not known. */
bool mai_threads_state(unsigned thread, struct mai_thread_state *state);

/** What decided the map, for reports: "map file F", "compact", "OMP_PROC_BIND=close" (what the
 *  user has set), "not pinned". */
const char *mai_threads_origin(void);

/** How many threads of a default team belong on a node (logical index); at least 1. */
unsigned mai_threads_on_node(uint32_t node);

#endif /* MAI_THREADS_H */
