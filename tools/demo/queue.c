/* Messages go through a queue that always holds many of them.
 *
 *   while true do Queue.push (message (random_bytes ())) queue; check (Queue.pop queue) done
 *
 * The hard case for a collector with generations: everything lives just long enough to get old, and the old last
 * message is made to point to the new one each time. */
#include "emit.h"
#include <stdio.h>

typedef struct message {
  barrow_word header;
  struct message *next;
  text *body;
  size_t number;
} message;

typedef struct queue {
  barrow_word header;
  message *first, *last;
  size_t length;
} queue;

INFO(message_info, BARROW_CONSTR, BARROW_FLAG_MUTABLE, 2, 1, "Message", "Queue");
INFO(queue_info, BARROW_CONSTR, BARROW_FLAG_MUTABLE, 2, 1, "Queue", "Queue");

COST_CENTRE(push_cc, "push", "tools/demo/queue.c:push");

static void push(world *w, queue *q, size_t number, const char *bytes, size_t length) {
  barrow_ccs *before = enter(w, &push_cc);
  struct { barrow_frame frame; queue *q; text *body; } f;
  f.q = q;
  f.body = 0;
  BARROW_PUSH(w->m, f);
  f.body = new_text(w, bytes, length);
  message *new = NEW(w, message, message_info);
  BARROW_LEAVE(w->m, f);
  q = f.q;
  use(w, q);
  new->next = 0;
  new->body = f.body;
  new->number = number;
  if (q->last) BARROW_WRITE(w->m, q->last, next, new);
  else BARROW_WRITE(w->m, q, first, new);
  BARROW_WRITE(w->m, q, last, new);
  q->length++;
  leave(w, before);
}

static message *pop(world *w, queue *q) {
  message *first = q->first;
  use(w, q);
  use(w, first);
  BARROW_WRITE(w->m, q, first, first->next);
  if (!first->next) BARROW_WRITE(w->m, q, last, (message *)0);
  q->length--;
  return first;
}

void pass_messages(world *w, demo_part *part) {
  size_t messages = (size_t)(4e6 * w->scale), most = messages / 20, bytes = 0;
  uint64_t state = 7;
  char letters[200];
  memset(letters, 'x', sizeof letters);
  struct { barrow_frame frame; queue *q; } f;
  BARROW_ENTER(w->m, f);
  f.q = NEW(w, queue, queue_info);
  f.q->first = f.q->last = 0;
  f.q->length = 0;
  part->right = true;
  for (size_t i = 0, out = 0; i < messages; i++) {
    push(w, f.q, i, letters, next_random(&state, 1 + next_random(&state, sizeof letters)));
    if (f.q->length > most) {
      message *first = pop(w, f.q);
      part->right = part->right && first->number == out++;
      bytes += first->body->length;
    }
    tell(w, i, messages);
  }
  snprintf(part->result, sizeof part->result, "%zu messages, at most %zu of them waiting; %zu MB passed on", messages,
           most, bytes / 1000000);
  BARROW_LEAVE(w->m, f);
}
