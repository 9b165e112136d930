#pragma once
// The C interface of SoundTouch, whose functions let no exception of C++ out.
#include <SoundTouchDLL.h>

#include "../functions.h"

#define MR_SOUNDTOUCH(use)                                                                           \
  use(soundtouch_createInstance) use(soundtouch_destroyInstance) use(soundtouch_setSampleRate)       \
  use(soundtouch_setChannels) use(soundtouch_setTempo) use(soundtouch_setSetting)                    \
  use(soundtouch_putSamples) use(soundtouch_receiveSamples)
MR_FUNCTIONS(mr_soundtouch, MR_SOUNDTOUCH)

// The C header names no settings; these are the numbers of SoundTouch.h.
enum {
  MR_SOUNDTOUCH_ANTI_ALIAS = 0,
  MR_SOUNDTOUCH_QUICK_SEEK = 2,
  MR_SOUNDTOUCH_SEQUENCE_MS = 3,
  MR_SOUNDTOUCH_SEEK_WINDOW_MS = 4,
  MR_SOUNDTOUCH_OVERLAP_MS = 5
};
