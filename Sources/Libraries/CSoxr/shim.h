#pragma once
#include <soxr.h>

#include "../functions.h"

#define MR_SOXR(use)                                                                                 \
  use(soxr_io_spec) use(soxr_quality_spec) use(soxr_runtime_spec) use(soxr_create) use(soxr_process) \
  use(soxr_delete)
MR_FUNCTIONS(mr_soxr, MR_SOXR)
