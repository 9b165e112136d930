#pragma once
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Voice processing of one microphone: echo canceller, noise suppressor, automatic level and high-pass filter.
///
/// The functions are in `CWebRTC`, a library of its own that is loaded when it is first needed, since WebRTC's library brings the library
/// of C++. This header names nothing of one version of WebRTC. One thread at a time may call the functions of a voice. After
/// `mr_voice_make` nothing allocates. No exception leaves these functions.

/// The parts that are on.
struct mr_voice_parts {
  /// Removes from the microphone what the loudspeakers play.
  bool echo;
  /// Lowers steady noise.
  bool noise;
  /// Brings the speech to one level.
  bool level;
  /// Removes rumble.
  bool highpass;
};

/// What the echo canceller tells of itself.
struct mr_voice_measures {
  /// Echo return loss enhancement in dB: by how much the echo is lower than in the microphone.
  double enhancement;
  /// Share of the recent delays, 0 to 1, at which the canceller finds no echo where it looks for one.
  double poor_delays;
};

struct mr_voice;

/// Makes the processing of a microphone.
///
/// @param rate  sample rate in Hz
/// @return null if the library refuses the rate, or has no memory
struct mr_voice *mr_voice_make(int rate, struct mr_voice_parts parts);

void mr_voice_free(struct mr_voice *voice);

/// Processes a block of 10 ms: `rate / 100` samples of full scale 1.
///
/// @param near  the microphone
/// @param far  what the loudspeakers play in the same 10 ms
/// @param out  the processed microphone; may be `near`
/// @param delay  milliseconds from `far` to its echo in `near`; never more than the true delay
/// @return 0, or the library's error number
int mr_voice_process(struct mr_voice *voice, const float *near, const float *far, float *out, int delay);

/// Reads the measures of the echo canceller; zeros while there are none.
void mr_voice_measure(struct mr_voice *voice, struct mr_voice_measures *measures);

#ifdef __cplusplus
}
#else
#include "../functions.h"

#define MR_VOICE(use) use(mr_voice_make) use(mr_voice_free) use(mr_voice_process) use(mr_voice_measure)
MR_FUNCTIONS(mr_voice_calls, MR_VOICE)
#endif
