/*===-- ferret.c - finds similar pictures in a database -----------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * Similarity search by content (Q. Lv and others, "Ferret: a toolkit for content-based similarity
 * search of feature-rich data", 2006), as a pipeline of six stages: input makes pictures that are
 * asked for, segment divides each by brightness, extract counts where its segments are, index finds
 * candidates in the database by locality-sensitive hashing, rank compares these with the picture
 * and keeps the nearest, output collects what was found.
 *
 * --database=shared is one database, which the threads of index and rank use on all nodes: wherever
 * it lies it is remote for all nodes but one.  --database=parts has a part of it on each node, and
 * threads of index and rank there that use no other: each picture visits part after part, with what
 * was found so far.  All that differs is in the section "Parts".  --home=no leaves the parts where
 * they are first touched or interleaved.
 *
 * Pictures are made by a seed, and what is counted of them are whole numbers: what is found does
 * not depend on the parts, nor on the order in which threads find it.
 *
 *   gcc -O2 -pthread ferret.c -o ferret -lmai
 *   ./ferret --database=parts
 */
#include "pipeline.h"

enum {
  SIDE = 16,                   /* of a picture: pixels */
  CELLS = 16,                  /* of 4 x 4 pixels */
  SEGMENTS = 4,                /* by brightness */
  FEATURES = SEGMENTS * CELLS, /* pixels of a segment in a cell */
  TABLES = 4,                  /* with a hash function each */
  WIDTH = 64,                  /* of what counts as the same, along a direction */
  FOUND = 10,                  /* of a picture */
  CHECKED = 4                  /* pictures, by comparing them with the whole database */
};

#define NONE UINT32_MAX

static long image_count = 4096;
static long query_count = 256;
static long thread_count = 4;
static long directions = 4;
static long seed = 1;

/*===-- Pictures ------------------------------------------------------------===*/

typedef unsigned char picture_t[SIDE * SIDE];
typedef float features_t[FEATURES];

static uint64_t draw(uint64_t index) { return random_number(index ^ (uint64_t)seed << 40); }

/* Of a scene that other pictures show, too: a brightness for each cell, and noise. */
static void make_picture(uint64_t number, picture_t picture) {
  uint64_t scene = draw(number) % ((uint64_t)image_count / 16 + 1);
  for (uint64_t cell = 0; cell < CELLS; cell++) {
    uint64_t brightness = draw(~(scene * CELLS + cell)) % 224;
    for (uint64_t row = 0; row < 4; row++) {
      uint64_t noise = random_number(draw(number) + cell * 4 + row);
      unsigned char *pixel = picture + (cell / 4 * 4 + row) * SIDE + cell % 4 * 4;
      for (unsigned column = 0; column < 4; column++)
        pixel[column] = (unsigned char)(brightness + (noise >> 8 * column) % 32);
    }
  }
}

static void find_segments(const picture_t picture, picture_t segments) {
  for (unsigned pixel = 0; pixel < SIDE * SIDE; pixel++)
    segments[pixel] = picture[pixel] / (256 / SEGMENTS);
}

static void count_features(const picture_t segments, features_t features) {
  memset(features, 0, sizeof(features_t));
  for (unsigned pixel = 0; pixel < SIDE * SIDE; pixel++) {
    unsigned cell = pixel / SIDE / 4 * 4 + pixel % SIDE / 4;
    features[segments[pixel] * CELLS + cell]++;
  }
}

static long distance(const features_t left, const features_t right) {
  float sum = 0;
  for (unsigned i = 0; i < FEATURES; i++)
    sum += left[i] < right[i] ? right[i] - left[i] : left[i] - right[i];
  return (long)sum;
}

/*===-- Hashing -------------------------------------------------------------===*/

/* As many in each part, so that the candidates are the same. */
static uint32_t bucket_count(void) { return (uint32_t)(image_count / 8 + 1); }

/* Where it is along a direction, which is a sum of axes to either side. */
static long along(uint64_t direction, const features_t features) {
  float sum = 0;
  for (unsigned i = 0; i < FEATURES; i++)
    sum += direction >> i & 1 ? features[i] : -features[i];
  return (long)sum + 2 * SIDE * SIDE;
}

/* What is near has the same bucket in at least one table, mostly. */
static void find_buckets(const features_t features, uint32_t buckets[TABLES]) {
  for (uint64_t table = 0; table < TABLES; table++) {
    uint64_t hash = table;
    for (uint64_t i = 0; i < (uint64_t)directions; i++) {
      uint64_t direction = table * (uint64_t)directions + i;
      hash = random_number(hash ^ (uint64_t)(along(random_number(~direction), features) / WIDTH));
    }
    buckets[table] = (uint32_t)(hash % bucket_count());
  }
}

/*===-- The database --------------------------------------------------------===*/

struct links {
  uint32_t bucket[TABLES];
  uint32_t next[TABLES]; /* of the same bucket: an index in the part, NONE */
};

