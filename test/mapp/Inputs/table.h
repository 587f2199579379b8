/* A header that gives each unit an array of its own. */
static int table[9000];
