#pragma once
#include <qrencode.h>

#include "../functions.h"

#define MR_QRENCODE(use) use(QRcode_encodeString8bit) use(QRcode_free)
MR_FUNCTIONS(mr_qrencode, MR_QRENCODE)