struct part {
  long first, count; /* of the images */
  features_t *features;
  struct links *links;
  uint32_t *heads; /* by table and bucket */
};

static struct part *parts;
static unsigned part_count;

static void add_image(struct part *part, uint32_t index) {
  picture_t picture, segments;
  features_t features;
  struct links *links = &part->links[index];
  make_picture((uint64_t)part->first + index, picture);
  find_segments(picture, segments);
  count_features(segments, features);
  find_buckets(features, links->bucket);
  memcpy(part->features[index], features, sizeof features);
  for (uint32_t table = 0; table < TABLES; table++) {
    uint32_t *head = &part->heads[table * bucket_count() + links->bucket[table]];
    links->next[table] = *head;
    *head = index;
  }
}

static void fill_part(unsigned number) {
  struct part *part = &parts[number];
  for (size_t i = 0; i < TABLES * (size_t)bucket_count(); i++)
    part->heads[i] = NONE;
  for (long i = 0; i < part->count; i++)
    add_image(part, (uint32_t)i);
}

/*===-- What is asked for ---------------------------------------------------===*/

struct found {
  long distance;
  long image;
};

struct query {
  long number;
  picture_t picture, segments;
  features_t features;
  uint32_t buckets[TABLES];
  unsigned part;        /* that it visits */
  uint32_t *candidates; /* in that part */
  size_t candidate_count, candidate_room;
  unsigned found_count;
  struct found found[FOUND]; /* the nearest first */
  long compared;
};

static void add_candidate(struct query *query, uint32_t candidate) {
  query->candidates = grow(query->candidates, &query->candidate_room, query->candidate_count + 1,
                           sizeof *query->candidates);
  query->candidates[query->candidate_count++] = candidate;
}

/* An image that is in the same bucket in several tables comes from the first of them. */
static bool is_of_earlier(const struct links *links, const struct query *query, uint32_t table) {
  for (uint32_t earlier = 0; earlier < table; earlier++)
    if (links->bucket[earlier] == query->buckets[earlier])
      return true;
  return false;
}

static void find_candidates(const struct part *part, struct query *query) {
  query->candidate_count = 0;
  for (uint32_t table = 0; table < TABLES; table++) {
    uint32_t index = part->heads[table * bucket_count() + query->buckets[table]];
    for (; index != NONE; index = part->links[index].next[table])
      if (!is_of_earlier(&part->links[index], query, table))
        add_candidate(query, index);
  }
}

static bool is_nearer(const struct found *left, const struct found *right) {
  return left->distance != right->distance ? left->distance < right->distance
                                           : left->image < right->image;
}

static void keep_nearest(struct query *query, struct found found) {
  query->compared++;
  if (query->found_count == FOUND && !is_nearer(&found, &query->found[FOUND - 1]))
    return;
  unsigned place = query->found_count < FOUND ? query->found_count++ : FOUND - 1;
  for (; place > 0 && is_nearer(&found, &query->found[place - 1]); place--)
    query->found[place] = query->found[place - 1];
  query->found[place] = found;
}

/* What is asked for comes to the thread once. */
static void compare_candidates(const struct part *part, struct query *query) {
  features_t features;
  memcpy(features, query->features, sizeof features);
  for (size_t i = 0; i < query->candidate_count; i++) {
    uint32_t index = query->candidates[i];
    keep_nearest(query,
                 (struct found){distance(features, part->features[index]), part->first + index});
  }
}

/*===-- Parts ---------------------------------------------------------------===*/

enum { SEGMENT, EXTRACT, INDEX, RANK, OUTPUT, STAGES };

static void segment(unsigned node), extract(unsigned node), search_index(unsigned node),
    rank(unsigned node), output(unsigned node);

static struct stage stages[STAGES] = {[SEGMENT] = {.work = segment},
                                      [EXTRACT] = {.work = extract},
                                      [INDEX] = {.work = search_index, .uses_parts = true},
                                      [RANK] = {.work = rank, .uses_parts = true},
                                      [OUTPUT] = {.work = output}};

static void make_database(void) {
  part_count = count_parts();
  parts = allocate(part_count, sizeof *parts);
  for (unsigned i = 0; i < part_count; i++) {
    struct part *part = &parts[i];
    part->first = image_count * i / part_count;
    part->count = image_count * (i + 1) / part_count - part->first;
    part->features = part_memory(i, (size_t)part->count + 1, sizeof *part->features);
    part->links = part_memory(i, (size_t)part->count + 1, sizeof *part->links);
    part->heads = part_memory(i, (size_t)bucket_count() * TABLES, sizeof *part->heads);
  }
  do_there(part_count, fill_part);
}

/* On to the node of the next part, or out. */
static void visit_next_part(struct query *query) {
  if (++query->part < part_count)
    put(&stages[INDEX], query->part, query);
  else
    put(&stages[OUTPUT], 0, query);
}

/*===-- Stages --------------------------------------------------------------===*/

