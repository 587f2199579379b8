/*===-- profile_writer.c - the profile of this process -----------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * The format is that of maiprof(5).  It may be a signal handler that writes: nothing here
 * allocates.
 */
#include "profile_writer.h"

#include <string.h>
#include <sys/utsname.h>

#include "blocks.h"
#include "callers.h"
#include "code.h"
#include "counters.h"
#include "memory.h"
#include "objects.h"
#include "pages.h"
#include "threads.h"
#include "trace/system/kernel.h"
#include "trace/system/machine.h"
#include "trace/system/output.h"
#include "trace/system/text.h"
#include "transfers.h"

enum { FLAG_COARSE = 1, FLAG_PHASES = 2, FLAG_RUNNING = 4, FLAG_GAPS = 8, FLAG_TRANSFERS = 16 };
enum { CODES = 1 << 16, ARGUMENTS_BYTES = 1 << 14 };
enum { CONSTANTS_MAX = 1024, NEWS_MAX = 64 };

/* A thread of the profile. */
struct row {
  struct trace_who who;
  uint32_t cpu, entries, moves, busiest;
  uint64_t elsewhere[2];
};

struct extent {
  uintptr_t start, end;
};

/* One at a time is written. */
static struct {
  struct trace_output output;
  const struct trace_settings *settings;
  struct row *rows;
  size_t row_count, row_room;
  uint16_t thread_of_code[CODES]; /* its index plus 1 */
  unsigned phase_index[TRACE_PHASES_MAX];
  unsigned task_index[TRACE_TASKS_MAX];
  unsigned in_order[2 * TRACE_PHASES_MAX]; /* by rank; behind these, those without */
  char arguments[ARGUMENTS_BYTES];
  uint64_t arrays;
  struct trace_constants constants[CONSTANTS_MAX];
  size_t constant_count;
  struct extent news[NEWS_MAX]; /* code of operator new */
  size_t new_count;
  struct trace_parts *_Atomic codes; /* the number, from 1, of each code that accesses */
  size_t code_count;
} writing;

/*===-- HEAD ----------------------------------------------------------------===*/

static void put_arguments(struct trace_output *output) {
  int file = kernel_open("/proc/thread-self/cmdline", O_RDONLY, 0);
  ssize_t bytes =
      file >= 0 ? kernel_read(file, writing.arguments, sizeof writing.arguments - 1) : 0;
  if (file >= 0)
    kernel_close(file);
  size_t length = bytes > 0 ? (size_t)bytes : 0;
  writing.arguments[length] = '\0';
  uint64_t count = 0;
  for (size_t i = 0; i < length; i++)
    count += writing.arguments[i] == '\0';
  trace_put(output, count);
  for (const char *argument = writing.arguments; count; count--) {
    trace_put_text(output, argument);
    argument += strlen(argument) + 1;
  }
}

static void put_head(struct trace_output *output, const struct trace_end *end) {
  const struct trace_settings *settings = writing.settings;
  char text[1024] = "";
  struct utsname system = {.nodename = ""};
  uint64_t flags = (trace_counters_coarse() ? FLAG_COARSE : 0) |
                   (settings->phases ? FLAG_PHASES : 0) | (end->is_running ? FLAG_RUNNING : 0) |
                   (trace_has_gaps() ? FLAG_GAPS : 0) | (settings->transfers ? FLAG_TRANSFERS : 0);
  trace_begin_section(output, "HEAD");
  trace_put(output, settings->line);
  trace_put(output, settings->page);
  trace_put(output, settings->sample);
  trace_put(output, settings->cache);
  trace_put(output, settings->block);
  trace_put(output, flags);
  trace_put(output, (uint64_t)kernel_getpid());
  trace_put(output, (uint64_t)end->started);
  trace_put(output, (uint64_t)end->signal);
  trace_put(output, trace_counters_bytes());
  ssize_t length = kernel_readlink("/proc/thread-self/exe", text, sizeof text - 1);
  text[length > 0 ? length : 0] = '\0';
  trace_put_text(output, text);
  minas_kernel_call(SYS_uname, (long)&system, 0, 0, 0, 0, 0);
  trace_put_text(output, system.nodename);
  put_arguments(output);
  trace_end_section(output);
}

