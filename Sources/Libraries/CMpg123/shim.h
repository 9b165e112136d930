#pragma once
#include <mpg123.h>

#include "../functions.h"

#define MR_MPG123(use)                                                                               \
  use(mpg123_new) use(mpg123_delete) use(mpg123_plain_strerror) use(mpg123_strerror)                 \
  use(mpg123_param2) use(mpg123_open_fd) use(mpg123_scan) use(mpg123_getformat)                      \
  use(mpg123_format_none) use(mpg123_format) use(mpg123_length) use(mpg123_read) use(mpg123_seek)    \
  use(mpg123_framebyframe_next) use(mpg123_info2) use(mpg123_id3)
MR_FUNCTIONS(mr_mpg123, MR_MPG123)
