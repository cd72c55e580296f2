/* scheme.h: values, objects and the state of the interpreter.
 *
 * A value is one word. Its low bits say what it is, and the heap knows by its tag table (TAGGED_POINTERS) which of
 * them are pointers; it keeps the tag when an object moves.
 *
 *   ..00  fixnum: 62 bits, signed           ..010  constant or character, told apart by bits 3 to 7
 *   .001  pointer to a pair, plus 1         .011   pointer to any other object, plus 3
 *
 * The one rule of all this code: a call that may allocate may move every object. A value that is needed after such a
 * call is in a root before it and is read from the root again: in a frame (ENTER), on the interpreter's stack, or in
 * a register. So there is at most one allocating call among the arguments of a call, and nothing else there is a
 * value read before it. */
#ifndef SCHEME_H
#define SCHEME_H
#include <barrow/inline.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>

typedef barrow_word value;
typedef struct scheme scheme;

#if defined(__GNUC__) || defined(__clang__)
#define NORETURN __attribute__((noreturn))
#else
#define NORETURN
#endif

/* ---- values ------------------------------------------------------------------------------------------------ */

#define TAG_PAIR 1u
#define TAG_OBJECT 3u
/* Bit t is set when a word with low four bits t is a pointer; objects lie at multiples of 8, so bit 3 may be set. */
#define TAGGED_POINTERS ((1u << 1) | (1u << 9) | (1u << 3) | (1u << 11))

#define FIX(n) ((value)(n) << 2)
#define FIX_MAX (((int64_t)1 << 61) - 1)
#define FIX_MIN (-((int64_t)1 << 61))
#define CHARACTER(c) ((value)(c) << 8 | 0x02)
#define CONSTANT(k) ((value)(k) << 8 | 0x0a)
#define KEYWORD(k) ((value)(k) << 8 | 0x12)
#define NIL CONSTANT(0)
#define FALSE_VALUE CONSTANT(1)
#define TRUE_VALUE CONSTANT(2)
#define UNSPECIFIED CONSTANT(3)
#define END_OF_FILE CONSTANT(4)
/* In a variable that has no value yet. Programs never see it. */
#define UNDEFINED CONSTANT(5)
/* What (interaction-environment) gives. */
#define ENVIRONMENT CONSTANT(6)

static inline bool is_fix(value v) { return (v & 3) == 0; }
static inline int64_t fix_of(value v) { return (int64_t)v >> 2; }
static inline bool is_char(value v) { return (v & 0xff) == 0x02; }
static inline uint32_t char_of(value v) { return (uint32_t)(v >> 8); }
static inline bool is_keyword(value v) { return (v & 0xff) == 0x12; }
static inline bool is_pair(value v) { return (v & 7) == TAG_PAIR; }
static inline bool is_object(value v) { return (v & 7) == TAG_OBJECT; }
static inline value boolean(bool b) { return b ? TRUE_VALUE : FALSE_VALUE; }
static inline bool truth(value v) { return v != FALSE_VALUE; }

/* ---- objects ----------------------------------------------------------------------------------------------- */

typedef struct pair_object { barrow_word header; value car, cdr; } pair_object;
/* What the reader makes: a pair that knows its line. The layouts agree as far as a pair goes. */
typedef struct located_pair { barrow_word header; value car, cdr; barrow_word line; } located_pair;
typedef struct symbol_object {
  barrow_word header;
  value name, global, syntax, next; /* syntax: a KEYWORD, a macro, or UNDEFINED; next: in the symbol table */
  barrow_word hash;
} symbol_object;
typedef struct flonum_object { barrow_word header; double number; } flonum_object;
typedef struct closure_object { barrow_word header; value code, environment; } closure_object;
/* A symbol that a macro's template inserted: it means what it meant where the macro was defined. */
typedef struct continuation_object { barrow_word header; value handlers, frames; } continuation_object;
typedef struct alias_object { barrow_word header; value symbol, scope; } alias_object;
typedef struct macro_object { barrow_word header; value literals, rules, scope, ellipsis; } macro_object;
typedef struct condition_object { barrow_word header; value kind, message, irritants, file, line; } condition_object;
typedef struct promise_object { barrow_word header; value done, content; } promise_object;
typedef struct table_object { barrow_word header; value buckets; barrow_word kind, count; } table_object;
typedef struct entry_object { barrow_word header; value key, content, next; barrow_word hash; } entry_object;
/* Text to read, or text that was written: UTF-8 in a bytevector. The file is a number in shared.files. */
typedef struct port_object {
  barrow_word header;
  value buffer, name;
  barrow_word position, fill, line, file, flags;
} port_object;
typedef value (*primitive_function)(scheme *s, value *arguments, size_t count);
typedef struct primitive_object {
  barrow_word header;
  value name;
  primitive_function function;
  barrow_word least, most, control;
} primitive_object;

