/* vm.c: runs code.
 *
 * A procedure's variables are in a frame in the heap (element 0 is the frame outside it), so closures share them and
 * continuations may return twice. The stack holds what waits: arguments that are being computed, and for each call
 * that is to be returned to, its code, where in it, and its frame. The arguments of a call leave the stack when the
 * callee's frame is made, before that; so a tail call leaves nothing behind. */
#include "scheme.h"

static void push_return(scheme *s, value code, size_t pc, value environment) {
  push(s, code);
  push(s, FIX(pc));
  push(s, environment);
}

void push_slow(scheme *s) {
  s->top = s->stack_end - 8192; /* room for the handlers; what was there is not returned to */
  s->pc = 0; /* it may be in the middle of an instruction, which says no line then */
  fail(s, "the stack is full: recursion is too deep");
}

static void pop_return(scheme *s) {
  s->r.environment = pop(s);
  s->pc = (size_t)fix_of(pop(s));
  s->r.code = pop(s);
}

bool accepts(value procedure, size_t count) {
  if (is_a(procedure, &closure_info)) {
    const value *code = elements(AS(closure, procedure)->code);
    size_t required = (size_t)fix_of(code[CODE_REQUIRED]);
    return count == required || (count > required && code[CODE_REST] != FIX(0));
  }
  if (is_a(procedure, &primitive_info))
    return count >= AS(primitive, procedure)->least && count <= AS(primitive, procedure)->most;
  return is_a(procedure, &continuation_info);
}

static void wrong_count(scheme *s, value procedure, size_t count) NORETURN;
static void wrong_count(scheme *s, value procedure, size_t count) {
  char message[80];
  snprintf(message, sizeof message, "%zu argument%s not accepted by", count, count == 1 ? " is" : "s are");
  fail_with(s, message, procedure);
}

/* A frame with no values yet. UNDEFINED is no pointer, so nothing needs a root here, and the usual size is taken
 * inline. */
static inline value new_frame(scheme *s, size_t size) {
  size_t length = 1 + size, i;
  barrow_word *at;
  if (length >= BARROW_CARD_ELEMENTS) return new_array(s, &environment_info, length, UNDEFINED);
  at = barrow_alloc(s->m, barrow_array_words(length));
  at[0] = (barrow_word)&environment_info;
  at[1] = length;
  for (i = 0; i < length; i++) at[2 + i] = UNDEFINED;
  return (value)at | TAG_OBJECT;
}

/* The callee's frame, from `count` arguments on the stack. The callee stays in the accumulator. */
static void enter_closure(scheme *s, size_t count) {
  const value *code = elements(AS(closure, s->r.accumulator)->code);
  size_t required = (size_t)fix_of(code[CODE_REQUIRED]), size = (size_t)fix_of(code[CODE_SIZE]), i;
  bool rest = code[CODE_REST] != FIX(0);
  value environment, *to, *from;
  if (BARROW_UNLIKELY(count != required && (count < required || !rest))) wrong_count(s, s->r.accumulator, count);
  if (rest) {
    value list = list_from(s, s->top - (count - required), count - required, NIL);
    s->top -= count - required;
    push(s, list);
    count = required + 1;
  }
  environment = new_frame(s, size);
  to = elements(environment);
  from = s->top - count;
  /* It is new, and nothing has collected since: no barrier is needed (docs/embedding.md, 3). */
  to[0] = AS(closure, s->r.accumulator)->environment;
  for (i = 0; i < count; i++) to[1 + i] = from[i];
  s->top = from;
  s->r.environment = environment;
}

/* Gives a continuation the values for which it waits. */
static void return_to(scheme *s, size_t count) {
  value result;
  size_t n;
  if (count == 1) {
    result = s->top[-1];
  } else {
    value *from = s->top - count;
    size_t i;
    result = new_array(s, &values_info, count, NIL);
    for (i = 0; i < count; i++) set_field(s, result, &elements(result)[i], from[i]);
  }
  /* A continuation is the handlers, then a copy of the stack. */
  n = length_of(s->r.accumulator) - 1;
  s->r.handlers = elements(s->r.accumulator)[0];
  memcpy(s->stack, elements(s->r.accumulator) + 1, n * sizeof(value));
  s->top = s->stack + n;
  s->r.accumulator = result;
}