static void segment(unsigned node) {
  struct query *query;
  while ((query = take(&stages[SEGMENT], node))) {
    find_segments(query->picture, query->segments);
    put(&stages[EXTRACT], 0, query);
  }
}

static void extract(unsigned node) {
  struct query *query;
  while ((query = take(&stages[EXTRACT], node))) {
    count_features(query->segments, query->features);
    find_buckets(query->features, query->buckets);
    put(&stages[INDEX], query->part, query);
  }
}

static void search_index(unsigned node) {
  struct query *query;
  while ((query = take(&stages[INDEX], node))) {
    find_candidates(&parts[query->part], query);
    put(&stages[RANK], query->part, query);
  }
}

static void rank(unsigned node) {
  struct query *query;
  while ((query = take(&stages[RANK], node))) {
    compare_candidates(&parts[query->part], query);
    visit_next_part(query);
  }
}

/* Pictures that nobody has in the database, of scenes that are there. */
static uint64_t picture_of_query(long number) { return (uint64_t)image_count + (uint64_t)number; }

static void input(unsigned node) {
  (void)node;
  for (long i = 0; i < query_count; i++) {
    struct query *query = allocate(1, sizeof *query);
    *query = (struct query){.number = i};
    make_picture(picture_of_query(i), query->picture);
    put(&stages[SEGMENT], 0, query);
  }
}

/*===-- The result ----------------------------------------------------------===*/

static struct {
  uint64_t hash; /* the same in any order */
  long compared;
  struct query checked[CHECKED]; /* the first ones */
} result;

static void add_result(const struct query *query) {
  uint64_t hash = random_number((uint64_t)query->number);
  for (unsigned i = 0; i < query->found_count; i++)
    hash = random_number(hash ^ (uint64_t)query->found[i].image ^
                         (uint64_t)query->found[i].distance << 40);
  result.hash += hash;
  result.compared += query->compared;
  if (query->number < CHECKED)
    result.checked[query->number] = *query;
}

/* When everything has come, all stages end. */
static void output(unsigned node) {
  for (long i = 0; i < query_count; i++) {
    struct query *query = take(&stages[OUTPUT], node);
    add_result(query);
    free(query->candidates);
    free(query);
  }
  end_stages(stages, STAGES);
}

static bool shares_bucket(const struct query *left, const struct query *right) {
  for (unsigned table = 0; table < TABLES; table++)
    if (left->buckets[table] == right->buckets[table])
      return true;
  return false;
}

static void look_at(struct query *query, uint64_t picture) {
  make_picture(picture, query->picture);
  find_segments(query->picture, query->segments);
  count_features(query->segments, query->features);
  find_buckets(query->features, query->buckets);
}

static bool found_the_same(const struct query *left, const struct query *right) {
  for (unsigned i = 0; i < left->found_count; i++)
    if (left->found[i].image != right->found[i].image ||
        left->found[i].distance != right->found[i].distance)
      return false;
  return left->found_count == right->found_count && left->compared == right->compared;
}

/* Without the database, its tables and threads: are those the nearest of all that could be? */
static bool is_right(void) {
  struct query expected[CHECKED] = {0}, image;
  long checked = query_count < CHECKED ? query_count : CHECKED;
  for (long i = 0; i < checked; i++)
    look_at(&expected[i], picture_of_query(i));
  for (long number = 0; number < image_count; number++) {
    look_at(&image, (uint64_t)number);
    for (long i = 0; i < checked; i++)
      if (shares_bucket(&image, &expected[i]))
        keep_nearest(&expected[i],
                     (struct found){distance(image.features, expected[i].features), number});
  }
  for (long i = 0; i < checked; i++)
    if (!found_the_same(&result.checked[i], &expected[i]))
      return false;
  return true;
}

static void free_database(void) {
  for (unsigned i = 0; i < part_count; i++) {
    free_part(parts[i].features);
    free_part(parts[i].links);
    free_part(parts[i].heads);
  }
  free(parts);
}

int main(int argument_count, char **arguments) {
  const struct option options[] = {
      {.name = "--database", .choice = &has_parts, .words = {"shared", "parts"}},
      {.name = "--home", .choice = &leaves_home, .words = {"yes", "no"}},
      {.name = "--images", .number = &image_count, .least = 0, .most = (1L << 32) - 2},
      {.name = "--queries", .number = &query_count, .least = 0, .most = 1L << 40},
      {.name = "--threads", .number = &thread_count, .least = 1, .most = 1L << 16},
      {.name = "--directions", .number = &directions, .least = 1, .most = 1L << 10},
      {.name = "--seed", .number = &seed, .least = 0, .most = (1L << 24) - 1},
      {.name = NULL}};
  (void)argument_count;
  read_options(arguments, options);
  find_nodes();
  make_database();
  run_stages(input, stages, STAGES, thread_count);
  free_database();
  printf("%ld queries of %ld images: %ld compared\n", query_count, image_count, result.compared);
  return tell(result.hash, is_right());
}
