/* barrow/stg.h: the storage manager as the Glasgow documents spell it, on one default heap.
 *
 * A name that cannot mean here exactly what it meant there says so beside it. The heap is made by the first call, by
 * initStorage() at the latest; barrow_default_flags("-A4m -G3") before it sets its flags. One thread at a time uses
 * it. A request that always succeeds there ends the process here when there is no memory, with a sentence.
 *
 * Some names are macros, since they stand for variables: include this header after those of other libraries.
 * The last client word of the default mutator's window belongs to this header. Compiles as C99, C11 and C++17.
 *
 * SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef BARROW_STG_H
#define BARROW_STG_H

#include "stg/storage.h"
#include "stg/closures.h"
#include "stg/biography.h"
#include "stg/cost_centres.h"
#include "stg/retainer.h"
#include "stg/ticky.h"
#include "stg/weak.h"
#include "stg/state.h"

#endif
