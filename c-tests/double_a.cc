// With double_b.cc: two units of one program include everything.
#include <barrow/inline.h>
#include <barrow/barrow.hpp>
#include <barrow/stg.h>

int from_b();

int main() { return from_b() == (int)BARROW_ABI_MAJOR ? 0 : 1; }