static void unbound(scheme *s, value name) NORETURN;
static void unbound(scheme *s, value name) { fail_with(s, "the variable has no value:", name); }

static value *frame_at(scheme *s, size_t depth) {
  value frame = s->r.environment;
  while (depth-- > 0) frame = elements(frame)[0];
  return (value *)object_at(frame);
}

/* Runs until OP_HALT. With `calling`, it begins with a call of the accumulator; s->argument_count arguments are on
 * the stack. `at` points into the code object and is made anew after whatever may move that. */
static void run(scheme *s, bool calling) {
  const value *at = NULL;
  value *frame, v;
  size_t count = s->argument_count, n;
  bool tail = true;
#define SAVE_PC() (s->pc = (size_t)(at - elements(s->r.code)))
#define LOAD_PC() (at = elements(s->r.code) + s->pc)
  if (calling) goto call;
  LOAD_PC();
  for (;;) {
    switch (fix_of(*at++)) {
      case OP_CONST: s->r.accumulator = *at++; break;
      case OP_LOCAL0:
        n = (size_t)fix_of(*at);
        v = elements(s->r.environment)[n];
        at += 2;
        goto variable;
      case OP_LOCAL1:
        n = (size_t)fix_of(*at);
        v = elements(elements(s->r.environment)[0])[n];
        at += 2;
        goto variable;
      case OP_LOCAL:
        frame = frame_at(s, (size_t)fix_of(at[0]));
        v = frame[2 + fix_of(at[1])];
        at += 3;
      variable:
        if (BARROW_UNLIKELY(v == UNDEFINED)) {
          SAVE_PC();
          fail(s, "a variable is used before it has a value");
        }
        s->r.accumulator = v;
        break;
      case OP_GLOBAL:
        v = AS(symbol, at[0])->global;
        at += 2;
        if (BARROW_UNLIKELY(v == UNDEFINED)) {
          SAVE_PC();
          unbound(s, at[-2]);
        }
        s->r.accumulator = v;
        break;
      case OP_SET_LOCAL:
        frame = frame_at(s, (size_t)fix_of(at[0]));
        barrow_write_word(s->m, frame, frame + 2 + fix_of(at[1]), s->r.accumulator);
        s->r.accumulator = UNSPECIFIED;
        at += 3;
        break;
      case OP_SET_GLOBAL:
        v = at[0];
        at += 2;
        SAVE_PC();
        if (AS(symbol, v)->global == UNDEFINED) unbound(s, v);
        set_field(s, v, &AS(symbol, v)->global, s->r.accumulator);
        s->r.accumulator = UNSPECIFIED;
        break;
      case OP_DEFINE:
        v = *at++;
        set_field(s, v, &AS(symbol, v)->global, s->r.accumulator);
        s->r.accumulator = UNSPECIFIED;
        break;
      case OP_PUSH: push(s, s->r.accumulator); break;
      case OP_JUMP: at += fix_of(*at); break;
      case OP_IF_FALSE: at += truth(s->r.accumulator) ? 1 : fix_of(*at); break;
      case OP_IF_TRUE: at += truth(s->r.accumulator) ? fix_of(*at) : 1; break;
      case OP_CLOSURE:
        v = *at++;
        SAVE_PC();
        s->r.accumulator = new_object(s, &closure_info, 3, v, s->r.environment);
        LOAD_PC();
        break;
      case OP_LET:
        count = (size_t)fix_of(at[0]);
        n = (size_t)fix_of(at[1]);
        at += 2;
        SAVE_PC();
        v = new_frame(s, n);
        LOAD_PC();
        s->top -= count;
        elements(v)[0] = s->r.environment;
        memcpy(elements(v) + 1, s->top, count * sizeof(value));
        s->r.environment = v;
        break;
      case OP_SAVE: push(s, s->r.environment); break;
      case OP_RESTORE: s->r.environment = pop(s); break;
      case OP_CALL:
      case OP_TAIL_CALL:
        tail = fix_of(at[-1]) == OP_TAIL_CALL;
        count = (size_t)fix_of(at[0]);
        at += 2;
        SAVE_PC();
        goto call;
      case OP_VALUES: /* what the producer gave goes to the consumer, which waits where a frame would be */
        v = s->r.accumulator;
        s->r.accumulator = s->r.environment;
        count = 1;
        if (is_a(v, &values_info)) {
          count = length_of(v);
          s->r.scratch = v;
          for (n = 0; n < count; n++) push(s, elements(s->r.scratch)[n]);
        } else {
          push(s, v);
        }
        tail = true;
        goto call;
      case OP_RETURN:
        pop_return(s);
        LOAD_PC();
        break;
      default: return; /* OP_HALT */
    }
    continue;
  call:
    v = s->r.accumulator;
    if (is_a(v, &closure_info)) {
      s->r.scratch = s->r.environment;
      enter_closure(s, count);
      if (!tail) push_return(s, s->r.code, s->pc, s->r.scratch);
      s->r.code = AS(closure, s->r.accumulator)->code;
      s->pc = CODE_START;
      LOAD_PC();
    } else if (is_a(v, &primitive_info)) {
      primitive_object *p = AS(primitive, v);
      if (BARROW_UNLIKELY(count < p->least || count > p->most)) wrong_count(s, v, count);
      if (!p->control) {
        s->r.accumulator = p->function(s, s->top - count, count);
        s->top -= count;
        if (tail) pop_return(s);
        LOAD_PC();
      } else { /* it says what to call next; it is to be returned to as a closure is, from below its arguments */
        if (!tail) {
          push_return(s, NIL, 0, NIL);
          memmove(s->top - count, s->top - count - 3, count * sizeof(value));
          s->top[-(ptrdiff_t)count - 3] = s->r.code;
          s->top[-(ptrdiff_t)count - 2] = FIX(s->pc);
          s->top[-(ptrdiff_t)count - 1] = s->r.environment;
          tail = true;
        }
        p->function(s, s->top - count, count);
        count = s->argument_count;
        goto call;
      }
    } else if (is_a(v, &continuation_info)) {
      return_to(s, count);
      pop_return(s);
      LOAD_PC();
    } else {
      fail_with(s, "no procedure, but called:", v);
    }
  }
#undef SAVE_PC
#undef LOAD_PC
}

