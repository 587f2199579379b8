/*===-- original.c - calls the original's functions and looks --*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/* Usage: original CALL...
   Each CALL is a function of the original MAi without "mai_", with its numbers: cyclic_rows:2.  It is
   applied to a matrix of 16 rows of 8 segments of 4 pages each, which was touched before.  Prints
   the node in the middle of each segment, row by row; for rows that are all alike only one digit.
   `nodes=2,3` gives the nodes of the _sn forms that follow. */
#include <mai.h>

#include "../../mai/Inputs/pages.h"

enum { ROWS = 16, SEGMENTS = 8, SEGMENT = 2048, COLUMNS = SEGMENTS * SEGMENT };

static int nodes[8], node_count;
static int numbers[6];
static double **matrix;

#define SIMPLE(name)                                                                               \
  static void call_##name(void) { mai_##name(matrix); }                                            \
  static void call_##name##_sn(void) { mai_##name##_sn(matrix, node_count, nodes); }
#define ONE_NUMBER(name)                                                                           \
  static void call_##name(void) { mai_##name(matrix, numbers[0]); }                                \
  static void call_##name##_sn(void) { mai_##name##_sn(matrix, numbers[0], node_count, nodes); }
#define TWO_NUMBERS(name)                                                                          \
  static void call_##name(void) { mai_##name(matrix, numbers[0], numbers[1]); }                    \
  static void call_##name##_sn(void) {                                                             \
    mai_##name##_sn(matrix, numbers[0], numbers[1], node_count, nodes);                            \
  }
#define ALONG(suffix)                                                                              \
  ONE_NUMBER(cyclic_##suffix)                                                                      \
  ONE_NUMBER(skew_mapp_##suffix)                                                                   \
  TWO_NUMBERS(prime_mapp_##suffix)                                                                 \
  SIMPLE(bind_##suffix)                                                                            \
  ONE_NUMBER(ibind_##suffix)
SIMPLE(cyclic)
SIMPLE(skew_mapp)
SIMPLE(bind_all)
ONE_NUMBER(prime_mapp)
ALONG(rows)
ALONG(columns)
ALONG(3D)

static void touch(void) {
#pragma omp parallel for schedule(static)
  for (int i = 0; i < ROWS; i++)
    for (int j = 0; j < COLUMNS; j++)
      matrix[i][j] = i + j;
}

static void call_cyclic_possible(void) { mai_cyclic_possible(matrix); }
static void call_bind_all_mynode(void) { mai_bind_all_mynode(matrix); }
static void call_bind_rows_mynode(void) {
  mai_bind_rows_mynode(matrix);
  touch();
}
static void call_bind_columns_mynode(void) {
  mai_bind_columns_mynode(matrix);
  touch();
}
static void call_next_touch(void) {
  mai_next_touch(matrix);
  touch();
}
static void call_migrate(void) {
  mai_migrate(matrix, (unsigned long)numbers[0], numbers[1], numbers[2], numbers[3], numbers[4]);
}
static void call_migrate_rows(void) {
  mai_migrate_rows(matrix, (unsigned long)numbers[0], numbers[1], numbers[2]);
}
static void call_migrate_columns(void) {
  mai_migrate_columns(matrix, (unsigned long)numbers[0], numbers[1], numbers[2]);
}
static void call_migrate_scatter(void) { mai_migrate_scatter(matrix, (unsigned long)numbers[0]); }
static void call_migrate_gather(void) { mai_migrate_gather(matrix, (unsigned long)numbers[0]); }
static void call_bytes(void) {
  mai_nodes((unsigned long)node_count, nodes);
  mai_bytes(matrix, (size_t)numbers[0]);
  printf("regularbind: %d\n", mai_regularbind(matrix));
}
static void call_subarray(void) {
  int block[] = {numbers[0], numbers[1]};
  mai_nodes((unsigned long)node_count, nodes);
  mai_subarray(matrix, block);
  printf("regularbind: %d\n", mai_regularbind(matrix));
}
static void call_irregularbind(void) {
  void *from = mai_mv_pointer_rows(matrix, numbers[0]);
  printf("irregularbind: %d\n", mai_irregularbind(from, (size_t)numbers[1], numbers[2]));
}

#define CALL(name) {#name, call_##name}
#define CALLS(name) CALL(name), CALL(name##_sn)
#define CALLS_ALONG(suffix)                                                                        \
  CALLS(cyclic_##suffix), CALLS(skew_mapp_##suffix), CALLS(prime_mapp_##suffix),                   \
      CALLS(bind_##suffix), CALLS(ibind_##suffix)
static const struct {
  const char *name;
  void (*call)(void);
} calls[] = {CALLS(cyclic),          CALLS(skew_mapp),      CALLS(bind_all),
             CALLS(prime_mapp),      CALLS_ALONG(rows),     CALLS_ALONG(columns),
             CALLS_ALONG(3D),        CALL(cyclic_possible), CALL(bind_all_mynode),
             CALL(bind_rows_mynode), CALL(next_touch),      CALL(bind_columns_mynode),
             CALL(migrate),          CALL(migrate_rows),    CALL(migrate_columns),
             CALL(migrate_scatter),  CALL(migrate_gather),  CALL(bytes),
             CALL(subarray),         CALL(irregularbind)};

static void print_row(int row) {
  for (int segment = 0; segment < SEGMENTS; segment++)
    printf("%d", node_of_page(&matrix[row][segment * SEGMENT + SEGMENT / 2]));
}

static int count_wrong(void) {
  int wrong = 0;
  for (int i = 0; i < ROWS; i++)
    for (int j = 0; j < COLUMNS; j++)
      wrong += matrix[i][j] != i + j;
  return wrong;
}

static void look(void) {
  for (int row = 0; row < ROWS; row++) {
    printf(" ");
    print_row(row);
  }
  printf("\n");
}

static int read_numbers(char *text, int *list, int most) {
  int count = 0;
  for (char *word = strtok(text, ",:"); word && count < most; word = strtok(NULL, ",:"))
    list[count++] = atoi(word);
  return count;
}

static int apply(char *text) {
  char *separator = strpbrk(text, ":=");
  if (separator)
    *separator = 0;
  int count = separator && strcmp(text, "nodes") != 0 ? read_numbers(separator + 1, numbers, 6) : 0;
  if (strcmp(text, "nodes") == 0)
    node_count = read_numbers(separator + 1, nodes, 8);
  for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
    if (strcmp(text, calls[i].name) == 0) {
      calls[i].call();
      printf("%s %d:", text, count ? numbers[0] : 0);
      look();
      int wrong = count_wrong();
      if (wrong)
        printf("contents lost: %d\n", wrong);
      return wrong != 0;
    }
  return strcmp(text, "nodes") == 0 ? 0 : 2;
}

int main(int argc, char *argv[]) {
  mai_init(NULL);
  matrix = (double **)mai_alloc_2D(ROWS, COLUMNS, sizeof(double), DOUBLE);
  if (!matrix)
    return 1;
  touch();
  int failed = 0;
  for (int i = 1; i < argc; i++)
    failed |= apply(argv[i]);
  mai_free_array(matrix);
  mai_final();
  return failed;
}
