/*===-- objects.c - what the dynamic linker has loaded -----------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "objects.h"

#include <dlfcn.h>
#include <elf.h>
#include <stddef.h>
#include <string.h>

#include "runtime/lock.h"

/*===-- Finding objects ----------------------------------------------------===*/

static struct mai_object describe(const struct dl_phdr_info *info) {
  struct mai_object object = {
      .start = UINTPTR_MAX, .bias = info->dlpi_addr, .path = info->dlpi_name};
  for (size_t i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
    uintptr_t start = object.bias + segment->p_vaddr;
    if (segment->p_type == PT_DYNAMIC)
      object.dynamic = (const ElfW(Dyn) *)start;
    if (segment->p_type != PT_LOAD)
      continue;
    object.start = start < object.start ? start : object.start;
    object.end = start + segment->p_memsz > object.end ? start + segment->p_memsz : object.end;
  }
  return object;
}

struct visit {
  mai_object_visitor *visit;
  void *context;
};

static int visit_one(struct dl_phdr_info *info, size_t size, void *visit) {
  const struct visit *self = visit;
  struct mai_object object = describe(info);
  (void)size;
  return self->visit(&object, self->context);
}

bool mai_objects_visit(mai_object_visitor *visit, void *context) {
  MINAS_CALLS_OUT();
  return dl_iterate_phdr(visit_one, &(struct visit){visit, context});
}

#ifdef DLFO_STRUCT_HAS_EH_DBASE /* glibc 2.35: waits for nobody */

bool mai_object_at(const void *address, struct mai_object *object) {
  struct dl_find_object found;
  if (_dl_find_object((void *)(uintptr_t)address, &found) != 0)
    return false;
  *object = (struct mai_object){.start = (uintptr_t)found.dlfo_map_start,
                                .end = (uintptr_t)found.dlfo_map_end,
                                .bias = found.dlfo_link_map->l_addr,
                                .dynamic = found.dlfo_link_map->l_ld,
                                .path = found.dlfo_link_map->l_name};
  return true;
}

#else

struct search {
  const void *address;
  struct mai_object *found;
};

static bool is_around(const struct mai_object *object, void *search) {
  const struct search *self = search;
  if (!mai_object_has(object, self->address))
    return false;
  *self->found = *object;
  return true;
}

bool mai_object_at(const void *address, struct mai_object *object) {
  return mai_objects_visit(is_around, &(struct search){address, object});
}

#endif

/*===-- Their tables -------------------------------------------------------===*/

static const ElfW(Dyn) * entry(const struct mai_object *object, ElfW(Sxword) tag) {
  for (const ElfW(Dyn) *dynamic = object->dynamic; dynamic && dynamic->d_tag != DT_NULL; dynamic++)
    if (dynamic->d_tag == tag)
      return dynamic;
  return NULL;
}

/* The dynamic linker has added the bias where the section can be written. */
static const void *table(const struct mai_object *object, ElfW(Sxword) tag) {
  const ElfW(Dyn) *dynamic = entry(object, tag);
  if (!dynamic)
    return NULL;
  uintptr_t address = dynamic->d_un.d_ptr;
  return (const void *)(address < object->bias ? address + object->bias : address);
}

static size_t number(const struct mai_object *object, ElfW(Sxword) tag) {
  const ElfW(Dyn) *dynamic = entry(object, tag);
  return dynamic ? dynamic->d_un.d_val : 0;
}

/*===-- Symbols ------------------------------------------------------------===*/

struct symbols {
  const ElfW(Sym) * symbols;
  const char *names;
};

/* ELF64_ST_TYPE and its like are the same for both sizes. */
static bool is_function(const struct symbols *symbols, uint32_t index, const char *name) {
  const ElfW(Sym) *symbol = &symbols->symbols[index];
  unsigned type = ELF64_ST_TYPE(symbol->st_info);
  return symbol->st_shndx != SHN_UNDEF && (type == STT_FUNC || type == STT_NOTYPE) &&
         strcmp(symbols->names + symbol->st_name, name) == 0;
}

/* DT_GNU_HASH: four numbers, a Bloom filter, the buckets, and the hashes in chains, the last of
   which has its lowest bit set. */
