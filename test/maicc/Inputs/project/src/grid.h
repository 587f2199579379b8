/* What the files of this program share. */
#define N 400

extern double u[N][N], v[N][N];

void fill(void);
void step(void);
const char *header_name(void);
