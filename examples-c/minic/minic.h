/* The macros of C code that minic makes, and the runtime's functions. */
#include <barrow/inline.h>
#include <stdlib.h>

typedef size_t W;
#define NUMBER(n) ((W)(n) * 2 + 1)
#define VALUE(w) ((long)(w) >> 1)
#define CHECK_NUMBERS(a, b, divides)                                  \
  do {                                                                \
    if (!((a) & (b) & 1)) minic_fail(0);                              \
    if ((divides) && (b) == NUMBER(0)) minic_fail(1);                 \
  } while (0)

/* A function's values are roots. */
#define ENTER(n)                                                      \
  struct { barrow_frame frame; W v[n]; } r;                           \
  size_t root;                                                        \
  for (root = 0; root < n; root++) r.v[root] = NUMBER(0);             \
  BARROW_PUSH(m, r);                                                  \
  r.frame.count += BARROW_FRAME_TAGGED;                               \
  LEAVES_NO_CENTRE
#define V(k) r.v[k]
/* The cost-centre stack that is current where a function is entered is current again where it is left. */
#define LEAVES_NO_CENTRE barrow_ccs *before = barrow_ccs_current(m); (void)before
#define CENTRE(centre) before = barrow_ccs_enter(m, &(centre))
#define LEAVE(value)                                                  \
  do {                                                                \
    W given = (value);                                                \
    if (before != barrow_ccs_current(m)) barrow_ccs_leave(m, before); \
    BARROW_LEAVE(m, r);                                               \
    return given;                                                     \
  } while (0)

extern const barrow_coverage_module *const minic_coverage; /* null without coverage */
void minic_fail(size_t why);
size_t minic_array(barrow_mutator *m, size_t length, size_t value);
void *minic_entry(W closure);
W minic_get(barrow_mutator *m, W array, W index);
W minic_set(barrow_mutator *m, W array, W index, W value);
W minic_length(barrow_mutator *m, W array);
W minic_print(barrow_mutator *m, W number);
W minic_put(barrow_mutator *m, W character);
W minic_read(barrow_mutator *m);
size_t minic_main(barrow_mutator *m, size_t a, size_t b, size_t c);
