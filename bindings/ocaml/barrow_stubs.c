/* The C side of barrow.ml. Each heap has one mutator, which belongs to the thread that made it. */
#define CAML_NAME_SPACE
#include <barrow/inline.h>
#include <caml/alloc.h>
#include <caml/callback.h>
#include <caml/fail.h>
#include <caml/memory.h>
#include <stdlib.h>

/* The word of a root, which goes with its heap. */
typedef struct root { void *word; struct root *next; } root;
typedef struct { barrow_heap *heap; barrow_mutator *m; root *roots; } both;

static void refuse(void) { caml_raise_with_string(*caml_named_value("barrow_refused"), barrow_last_error()); }

CAMLprim value barrow_ml_create(value flags) {
  both *b = malloc(sizeof *b);
  barrow_config config;
  if (!b) caml_raise_out_of_memory();
  b->roots = NULL;
  barrow_config_init(&config);
  config.flags = String_val(flags);
  if (barrow_heap_new(&config, &b->heap, &b->m)) {
    free(b);
    refuse();
  }
  return caml_copy_nativeint((intnat)b);
}

CAMLprim value barrow_ml_free(value heap) {
  both *b = (both *)Nativeint_val(heap);
  barrow_status status = barrow_heap_free(b->heap);
  /* A heap whose freeing is refused lives on; after other failures it is gone. */
  if (status != BARROW_E_STATE && status != BARROW_E_ARG) {
    while (b->roots) {
      root *next = b->roots->next;
      free(b->roots);
      b->roots = next;
    }
    free(b);
  }
  if (status) refuse();
  return Val_unit;
}

CAMLprim value barrow_ml_collect(value heap, value major) {
  if (barrow_collect(((both *)Nativeint_val(heap))->m, Bool_val(major))) refuse();
  return Val_unit;
}

CAMLprim value barrow_ml_kind(value description, value type_name, value pointers, value words) {
  struct { barrow_info info; barrow_names names; } *k = malloc(sizeof *k);
  if (!k) caml_raise_out_of_memory();
  k->names = (barrow_names){caml_stat_strdup(String_val(description)), caml_stat_strdup(String_val(type_name)), "OCaml", NULL};
  k->info = (barrow_info)BARROW_INFO_NAMED(BARROW_CONSTR, 0, Int_val(pointers), Int_val(words), &k->names);
  if (barrow_info_check(&k->info)) refuse();
  return caml_copy_nativeint((intnat)&k->info);
}

CAMLprim value barrow_ml_root(value heap, value name) {
  both *b = (both *)Nativeint_val(heap);
  root *one = calloc(1, sizeof *one);
  if (!one) caml_raise_out_of_memory();
  if (barrow_root_add(b->heap, caml_stat_strdup(String_val(name)), &one->word, 1, false)) {
    free(one);
    refuse();
  }
  one->next = b->roots;
  b->roots = one;
  return caml_copy_nativeint((intnat)&one->word);
}

intnat barrow_ml_get(intnat root) { return *(intnat *)root; }
value barrow_ml_get_byte(value root) { return caml_copy_nativeint(barrow_ml_get(Nativeint_val(root))); }

value barrow_ml_set(intnat root, intnat object) {
  *(intnat *)root = object;
  return Val_unit;
}
value barrow_ml_set_byte(value root, value object) { return barrow_ml_set(Nativeint_val(root), Nativeint_val(object)); }

intnat barrow_ml_alloc(intnat heap, intnat info, intnat words) {
  barrow_word *at = barrow_alloc(((both *)heap)->m, (size_t)words);
  if (!at) refuse();
  memset(at, 0, (size_t)words * sizeof *at);
  at[0] = (barrow_word)info;
  return (intnat)at;
}
value barrow_ml_alloc_byte(value heap, value info, value words) {
  return caml_copy_nativeint(barrow_ml_alloc(Nativeint_val(heap), Nativeint_val(info), Int_val(words)));
}

intnat barrow_ml_field(intnat object, intnat n) { return ((intnat *)object)[1 + n]; }
value barrow_ml_field_byte(value object, value n) { return caml_copy_nativeint(barrow_ml_field(Nativeint_val(object), Int_val(n))); }

value barrow_ml_set_word(intnat object, intnat n, intnat word) {
  ((intnat *)object)[1 + n] = word;
  return Val_unit;
}
value barrow_ml_set_word_byte(value object, value n, value word) {
  return barrow_ml_set_word(Nativeint_val(object), Int_val(n), Nativeint_val(word));
}

value barrow_ml_set_pointer(intnat heap, intnat object, intnat n, intnat to) {
  barrow_write(((both *)heap)->m, (void *)object, (barrow_word *)object + 1 + n, (void *)to);
  return Val_unit;
}
value barrow_ml_set_pointer_byte(value heap, value object, value n, value to) {
  return barrow_ml_set_pointer(Nativeint_val(heap), Nativeint_val(object), Int_val(n), Nativeint_val(to));
}
