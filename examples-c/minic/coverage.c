/* Coverage: where the counters of a program stand in its source. The library writes that to .hpc/MODULE.mix, in the
 * current folder; the compiled program has the counters, and a description with the hash that the file has too. */
#define _POSIX_C_SOURCE 200809L
#include "compiler.h"
#include <ctype.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

bool covered;
static barrow_mix *mix;
static char module[200]; /* queens.mc is Queens */
static uint32_t hash;
static size_t boxes;

static void must(barrow_status status) {
  if (status != BARROW_OK) wrong(0, "%s", barrow_last_error());
}

void begin_coverage(void) {
  barrow_mix_options options = {0};
  const char *name = strrchr(source_name, '/');
  char file[220];
  struct stat seen;
  name = name ? name + 1 : source_name;
  if (strcspn(name, ".") >= sizeof module) wrong(0, "too long a name of a file");
  memcpy(module, name, strcspn(name, "."));
  *module = (char)toupper((unsigned char)*module);
  sprintf(file, ".hpc/%s.mix", module);
  if (mkdir(".hpc", 0777) != 0 && errno != EEXIST) wrong(0, "no folder .hpc can be made here");
  options.size = (uint32_t)sizeof options;
  options.file = file;
  options.source = source_name;
  options.seconds = stat(source_name, &seen) == 0 ? (int64_t)seen.st_mtime : 0;
  must(barrow_mix_begin(&options, &mix));
}

/* A new box for this place; its first counter. A declaration has its name and those of what it stands in. */
size_t count_here(barrow_box_kind kind, const sexp *s, const function *declared) {
  const char *names[100], **first = names + 100;
  barrow_box box = {0};
  size_t number;
  for (; declared && first > names; declared = declared->outer) *--first = declared->name;
  box.size = (uint32_t)sizeof box;
  box.kind = kind;
  box.first_line = (uint32_t)s->line;
  box.first_column = (uint32_t)s->column;
  box.last_line = (uint32_t)s->last_line;
  box.last_column = (uint32_t)s->last_column;
  box.names = first;
  box.name_count = (size_t)(names + 100 - first);
  must(barrow_mix_add(mix, &box, &number));
  return number;
}

void end_coverage(void) { must(barrow_mix_end(mix, &hash, &boxes)); }

/* What the program tells of itself: one pointer, which is null without coverage. */
void describe_coverage(void) {
  if (to_c) {
    if (covered) {
      say("static uint64_t counters[%zu];\n", boxes);
      say("static const barrow_coverage_module module = BARROW_COVERAGE_MODULE(\"%s\", 0x%lxu, counters);\n", module, (unsigned long)hash);
    }
    say("const barrow_coverage_module *const minic_coverage = %s;\n", covered ? "&module" : "0");
    return;
  }
  if (covered) {
    say("@counters = internal global [%zu x i64] zeroinitializer\n", boxes);
    say("@module_name = private constant [%zu x i8] c\"%s\\00\"\n", strlen(module) + 1, module);
    say("@module = internal constant { i32, i32, ptr, ptr, i64 } { i32 %zu, i32 %lu, ptr @module_name, ptr @counters, i64 %zu }\n",
        sizeof(barrow_coverage_module), (unsigned long)hash, boxes);
  }
  say("@minic_coverage = constant ptr %s\n\n", covered ? "@module" : "null");
}
