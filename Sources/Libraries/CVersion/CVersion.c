#include "CVersion.h"

// C23 has this; the compiler takes it in older C, too.
#pragma clang diagnostic ignored "-Wc23-extensions"

// The compiler embeds the file, so that a tarball builds without git and without a network.
static const char version[] = {
#embed "VERSION"
    , 0};

const char *mr_version(void) { return version; }
