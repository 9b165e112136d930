#include "../CVoice/shim.h"

// The interfaces of WebRTC 0.3 and 1.x have little in common but the processing itself. Each of these files has what differs:
// `Processing`, a pointer to the library's object, `prepare` and `measure`.
#if __has_include(<webrtc/modules/audio_processing/include/audio_processing.h>)
#include "Version0.h"
#else
#include "Version1.h"
#endif

#include <memory>
#include <vector>

using namespace webrtc;

struct mr_voice {
  Processing processing;
  /// The format of all four streams: one channel.
  StreamConfig format;
  /// Memory for a copy of the loudspeakers' sound, which the library wants to write and this code does not use.
  std::vector<float> scratch;

  mr_voice(int rate) : format(rate, 1), scratch(format.num_frames()) {}
};

mr_voice *mr_voice_make(int rate, mr_voice_parts parts) {
  // The library counts in blocks of 10 ms, and cannot say no to some rates that are no whole number of frames.
  if (rate < 8000 || rate > 384000 || rate % 100 != 0) return nullptr;
  try {
    std::unique_ptr<mr_voice> voice(new mr_voice(rate));
    return prepare(voice->processing, voice->format, parts) ? voice.release() : nullptr;
  } catch (...) {
    return nullptr;
  }
}

void mr_voice_free(mr_voice *voice) { delete voice; }

int mr_voice_process(mr_voice *voice, const float *near, const float *far, float *out, int delay) {
  float *const heard = voice->scratch.data();
  int error = voice->processing->ProcessReverseStream(&far, voice->format, voice->format, &heard);
  if (error != AudioProcessing::kNoError) return error;
  // A delay above the library's limit is set to the limit, with a warning.
  error = voice->processing->set_stream_delay_ms(delay);
  if (error != AudioProcessing::kNoError && error != AudioProcessing::kBadStreamParameterWarning) return error;
  error = voice->processing->ProcessStream(&near, voice->format, voice->format, &out);
  return error == AudioProcessing::kBadStreamParameterWarning ? AudioProcessing::kNoError : error;
}

void mr_voice_measure(mr_voice *voice, mr_voice_measures *measures) {
  *measures = mr_voice_measures();
  measure(*voice->processing, *measures);
}
