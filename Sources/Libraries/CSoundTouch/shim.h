#pragma once
// Not linked: `SoundTouchLibrary` loads it when it is first needed. The C interface of SoundTouch, whose functions let no exception of C++ out.
#include <SoundTouchDLL.h>

// The C header names no settings; these are the numbers of SoundTouch.h.
enum {
  MR_SOUNDTOUCH_ANTI_ALIAS = 0,
  MR_SOUNDTOUCH_QUICK_SEEK = 2,
  MR_SOUNDTOUCH_SEQUENCE_MS = 3,
  MR_SOUNDTOUCH_SEEK_WINDOW_MS = 4,
  MR_SOUNDTOUCH_OVERLAP_MS = 5
};
