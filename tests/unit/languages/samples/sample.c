#include <stdio.h>
#include "uv.h"

#define LIMIT 10
#define MAX(a, b) ((a) > (b) ? (a) : (b))

/* A loop. */
struct loop {
  int active;
};

typedef struct { int x; } point_t;
typedef int (*callback)(int);
enum mode { FAST, SLOW };
union raw { int a; };

static int counter = 0;
int declared(int a);

/* Runs the loop. */
int loop_run(struct loop* loop, int mode) {
  int local = 1;
  return printf("%d", loop->poll(mode));
}

static char*
name_of(void) {
  return 0;
}
