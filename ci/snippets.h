/* What the manual's pieces of C take for granted, so that ci/snippets.py can compile them: a heap, a mutator, a language with
 * pairs. Each piece stands in a function of its own, or in the file when it defines functions. */
#include <barrow/inline.h>
#ifdef BARROW_THROUGH_TABLE
#include <barrow/table.h>
#endif
#include <barrow/nanbox.h>
#include <dlfcn.h>
#include <stdio.h>

enum { BOXES = 8, HASH = 1 };
typedef struct node { const barrow_info *info; struct node *left, *right, *tree, *next; } node;
typedef struct words { const barrow_info *info; size_t length; void *elements[1]; } words;

extern barrow_heap *heap;
extern barrow_mutator *m;
extern barrow_config config;
extern barrow_info cell_info, call_frame, catch_frame, table_info;
extern node *cell, *other, *tree;
extern words *array, *to, *from;
extern void **elements, *key, *value, *finalizer, *thunk, *object, *data, *client;
extern size_t i, a, b, c, result, count, x, y;
extern barrow_word *at;
extern int64_t changed;
extern uint64_t counters[8];
extern const barrow_coverage_module modules[1];
extern size_t depth;

node *make(barrow_mutator *m, size_t depth);
void close_it(barrow_mutator *m, void *data, void *key, void *value);
void run_object(void *client, barrow_mutator *m, void *finalizer, void *key, void *value);
bool out_of_memory(void *client, barrow_mutator *m, size_t bytes);
size_t compiled_main(barrow_mutator *m, size_t a, size_t b, size_t c);
void work(barrow_mutator *m);
int run(barrow_mutator *m);
void parse(void);
void check(void);
void complain(const char *sentence);