/* Calls a procedure with the arguments that are on the stack (all of it). Its value is in the accumulator. False: it
 * gave up, and s->r.condition says why; UNDEFINED means that there was no memory. */
bool execute(scheme *s, value procedure) {
  value *base;
  size_t n = (size_t)(s->top - s->stack);
  s->r.accumulator = procedure;
  s->r.handlers = s->r.winders = NIL;
  s->argument_count = n;
  base = s->stack;
  memmove(base + 3, base, n * sizeof(value));
  base[0] = s->r.halt;
  base[1] = FIX(CODE_START);
  base[2] = NIL;
  s->top = base + 3 + n;
  s->r.code = NIL;
  s->r.environment = NIL;
  s->pc = 0;
  s->depth = 0;
  s->frames_outside = barrow_frames_save(s->m);
  switch (setjmp(s->trap)) {
    case 0: break;
    case 1: /* raised in C: the program's handlers get it; the stack stays, though nothing returns to it */
      barrow_frames_restore(s->m, s->frames_outside);
      s->depth = 0;
      s->compiling = false;
      if (s->files[NO_FILE]) fclose(s->files[NO_FILE]), s->files[NO_FILE] = NULL;
      s->r.accumulator = s->r.raiser;
      push(s, s->r.condition);
      s->argument_count = 1;
      break;
    default:
      barrow_frames_restore(s->m, s->frames_outside);
      s->compiling = false;
      if (s->files[NO_FILE]) fclose(s->files[NO_FILE]), s->files[NO_FILE] = NULL;
      s->top = s->stack;
      s->r.accumulator = s->r.environment = s->r.code = s->r.scratch = NIL;
      s->r.handlers = s->r.winders = NIL;
      return false;
  }
  run(s, true);
  s->top = s->stack;
  return true;
}
