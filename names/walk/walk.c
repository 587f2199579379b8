/*===-- walk.c - follows a region's variables to blocks ---------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "walk.h"

#include <stdio.h>
#include <string.h>

#include "runtime/heap.h"
#include "runtime/own_memory.h"
#include "runtime/system.h"

enum {
  MOST_DEPTH = 4,       /* of pointers that are followed */
  MOST_NESTING = 40,    /* of structures in structures */
  MOST_ELEMENTS = 64,   /* of an array: there may be millions */
  MOST_STEPS = 1 << 15, /* pointers that are looked at */
  MOST_PLACES = 1 << 11,
  MOST_SEEN = 1 << 13,
  MOST_NAME = 160, /* longer ones say nothing to anybody */
  MOST_CLASSES = 4,
  WINDOW = 512
};

/* A class that a name goes through, and where in the name its member begins. */
struct class {
  uint32_t name; /* a text of the table */
  uint32_t member;
};

/* Something that is to be followed: an object of a type. */
struct minas_names_place {
  uintptr_t address;
  uint32_t type;
  uint16_t depth;
  uint16_t rank;
  uint16_t classes; /* the outermost of those that the name goes through */
  uint16_t whole;   /* so much of the name says the same: what follows is an only member; or 0 */
  struct class list[MOST_CLASSES];
  char name[MOST_NAME];
};

struct walk {
  const struct minas_names *names;
  minas_names_see *see;
  void *context;
  int memory;
  unsigned steps;
  unsigned first; /* of the places, which wait in a ring of which none is used again */
  unsigned places;
  uintptr_t window; /* what has been read last */
  size_t window_bytes;
  char copy[WINDOW];
  struct {
    uintptr_t address;
    uint32_t type; /* 0: nothing is here */
  } seen[MOST_SEEN];
  struct minas_names_place list[MOST_PLACES];
};

/*===-- Reading ------------------------------------------------------------===*/

static bool is_in_window(const struct walk *walk, uintptr_t address, size_t bytes) {
  uintptr_t offset = address - walk->window;
  return offset < walk->window_bytes && bytes <= walk->window_bytes - offset;
}

/* Objects lie close together: more is read than is asked for, where it is there. */
static bool read_memory(struct walk *walk, uintptr_t address, void *value, size_t bytes) {
  if (!is_in_window(walk, address, bytes)) {
    bool whole = minas_own_memory_read(walk->memory, address, walk->copy, WINDOW);
    walk->window = address;
    walk->window_bytes = whole ? WINDOW : 0;
  }
  if (!is_in_window(walk, address, bytes))
    return minas_own_memory_read(walk->memory, address, value, bytes);
  memcpy(value, walk->copy + (address - walk->window), bytes);
  return true;
}

/* A word that is not zero. */
static bool read_pointer(struct walk *walk, uintptr_t address, uintptr_t *pointer) {
  if (walk->steps == 0)
    return false;
  walk->steps--;
  return read_memory(walk, address, pointer, sizeof *pointer) && *pointer;
}

/*===-- What is to be followed ---------------------------------------------===*/

/* Whether an object is seen for the first time, as far as is remembered. */
static bool is_new(struct walk *walk, uintptr_t address, uint32_t type) {
  uint64_t start = ((address >> 3) + type) * UINT64_C(0x9e3779b97f4a7c15) >> 51;
  for (size_t probe = 0; probe < 16; probe++) {
    size_t slot = (start + probe) % MOST_SEEN;
    if (walk->seen[slot].type == 0) {
      walk->seen[slot].address = address;
      walk->seen[slot].type = type;
      return true;
    }
    if (walk->seen[slot].address == address && walk->seen[slot].type == type)
      return false;
  }
  return false;
}

static void follow_later(struct walk *walk, const struct minas_names_place *place) {
  if (place->type && place->depth <= MOST_DEPTH && walk->places < MOST_PLACES &&
      is_new(walk, place->address, place->type))
    walk->list[walk->places++] = *place;
}

static bool begins_anew(const char *addition) { return *addition == *MINAS_NAMES_ANEW; }

/* "grid" and ".rho"; a class "Grid::" and ".rho".  @return false where it becomes too long */
static bool extend(char name[MOST_NAME], const char *addition) {
  if (begins_anew(addition)) {
    *name = '\0';
    addition++;
  }
  size_t length = strlen(name);
  if (length > 0 && name[length - 1] == ':' && (*addition == '.' || *addition == '%'))
    addition++;
  size_t more = strlen(addition);
  if (more >= MOST_NAME - length)
    return false;
  memcpy(name + length, addition, more + 1);
  return true;
}