/*===-- MODS ----------------------------------------------------------------===*/

static void see_hook(const struct minas_symbol *symbol, void *seen) {
  if (strcmp(symbol->name, "__tsan_init") == 0)
    *(bool *)seen = true;
}

static void put_module(const struct trace_object *object, void *context) {
  struct trace_output *output = context;
  bool instrumented = false;
  if (!object->path[0])
    return;
  trace_symbols_visit(object, see_hook, &instrumented);
  /* This library has the hooks, and calls none. */
  if (object->start <= (uintptr_t)put_module && (uintptr_t)put_module < object->end)
    return;
  trace_put(output, instrumented ? 2 : 1);
  trace_put_text(output, object->path);
}

static void put_modules(struct trace_output *output) {
  trace_begin_section(output, "MODS");
  trace_objects_visit(put_module, output);
  trace_put(output, 0);
  trace_end_section(output);
}

/*===-- THRD ----------------------------------------------------------------===*/

static bool comes_before(struct trace_who left, struct trace_who right) {
  return left.kind != right.kind ? left.kind < right.kind : left.number < right.number;
}

/* Its row, inserted where it belongs; NULL when there is no room. */
static struct row *row_of(struct trace_who who) {
  size_t at = 0;
  while (at < writing.row_count && comes_before(writing.rows[at].who, who))
    at++;
  struct row *row = &writing.rows[at];
  if (at < writing.row_count && !comes_before(who, row->who))
    return row;
  if (writing.row_count == writing.row_room)
    return NULL;
  memmove(row + 1, row, (writing.row_count - at) * sizeof *row);
  writing.row_count++;
  *row = (struct row){.who = who, .cpu = UINT32_MAX};
  return row;
}

static bool has_counts(const struct trace_context *context) {
  return context->list || context->coarse_list || context->elsewhere[0] || context->elsewhere[1];
}

static void collect_rows(void) {
  writing.row_count = writing.row_room = 0;
  memset(writing.thread_of_code, 0, sizeof writing.thread_of_code);
  for (struct trace_context *context = trace_contexts(); context; context = context->next)
    writing.row_room++;
  writing.rows = trace_memory((writing.row_room + 1) * sizeof *writing.rows);
  if (!writing.rows)
    writing.row_room = 0;
  for (struct trace_context *context = trace_contexts(); context && writing.rows;
       context = context->next) {
    struct row *row = has_counts(context) ? row_of(context->who) : NULL;
    if (!row)
      continue;
    row->elsewhere[0] += context->elsewhere[0];
    row->elsewhere[1] += context->elsewhere[1];
    row->entries += context->entries;
    row->moves += context->moves;
    if (row->cpu == UINT32_MAX || context->entries > row->busiest) {
      row->cpu = context->cpu;
      row->busiest = context->entries;
    }
  }
  for (size_t i = 0; writing.rows && i < writing.row_count; i++)
    writing.thread_of_code[trace_who_code(writing.rows[i].who)] = (uint16_t)(i + 1);
}

static void put_threads(struct trace_output *output) {
  trace_begin_section(output, "THRD");
  trace_put(output, writing.row_count);
  for (size_t i = 0; i < writing.row_count; i++) {
    const struct row *row = &writing.rows[i];
    trace_put(output, row->who.kind);
    trace_put(output, row->who.number);
    trace_put(output, row->cpu == UINT32_MAX ? 0 : (uint64_t)row->cpu + 1);
    trace_put(output, row->entries);
    trace_put(output, row->moves);
    trace_put(output, row->elsewhere[0]);
    trace_put(output, row->elsewhere[1]);
  }
  trace_end_section(output);
}

static size_t index_of(const struct trace_context *context) {
  return writing.thread_of_code[trace_who_code(context->who)];
}

/*===-- PHAS, TASK ----------------------------------------------------------===*/

static void put_place(struct trace_output *output, uintptr_t code) {
  struct trace_place place;
  trace_place_of(code, &place);
  trace_put_text(output, place.path);
  trace_put(output, place.offset);
  trace_put_text(output, place.function);
}

