#pragma once
#include <FLAC/stream_decoder.h>

#include "../functions.h"

#define MR_FLAC(use)                                                                                 \
  use(FLAC__stream_decoder_new) use(FLAC__stream_decoder_delete)                                     \
  use(FLAC__stream_decoder_set_metadata_respond) use(FLAC__stream_decoder_init_ogg_stream)           \
  use(FLAC__stream_decoder_process_until_end_of_metadata) use(FLAC__stream_decoder_process_single)   \
  use(FLAC__stream_decoder_seek_absolute) use(FLAC__stream_decoder_flush)                            \
  use(FLAC__stream_decoder_reset) use(FLAC__stream_decoder_get_state)
MR_FUNCTIONS(mr_flac, MR_FLAC)
