/*===-- streamcluster.c - clusters a stream of points -------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * Online clustering by k-median (L. O'Callaghan and others, "Streaming-data algorithms for
 * high-quality clustering", 2002): points come in chunks; a local search finds the centres of each,
 * which stand for its points from then on, and at the end those of all centres.  The search begins
 * with points in random order, so it shuffles them, and then passes over all of them for each
 * centre that it tries.
 *
 * --shuffle=pointers exchanges pointers to coordinates: afterwards each thread passes over rows
 * that lie anywhere, in random order.  No placement helps: in the next chunk or after the next
 * shuffle they are others.  --shuffle=copies exchanges the coordinates themselves: row i is always
 * that of point i, so each thread has the same rows for the whole run, one behind the other, and
 * has them at home, for it touches them first.  All that differs is in the section "Shuffling" and
 * in make_points().
 *
 * Coordinates are whole numbers, and so are costs: they do not depend on the order in which threads
 * add them up.
 *
 *   gcc -O2 -fopenmp streamcluster.c -o streamcluster -lm
 *   ./streamcluster --shuffle=copies
 */
#include "common.h"

#include <math.h>

#include <omp.h>

static long point_count = 8192;
static long chunk = 4096;
static long dimensions = 32;
static long fewest = 10; /* centres */
static long most = 20;
static long seed = 1;
static bool copies;

struct point {
  float *coordinates;
  double weight;
  double cost; /* its weighted distance from its centre */
  long centre; /* index of a point */
};

struct points {
  long count, room;
  struct point *point;
  float *rows, *other_rows; /* `dimensions` numbers for each of `room` points */
};

/* What the search has done. */
static long shuffles, passes;

static uint64_t drawn;

static uint64_t draw(void) { return random_number(drawn++ ^ (uint64_t)seed << 40); }

static double draw_fraction(void) { return (double)(draw() >> 11) * 0x1p-53; }

static long draw_below(long count) { return (long)(draw() % (uint64_t)count); }

/*===-- Points --------------------------------------------------------------===*/

static float *row_of(float *rows, long index) { return rows + index * dimensions; }

/* Each thread touches what belongs to its points in the loops below, unless the first that writes a
   page is to have it, which is the thread that reads the input. */
static void touch_at_home(struct points *points) {
#pragma omp parallel for schedule(static)
  for (long i = 0; i < points->room; i++) {
    points->point[i] = (struct point){.coordinates = row_of(points->rows, i)};
    memset(row_of(points->rows, i), 0, (size_t)dimensions * sizeof(float));
    memset(row_of(points->other_rows, i), 0, (size_t)dimensions * sizeof(float));
  }
}

static void make_points(struct points *points, long room) {
  size_t numbers = (size_t)room * (size_t)dimensions;
  *points = (struct points){.room = room};
  points->point = allocate((size_t)room, sizeof *points->point);
  points->rows = allocate(numbers, sizeof *points->rows);
  if (copies) {
    points->other_rows = allocate(numbers, sizeof *points->rows);
    touch_at_home(points);
  }
  for (long i = 0; i < room; i++)
    points->point[i] = (struct point){.coordinates = row_of(points->rows, i)};
}

static void free_points(struct points *points) {
  free(points->point);
  free(points->rows);
  free(points->other_rows);
}

/* To at least `room` points; these have not been shuffled. */
static void make_room(struct points *points, long room) {
  struct points more;
  if (room <= points->room)
    return;
  make_points(&more, 2 * room);
  more.count = points->count;
  for (long i = 0; i < points->count; i++) {
    memcpy(more.point[i].coordinates, points->point[i].coordinates,
           (size_t)dimensions * sizeof *more.rows);
    more.point[i].weight = points->point[i].weight;
  }
  free_points(points);
  *points = more;
}

static double distance(const float *left, const float *right) {
  double sum = 0;
  for (long d = 0; d < dimensions; d++) {
    double difference = (double)left[d] - (double)right[d];
    sum += difference * difference;
  }
  return sum;
}

static double cost_of(const struct points *points, long index, const float *centre) {
  return points->point[index].weight * distance(points->point[index].coordinates, centre);
}

/*===-- Shuffling -----------------------------------------------------------===*/

static void exchange_points(struct points *points, long left, long right) {
  struct point other = points->point[left];
  points->point[left] = points->point[right];
  points->point[right] = other;
}