/* As the program came to them; those of which that is not known yet come last. */
static void sort_codes(const struct trace_code_numbers *codes) {
  for (unsigned number = 1; number < codes->room; number++)
    if (atomic_load(&codes->codes[number])) {
      unsigned rank = atomic_load(&codes->ranks[number]);
      writing.in_order[rank ? rank : codes->room + number] = number;
    }
}

/* @param indices gets the index of each in the section, from 1 */
static void put_numbered_codes(struct trace_output *output, const char *tag,
                               const struct trace_code_numbers *codes, unsigned *indices) {
  unsigned count = 0;
  sort_codes(codes);
  trace_begin_section(output, tag);
  for (size_t i = 0; i < 2 * (size_t)codes->room; i++) {
    unsigned number = writing.in_order[i];
    writing.in_order[i] = 0;
    if (number == 0)
      continue;
    indices[number] = ++count;
    trace_put(output, 1);
    put_place(output, atomic_load(&codes->codes[number]));
  }
  trace_put(output, 0);
  trace_end_section(output);
}

/*===-- DYNA ----------------------------------------------------------------===*/

static void put_dynamic_phases(struct trace_output *output) {
  trace_begin_section(output, "DYNA");
  for (unsigned phase = 0; phase < TRACE_PHASES_MAX; phase++)
    if (trace_phase_is_dynamic(phase))
      trace_put(output, (uint64_t)writing.phase_index[phase] + 1);
  trace_put(output, 0);
  trace_end_section(output);
}

/*===-- TIME ----------------------------------------------------------------===*/

static void put_slices(struct trace_output *output) {
  trace_begin_section(output, "TIME");
  trace_put(output, trace_slice_count());
  for (unsigned slice = 0; slice < trace_slice_count(); slice++)
    trace_put(output, trace_slice_start(slice));
  trace_end_section(output);
}

/* What follows is of the context's. */
static void put_slice(struct trace_output *output, const struct trace_context *context) {
  trace_begin_section(output, "SLIC");
  trace_put(output, context->slice);
  trace_end_section(output);
}

/*===-- Calls that allocate -------------------------------------------------===*/

static void see_new(const struct minas_symbol *symbol, void *context) {
  (void)context;
  bool is_new = strncmp(symbol->name, "_Znw", 4) == 0 || strncmp(symbol->name, "_Zna", 4) == 0;
  if (is_new && symbol->type == STT_FUNC && symbol->is_defined && writing.new_count < NEWS_MAX)
    writing.news[writing.new_count++] =
        (struct extent){symbol->start, symbol->start + symbol->bytes};
}

static void see_news(const struct trace_object *object, void *context) {
  trace_symbols_visit(object, see_new, context);
}

static bool is_in_new(uintptr_t call) {
  for (size_t i = 0; i < writing.new_count; i++)
    if (call - 1 >= writing.news[i].start && call - 1 < writing.news[i].end)
      return true;
  return false;
}

/* How many calls of a chain lie in operator new; behind them is what the program wrote. */
static size_t count_news(const struct minas_callers *chain) {
  size_t count = 0;
  while (count + 1 < chain->count && is_in_new(chain->code[count]))
    count++;
  return count;
}

/* The call that asked for a block. */
static uintptr_t site_of(const struct trace_block *block) {
  const struct minas_callers *chain = trace_callers_at(block->chain);
  return chain ? chain->code[count_news(chain)] : block->site;
}

/*===-- ARRY ----------------------------------------------------------------===*/

static void put_array(struct trace_output *output, const struct trace_block *block,
                      const char *name, const char *module, const char *file) {
  trace_put(output, (uint64_t)block->kind + 1);
  trace_put(output, block->start);
  trace_put(output, block->bytes);
  trace_put(output, block->instances);
  trace_put_text(output, name);
  if (block->kind == 0) {
    trace_put_text(output, module);
    trace_put(output, 0);
    trace_put_text(output, file);
  } else {
    uintptr_t site = site_of(block);
    put_place(output, site ? site - 1 : 0);
  }
}

static void put_block(const struct trace_block *block, void *context) {
  if (trace_is_touched(block->start, block->bytes))
    put_array(context, block, block->name, "", "");
}

