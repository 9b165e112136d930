#pragma once
#include <zlib.h>

#include "../functions.h"

#define MR_ZLIB(use) use(compressBound) use(compress2)
MR_FUNCTIONS(mr_zlib, MR_ZLIB)