/* What came to point i by its pointer comes to row i; each thread fetches what is its own now. */
static void copy_rows(struct points *points) {
#pragma omp parallel for schedule(static)
  for (long i = 0; i < points->count; i++) {
    float *row = row_of(points->other_rows, i);
    memcpy(row, points->point[i].coordinates, (size_t)dimensions * sizeof *row);
    points->point[i].coordinates = row;
  }
  float *rows = points->rows;
  points->rows = points->other_rows;
  points->other_rows = rows;
}

static void shuffle(struct points *points) {
  shuffles++;
  for (long i = 0; i + 1 < points->count; i++)
    exchange_points(points, i, i + draw_below(points->count - i));
  if (copies)
    copy_rows(points);
}

/*===-- The local search ----------------------------------------------------===*/
/*
 * To open a centre costs `price`; the cost of a solution is what its centres cost and the weighted
 * distances of all points from theirs.
 */

struct search {
  struct points *points;
  double price;
  double cost;
  long centres;
  long *open;      /* the points that are centres */
  long *place;     /* by point that is a centre: where it stands in `open` */
  bool *is_closed; /* by place: another centre makes it superfluous */
  double *saved;   /* by thread and place: what its points save by staying with it, negative */
  size_t saved_room;
  long *candidates;
  long candidate_count;
};

static void add_centre(struct search *search, long new) {
  search->place[new] = search->centres;
  search->is_closed[search->centres] = false;
  search->open[search->centres++] = new;
}

static bool is_open(const struct search *search, long point) {
  long place = search->place[point];
  return place < search->centres && search->open[place] == point;
}

static void open_first(struct search *search) {
  struct points *points = search->points;
  const float *centre = points->point[0].coordinates;
  passes++;
#pragma omp parallel for schedule(static)
  for (long i = 0; i < points->count; i++) {
    points->point[i].cost = cost_of(points, i, centre);
    points->point[i].centre = 0;
  }
  search->centres = 0;
  add_centre(search, 0);
}

/* Opens a centre at a point for those that are nearer to it. */
static void open_for_nearest(struct search *search, long new) {
  struct points *points = search->points;
  const float *centre = points->point[new].coordinates;
  passes++;
#pragma omp parallel for schedule(static)
  for (long i = 0; i < points->count; i++) {
    double cost = cost_of(points, i, centre);
    if (cost < points->point[i].cost) {
      points->point[i].cost = cost;
      points->point[i].centre = new;
    }
  }
  add_centre(search, new);
}

static double sum_of_costs(const struct points *points) {
  double sum = 0;
#pragma omp parallel for schedule(static) reduction(+ : sum)
  for (long i = 0; i < points->count; i++)
    sum += points->point[i].cost;
  return sum;
}

/* A first solution: the farther a point is from all centres, the likelier it becomes one. */
static void begin_search(struct search *search) {
  struct points *points = search->points;
  open_first(search);
  for (long i = 1; i < points->count; i++)
    if (draw_fraction() * search->price < points->point[i].cost)
      open_for_nearest(search, i);
  search->cost = search->price * (double)search->centres + sum_of_costs(points);
}

/* How many numbers each thread has for the centres: lines of its own. */
static size_t saved_stride(const struct search *search) {
  return ((size_t)search->centres + 15) / 8 * 8;
}

static void make_room_for_saved(struct search *search) {
  size_t room = saved_stride(search) * (size_t)omp_get_max_threads();
  if (room <= search->saved_room)
    return;
  free(search->saved);
  search->saved = allocate(2 * room, sizeof *search->saved);
  search->saved_room = 2 * room;
}

/* What the points save that would go to a new centre; what the others save by staying goes to their
   centres, and is negative. */
static double sum_of_gains(struct search *search, long new) {
  struct points *points = search->points;
  const float *centre = points->point[new].coordinates;
  size_t stride = saved_stride(search);
  double gain = 0;
  passes++;
  make_room_for_saved(search);
  memset(search->saved, 0, search->saved_room * sizeof *search->saved);
#pragma omp parallel reduction(+ : gain)
  {
    double *saved = search->saved + stride * (size_t)omp_get_thread_num();
#pragma omp for schedule(static)
    for (long i = 0; i < points->count; i++) {
      double difference = points->point[i].cost - cost_of(points, i, centre);
      if (difference > 0)
        gain += difference;
      else
        saved[search->place[points->point[i].centre]] += difference;
    }
  }
  return gain;
}

/* Finds the centres that would not pay any more. @return what closing them saves */
static double mark_superfluous(struct search *search) {
  size_t stride = saved_stride(search);
  double gain = 0;
  for (long place = 0; place < search->centres; place++) {
    double saved = search->price;
    for (size_t at = (size_t)place; at < stride * (size_t)omp_get_max_threads(); at += stride)
      saved += search->saved[at];
    search->is_closed[place] = saved > 0;
    gain += saved > 0 ? saved : 0;
  }
  return gain;
}