struct symbols {
  struct trace_output *output;
  const struct trace_object *object;
};

static void put_symbol(const struct minas_symbol *symbol, void *context) {
  const struct symbols *symbols = context;
  if (symbol->type != STT_OBJECT || !symbol->is_defined || !symbol->is_written ||
      symbol->bytes < TRACE_SYMBOL_BYTES_MIN || !trace_is_touched(symbol->start, symbol->bytes))
    return;
  struct trace_block block = {.start = symbol->start, .bytes = symbol->bytes};
  if (trace_is_descriptor(symbol->start)) {
    block.kind = TRACE_BLOCK_STACK;
    put_array(symbols->output, &block, "[descriptors]", "", "");
    return;
  }
  put_array(symbols->output, &block, symbol->name, symbols->object->path, symbol->file);
}

static void put_symbols(const struct trace_object *object, void *context) {
  struct symbols symbols = {context, object};
  trace_symbols_visit(object, put_symbol, &symbols);
}

/* A line such as 7ffc0000-7ffd0000 rw-p 00000000 00:00 0 [stack]. */
static void put_known_mapping(struct trace_output *output, const char *line) {
  unsigned long start = 0;
  unsigned long stop = 0;
  const char *name = strchr(line, '[');
  if (!name || (strcmp(name, "[heap]") != 0 && strcmp(name, "[stack]") != 0))
    return;
  if (!trace_parse(&line, 16, &start) || *line != '-')
    return;
  line++;
  if (!trace_parse(&line, 16, &stop))
    return;
  struct trace_block block = {.start = start, .bytes = stop - start, .kind = TRACE_BLOCK_STACK};
  put_array(output, &block, name, "", "");
}

/* The initial thread's stack and the heap, by the kernel's names. */
static void put_known_mappings(struct trace_output *output) {
  static char text[1 << 16];
  size_t used = 0;
  int file = kernel_open("/proc/thread-self/maps", O_RDONLY, 0);
  if (file < 0)
    return;
  for (ssize_t some; (some = kernel_read(file, text + used, sizeof text - 1 - used)) > 0;) {
    used += (size_t)some;
    text[used] = '\0';
    char *line = text;
    for (char *end; (end = strchr(line, '\n')); line = end + 1) {
      *end = '\0';
      put_known_mapping(output, line);
    }
    used = strlen(line);
    memmove(text, line, used + 1);
  }
  kernel_close(file);
}

static void put_arrays(struct trace_output *output) {
  trace_begin_section(output, "ARRY");
  trace_objects_visit(put_symbols, output);
  trace_blocks_visit(put_block, output);
  put_known_mappings(output);
  trace_put(output, 0);
  trace_end_section(output);
}

/*===-- CALL ----------------------------------------------------------------===*/

static void put_chain(struct trace_output *output, const struct minas_callers *chain) {
  struct trace_place place;
  size_t first = count_news(chain);
  size_t end = first;
  while (end < chain->count && end < first + TRACE_CALLERS_MAX)
    end++;
  trace_put(output, end - first);
  for (size_t i = first; i < end; i++) {
    trace_object_of(chain->code[i] - 1, &place);
    trace_put_text(output, place.path);
    trace_put(output, place.offset);
  }
}

static void put_callers_of(const struct trace_block *block, void *context) {
  if (!block->chain || !trace_is_touched(block->start, block->bytes))
    return;
  trace_put(context, block->start);
  trace_put(context, block->chain);
  trace_put(context, block->rank);
}

static void put_calls(struct trace_output *output) {
  const struct minas_callers *chain;
  trace_begin_section(output, "CALL");
  for (unsigned number = 1; (chain = trace_callers_at(number)); number++)
    put_chain(output, chain);
  trace_put(output, 0);
  trace_blocks_visit(put_callers_of, output);
  trace_put(output, 0);
  trace_end_section(output);
}

static void put_keys(struct trace_output *output) {
  trace_begin_section(output, "KEYS");
  for (unsigned number = 1; trace_callers_at(number); number++) {
    trace_put(output, number);
    trace_put_text(output, trace_callers_key(number));
  }
  trace_put(output, 0);
  trace_end_section(output);
}

