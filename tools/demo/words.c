/* Counts how often each word comes in a text.
 *
 *   let count text =
 *     let table = Hashtbl.create 64 in
 *     iter (fun word -> Hashtbl.replace table word (1 + find_or table word 0)) (words text)
 *
 * A hash table lives long and is written all the time: its array of buckets is soon in the old generation while the
 * entries that are put there are new. Each such store goes through the write barrier. The words that are read die at
 * once, unless they are new. */
#include "emit.h"
#include <stdio.h>

typedef struct entry {
  barrow_word header;
  text *word;
  struct entry *next;
  size_t count;
} entry;

typedef struct table {
  barrow_word header;
  void *buckets;
  size_t used;
} table;

INFO(entry_info, BARROW_CONSTR, BARROW_FLAG_MUTABLE, 2, 1, "Entry", "Table");
INFO(table_info, BARROW_CONSTR, BARROW_FLAG_MUTABLE, 1, 1, "Table", "Table");

static size_t hash(const char *bytes, size_t length) {
  size_t h = 14695981039346656037u;
  for (size_t i = 0; i < length; i++) h = (h ^ (unsigned char)bytes[i]) * 1099511628211u;
  return h;
}

static entry *find(world *w, table *t, const char *bytes, size_t length) {
  size_t i = hash(bytes, length) % barrow_array_length(t->buckets);
  use(w, t);
  for (entry *e = elements(t->buckets)[i]; e; e = e->next) {
    use(w, e);
    if (e->word->length == length && memcmp(text_bytes(e->word), bytes, length) == 0) return e;
  }
  return 0;
}

COST_CENTRE(grow_cc, "grow", "tools/demo/words.c:grow");
COST_CENTRE(add_cc, "add", "tools/demo/words.c:add");

/* Twice as many buckets. The entries are relinked: they are old and change, so each store has its barrier. */
static void grow(world *w, table *t) {
  barrow_ccs *before = enter(w, &grow_cc);
  struct { barrow_frame frame; table *t; } f;
  f.t = t;
  BARROW_PUSH(w->m, f);
  size_t length = barrow_array_length(t->buckets);
  void *wider = new_array(w, length * 2);
  BARROW_LEAVE(w->m, f);
  t = f.t;
  for (size_t i = 0; i < length; i++) {
    entry *next;
    for (entry *e = elements(t->buckets)[i]; e; e = next) {
      void **bucket = &elements(wider)[hash(text_bytes(e->word), e->word->length) % (length * 2)];
      next = e->next;
      BARROW_WRITE(w->m, e, next, (entry *)*bucket);
      barrow_write(w->m, wider, bucket, e);
    }
  }
  barrow_write(w->m, t, &t->buckets, wider);
  leave(w, before);
}

static void add(world *w, table *t, text *word) {
  barrow_ccs *before = enter(w, &add_cc);
  struct { barrow_frame frame; table *t; text *word; } f;
  f.t = t;
  f.word = word;
  BARROW_PUSH(w->m, f);
  if (t->used >= barrow_array_length(t->buckets)) grow(w, t);
  entry *e = NEW(w, entry, entry_info);
  BARROW_LEAVE(w->m, f);
  t = f.t;
  word = f.word;
  void **bucket = &elements(t->buckets)[hash(text_bytes(word), word->length) % barrow_array_length(t->buckets)];
  e->word = word;
  e->next = *bucket;
  e->count = 1;
  barrow_write(w->m, t->buckets, bucket, e);
  t->used++;
  leave(w, before);
}

/* The next word of an endless text in which few words are frequent and many are rare. */
static size_t read_word(uint64_t *state, char *out) {
  static const char syllables[16][3] = {"ba", "ro", "we", "ki", "lu", "ta", "no", "se",
                                        "mi", "po", "da", "ru", "ge", "so", "la", "fi"};
  uint64_t most = 1 + next_random(state, 40000);
  uint64_t rank = next_random(state, 1 + next_random(state, most));
  size_t length = 0;
  do {
    memcpy(out + length, syllables[rank % 16], 2);
    length += 2;
    rank /= 16;
  } while (rank);
  return length;
}

static entry *most_frequent(world *w, table *t, size_t *sum) {
  entry *best = 0;
  *sum = 0;
  for (size_t i = 0; i < barrow_array_length(t->buckets); i++)
    for (entry *e = elements(t->buckets)[i]; e; e = e->next) {
      use(w, e);
      *sum += e->count;
      if (!best || e->count > best->count) best = e;
    }
  return best;
}

void count_words(world *w, demo_part *part) {
  size_t words = (size_t)(6e6 * w->scale), sum;
  uint64_t state = 1;
  struct { barrow_frame frame; table *t; } f;
  BARROW_ENTER(w->m, f);
  f.t = NEW(w, table, table_info);
  f.t->buckets = 0;
  f.t->used = 0;
  void *buckets = new_array(w, 64);
  barrow_write(w->m, f.t, &f.t->buckets, buckets);
  for (size_t i = 0; i < words; i++) {
    char letters[32];
    size_t length = read_word(&state, letters);
    text *word = new_text(w, letters, length);
    entry *e = find(w, f.t, text_bytes(word), word->length);
    if (e) e->count++;
    else add(w, f.t, word);
    tell(w, i, words);
  }
  entry *best = most_frequent(w, f.t, &sum);
  part->right = sum == words;
  snprintf(part->result, sizeof part->result, "%zu words read, %zu different; most often \"%.*s\", %zu times", words,
           f.t->used, (int)best->word->length, text_bytes(best->word), best->count);
  BARROW_LEAVE(w->m, f);
}
