// See shares.c.
int my_number(void);
int my_first(int n);
int my_end(int n);
int my_random(int n);

struct part {
  long first, end;
};
struct part my_part(long n);
void my_bounds(int n, int *first, int *end);
void all_bounds(int n, int *first, int *end);