/*===-- PAGE ----------------------------------------------------------------===*/

/* Pages of a chunk that were touched, waiting for the kernel's word on their nodes. */
struct batch {
  uintptr_t addresses[TRACE_PAGES_MAX];
  const struct trace_page *pages[TRACE_PAGES_MAX];
  size_t count;
  uintptr_t next; /* the address after the last page that was put */
};

static void put_batch(struct trace_output *output, struct batch *batch) {
  int16_t nodes[TRACE_PAGES_MAX];
  size_t page = writing.settings->page;
  trace_nodes_of_pages(batch->addresses, batch->count, nodes);
  for (size_t i = 0; i < batch->count; i++) {
    const struct trace_page *known = batch->pages[i];
    uintptr_t address = batch->addresses[i];
    int16_t node = nodes[i];
    if (known->node > 0)
      node = known->node;
    trace_put(output, (address - batch->next) / page + 1);
    trace_put(output, (uint64_t)node);
    trace_put(output, writing.thread_of_code[atomic_load(&known->first[MAI_TRACE_READ])]);
    trace_put(output, writing.thread_of_code[atomic_load(&known->first[MAI_TRACE_WRITE])]);
    batch->next = address + page;
  }
  batch->count = 0;
}

static void put_pages(struct trace_output *output) {
  static struct batch batch;
  size_t page = writing.settings->page;
  size_t count = ((size_t)1 << MAI_TRACE_CHUNK_SHIFT) / page;
  trace_begin_section(output, "PAGE");
  for (struct trace_page_chunk *chunk = trace_page_chunks(); chunk; chunk = chunk->next) {
    batch.next = chunk->base;
    trace_put(output, chunk->base / page + 1);
    for (size_t i = 0; i < count; i++) {
      const struct trace_page *known = &chunk->pages[i];
      if (!atomic_load(&known->first[0]) && !atomic_load(&known->first[1]))
        continue;
      batch.addresses[batch.count] = chunk->base + i * page;
      batch.pages[batch.count++] = known;
      if (batch.count == TRACE_PAGES_MAX)
        put_batch(output, &batch);
    }
    if (batch.count)
      put_batch(output, &batch);
    trace_put(output, 0);
  }
  trace_put(output, 0);
  trace_end_section(output);
}

/*===-- LINE and COAR -------------------------------------------------------===*/

static uint64_t sum_lines(const struct trace_context *context, const struct trace_chunk *chunk,
                          size_t first, size_t count, int kind) {
  uint64_t sum = 0;
  for (size_t i = first; i < first + count; i++)
    if (chunk->lines[i].count[kind] ||
        (chunk->touched[(2 * i + (size_t)kind) / 64] >> ((2 * i + (size_t)kind) % 64) & 1))
      sum += trace_counter_value(context, chunk, i, kind);
  return sum;
}

/* Whether some of [start, end) cannot be written. */
static bool has_constants(uintptr_t start, uintptr_t end) {
  for (size_t i = 0; i < writing.constant_count; i++)
    if (writing.constants[i].start < end && start < writing.constants[i].end)
      return true;
  return false;
}

static void put_chunk(struct trace_output *output, const struct trace_context *context,
                      const struct trace_chunk *chunk) {
  size_t merged = writing.settings->line >> MAI_TRACE_LINE_SHIFT;
  size_t next = 0;
  const uintptr_t word_bytes = (uintptr_t)32 << MAI_TRACE_LINE_SHIFT;
  bool with_constants =
      has_constants(chunk->base, chunk->base + ((uintptr_t)1 << MAI_TRACE_CHUNK_SHIFT));
  trace_put(output, trace_without_view(chunk->base) / writing.settings->line + 1);
  for (size_t word = 0; word < MAI_TRACE_CHUNK_LINES / 32; word++) {
    /* 32 lines at once, or as many as are one. */
    if (merged <= 32 && !chunk->touched[word])
      continue;
    if (merged > 32 && word * 32 % merged != 0)
      continue;
    uintptr_t start = chunk->base + word * word_bytes;
    if (with_constants && has_constants(start, start + word_bytes))
      continue;
    for (size_t line = word * 32; line < (word + 1) * 32; line += merged) {
      uint64_t reads = sum_lines(context, chunk, line, merged, MAI_TRACE_READ);
      uint64_t writes = sum_lines(context, chunk, line, merged, MAI_TRACE_WRITE);
      if (!reads && !writes)
        continue;
      trace_put(output, line / merged - next + 1);
      trace_put(output, reads);
      trace_put(output, writes);
      next = line / merged + 1;
    }
  }
  trace_put(output, 0);
}

