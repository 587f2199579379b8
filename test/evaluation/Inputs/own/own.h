enum { COUNT = 1 << 17, ROUNDS = 8 };

double *new_vector(int count);
