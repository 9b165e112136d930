#include "../CVoice/shim.h"

#include <webrtc/modules/audio_processing/include/audio_processing.h>

#include <memory>
#include <vector>

using namespace webrtc;

struct mr_voice {
  std::unique_ptr<AudioProcessing> processing;
  /// The format of all four streams: one channel.
  StreamConfig format;
  /// Memory for a copy of the loudspeakers' sound, which the library wants to write and this code does not use.
  std::vector<float> scratch;

  mr_voice(int rate) : format(rate, 1), scratch(format.num_frames()) {}
};

namespace {

/// Switches the parts on. The delay of the graph is known, so the canceller searches for none. Its filter is the long one of 128 ms,
/// because a room still sounds after the 48 ms of the short one.
bool prepare(mr_voice &voice, const mr_voice_parts &parts) {
  Config config;
  config.Set<ExtendedFilter>(new ExtendedFilter(true));
  config.Set<DelayAgnostic>(new DelayAgnostic(false));
  config.Set<ExperimentalAgc>(new ExperimentalAgc(false));
  voice.processing.reset(AudioProcessing::Create(config));
  if (!voice.processing) return false;
  AudioProcessing &processing = *voice.processing;
  if (processing.Initialize({{voice.format, voice.format, voice.format, voice.format}}) != AudioProcessing::kNoError) return false;
  EchoCancellation &echo = *processing.echo_cancellation();
  NoiseSuppression &noise = *processing.noise_suppression();
  GainControl &gain = *processing.gain_control();
  int refused = processing.high_pass_filter()->Enable(parts.highpass);
  if (parts.echo) {
    refused |= echo.enable_drift_compensation(false);
    // The lowest level costs the near end least in double talk.
    refused |= echo.set_suppression_level(EchoCancellation::kLowSuppression);
    refused |= echo.enable_metrics(true);
    refused |= echo.enable_delay_logging(true);
    refused |= echo.Enable(true);
  }
  if (parts.noise) {
    refused |= noise.set_level(NoiseSuppression::kModerate);
    refused |= noise.Enable(true);
  }
  if (parts.level) {
    refused |= gain.set_mode(GainControl::kAdaptiveDigital);
    refused |= gain.set_target_level_dbfs(9);
    refused |= gain.set_compression_gain_db(9);
    refused |= gain.enable_limiter(true);
    refused |= gain.Enable(true);
  }
  return refused == AudioProcessing::kNoError;
}

}  // namespace

mr_voice *mr_voice_make(int rate, mr_voice_parts parts) {
  // The library counts in blocks of 10 ms, and cannot say no to some rates that are no whole number of frames.
  if (rate < 8000 || rate > 384000 || rate % 100 != 0) return nullptr;
  try {
    std::unique_ptr<mr_voice> voice(new mr_voice(rate));
    return prepare(*voice, parts) ? voice.release() : nullptr;
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
  EchoCancellation &echo = *voice->processing->echo_cancellation();
  if (!echo.is_enabled()) return;
  EchoCancellation::Metrics metrics;
  if (echo.GetMetrics(&metrics) == AudioProcessing::kNoError)
    measures->enhancement = metrics.echo_return_loss_enhancement.instant;
  int median = 0, deviation = 0;
  float poor = 0;
  if (echo.GetDelayMetrics(&median, &deviation, &poor) == AudioProcessing::kNoError && poor >= 0) measures->poor_delays = poor;
}
