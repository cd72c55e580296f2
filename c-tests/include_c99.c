/* Each header compiles alone and first, and twice. */
#include <barrow/inline.h>
#include <barrow/inline.h>
#include <barrow.h>
#include <barrow/stg.h>
#include <barrow/stg.h>

int main(void) { return barrow_abi_version(NULL) == BARROW_ABI_MAJOR ? 0 : 1; }
