#include <barrow/inline.h>
#include <barrow/barrow.hpp>
#include <barrow/stg.h>

int from_b();
int from_b() { return (int)barrow_abi_version(nullptr); }
