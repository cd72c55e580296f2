/* workers: a pool of threads that take tasks from a channel and send back lists. workers [THREADS] [LIMIT]
 *
 * Each task is a range of numbers; its answer is the list of the primes in it. */
#include "threads.h"

typedef struct cell {
  barrow_word header;
  struct cell *tail;
  barrow_word number;
} cell;
static barrow_info cell_info = BARROW_INFO(BARROW_CONSTR, 0, 1, 1, "Cons");

typedef struct range {
  barrow_word header, from, to;
} range;
static barrow_info range_info = BARROW_INFO(BARROW_CONSTR, 0, 0, 2, "Range");

static channel tasks, answers;

static bool is_prime(barrow_word n) {
  barrow_word d;
  for (d = 2; d * d <= n; d++)
    if (n % d == 0) return false;
  return n > 1;
}

static void work(barrow_mutator *m, size_t number) {
  struct { barrow_frame frame; range *task; cell *primes, *nothing; } r;
  (void)number;
  BARROW_ENTER(m, r);
  r.nothing = (cell *)make(m, &cell_info, 3);
  r.nothing->tail = NULL;
  r.nothing->number = 0;
  while ((r.task = (range *)channel_receive(m, &tasks)) != NULL) {
    barrow_word n;
    r.primes = r.nothing;
    for (n = r.task->from; n < r.task->to; n++) {
      if (is_prime(n)) {
        cell *c = (cell *)make(m, &cell_info, 3);
        c->tail = r.primes;
        c->number = n;
        r.primes = c;
      }
      /* A loop that may not allocate for long lets others collect. */
      if (BARROW_UNLIKELY(BARROW_LOAD_RELAXED(&barrow_window_of(m)->poll))) must(barrow_safepoint(m));
    }
    channel_send(m, &answers, (void *const *)&r.primes);
  }
  BARROW_LEAVE(m, r);
}

int main(int argc, char **argv) {
  struct { barrow_frame frame; range *task; cell *primes; } r;
  thread threads[MOST_THREADS];
  barrow_mutator *m;
  barrow_heap *heap = start(&argc, argv, "--mutators=17 -A256k", &m);
  size_t count = argc > 1 ? (size_t)atoi(argv[1]) : 4, i;
  barrow_word limit = argc > 2 ? (barrow_word)atol(argv[2]) : 50000, step = 500, sent = 0, got = 0, primes = 0, sum = 0;
  if (count < 1 || count > MOST_THREADS) die("workers: from 1 to 16 threads");
  channel_open(&tasks, heap, "tasks");
  channel_open(&answers, heap, "answers");
  for (i = 0; i < count; i++) start_thread(&threads[i], heap, i, work);
  BARROW_ENTER(m, r);
  while (got * step < limit) {
    /* No more tasks than answers that have room: nobody waits for somebody who waits for him. */
    if (sent * step < limit && sent - got < CHANNEL_ROOM) {
      r.task = (range *)make(m, &range_info, 3);
      r.task->from = sent * step;
      r.task->to = (sent + 1) * step < limit ? (sent + 1) * step : limit;
      sent++;
      channel_send(m, &tasks, (void *const *)&r.task);
    } else {
      const cell *c;
      r.primes = (cell *)channel_receive(m, &answers);
      got++;
      for (c = r.primes; c->tail; c = c->tail) primes++, sum += c->number;
    }
  }
  channel_close(&tasks);
  join_threads(m, threads, count);
  printf("%lu primes below %lu, in all %lu\n", (unsigned long)primes, (unsigned long)limit, (unsigned long)sum);
  BARROW_LEAVE(m, r);
  must(barrow_heap_free(heap));
  return 0;
}