static bool has_view(const struct trace_context *context, unsigned view) {
  for (const struct trace_chunk *chunk = context->list; chunk; chunk = chunk->next)
    if (trace_view_of(chunk->base) == view)
      return true;
  return false;
}

static void put_view(struct trace_output *output, const struct trace_context *context,
                     unsigned view) {
  trace_begin_section(output, view ? "FREE" : "LINE");
  if (view)
    trace_put(output, view);
  trace_put(output, index_of(context) - 1);
  trace_put(output, writing.phase_index[context->phase]);
  for (const struct trace_chunk *chunk = context->list; chunk; chunk = chunk->next)
    if (trace_view_of(chunk->base) == view)
      put_chunk(output, context, chunk);
  trace_put(output, 0);
  trace_end_section(output);
}

static void put_lines(struct trace_output *output, const struct trace_context *context) {
  for (unsigned view = 0; view <= TRACE_VIEWS; view++)
    if (has_view(context, view))
      put_view(output, context, view);
}

static void put_part(struct trace_output *output, const struct trace_part *part) {
  uintptr_t start = atomic_load(&part->start);
  if ((!part->count[MAI_TRACE_READ] && !part->count[MAI_TRACE_WRITE]) ||
      has_constants(start, start + 1))
    return;
  trace_put(output, start + 1);
  trace_put(output, 1);
  trace_put(output, part->count[MAI_TRACE_READ]);
  trace_put(output, part->count[MAI_TRACE_WRITE]);
  trace_put(output, 0);
}

static void put_parts(struct trace_output *output, const struct trace_context *context) {
  const struct trace_parts *parts = context->parts;
  trace_begin_section(output, "PART");
  trace_put(output, index_of(context) - 1);
  trace_put(output, writing.phase_index[context->phase]);
  for (size_t i = 0; i < parts->room; i++)
    put_part(output, &parts->part[i]);
  trace_put(output, 0);
  trace_end_section(output);
}

static void put_coarse(struct trace_output *output, const struct trace_context *context) {
  size_t page = writing.settings->page;
  size_t count = ((size_t)1 << MAI_TRACE_CHUNK_SHIFT) / page;
  trace_begin_section(output, "COAR");
  trace_put(output, index_of(context) - 1);
  trace_put(output, writing.phase_index[context->phase]);
  for (const struct trace_coarse *coarse = context->coarse_list; coarse; coarse = coarse->next) {
    size_t next = 0;
    trace_put(output, coarse->base / page + 1);
    for (size_t i = 0; i < count; i++) {
      uintptr_t start = coarse->base + i * page;
      if ((!coarse->pages[i][0] && !coarse->pages[i][1]) || has_constants(start, start + page))
        continue;
      trace_put(output, i - next + 1);
      trace_put(output, coarse->pages[i][0]);
      trace_put(output, coarse->pages[i][1]);
      next = i + 1;
    }
    trace_put(output, 0);
  }
  trace_put(output, 0);
  trace_end_section(output);
}

/*===-- GIVE, MOVE and BYTE -------------------------------------------------===*/

static void put_sources(struct trace_output *output, const struct trace_context *context) {
  const struct trace_parts *sources = context->sources;
  for (size_t i = 0; sources && i < sources->room; i++) {
    const struct trace_part *source = &sources->part[i];
    size_t from = writing.thread_of_code[atomic_load(&source->start)];
    if (!from || (!source->count[MAI_TRACE_READ] && !source->count[MAI_TRACE_WRITE]))
      continue;
    trace_put(output, from);
    trace_put(output, index_of(context) - 1);
    trace_put(output, writing.phase_index[context->phase]);
    trace_put(output, source->count[MAI_TRACE_READ]);
    trace_put(output, source->count[MAI_TRACE_WRITE]);
  }
}

