/* objects.c: the layout of every kind of object, how objects are made, and the roots that are always there. */
#include "scheme.h"
#include <stdlib.h>

/* What the collector must know of a kind: how many tagged words come first, how many plain words follow. The name is
 * what profiles show. MUTABLE: its fields are written to after it was made. */
#define LAYOUT(variable, name, kind, flags, tagged, plain)                                    \
  static const barrow_names variable##_names = {name, name, "scheme", __FILE__};              \
  barrow_info variable = {sizeof(barrow_info), BARROW_INFO_VERSION, 0, NULL, kind, flags, 0, tagged, plain, 0, 0, NULL, \
                          NULL, NULL, &variable##_names}
#define FIELDS(variable, name, flags, tagged, plain) LAYOUT(variable, name, BARROW_TAGGED, flags, tagged, plain)
#define VECTOR(variable, name) \
  LAYOUT(variable, name, BARROW_ARRAY, BARROW_FLAG_TAIL_TAGGED | BARROW_FLAG_MUTABLE, 0, 0)

FIELDS(pair_info, "pair", BARROW_FLAG_MUTABLE, 2, 0);
FIELDS(located_info, "pair with line", BARROW_FLAG_MUTABLE, 2, 1);
FIELDS(symbol_info, "symbol", BARROW_FLAG_MUTABLE, 4, 1);
FIELDS(flonum_info, "flonum", 0, 0, 1);
FIELDS(closure_info, "closure", 0, 2, 0);
FIELDS(primitive_info, "primitive", 0, 1, 4);
FIELDS(continuation_info, "continuation", 0, 2, 0);
FIELDS(alias_info, "alias", 0, 2, 0);
FIELDS(macro_info, "macro", BARROW_FLAG_MUTABLE, 4, 0);
FIELDS(condition_info, "condition", BARROW_FLAG_MUTABLE, 5, 0);
FIELDS(promise_info, "promise", BARROW_FLAG_MUTABLE, 2, 0);
FIELDS(table_info, "hash table", BARROW_FLAG_MUTABLE, 1, 2);
FIELDS(entry_info, "hash table entry", BARROW_FLAG_MUTABLE, 3, 1);
FIELDS(port_info, "port", BARROW_FLAG_MUTABLE, 2, 5);
VECTOR(vector_info, "vector");
VECTOR(record_info, "record");
VECTOR(environment_info, "environment");
VECTOR(code_info, "code");
VECTOR(values_info, "values");
LAYOUT(string_info, "string", BARROW_BYTES, 0, 0, 0);
LAYOUT(bytevector_info, "bytevector", BARROW_BYTES, 0, 0, 0);

/* ---- making objects ------------------------------------------------------------------------------------------ */

/* When there is no memory, barrow_alloc asks the overflow hook, and ours jumps away (out_of_memory). It gives NULL for a size that no
 * object can have, for which the hook is not asked: a program may ask for an array of any length. The sizes of all other objects
 * are small. */
static barrow_word *alloc_any(scheme *s, size_t words) {
  barrow_word *at = barrow_alloc(s->m, words);
  if (BARROW_UNLIKELY(!at)) fail(s, barrow_last_error());
  return at;
}

value cons_slow(scheme *s, value head, value tail) {
  struct { barrow_frame frame; value head, tail; } r;
  pair_object *p;
  ENTER(s, r);
  r.head = head;
  r.tail = tail;
  p = (pair_object *)barrow_alloc(s->m, 3);
  p->header = (barrow_word)&pair_info;
  p->car = r.head;
  p->cdr = r.tail;
  LEAVE(s, r);
  return (value)p | TAG_PAIR;
}

value located_cons(scheme *s, value head, value tail, size_t line) {
  value v = new_object(s, &located_info, 4, head, tail);
  ((located_pair *)object_at(v))->line = line;
  return (v & ~(value)7) | TAG_PAIR;
}

/* An object of `words` words: the first two fields are given, the others are fixnum 0, which is word 0. */
value new_object(scheme *s, barrow_info *info, size_t words, value a, value b) {
  struct { barrow_frame frame; value a, b; } r;
  barrow_word *at;
  ENTER(s, r);
  r.a = a;
  r.b = b;
  at = barrow_alloc(s->m, words);
  memset(at, 0, words * sizeof *at);
  barrow_set_header(at, info);
  at[1] = r.a;
  if (words > 2) at[2] = r.b;
  LEAVE(s, r);
  return (value)at | TAG_OBJECT;
}

value new_array(scheme *s, barrow_info *info, size_t length, value fill) {
  struct { barrow_frame frame; value fill; } r;
  void *array;
  value *to;
  size_t i;
  ENTER(s, r);
  r.fill = fill;
  array = barrow_array_init(alloc_any(s, barrow_array_words(length)), info, length);
  to = (value *)barrow_array_elements(array);
  for (i = 0; i < length; i++) to[i] = r.fill;
  LEAVE(s, r);
  return (value)array | TAG_OBJECT;
}

value new_bytes(scheme *s, barrow_info *info, size_t bytes) {
  barrow_word *at = alloc_any(s, barrow_bytes_words(bytes));
  at[0] = (barrow_word)info;
  at[1] = bytes;
  return (value)at | TAG_OBJECT;
}

value new_flonum(scheme *s, double number) {
  flonum_object *f = (flonum_object *)barrow_alloc(s->m, 2);
  f->header = (barrow_word)&flonum_info;
  f->number = number;
  return (value)f | TAG_OBJECT;
}

/* Stores into a field of an object that may be old. */
void set_field(scheme *s, value owner, value *field, value v) { barrow_write_word(s->m, object_at(owner), field, v); }

/* ---- strings and symbols ------------------------------------------------------------------------------------- */

size_t utf8_decode(const unsigned char *at, size_t bytes, uint32_t *character) {
  static const uint32_t least[5] = {0, 0, 0x80, 0x800, 0x10000};
  size_t want = at[0] < 0x80 ? 1 : at[0] >= 0xf0 ? 4 : at[0] >= 0xe0 ? 3 : 2, i;
  uint32_t c = want == 1 ? at[0] : at[0] & (0x7fu >> want);
  for (i = 1; i < want && i < bytes && (at[i] & 0xc0) == 0x80; i++) c = c << 6 | (at[i] & 0x3fu);
  if (at[0] >= 0x80 && (at[0] < 0xc2 || at[0] > 0xf4 || i < want || c < least[want] || c > 0x10ffff)) {
    *character = 0xfffd; /* what is no UTF-8 reads as the replacement character, byte by byte */
    return 1;
  }
  *character = c;
  return want;
}

size_t utf8_encode(uint32_t c, unsigned char *to) {
  if (c < 0x80) return to[0] = (unsigned char)c, 1;
  if (c < 0x800) return to[0] = (unsigned char)(0xc0 | c >> 6), to[1] = (unsigned char)(0x80 | (c & 0x3f)), 2;
  if (c < 0x10000) {
    to[0] = (unsigned char)(0xe0 | c >> 12);
    to[1] = (unsigned char)(0x80 | (c >> 6 & 0x3f));
    return to[2] = (unsigned char)(0x80 | (c & 0x3f)), 3;
  }
  to[0] = (unsigned char)(0xf0 | c >> 18);
  to[1] = (unsigned char)(0x80 | (c >> 12 & 0x3f));
  to[2] = (unsigned char)(0x80 | (c >> 6 & 0x3f));
  return to[3] = (unsigned char)(0x80 | (c & 0x3f)), 4;
}

/* The text is not in the heap, or it would move. */
value new_string(scheme *s, const char *utf8, size_t bytes) {
  const unsigned char *from = (const unsigned char *)utf8;
  size_t at, n = 0;
  uint32_t c;
  value v;
  for (at = 0; at < bytes; at += utf8_decode(from + at, bytes - at, &c)) n++;
  v = new_bytes(s, &string_info, 4 * n);
  for (at = 0, n = 0; at < bytes; at += utf8_decode(from + at, bytes - at, &string_at(v)[n - 1])) n++;
  return v;
}

value text(scheme *s, const char *utf8) { return new_string(s, utf8, strlen(utf8)); }

static barrow_word hash_string(value v) {
  barrow_word hash = 1469598103934665603u;
  size_t i;
  for (i = 0; i < string_length(v); i++) hash = (hash ^ string_at(v)[i]) * 1099511628211u;
  return hash ^ hash >> 29;
}

/* Chains in a vector; it doubles when it has more symbols than places. Element 0 is the number of symbols. */
static void move_symbols(scheme *s, value bigger) {
  value table = s->shared->symbols;
  size_t old = length_of(table) - 1, places = 2 * old, i;
  elements(bigger)[0] = elements(table)[0];
  for (i = 1; i <= old; i++) {
    value at = elements(table)[i], next;
    for (; at != NIL; at = next) {
      value *place = &elements(bigger)[1 + AS(symbol, at)->hash % places];
      next = AS(symbol, at)->next;
      set_field(s, at, &AS(symbol, at)->next, *place);
      set_field(s, bigger, place, at);
    }
  }
  s->shared->symbols = bigger;
}

static value *chain_of(scheme *s, barrow_word hash) {
  return &elements(s->shared->symbols)[1 + hash % (length_of(s->shared->symbols) - 1)];
}

/* The symbol with this name, or NIL. */
static value known_symbol(scheme *s, value name, barrow_word hash) {
  value at = *chain_of(s, hash);
  for (; at != NIL; at = AS(symbol, at)->next)
    if (AS(symbol, at)->hash == hash && bytes_of(AS(symbol, at)->name) == bytes_of(name) &&
        memcmp(bytes_at(AS(symbol, at)->name), bytes_at(name), bytes_of(name)) == 0)
      break;
  return at;
}

/* Nothing is allocated under the lock, since there may be no memory. So another thread may have been faster. */
value symbol_of_string(scheme *s, value string) {
  struct { barrow_frame frame; value string, symbol, bigger; } r;
  barrow_word hash = hash_string(string);
  value known, *place;
  size_t places;
  ENTER(s, r);
  r.string = string;
  share_lock(s);
  known = known_symbol(s, r.string, hash);
  places = length_of(s->shared->symbols);
  if ((size_t)fix_of(elements(s->shared->symbols)[0]) < places) places = 0;
  share_unlock(s);
  if (known == NIL) {
    if (places > 0) r.bigger = new_array(s, &vector_info, 2 * places - 1, NIL);
    /* The name is a copy: the program may change its string. */
    r.symbol = new_bytes(s, &string_info, bytes_of(r.string));
    memcpy(bytes_at(r.symbol), bytes_at(r.string), bytes_of(r.string));
    r.symbol = new_object(s, &symbol_info, 6, r.symbol, UNDEFINED);
    AS(symbol, r.symbol)->hash = hash;
    AS(symbol, r.symbol)->syntax = UNDEFINED;
    share_lock(s);
    if ((known = known_symbol(s, r.string, hash)) == NIL) {
      if (places > 0 && places == length_of(s->shared->symbols)) move_symbols(s, r.bigger);
      place = chain_of(s, hash);
      set_field(s, r.symbol, &AS(symbol, r.symbol)->next, *place);
      set_field(s, s->shared->symbols, place, r.symbol);
      elements(s->shared->symbols)[0] += FIX(1);
      known = r.symbol;
    }
    share_unlock(s);
  }
  LEAVE(s, r);
  return known;
}

value symbol(scheme *s, const char *utf8) {
  value name = text(s, utf8);
  return symbol_of_string(s, name);
}

void define_primitive(scheme *s, const char *name, primitive_function function, size_t least, size_t most, bool control) {
  struct { barrow_frame frame; value name, primitive; } r;
  primitive_object *p;
  ENTER(s, r);
  r.name = symbol(s, name);
  r.primitive = new_object(s, &primitive_info, 6, r.name, 0);
  p = AS(primitive, r.primitive);
  p->function = function;
  p->least = least;
  p->most = most;
  p->control = control;
  set_field(s, r.name, &AS(symbol, r.name)->global, r.primitive);
  LEAVE(s, r);
}

/* ---- lists --------------------------------------------------------------------------------------------------- */

/* A list of values that lie in a root that does not move, such as the stack. */
value list_from(scheme *s, const value *from, size_t count, value tail) {
  while (count > 0) tail = cons(s, from[--count], tail);
  return tail;
}

/* -1: it is no proper list. */
int64_t list_length(value list) {
  value slow = list;
  int64_t n = 0;
  for (; is_pair(list); list = cdr(list)) {
    if (++n % 2 == 0 && (slow = cdr(slow)) == cdr(list) && is_pair(slow)) return -1;
  }
  return list == NIL ? n : -1;
}

/* ---- the heap, and its roots --------------------------------------------------------------------------------- */

static void visit_roots(void *client, barrow_visitor *visitor) {
  common *all = (common *)client;
  const scheme *s;
  barrow_visit_words(visitor, "symbols", &all->symbols, 1);
  for (s = all->all; s; s = s->next) {
    barrow_visit_words(visitor, "registers", (value *)(void *)&s->r, sizeof s->r / sizeof(value));
    barrow_visit_words(visitor, "stack", s->stack, (size_t)(s->top - s->stack));
  }
}

static void count_collections(void *client, const barrow_event *event) {
  if (event->kind == BARROW_EVENT_COLLECTION_ENDS) ((common *)client)->collections++;
}

/* An interpreter without a mutator; NULL without memory. */
scheme *new_interpreter(size_t stack_words) {
  scheme *s = (scheme *)calloc(1, sizeof *s);
  /* Pages of it that are never reached cost nothing. It stays where it is, so that arguments may be used in place. */
  value *stack = (value *)malloc(stack_words * sizeof(value));
  if (!s || !stack) {
    free(s);
    free(stack);
    return NULL;
  }
  s->stack = s->top = stack;
  s->stack_end = stack + stack_words;
  return s;
}

/* Lets the mutator run on a stack of its own. False, too, when the overflow hook jumps here: nobody else waits for it yet. */
bool enter_stack(scheme *s) {
  if (setjmp(s->trap) != 0) return false;
  barrow_window_of(s->m)->client[0] = s;
  return barrow_stack_enter(s->m, barrow_stack_new(s->m, NULL, 1024)) == BARROW_OK && barrow_window_of(s->m)->stack;
}

static common *new_shared(scheme *first, size_t threads) {
  common *all = (common *)calloc(1, sizeof *all);
  if (!all) return NULL;
  pthread_mutex_init(&all->lock, NULL);
  pthread_cond_init(&all->changed, NULL);
  all->symbols = NIL;
  all->files[STANDARD_OUTPUT] = stdout;
  all->all = first;
  all->most = threads;
  return all;
}

static void free_all(scheme *s) {
  free(s->shared);
  free(s->stack);
  free(s);
}

scheme *scheme_new(const char *flags, size_t stack_words, size_t threads) {
  barrow_config config;
  char line[1200], mutators[40] = "";
  scheme *s = new_interpreter(stack_words);
  if (!s || !(s->shared = new_shared(s, threads))) {
    fprintf(stderr, "scheme: no memory for the stack\n");
    if (s) free_all(s);
    return NULL;
  }
  barrow_config_init(&config);
  if (threads > 1) snprintf(mutators, sizeof mutators, "--mutators=%zu", threads);
  /* The user's flags come last, so they hold. */
  snprintf(line, sizeof line, "-K%zu %s %.1050s", stack_words * sizeof(value), mutators, flags);
  config.flags = line;
  config.environment = 1;
  config.tagged_pointers = TAGGED_POINTERS;
  config.address_mask = ~(size_t)7;
  config.roots = visit_roots;
  config.overflow = out_of_memory;
  config.event = count_collections;
  config.client = s->shared;
  if (barrow_heap_new(&config, &s->heap, &s->m) != BARROW_OK) {
    fprintf(stderr, "scheme: %s\n", barrow_last_error());
    free_all(s);
    return NULL;
  }
  define_frames();
  if (!enter_stack(s)) {
    fprintf(stderr, "scheme: %s\n", barrow_last_error());
    scheme_free(s);
    return NULL;
  }
  return s;
}

void scheme_free(scheme *s) {
  size_t i;
  if (barrow_heap_free(s->heap) != BARROW_OK) fprintf(stderr, "scheme: %s\n", barrow_last_error());
  for (i = STANDARD_OUTPUT + 1; i < FILES; i++)
    if (s->shared->files[i]) fclose(s->shared->files[i]);
  free_all(s);
}
