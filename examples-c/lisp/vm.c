/* vm.c: runs code.
 *
 * A procedure's variables are in a frame in the heap (element 0 is the frame outside it), so closures share them and
 * continuations may return twice. Arguments that are being computed are on s->stack, those of the running procedure alone.
 * For each call that is to be returned to, a frame waits on a stack in the heap, with its code, where in it, its
 * frame of variables, and the arguments that it was computing. The arguments of a call leave s->stack when the callee's
 * frame is made, before that; so a tail call leaves nothing behind. call/cc captures the stack in the heap. */
#include "scheme.h"
#include <stdlib.h>

/* A frame to return to: its table, which is the one for the number of its arguments, three words, the arguments. More
 * arguments are in frames below it, in the same chunk. */
enum { FRAME_WORDS = 4, MOST_ARGUMENTS = 60 };
static const barrow_names return_names = {"call", "call", "scheme", __FILE__};
static barrow_info return_infos[MOST_ARGUMENTS + 1], more_info;

void define_frames(void) {
  size_t i;
  if (more_info.size != 0) return;
  for (i = 0; i <= MOST_ARGUMENTS + 1; i++) {
    barrow_info *info = i <= MOST_ARGUMENTS ? &return_infos[i] : &more_info;
    size_t words = i <= MOST_ARGUMENTS ? 3 + i : MOST_ARGUMENTS;
    info->size = sizeof *info;
    info->version = BARROW_INFO_VERSION;
    info->kind = BARROW_RETURN_FRAME;
    info->flags = BARROW_FLAG_TAIL_TAGGED;
    info->ptrs = (uint32_t)words;
    info->bitmap = ((barrow_word)1 << words) - 1;
    info->names = &return_names;
  }
}

/* Goes to the handlers, which need room: the newest frames are not returned to. */
static void too_deep(scheme *s) NORETURN;
static void too_deep(scheme *s) {
  barrow_window *w = barrow_window_of(s->m);
  size_t words = 0;
  while (words < 8192) {
    const barrow_info *table = barrow_stack_top(s->m);
    if (table->kind == BARROW_STOP_FRAME) {
      if (!barrow_stack_underflow(s->m)) break;
      continue;
    }
    words += 1 + table->ptrs;
    w->sp += 1 + table->ptrs;
  }
  s->top = s->stack;
  s->pc = 0; /* it may be in the middle of an instruction, which says no line then */
  fail(s, "the stack is full: recursion is too deep");
}

/* More arguments than there is room for. */
void push_slow(scheme *s) { too_deep(s); }

/* The frame of a call that is returned to. On s->stack, all but the `count` newest words wait in it. */
void push_return(scheme *s, value code, size_t pc, value environment, size_t count) {
  size_t waiting = (size_t)(s->top - s->stack) - count, done = 0;
  barrow_word *frame;
  /* All in one chunk, so that nobody has to look for it behind a stop frame. */
  if (!barrow_stack_need(s->m, FRAME_WORDS + waiting + waiting / MOST_ARGUMENTS)) too_deep(s);
  for (; BARROW_UNLIKELY(waiting - done > MOST_ARGUMENTS); done += MOST_ARGUMENTS) {
    frame = barrow_stack_push(s->m, &more_info, 1 + MOST_ARGUMENTS);
    memcpy(frame + 1, s->stack + done, MOST_ARGUMENTS * sizeof(value));
  }
  frame = barrow_stack_push(s->m, &return_infos[waiting - done], FRAME_WORDS + waiting - done);
  frame[1] = code;
  frame[2] = FIX(pc);
  frame[3] = environment;
  if (waiting == 0) return;
  memcpy(frame + FRAME_WORDS, s->stack + done, (waiting - done) * sizeof(value));
  memmove(s->stack, s->stack + waiting, count * sizeof(value));
  s->top = s->stack + count;
}

