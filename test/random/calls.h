/*===-- calls.h - what is called at random ----------------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#ifndef RANDOM_CALLS_H
#define RANDOM_CALLS_H

#include "worker.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Arrays, and what becomes of them: allocate.c. */
void call_allocate(struct worker *worker);
void call_allocate_wrongly(struct worker *worker);
void call_realloc(struct worker *worker);
void call_free(struct worker *worker);
void call_free_wrongly(struct worker *worker);
void make_quiet_array(struct worker *worker);
void release_memory(struct worker *worker, struct array *array);
void free_arrays(struct worker *worker);

/** Memory that the program has: existing.c. */
void call_place(struct worker *worker);
void call_place_wrongly(struct worker *worker);
void call_forget(struct worker *worker);
void call_place_block(struct worker *worker);
void call_place_rows(struct worker *worker);
void call_realloc_block(struct worker *worker);
void release_own(struct worker *worker, struct array *array);

/** Placing anew: move.c. */
void call_replace(struct worker *worker);
void call_replace_all(struct worker *worker);
void call_migrate(struct worker *worker);
void call_next_touch(struct worker *worker);
void call_replicas(struct worker *worker);
void call_move_wrongly(struct worker *worker);
void call_on_quiet_array(struct worker *worker);

/** Looking: look.c. */
void call_look(struct worker *worker);
void call_where(struct worker *worker);
void call_report(struct worker *worker);
void call_look_wrongly(struct worker *worker);

/** Threads: threads.c. */
void call_on_node(struct worker *worker);
void call_task_home(struct worker *worker);
void call_parallel_nodes(struct worker *worker);
void call_map_threads(struct worker *worker);
void call_team(struct worker *worker);
void call_canceled(struct worker *worker);

/** Policies as text, messages: text.c. */
void call_policy_text(struct worker *worker);
void call_messages(struct worker *worker);

/** numarch.h: machine.c. */
void call_numarch(struct worker *worker);

/** mai.hpp: cxx.cpp. */
void call_cxx(struct worker *worker);

/** Static arrays: statics.c. */
void find_statics(struct array *statics);
void call_statics(struct worker *worker);

/** What the program does with its memory and its process: program.c. */
void do_write(struct worker *worker);
void do_check(struct worker *worker);
void do_drop_pages(struct worker *worker);
void do_unmap(struct worker *worker);
void do_fork(struct worker *worker);

/*===-- Arrays of a worker ---------------------------------------------------===*/

/** Whether no other worker allocates: what is freed then belongs to nobody else. */
bool alone(const struct worker *worker);

/** Any array that is there, of the kinds whose bits (1 << ALLOCATED, ...) are set; NULL: none. */
struct array *any_array(struct worker *worker, unsigned kinds);
enum { ANY_KIND = ~0, OWN_KINDS = 1 << ALLOCATED | 1 << MAPPED | 1 << BLOCK };

/** Where an array is to be made: what was there is gone. */
struct array *make_room(struct worker *worker);

/** Check cells of an array: all, or some. */
void check_array(struct worker *worker, const struct array *array);
void check_some(struct worker *worker, const struct array *array);

/** Write some cells, if the array may be written to. */
void write_some(struct worker *worker, struct array *array);

/** Bytes of memory: a few, some pages, seldom many. */
size_t draw_bytes(struct worker *worker);

/** Check what mai_verify() and mai_get_statistics() say of an array that MAi knows. */
void check_pages(struct worker *worker, const struct array *array);

#ifdef __cplusplus
}
#endif
#endif
