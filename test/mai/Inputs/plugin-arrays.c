/* A plugin with static arrays. */
#include <mai_static.h>

static double of_plugin[VALUE * 100000];
MAI_STATIC(of_plugin, "block");

double *array_of_plugin(void) { return of_plugin; }