enum { PORT_INPUT = 1, PORT_OUTPUT = 2, PORT_CLOSED = 4, PORT_CONSOLE = 8 };
enum { NO_FILE = 0, STANDARD_OUTPUT = 1, FILES = 32 };

extern barrow_info pair_info, located_info, symbol_info, flonum_info, string_info, bytevector_info, vector_info,
    closure_info, primitive_info, continuation_info, values_info, environment_info, code_info, alias_info, macro_info,
    condition_info, promise_info, table_info, entry_info, port_info, record_info;

static inline void *object_at(value v) { return (void *)(v & ~(value)7); }
static inline bool is_a(value v, const barrow_info *info) {
  return is_object(v) && barrow_info_of(object_at(v)) == info;
}
#define AS(type, v) ((type##_object *)object_at(v))

static inline bool is_symbol(value v) { return is_a(v, &symbol_info); }
/* Other threads may set both at any time: what a value refers to is there when the value is (set_field). */
static inline value global_of(value symbol) { return BARROW_LOAD_ACQUIRE(&AS(symbol, symbol)->global); }
static inline value syntax_of(value symbol) { return BARROW_LOAD_ACQUIRE(&AS(symbol, symbol)->syntax); }
static inline bool is_string(value v) { return is_a(v, &string_info); }
static inline bool is_vector(value v) { return is_a(v, &vector_info); }
static inline bool is_identifier(value v) { return is_symbol(v) || is_a(v, &alias_info); }
static inline bool is_flonum(value v) { return is_a(v, &flonum_info); }
static inline value car(value v) { return AS(pair, v)->car; }
static inline value cdr(value v) { return AS(pair, v)->cdr; }

/* Objects made by new_array: vectors, records, environments, code, values, continuations. */
static inline size_t length_of(value v) { return barrow_array_length(object_at(v)); }
static inline value *elements(value v) { return (value *)barrow_array_elements(object_at(v)); }
/* Strings are UTF-32, so that a character is found in one step; bytevectors are bytes. */
static inline size_t bytes_of(value v) { return barrow_array_length(object_at(v)); }
static inline unsigned char *bytes_at(value v) { return (unsigned char *)barrow_bytes_start(object_at(v)); }
static inline size_t string_length(value v) { return bytes_of(v) / 4; }
static inline uint32_t *string_at(value v) { return (uint32_t *)barrow_bytes_start(object_at(v)); }

/* ---- the interpreter --------------------------------------------------------------------------------------- */

/* Roots that are always there; named to the collector in one piece, as the stack is (objects.c). */
typedef struct registers {
  value accumulator, environment, code;
  value winders, handlers;     /* dynamic-wind; with-exception-handler */
  value raiser;                /* the procedure that primitives' errors are given to */
  value halt, values_code;     /* code to return to: the end; call-with-values */
  value output, console, file; /* current output port; standard input; name of what is read */
  value condition, scratch;
  value quote, quasiquote, unquote, unquote_splicing, ellipsis, underscore, arrow, else_symbol, syntax_rules;
  value generic; /* kinds of conditions: error, read, file */
  value read_kind, file_kind;
  value reader, evaluator, file_opener, string_opener; /* procedures that main.c calls */
  value program; /* its name, for conditions outside files */
  value reserve; /* memory to go on with when there was none (errors.c) */
  value ready;   /* the queue of threads that take turns here (prelude.c) */
  value job;     /* the record of the system thread that this is (parallel.c) */
} registers;

/* What all system threads of a program share. */
typedef struct common {
  pthread_mutex_t lock;   /* for changes of what follows but for the collections; taken by share_lock */
  pthread_cond_t changed; /* a system thread has ended, or a mailbox has something */
  value symbols;          /* the symbol table: a root */
  FILE *files[FILES];
  scheme *all;      /* all interpreters, whose roots are looked for while no thread runs */
  size_t threads, most; /* that run beside the first one; that there may be in all (--threads) */
  size_t changes;       /* so far */
  size_t waiting;       /* threads that wait for the next change */
  size_t collections;   /* so far */
} common;