static void put_transfers(struct trace_output *output) {
  trace_begin_section(output, "GIVE");
  for (const struct trace_context *context = trace_contexts(); context; context = context->next)
    if (index_of(context))
      put_sources(output, context);
  trace_put(output, 0);
  trace_end_section(output);
}

static void put_transferred_lines(struct trace_output *output) {
  trace_begin_section(output, "MOVE");
  for (struct trace_owners *owners = trace_owners(); owners; owners = owners->next) {
    size_t next = 0;
    trace_put(output, trace_view_of(owners->base) + 1);
    trace_put(output, trace_without_view(owners->base) >> MAI_TRACE_LINE_SHIFT);
    for (size_t line = 0; line < MAI_TRACE_CHUNK_LINES; line++)
      if (owners->transfers[line]) {
        trace_put(output, line - next + 1);
        trace_put(output, owners->transfers[line]);
        next = line + 1;
      }
    trace_put(output, 0);
  }
  trace_put(output, 0);
  trace_end_section(output);
}

static void put_bytes_of(struct trace_output *output, const struct trace_bytes *bytes) {
  size_t next = 0;
  trace_put(output, trace_view_of(bytes->base) + 1);
  trace_put(output, trace_without_view(bytes->base) >> MAI_TRACE_LINE_SHIFT);
  for (size_t line = 0; line < MAI_TRACE_CHUNK_LINES; line++)
    if ((bytes->begun[line][0] || bytes->begun[line][1]) &&
        trace_transfers_of(bytes->base + (line << MAI_TRACE_LINE_SHIFT))) {
      trace_put(output, line - next + 1);
      trace_put(output, bytes->begun[line][MAI_TRACE_READ]);
      trace_put(output, bytes->begun[line][MAI_TRACE_WRITE]);
      next = line + 1;
    }
  trace_put(output, 0);
}

static void put_bytes(struct trace_output *output, const struct trace_context *context) {
  trace_begin_section(output, "BYTE");
  trace_put(output, index_of(context) - 1);
  trace_put(output, writing.phase_index[context->phase]);
  for (const struct trace_bytes *bytes = context->bytes_list; bytes; bytes = bytes->next)
    put_bytes_of(output, bytes);
  trace_put(output, 0);
  trace_end_section(output);
}

/*===-- CODE and USES -------------------------------------------------------===*/

typedef void use_visitor(const struct trace_code_use *use, uintptr_t page,
                         struct trace_output *output);

/* Calls `visit` for what was counted by code. */
static void visit_uses(const struct trace_context *context, use_visitor *visit,
                       struct trace_output *output) {
  for (const struct trace_code_chunk *chunk = context->code_list; chunk; chunk = chunk->next)
    for (size_t i = 0; i < TRACE_CODE_PAGES; i++)
      for (size_t list = 0; chunk->pages[i] && list < TRACE_CODE_LISTS; list++)
        for (const struct trace_code_use *use = chunk->pages[i]->lists[list]; use; use = use->next)
          if (use->count[MAI_TRACE_READ] || use->count[MAI_TRACE_WRITE])
            visit(use, chunk->base + (i << TRACE_CODE_PAGE_SHIFT), output);
}

static void put_code(const struct trace_code_use *use, uintptr_t page,
                     struct trace_output *output) {
  struct trace_place place;
  struct trace_part *number = trace_part_make(&writing.codes, use->code);
  (void)page;
  if (!number || number->count[0])
    return;
  number->count[0] = ++writing.code_count;
  trace_object_of(use->code, &place);
  trace_put(output, 1);
  trace_put_text(output, place.path);
  trace_put(output, place.offset);
}

static void put_codes(struct trace_output *output) {
  writing.code_count = 0;
  atomic_store(&writing.codes, NULL);
  trace_begin_section(output, "CODE");
  for (const struct trace_context *context = trace_contexts(); context; context = context->next)
    if (index_of(context))
      visit_uses(context, put_code, output);
  trace_put(output, 0);
  trace_end_section(output);
}