static void show(struct walk *walk, uintptr_t pointer, const struct minas_names_place *place) {
  char name[MOST_NAME];
  size_t length = strlen(place->name);
  while (length > 0 && place->name[length - 1] == ':')
    length--;
  memcpy(name, place->name, length);
  name[length] = '\0';
  struct minas_names_sight sight = {pointer, name, (enum minas_names_rank)place->rank, walk->names,
                                    place};
  if (length > 0)
    walk->see(&sight, walk->context);
}

/*===-- Other forms of a name ----------------------------------------------===*/

/* Notes that a member of a class has been added to a name, behind its separator. */
static void note_class(struct minas_names_place *member, const struct minas_names_type *class,
                       const char *addition) {
  size_t length = strlen(member->name);
  size_t begin = length - strlen(addition + 1);
  if (class->name && member->classes < MOST_CLASSES)
    member->list[member->classes++] = (struct class){class->name, (uint32_t)begin};
}

/* Of "field.density.data", where a density has no other member, "field.density" is the whole. */
static uint16_t whole_of(const struct minas_names_place *place,
                         const struct minas_names_type *class) {
  size_t length = strlen(place->name);
  if (!class->name || class->count != 1 || length == 0 || place->name[length - 1] == ':')
    return 0;
  return place->whole ? place->whole : (uint16_t)length;
}

/* Unless the name is the same. */
static void add_form(char *text, const struct minas_names_place *place, const char *class,
                     size_t member, size_t end) {
  char form[MINAS_NAMES_MOST_TEXT + MOST_NAME];
  snprintf(form, sizeof form, "%s%s%.*s", class, *class ? "::" : "", (int)(end - member),
           place->name + member);
  size_t used = strlen(text);
  if (strcmp(form, place->name) != 0 && used + strlen(form) + 2 <= MINAS_NAMES_FORMS)
    snprintf(text + used, MINAS_NAMES_FORMS - used, "%s%s", used ? "\n" : "", form);
}

void minas_names_other_forms(const struct minas_names_sight *sight, char *text) {
  const struct minas_names_place *place = sight->place;
  size_t end = strlen(place->name);
  *text = '\0';
  for (size_t i = place->classes; i-- > 0;) {
    const char *class = sight->names->texts + place->list[i].name;
    size_t member = place->list[i].member;
    if (place->whole > member)
      add_form(text, place, class, member, place->whole);
    if (place->whole == 0 || place->whole > member)
      add_form(text, place, class, member, end);
  }
  if (place->whole)
    add_form(text, place, "", 0, place->whole);
}

/*===-- By type ------------------------------------------------------------===*/

static void visit(struct walk *walk, const struct minas_names_place *place, unsigned nesting);

static void visit_pointer(struct walk *walk, const struct minas_names_place *place,
                          const struct minas_names_type *type) {
  struct minas_names_place target = *place;
  if (!read_pointer(walk, place->address, &target.address))
    return;
  show(walk, target.address, place);
  target.type = type->target;
  target.depth = (uint16_t)(place->depth + (type->kind == MINAS_NAMES_POINTER));
  follow_later(walk, &target);
}

/* A captured object is one that its function was called for. */
static uint16_t rank_of_captured(const char *name) {
  return strchr(name, ':') ? MINAS_NAMES_PARAMETER : MINAS_NAMES_LOCAL;
}

static uint16_t rank_of_member(uint16_t rank, const char *name) {
  if (begins_anew(name))
    return rank_of_captured(name);
  if (rank == MINAS_NAMES_PARAMETER)
    return MINAS_NAMES_OF_PARAMETER;
  return rank == MINAS_NAMES_LOCAL ? MINAS_NAMES_MEMBER : rank;
}

static void visit_members(struct walk *walk, const struct minas_names_place *place,
                          const struct minas_names_type *type, unsigned nesting) {
  const struct minas_names_member *members = &walk->names->members[type->target];
  for (uint64_t i = 0; i < type->count && walk->steps > 0; i++) {
    struct minas_names_place member = *place;
    const char *name = walk->names->texts + members[i].name;
    member.address += members[i].offset;
    member.type = members[i].type;
    if (begins_anew(name))
      member.classes = member.whole = 0;
    if (!extend(member.name, name))
      continue;
    if (*name) {
      member.rank = rank_of_member(place->rank, name);
      member.whole = whole_of(place, type);
      note_class(&member, type, name);
    }
    visit(walk, &member, nesting + 1);
  }
}