struct scheme {
  barrow_heap *heap;
  barrow_mutator *m;
  common *shared;
  scheme *next; /* in shared.all */
  value *stack, *top, *stack_end; /* arguments; top: the first free word */
  registers r;
  size_t pc, argument_count;
  unsigned depth;         /* nesting of the C functions that call themselves: reader, compiler, macros */
  size_t line, form_line; /* what is compiled; the form at top level that is being run */
  bool compiling, exiting;
  int exit_code;
  jmp_buf trap;
  barrow_frame *frames_outside;
  char *reading; /* the text of a file while the heap's memory for it is looked for; execute frees it */
};

/* Roots in a C function:  struct { barrow_frame frame; value a, b; } r;  ENTER(s, r); ... LEAVE(s, r); */
#define ENTER(s, r) (memset(&(r), 0, sizeof(r)), BARROW_PUSH((s)->m, r), (void)((r).frame.count |= BARROW_FRAME_TAGGED))
#define LEAVE(s, r) BARROW_LEAVE((s)->m, r)

/* objects.c */
scheme *scheme_new(const char *flags, size_t stack_words, size_t threads);
void scheme_free(scheme *s);
scheme *new_interpreter(size_t stack_words);
bool enter_stack(scheme *s);
value cons_slow(scheme *s, value head, value tail);
value located_cons(scheme *s, value head, value tail, size_t line);
value new_object(scheme *s, barrow_info *info, size_t words, value a, value b);
value new_array(scheme *s, barrow_info *info, size_t length, value fill);
value new_bytes(scheme *s, barrow_info *info, size_t bytes);
value new_flonum(scheme *s, double number);
value new_string(scheme *s, const char *utf8, size_t bytes);
value text(scheme *s, const char *utf8);
value symbol(scheme *s, const char *utf8);
value symbol_of_string(scheme *s, value string);
void define_frames(void);
void define_primitive(scheme *s, const char *name, primitive_function function, size_t least, size_t most, bool control);
void set_field(scheme *s, value owner, value *field, value v);
void push_slow(scheme *s);
value list_from(scheme *s, const value *from, size_t count, value tail);
int64_t list_length(value list);
/* How much a UTF-8 character at `at` takes, and the character. */
size_t utf8_decode(const unsigned char *at, size_t bytes, uint32_t *character);
size_t utf8_encode(uint32_t character, unsigned char *to);

static inline value cons(scheme *s, value head, value tail) {
  pair_object *p = (pair_object *)barrow_try_alloc(s->m, 3);
  if (BARROW_UNLIKELY(!p)) return cons_slow(s, head, tail);
  p->header = (barrow_word)&pair_info;
  p->car = head;
  p->cdr = tail;
  return (value)p | TAG_PAIR;
}
static inline void push(scheme *s, value v) {
  if (BARROW_UNLIKELY(s->top == s->stack_end)) push_slow(s);
  *s->top++ = v;
}
static inline value pop(scheme *s) { return *--s->top; }

/* errors.c: none of these returns. */
void fail(scheme *s, const char *message) NORETURN;
void fail_with(scheme *s, const char *message, value irritant) NORETURN;
void fail_kind(scheme *s, value kind, const char *message, value irritant, value file, size_t line) NORETURN;
void wrong_type(scheme *s, const char *who, const char *wanted, value got) NORETURN;
void raise_condition(scheme *s, value condition) NORETURN;
void give_up(scheme *s, value condition) NORETURN;
value new_condition(scheme *s, value kind, value message, value irritants);
void deeper(scheme *s);
void make_reserve(scheme *s);
void report_condition(scheme *s, value condition, FILE *to);
bool out_of_memory(void *client, barrow_mutator *m, size_t bytes);
int64_t to_index(scheme *s, const char *who, value v, size_t limit);
void range_of(scheme *s, const char *who, value *arguments, size_t count, size_t length, size_t *from, size_t *to);