/* Points go to a new centre that are nearer to it, or whose centre is closed. */
static void go_to(struct search *search, long new) {
  struct points *points = search->points;
  const float *centre = points->point[new].coordinates;
#pragma omp parallel for schedule(static)
  for (long i = 0; i < points->count; i++) {
    double cost = cost_of(points, i, centre);
    if (cost < points->point[i].cost || search->is_closed[search->place[points->point[i].centre]]) {
      points->point[i].cost = cost;
      points->point[i].centre = new;
    }
  }
}

static void close_superfluous(struct search *search) {
  long count = search->centres;
  search->centres = 0;
  for (long place = 0; place < count; place++)
    if (!search->is_closed[place])
      add_centre(search, search->open[place]);
}

/* Opens a centre where that pays. @return what it has saved */
static double try_centre(struct search *search, long new) {
  if (is_open(search, new))
    return 0;
  double gain = sum_of_gains(search, new) - search->price;
  gain += mark_superfluous(search);
  if (gain <= 0)
    return 0;
  go_to(search, new);
  close_superfluous(search);
  add_centre(search, new);
  search->cost -= gain;
  return gain;
}

static void shuffle_candidates(struct search *search) {
  for (long i = 0; i + 1 < search->candidate_count; i++) {
    long other = i + draw_below(search->candidate_count - i);
    long candidate = search->candidates[i];
    search->candidates[i] = search->candidates[other];
    search->candidates[other] = candidate;
  }
}

/* Tries all candidates again while a round saves more than a part of the cost. */
static void improve(struct search *search, double part) {
  double saved;
  do {
    saved = 0;
    shuffle_candidates(search);
    for (long i = 0; i < search->candidate_count; i++)
      saved += try_centre(search, search->candidates[i]);
  } while (saved > part * search->cost);
}

static void choose_candidates(struct search *search) {
  long count = search->points->count;
  long wanted = (long)(3 * (double)most * log((double)most + 1)) + 1;
  search->candidate_count = wanted < count ? wanted : count;
  search->candidates = allocate((size_t)search->candidate_count, sizeof *search->candidates);
  for (long i = 0; i < search->candidate_count; i++)
    search->candidates[i] = wanted < count ? draw_below(count) : i;
}

static void set_price(struct search *search, double price) {
  price = floor(price);
  search->cost += (price - search->price) * (double)search->centres;
  search->price = price;
}

/* The sum of distances from the first point: no solution with more than a centre may cost that. */
static double highest_price(struct search *search) {
  open_first(search);
  return sum_of_costs(search->points);
}

/* Finds a price at which there are as many centres as the user wants. */
static void find_price(struct search *search) {
  double low = 0;
  double high = highest_price(search);
  set_price(search, high / 2);
  do {
    shuffle(search->points);
    begin_search(search);
    if (search->centres < fewest) {
      high = search->price;
      set_price(search, (low + high) / 2);
    }
  } while (search->centres < fewest && search->price > 0);
  for (;;) {
    improve(search, 0.1);
    if (search->centres >= fewest - 2 && search->centres <= most + 2)
      improve(search, 0.001);
    if (search->centres > most)
      low = search->price;
    else if (search->centres < fewest)
      high = search->price;
    else
      return;
    if (high - low <= 1 || low >= 0.999 * high)
      return;
    set_price(search, (low + high) / 2);
  }
}

static void search_centres(struct search *search) {
  size_t count = (size_t)search->points->count;
  search->open = allocate(count, sizeof *search->open);
  search->place = allocate(count, sizeof *search->place);
  search->is_closed = allocate(count, sizeof *search->is_closed);
  memset(search->place, 0, count * sizeof *search->place);
  choose_candidates(search);
  find_price(search);
}

static void free_search(struct search *search) {
  free(search->open);
  free(search->place);
  free(search->is_closed);
  free(search->saved);
  free(search->candidates);
}

/*===-- Verification --------------------------------------------------------===*/

static uint64_t hash_of(const struct point *point) {
  uint64_t hash = random_number((uint64_t)point->weight);
  for (long d = 0; d < dimensions; d++)
    hash = random_number(hash ^ (uint64_t)point->coordinates[d]);
  return hash;
}

/* The same for points in any order. */
static uint64_t hash_of_all(const struct points *points) {
  uint64_t hash = 0;
#pragma omp parallel for schedule(static) reduction(+ : hash)
  for (long i = 0; i < points->count; i++)
    hash += hash_of(&points->point[i]);
  return hash;
}

