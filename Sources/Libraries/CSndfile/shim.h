#pragma once
#include <sndfile.h>

#include "../functions.h"

#define MR_SNDFILE(use)                                                                              \
  use(sf_open_fd) use(sf_open_virtual) use(sf_close) use(sf_command) use(sf_error) use(sf_strerror) use(sf_get_string)    \
  use(sf_set_string) use(sf_readf_float) use(sf_writef_float) use(sf_write_sync) use(sf_seek)
MR_FUNCTIONS(mr_sndfile, MR_SNDFILE)