/* port.c, reader.c, printer.c */
value new_port(scheme *s, value buffer, size_t fill, value name, size_t file, size_t flags);
value read_file(scheme *s, const char *name);
int port_peek(scheme *s, value *port);
int port_next(scheme *s, value *port);
void write_out(scheme *s, FILE *file, const char *bytes, size_t count);
bool flush_out(scheme *s, FILE *file);
void port_put(scheme *s, value *port, const char *bytes, size_t count);
void port_put_char(scheme *s, value *port, uint32_t character);
value port_string(scheme *s, value port);
value read_datum(scheme *s, value *port);
value parse_number(scheme *s, const char *from, unsigned radix);
void print(scheme *s, value *port, value v, bool readable);
void print_to_file(scheme *s, value v, bool readable, FILE *to);
void print_some(scheme *s, value v, bool readable, FILE *to, size_t bytes);
void number_text(value v, unsigned radix, char *buffer, size_t bytes);

/* parallel.c */
void share_lock(scheme *s);
void share_unlock(scheme *s);
bool await_threads(scheme *s);
bool has_threads(scheme *s);
void define_parallel(scheme *s);

/* table.c */
enum { TABLE_EQ, TABLE_EQV, TABLE_EQUAL };
bool is_eqv(value a, value b);
bool is_equal(scheme *s, value a, value b);

/* scope.c, macro.c */
typedef struct binding { value rib; size_t index; value macro, symbol; } binding;
binding lookup(value identifier, value scope);
bool same_binding(value a, value scope_a, value b, value scope_b);
value strip_aliases(scheme *s, value datum);
value vector_to_list(scheme *s, value vector);
value list_to_vector(scheme *s, value list);
value new_macro(scheme *s, value spec, value scope);
value expand_macro(scheme *s, value macro, value form, value scope);

/* compile.c */
enum {
  OP_CONST, OP_LOCAL0, OP_LOCAL1, OP_LOCAL, OP_GLOBAL, OP_SET_LOCAL, OP_SET_GLOBAL, OP_DEFINE, OP_PUSH, OP_JUMP,
  OP_IF_FALSE, OP_IF_TRUE, OP_CALL, OP_TAIL_CALL, OP_RETURN, OP_CLOSURE, OP_LET, OP_SAVE, OP_RESTORE, OP_VALUES, OP_HALT
};
enum { CODE_NAME, CODE_REQUIRED, CODE_REST, CODE_SIZE, CODE_FILE, CODE_START };
void define_keywords(scheme *s);
value compile_form(scheme *s, value form);
value finish_code(scheme *s, value *from, value name);
enum keyword {
  K_QUOTE, K_IF, K_DEFINE, K_SET, K_LAMBDA, K_BEGIN, K_LET, K_LETSTAR, K_LETREC, K_AND, K_OR, K_COND, K_WHEN, K_UNLESS,
  K_QUASIQUOTE, K_DEFINE_SYNTAX, K_KEYWORDS
};

/* compile.c, bind.c, special.c: parts of the compiler that the others use */
void compile(scheme *s, value form, value scope, bool tail);
void compile_lambda(scheme *s, value name, value formals, value body, value scope);
void compile_named(scheme *s, value name, value form, value scope);
void compile_defined(scheme *s, value form, value scope);
value defined_name(scheme *s, value form);
size_t compile_body(scheme *s, value body, value rib, value scope, bool tail);
bool compile_binder(scheme *s, enum keyword k, value form, value scope, bool tail);
void compile_special(scheme *s, enum keyword k, value form, value scope, bool tail);
void emit(scheme *s, value word);
void emit_line(scheme *s);
void emit_set(scheme *s, value identifier, value scope);
size_t emit_jump(scheme *s, unsigned op);
void patch(scheme *s, size_t at);
value scope_with(scheme *s, value identifiers, value scope);
bool is_syntax(value form, value scope, value *syntax);
void syntax_error(scheme *s, const char *message, value form) NORETURN;
void note_line(scheme *s, value form);

/* vm.c */
bool execute(scheme *s, value procedure);
void push_return(scheme *s, value code, size_t pc, value environment, size_t count);
bool accepts(value procedure, size_t count);

/* primitives */
void define_numbers(scheme *s);
void define_lists(scheme *s);
void define_sequences(scheme *s);
unsigned char byte_of(scheme *s, const char *who, value v);
void define_texts(scheme *s);
void define_vectors(scheme *s);
void define_tables(scheme *s);
void define_control(scheme *s);
void define_ports(scheme *s);
void define_prelude(scheme *s);
/* Reads, compiles and runs everything in a port; false after an error, which is in s->r.condition. */
bool run_port(scheme *s, value *port);
int run_form(scheme *s, value *port);
bool open_port(scheme *s, value *port, value opener, const char *argument);
int run_suite(scheme *s, const char *name);

#endif