/* Whether every point has a centre that is open, and costs are what they should be. */
static bool is_right(const struct search *search) {
  const struct points *points = search->points;
  double sum = search->price * (double)search->centres;
  for (long i = 0; i < points->count; i++) {
    const struct point *point = &points->point[i];
    if (!is_open(search, point->centre) ||
        point->cost != cost_of(points, i, points->point[point->centre].coordinates))
      return false;
    sum += point->cost;
  }
  return sum == search->cost;
}

/*===-- The stream ----------------------------------------------------------===*/

/* Around one of 16 places, anywhere in a box of an eighth of the whole. */
static void read_point(float *coordinates, uint64_t number) {
  uint64_t first = ((number << 1) + 1) * (uint64_t)dimensions ^ (uint64_t)seed << 40;
  uint64_t place = random_number(number ^ (uint64_t)seed << 40) % 16;
  for (long d = 0; d < dimensions; d++) {
    uint64_t middle = random_number(place * (uint64_t)dimensions + (uint64_t)d) % 224;
    coordinates[d] = (float)(middle + random_number(first + (uint64_t)d) % 32);
  }
}

static void read_chunk(struct points *points, long first, long count) {
  points->count = count;
  for (long i = 0; i < count; i++) {
    read_point(points->point[i].coordinates, (uint64_t)(first + i));
    points->point[i].weight = 1;
  }
}

/* Each centre becomes a point with the weight of those that belong to it. */
static void keep_centres(const struct search *search, struct points *kept) {
  const struct points *points = search->points;
  make_room(kept, kept->count + search->centres);
  struct point *first = kept->point + kept->count;
  for (long place = 0; place < search->centres; place++) {
    memcpy(first[place].coordinates, points->point[search->open[place]].coordinates,
           (size_t)dimensions * sizeof *first->coordinates);
    first[place].weight = 0;
  }
  for (long i = 0; i < points->count; i++)
    first[search->place[points->point[i].centre]].weight += points->point[i].weight;
  kept->count += search->centres;
}

static bool cluster(struct points *points, struct points *centres) {
  struct search search = {.points = points};
  uint64_t hash = hash_of_all(points);
  search_centres(&search);
  bool right = is_right(&search) && hash_of_all(points) == hash;
  keep_centres(&search, centres);
  free_search(&search);
  return right;
}

static bool cluster_stream(struct points *centres) {
  struct points points;
  bool right = true;
  make_points(&points, chunk < point_count ? chunk : point_count);
  for (long first = 0; first < point_count; first += chunk) {
    read_chunk(&points, first, point_count - first < chunk ? point_count - first : chunk);
    right = cluster(&points, centres) && right;
  }
  free_points(&points);
  return right;
}

/*===-- The result ----------------------------------------------------------===*/

static double weight_of_all(const struct points *points) {
  double weight = 0;
  for (long i = 0; i < points->count; i++)
    weight += points->point[i].weight;
  return weight;
}

int main(int argument_count, char **arguments) {
  const struct option options[] = {
      {.name = "--shuffle", .choice = &copies, .words = {"pointers", "copies"}},
      {.name = "--points", .number = &point_count, .least = 0, .most = 1L << 40},
      {.name = "--chunk", .number = &chunk, .least = 1, .most = 1L << 32},
      {.name = "--dimensions", .number = &dimensions, .least = 1, .most = 1L << 16},
      {.name = "--fewest", .number = &fewest, .least = 1, .most = 1L << 16},
      {.name = "--most", .number = &most, .least = 1, .most = 1L << 16},
      {.name = "--seed", .number = &seed, .least = 0, .most = (1L << 24) - 1},
      {.name = NULL}};
  (void)argument_count;
  read_options(arguments, options);
  if (fewest > most)
    fail("--fewest=%ld is more than --most=%ld", fewest, most);
  struct points centres = {.count = 0};
  struct points result = {.count = 0};
  double begin = seconds_now();
  bool right = cluster_stream(&centres);
  right = (centres.count == 0 || cluster(&centres, &result)) && right;
  right = right && weight_of_all(&result) == (double)point_count;
  say_time(omp_get_max_threads(), "threads", begin);
  printf("%ld points of %ld dimensions: %ld centres, %ld shuffles, %ld passes\n", point_count,
         dimensions, result.count, shuffles, passes);
  uint64_t hash = hash_of_all(&result);
  free_points(&result);
  free_points(&centres);
  return tell(hash, right);
}