static uint32_t find_by_gnu_hash(const uint32_t *hash_table, const struct symbols *symbols,
                                 const char *name) {
  uint32_t hash = 5381;
  for (const unsigned char *c = (const unsigned char *)name; *c; c++)
    hash = hash * 33 + *c;
  uint32_t buckets = hash_table[0];
  uint32_t first = hash_table[1];
  const ElfW(Addr) *filter = (const ElfW(Addr) *)(hash_table + 4);
  const uint32_t *bucket = (const uint32_t *)(filter + hash_table[2]);
  const uint32_t *chain = bucket + buckets;
  enum { BITS = 8 * sizeof(ElfW(Addr)) };
  ElfW(Addr) word = filter[hash / BITS % hash_table[2]];
  if (!buckets || !(word >> hash % BITS & 1) || !(word >> (hash >> hash_table[3]) % BITS & 1))
    return 0;
  for (uint32_t i = bucket[hash % buckets]; i >= first && i; i++) {
    if ((chain[i - first] | 1) == (hash | 1) && is_function(symbols, i, name))
      return i;
    if (chain[i - first] & 1)
      break;
  }
  return 0;
}

/* DT_HASH: two numbers, the buckets, and the next of each symbol. */
static uint32_t find_by_hash(const uint32_t *hash_table, const struct symbols *symbols,
                             const char *name) {
  uint32_t hash = 0;
  for (const unsigned char *c = (const unsigned char *)name; *c; c++) {
    hash = (hash << 4) + *c;
    hash = (hash ^ (hash >> 24 & 0xf0)) & 0x0fffffff;
  }
  const uint32_t *bucket = hash_table + 2;
  const uint32_t *next = bucket + hash_table[0];
  for (uint32_t i = bucket[hash % hash_table[0]]; i; i = next[i])
    if (is_function(symbols, i, name))
      return i;
  return 0;
}

static struct symbols symbols_of(const struct mai_object *object) {
  return (struct symbols){table(object, DT_SYMTAB), table(object, DT_STRTAB)};
}

void *mai_object_function(const struct mai_object *object, const char *name) {
  struct symbols symbols = symbols_of(object);
  const uint32_t *gnu_hash = table(object, DT_GNU_HASH);
  const uint32_t *hash = table(object, DT_HASH);
  if (!symbols.symbols || !symbols.names || !(gnu_hash || hash))
    return NULL;
  uint32_t index =
      gnu_hash ? find_by_gnu_hash(gnu_hash, &symbols, name) : find_by_hash(hash, &symbols, name);
  return index ? (void *)(object->bias + symbols.symbols[index].st_value) : NULL;
}

const char *mai_object_name(const struct mai_object *object) {
  const char *names = table(object, DT_STRTAB);
  const ElfW(Dyn) *name = entry(object, DT_SONAME);
  return names && name ? names + name->d_un.d_val : NULL;
}

bool mai_object_needs(const struct mai_object *object, const char *library) {
  const char *names = table(object, DT_STRTAB);
  for (const ElfW(Dyn) *dynamic = object->dynamic; dynamic && dynamic->d_tag != DT_NULL; dynamic++)
    if (dynamic->d_tag == DT_NEEDED && strcmp(names + dynamic->d_un.d_val, library) == 0)
      return true;
  return false;
}

/*===-- Imports ------------------------------------------------------------===*/

static bool visit_relocations(const struct mai_object *object, const ElfW(Rela) * relocations,
                              size_t bytes, mai_import_visitor *visit, void *context) {
  struct symbols symbols = symbols_of(object);
  for (size_t i = 0; relocations && symbols.symbols && i < bytes / sizeof *relocations; i++) {
    /* Both sizes have the symbol in the upper part. */
    size_t index = sizeof(ElfW(Addr)) == 8 ? ELF64_R_SYM((uint64_t)relocations[i].r_info)
                                           : ELF32_R_SYM((uint32_t)relocations[i].r_info);
    const ElfW(Sym) *symbol = &symbols.symbols[index];
    uintptr_t place = object->bias + relocations[i].r_offset;
    if (!index || symbol->st_shndx != SHN_UNDEF || place % sizeof(void *) != 0)
      continue;
    if (visit(symbols.names + symbol->st_name, *(void *const *)place, context))
      return true;
  }
  return false;
}

bool mai_object_imports(const struct mai_object *object, mai_import_visitor *visit, void *context) {
  if (number(object, DT_PLTREL) == DT_RELA &&
      visit_relocations(object, table(object, DT_JMPREL), number(object, DT_PLTRELSZ), visit,
                        context))
    return true;
  return visit_relocations(object, table(object, DT_RELA), number(object, DT_RELASZ), visit,
                           context);
}