static void visit_elements(struct walk *walk, const struct minas_names_place *place,
                           const struct minas_names_type *type, unsigned nesting) {
  for (uint64_t i = 0; i < type->count && i < MOST_ELEMENTS && walk->steps > 0; i++) {
    struct minas_names_place element = *place;
    char index[24];
    snprintf(index, sizeof index, "[%u]", (unsigned)i);
    element.address += i * type->stride;
    element.type = type->target;
    if (extend(element.name, index))
      visit(walk, &element, nesting + 1);
  }
}

/* Elements that lie elsewhere, counted from `lower` on. */
static void follow_elements(struct walk *walk, const struct minas_names_place *place,
                            const struct minas_names_type *type, uint64_t count, int64_t lower,
                            const char *format) {
  for (uint64_t i = 0; type->target && i < count && i < MOST_ELEMENTS; i++) {
    struct minas_names_place element = *place;
    char index[32];
    long long number = (int64_t)i + lower;
    snprintf(index, sizeof index, format, number);
    element.address += i * type->stride;
    element.type = type->target;
    element.depth++;
    if (extend(element.name, index))
      follow_later(walk, &element);
  }
}

static void visit_range(struct walk *walk, const struct minas_names_place *place,
                        const struct minas_names_type *type) {
  struct minas_names_place elements = *place;
  uintptr_t end;
  if (!read_pointer(walk, place->address, &elements.address))
    return;
  show(walk, elements.address, place);
  if (type->stride && read_pointer(walk, place->address + type->end, &end) &&
      end > elements.address)
    follow_elements(walk, &elements, type, (end - elements.address) / type->stride, 0, "[%lld]");
}

/* gfortran's descriptor, of which the first dimension is the one that elements are counted by. */
struct descriptor {
  uintptr_t elements;
  int64_t offset;
  uint64_t type[2];
  int64_t span;
  struct {
    int64_t stride, lower, upper;
  } dimension;
};

static void visit_descriptor(struct walk *walk, const struct minas_names_place *place,
                             const struct minas_names_type *type) {
  struct minas_names_place elements = *place;
  struct descriptor descriptor;
  if (!read_pointer(walk, place->address, &elements.address))
    return;
  show(walk, elements.address, place);
  if (!type->target || !read_memory(walk, place->address, &descriptor, sizeof descriptor) ||
      descriptor.dimension.upper < descriptor.dimension.lower)
    return;
  uint64_t count = (uint64_t)descriptor.dimension.upper - (uint64_t)descriptor.dimension.lower + 1;
  follow_elements(walk, &elements, type, count, descriptor.dimension.lower, "(%lld)");
}

static void visit(struct walk *walk, const struct minas_names_place *place, unsigned nesting) {
  const struct minas_names_type *type = &walk->names->types[place->type];
  if (nesting > MOST_NESTING)
    return;
  switch (type->kind) {
  case MINAS_NAMES_POINTER:
  case MINAS_NAMES_REFERENCE:
    visit_pointer(walk, place, type);
    break;
  case MINAS_NAMES_RECORD:
    visit_members(walk, place, type, nesting);
    break;
  case MINAS_NAMES_ARRAY:
    visit_elements(walk, place, type, nesting);
    break;
  case MINAS_NAMES_RANGE:
    visit_range(walk, place, type);
    break;
  case MINAS_NAMES_DESCRIPTOR:
    visit_descriptor(walk, place, type);
    break;
  default:
    break;
  }
}

/*===-- The whole ----------------------------------------------------------===*/

static void begin_at(struct walk *walk, uint64_t first, uint64_t count, uintptr_t base) {
  for (uint64_t i = first; i < first + count; i++) {
    const struct minas_names_variable *variable = &walk->names->variables[i];
    struct minas_names_place place = {.address = base + variable->offset,
                                      .type = variable->type,
                                      .rank = (uint16_t)variable->rank};
    if (extend(place.name, walk->names->texts + variable->name))
      follow_later(walk, &place);
  }
}

int minas_names_walk(const struct minas_names *names, const struct minas_names_region *region,
                     uintptr_t base, uintptr_t bias, minas_names_see *see, void *context) {
  struct walk *walk = minas_alloc(sizeof *walk);
  if (!walk)
    return -1;
  walk->names = names;
  walk->see = see;
  walk->context = context;
  walk->steps = MOST_STEPS;
  walk->memory = minas_own_memory_open();
  int result = walk->memory < 0 ? -1 : 0;
  if (result == 0) {
    if (region && base)
      begin_at(walk, region->first, region->count, base);
    begin_at(walk, names->header->variables, names->header->statics, bias);
    while (walk->first < walk->places)
      visit(walk, &walk->list[walk->first++], 0);
    minas_close(walk->memory);
  }
  minas_free(walk);
  return result;
}
