// See shares.c.
int my_number(void);
int my_first(int n);
int my_end(int n);
int my_random(int n);