/* Which code, and which page. @return whether that is to be told */
static bool put_code_and_page(const struct trace_code_use *use, uintptr_t page,
                              struct trace_output *output) {
  const struct trace_part *number = trace_part_find(&writing.codes, use->code);
  if (!number || has_constants(page, page + 1))
    return false;
  trace_put(output, number->count[0]);
  trace_put(output, trace_without_view(page) / writing.settings->page);
  return true;
}

static void put_use(const struct trace_code_use *use, uintptr_t page, struct trace_output *output) {
  if (!put_code_and_page(use, page, output))
    return;
  trace_put(output, use->count[MAI_TRACE_READ]);
  trace_put(output, use->count[MAI_TRACE_WRITE]);
}

static void put_uses(struct trace_output *output, const struct trace_context *context,
                     const char *tag, use_visitor *put) {
  trace_begin_section(output, tag);
  trace_put(output, index_of(context) - 1);
  trace_put(output, writing.phase_index[context->phase]);
  visit_uses(context, put, output);
  trace_put(output, 0);
  trace_end_section(output);
}

static bool is_seen_by_model(const struct trace_code_use *use) {
  for (int what = 0; what < MODEL_COUNTS; what++)
    if (atomic_load(&use->model[what]))
      return true;
  return false;
}

static void put_model_use(const struct trace_code_use *use, uintptr_t page,
                          struct trace_output *output) {
  if (!is_seen_by_model(use) || !put_code_and_page(use, page, output))
    return;
  for (int what = 0; what < MODEL_COUNTS; what++)
    trace_put(output, use->model[what]);
}

static void put_model(struct trace_output *output) {
  trace_begin_section(output, "MODL");
  trace_put(output, writing.settings->model_imagined ? writing.settings->model_nodes : 0);
  trace_put(output, writing.settings->model_cache);
  trace_put(output, writing.settings->model_ways);
  trace_end_section(output);
}

/* What follows is of these tasks. */
static void put_task(struct trace_output *output, const struct trace_context *context) {
  trace_begin_section(output, "BODY");
  trace_put(output, writing.task_index[context->task]);
  trace_put(output, index_of(context) - 1);
  trace_put(output, context->begun);
  trace_end_section(output);
}

static void put_counts(struct trace_output *output, const struct trace_context *context) {
  if (writing.settings->slices)
    put_slice(output, context);
  if (writing.settings->tasks)
    put_task(output, context);
  if (context->list)
    put_lines(output, context);
  if (context->parts)
    put_parts(output, context);
  if (context->coarse_list)
    put_coarse(output, context);
  if (context->bytes_list)
    put_bytes(output, context);
  if (context->code_list)
    put_uses(output, context, "USES", put_use);
  if (context->code_list && writing.settings->model)
    put_uses(output, context, "MISS", put_model_use);
}

int trace_write_profile(const struct trace_settings *settings, const struct trace_end *end) {
  struct trace_output *output = &writing.output;
  writing.settings = settings;
  trace_open(output, end->path);
  writing.constant_count = trace_constants_find(writing.constants, CONSTANTS_MAX);
  writing.new_count = 0;
  trace_objects_visit(see_news, NULL);
  collect_rows();
  put_head(output, end);
  trace_machine_write(output);
  put_modules(output);
  put_threads(output);
  put_numbered_codes(output, "PHAS", trace_regions(), writing.phase_index);
  if (settings->tasks)
    put_numbered_codes(output, "TASK", trace_tasks(), writing.task_index);
  put_dynamic_phases(output);
  if (settings->slices)
    put_slices(output);
  put_arrays(output);
  put_calls(output);
  put_keys(output);
  put_pages(output);
  if (settings->sources)
    put_codes(output);
  if (settings->model)
    put_model(output);
  for (const struct trace_context *context = trace_contexts(); context; context = context->next)
    if (index_of(context))
      put_counts(output, context);
  if (settings->transfers) {
    put_transfers(output);
    put_transferred_lines(output);
  }
  if (writing.rows)
    trace_memory_free(writing.rows, (writing.row_room + 1) * sizeof *writing.rows);
  return trace_close(output, end->path);
}
