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