static void pop_return(scheme *s) {
  barrow_word *frame;
  size_t count;
  while (BARROW_UNLIKELY(barrow_stack_top(s->m)->kind == BARROW_STOP_FRAME))
    if (!barrow_stack_underflow(s->m)) fail(s, barrow_last_error());
  frame = barrow_window_of(s->m)->sp;
  count = ((const barrow_info *)frame[0])->ptrs - 3;
  s->r.code = frame[1];
  s->pc = (size_t)fix_of(frame[2]);
  s->r.environment = frame[3];
  memcpy(s->stack, frame + FRAME_WORDS, count * sizeof(value));
  barrow_stack_pop(s->m, FRAME_WORDS + count);
  while (BARROW_UNLIKELY(barrow_stack_top(s->m) == &more_info)) {
    memmove(s->stack + MOST_ARGUMENTS, s->stack, count * sizeof(value));
    memcpy(s->stack, barrow_window_of(s->m)->sp + 1, MOST_ARGUMENTS * sizeof(value));
    barrow_stack_pop(s->m, 1 + MOST_ARGUMENTS);
    count += MOST_ARGUMENTS;
  }
  s->top = s->stack + count;
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
  if (count == 1) {
    result = s->top[-1];
  } else {
    value *from = s->top - count;
    size_t i;
    result = new_array(s, &values_info, count, NIL);
    for (i = 0; i < count; i++) set_field(s, result, &elements(result)[i], from[i]);
  }
  s->r.handlers = AS(continuation, s->r.accumulator)->handlers;
  s->top = s->stack;
  if (barrow_stack_cut(s->m, NULL) != BARROW_OK) fail(s, barrow_last_error());
  if (!barrow_stack_reinstate(s->m, object_at(AS(continuation, s->r.accumulator)->frames))) too_deep(s);
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
        v = global_of(at[0]);
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
        if (global_of(v) == UNDEFINED) unbound(s, v);
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
      if (!tail) push_return(s, s->r.code, s->pc, s->r.scratch, 0);
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
      } else { /* it says what to call next; it is to be returned to as a closure is */
        if (!tail) {
          push_return(s, s->r.code, s->pc, s->r.environment, count);
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

/* Nothing is returned to any more. */
static void forget_frames(scheme *s) {
  s->top = s->stack;
  if (barrow_stack_cut(s->m, NULL) != BARROW_OK) fprintf(stderr, "scheme: %s\n", barrow_last_error());
}

/* Calls a procedure with the arguments that are on s->stack (all of it). Its value is in the accumulator. False: it
 * gave up, and s->r.condition says why; UNDEFINED means that there was no memory. */
bool execute(scheme *s, value procedure) {
  s->r.accumulator = procedure;
  s->r.handlers = s->r.winders = NIL;
  s->argument_count = (size_t)(s->top - s->stack);
  s->r.code = NIL;
  s->r.environment = NIL;
  s->pc = 0;
  s->depth = 0;
  s->frames_outside = barrow_frames_save(s->m);
  switch (setjmp(s->trap)) {
    case 0: push_return(s, s->r.halt, CODE_START, NIL, s->argument_count); break;
    case 1: /* raised in C: the program's handlers get it; frames stay, though nothing returns to them */
      barrow_frames_restore(s->m, s->frames_outside);
      s->depth = 0;
      s->compiling = false;
      free(s->reading);
      s->reading = NULL;
      s->r.accumulator = s->r.raiser;
      s->top = s->stack;
      push(s, s->r.condition);
      s->argument_count = 1;
      break;
    default:
      barrow_frames_restore(s->m, s->frames_outside);
      s->compiling = false;
      free(s->reading);
      s->reading = NULL;
      forget_frames(s);
      s->r.accumulator = s->r.environment = s->r.code = s->r.scratch = NIL;
      s->r.handlers = s->r.winders = NIL;
      return false;
  }
  run(s, true);
  forget_frames(s);
  return true;
}
