/* BARROW_INFO and its like: each makes a table that the library takes, with the fields and the name that its arguments say, and
 * objects of such a kind are laid out so. */
#include "toy.h"

static size_t custom_words(const void *object) { return object ? 3 : 0; }
static void custom_visit(void *object, barrow_visitor *visitor) { barrow_visit(visitor, (void **)object + 1); }
static const barrow_custom functions = {sizeof(barrow_custom), 0, custom_words, custom_visit, NULL, NULL};
static const size_t bits[2] = {5, 1};
static const barrow_bitmap large = {sizeof(barrow_bitmap), 70, bits};
static const barrow_names all_names = {"Named", "Type", "Module", "file:1"};

static barrow_info constr = BARROW_INFO(BARROW_CONSTR, BARROW_FLAG_MUTABLE | BARROW_FLAG_RETAINER, 1, 2, "Constr");
static barrow_info named = BARROW_INFO_NAMED(BARROW_CONSTR, 0, 2, 0, &all_names);
static barrow_info variable = BARROW_INFO(BARROW_MUT_VAR, 0, 1, 0, "Variable");
static barrow_info tagged_words = BARROW_INFO(BARROW_TAGGED, 0, 2, 1, "Tagged");
static barrow_info thunk = BARROW_INFO(BARROW_THUNK, 0, 1, 1, "Thunk");
static barrow_info bitmap = BARROW_INFO_BITMAP(BARROW_BITMAP, 0, 3, 5, "Bitmap");
static barrow_info bitmap_large = BARROW_INFO_BITMAP_LARGE(0, 70, &large, "Large");
static barrow_info sized = BARROW_INFO_SIZED(BARROW_FLAG_TAIL_POINTERS, 1, 2, 2, "Sized");
static barrow_info array = BARROW_INFO_ARRAY(BARROW_ARRAY, 0, "Array");
static barrow_info weak_array = BARROW_INFO_ARRAY(BARROW_WEAK_ARRAY, BARROW_FLAG_TAIL_TAGGED, "Weak array");
static barrow_info structs = BARROW_INFO_STRUCTS(0, 2, 2, "Structs");
static barrow_info bytes = BARROW_INFO_BYTES(0, "Bytes");
static barrow_info custom = BARROW_INFO_CUSTOM(0, &functions, "Custom");
static barrow_info selector = BARROW_INFO_SELECTOR(1, "Selector");
static barrow_info function = BARROW_INFO_FUN(BARROW_FUN, 1, 1, 3, 5, NULL, "Function");

static void each_is_taken(void) {
  const struct { const barrow_info *info; int kind; const char *name; } all[] = {
      {&constr, BARROW_CONSTR, "Constr"}, {&named, BARROW_CONSTR, "Named"}, {&variable, BARROW_MUT_VAR, "Variable"},
      {&tagged_words, BARROW_TAGGED, "Tagged"}, {&thunk, BARROW_THUNK, "Thunk"}, {&bitmap, BARROW_BITMAP, "Bitmap"},
      {&bitmap_large, BARROW_BITMAP_LARGE, "Large"}, {&sized, BARROW_SIZED, "Sized"}, {&array, BARROW_ARRAY, "Array"},
      {&weak_array, BARROW_WEAK_ARRAY, "Weak array"}, {&structs, BARROW_STRUCTS, "Structs"}, {&bytes, BARROW_BYTES, "Bytes"},
      {&custom, BARROW_CUSTOM, "Custom"}, {&selector, BARROW_SELECTOR, "Selector"}, {&function, BARROW_FUN, "Function"}};
  size_t i;
  for (i = 0; i < sizeof all / sizeof *all; i++) {
    const barrow_info *info = all[i].info;
    CHECK_OK(barrow_info_check(info));
    CHECK_EQ(info->size, sizeof(barrow_info));
    CHECK_EQ(info->version, BARROW_INFO_VERSION);
    CHECK_EQ(info->kind, all[i].kind);
    CHECK(strcmp(info->names->description, all[i].name) == 0);
  }
  CHECK_EQ(constr.flags, BARROW_FLAG_MUTABLE | BARROW_FLAG_RETAINER);
  CHECK(constr.ptrs == 1 && constr.words == 2 && named.ptrs == 2 && named.words == 0);
  CHECK(bitmap.bitmap == 5 && bitmap.words == 3 && bitmap_large.large == &large && bitmap_large.words == 70);
  CHECK(sized.field == 2 && sized.ptrs == 1 && sized.words == 2 && sized.flags == BARROW_FLAG_TAIL_POINTERS);
  CHECK(weak_array.flags == BARROW_FLAG_TAIL_TAGGED && structs.bitmap == 2 && structs.words == 2);
  CHECK(custom.custom == &functions && selector.field == 1 && selector.ptrs == 1);
  CHECK(function.field == 3 && function.bitmap == 5 && function.ptrs == 1 && function.words == 1);
  CHECK(strcmp(named.names->type_name, "Type") == 0);
}

/* The length is word 2 after the header, counted from 0, and what follows it are pointers. */
static void a_length_is_where_the_table_says(void) {
  toy t = toy_new("-DS");
  struct { barrow_frame frame; barrow_word *object; } r;
  barrow_word *object;
  BARROW_ENTER(t.m, r);
  object = barrow_alloc(t.m, 1 + 3 + 2);
  object[0] = (barrow_word)&sized;
  object[1] = 0;
  object[2] = 77;
  object[3] = 2;
  object[4] = object[5] = 0;
  r.object = object;
  r.object[4] = (barrow_word)toy_list(t.m, 10);
  CHECK_EQ(barrow_object_words(t.heap, r.object), 6);
  CHECK_OK(barrow_collect(t.m, true));
  CHECK_EQ(toy_sum((node *)r.object[4]), 55);
  CHECK_EQ(r.object[2], 77);
  BARROW_LEAVE(t.m, r);
  toy_free(t);
}

int main(void) {
  RUN(each_is_taken);
  RUN(a_length_is_where_the_table_says);
  return DONE;
}
