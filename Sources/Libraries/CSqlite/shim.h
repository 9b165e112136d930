#pragma once
#include <sqlite3.h>

#include "../functions.h"

#define MR_SQLITE(use)                                                                               \
  use(sqlite3_open_v2) use(sqlite3_close_v2) use(sqlite3_errstr) use(sqlite3_errmsg)                 \
  use(sqlite3_busy_timeout) use(sqlite3_create_function_v2) use(sqlite3_prepare_v3)                  \
  use(sqlite3_finalize) use(sqlite3_reset) use(sqlite3_clear_bindings) use(sqlite3_bind_null)        \
  use(sqlite3_bind_int64) use(sqlite3_bind_double) use(sqlite3_bind_text) use(sqlite3_bind_blob)     \
  use(sqlite3_step) use(sqlite3_column_int64) use(sqlite3_column_double) use(sqlite3_column_text)    \
  use(sqlite3_column_bytes) use(sqlite3_column_blob) use(sqlite3_user_data) use(sqlite3_value_text)  \
  use(sqlite3_result_text)
MR_FUNCTIONS(mr_sqlite, MR_SQLITE)
