#pragma once
#include <crypt.h>

#include "../functions.h"

#define MR_CRYPT(use) use(crypt_rn)
MR_FUNCTIONS(mr_crypt, MR_CRYPT)
