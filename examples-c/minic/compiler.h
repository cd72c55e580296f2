/* What the phases of the compiler share. They run in this order: read.c, define.c, expressions.c, which calls operations.c,
 * coverage.c and functions.c; minic.c is the whole of it. */
#ifndef MINIC_COMPILER_H
#define MINIC_COMPILER_H
#include <barrow.h>
#include <stdbool.h>
#include <stdio.h>

enum { MOST_ARGUMENTS = 5, MOST_ITEMS = 4096 };

typedef struct sexp {
  enum { NUMBER, NAME, LIST } kind;
  int line, column, last_line, last_column; /* both ends are inside */
  long number;
  char *name;
  int count;
  struct sexp **items;
} sexp;

typedef struct constructor {
  const char *name;
  int fields, tag; /* the tag is its number in its data type */
  struct constructor *next;
} constructor;

/* A function of the program, or the code of a lambda. */
typedef struct function {
  const char *name; /* as the program says */
  int number, line;
  int arguments; /* names[0..] are the arguments, then, for a lambda, what it closes over */
  int closed;
  const char **names;
  sexp *body;
  bool is_lambda, is_value; /* used as a value, so it needs a closure */
  struct function *outer; /* of a lambda: what it stands in */
  struct function *next;
} function;

typedef struct scope { const char *name; int slot; struct scope *up; } scope;

/* read.c */
extern const char *at;
extern int line;
void wrong(int line, const char *what, ...);
void *fresh(size_t bytes);
void skip(void);
sexp *read_one(void);
bool heads(const sexp *s, const char *name);
const char *name_of(const sexp *s);
void want(const sexp *s, int count, const char *shape);

/* define.c */
extern constructor *constructors;
extern function *functions, **last_function;
constructor *find_constructor(const char *name);
function *find_function(const char *name);
function *add_function(const char *name, int at_line, int arguments);
void read_data(sexp *s);
void read_define(sexp *s);
scope *find(scope *where, const char *name);
void free_names(sexp *s, scope *inner, scope *outer, function *into);

/* operations.c */
extern bool to_c, statepoints, profiled;
extern const char *source_name;
extern FILE *out;          /* the body of the function that is compiled */
extern int temporaries, labels;
extern const char *word;   /* LLVM's type of a value */
void op_count(size_t box);
void op_label(int label);
void op_jump(int label);
void op_number(int to, long number);
void op_move(int to, int from);
void op_unless(int slot, int label);
void op_fail(const char *why);
void op_arithmetic(int to, const char *op, int a, int b);
void op_new(int to, const char *info, int fields, const int *from);
void op_field(int to, int from, int field);
void op_unless_made_by(int slot, const constructor *c, int label);
void op_call(int to, const function *f, const int *from);
void op_apply(int to, int closure, int arguments, const int *from);
void op_leaf(int to, const char *name, int arguments, const int *from);
void op_array(int to, int length, int value);
void op_return(int slot);

/* coverage.c */
extern bool covered;
void begin_coverage(void);
size_t count_here(barrow_box_kind kind, const sexp *s, const function *declared);
void describe_coverage(void);
void end_coverage(void);

/* expressions.c */
extern function *current;
extern int slots, most_slots, start;
int new_slot(void);
void compile_body(sexp **items, int count, scope *where, int to, bool tail);
void compile(sexp *s, scope *where, int to, bool tail);

/* functions.c */
extern FILE *made; /* where the result goes */
void say(const char *what, ...);
void info(const char *table, const char *shown, int fields, int at_line, const char *entry);
void c_head(const function *f);
void compile_function(function *f);
void compile_wrapper(const function *f);
void llvm_declarations(void);

#endif
