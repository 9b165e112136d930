#pragma once
#include <ebur128.h>

#include "../functions.h"

#define MR_EBUR128(use)                                                                              \
  use(ebur128_init) use(ebur128_destroy) use(ebur128_set_channel) use(ebur128_add_frames_float)      \
  use(ebur128_loudness_global) use(ebur128_loudness_momentary) use(ebur128_loudness_shortterm)       \
  use(ebur128_sample_peak) use(ebur128_true_peak) use(ebur128_prev_true_peak)
MR_FUNCTIONS(mr_ebur128, MR_EBUR128)
