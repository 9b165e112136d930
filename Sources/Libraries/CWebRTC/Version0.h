#pragma once
#include <webrtc/modules/audio_processing/include/audio_processing.h>

#include <memory>

using Processing = std::unique_ptr<webrtc::AudioProcessing>;

/// Switches the parts on. The delay of the graph is known, so the canceller searches for none. Its filter is the long one of 128 ms,
/// because a room still sounds after the 48 ms of the short one.
inline bool prepare(Processing &made, const webrtc::StreamConfig &format, const mr_voice_parts &parts) {
  using namespace webrtc;
  Config config;
  config.Set<ExtendedFilter>(new ExtendedFilter(true));
  config.Set<DelayAgnostic>(new DelayAgnostic(false));
  config.Set<ExperimentalAgc>(new ExperimentalAgc(false));
  made.reset(AudioProcessing::Create(config));
  if (!made) return false;
  AudioProcessing &processing = *made;
  if (processing.Initialize({{format, format, format, format}}) != AudioProcessing::kNoError) return false;
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

/// Reads the measures of the echo canceller.
inline void measure(webrtc::AudioProcessing &processing, mr_voice_measures &measures) {
  using namespace webrtc;
  EchoCancellation &echo = *processing.echo_cancellation();
  if (!echo.is_enabled()) return;
  EchoCancellation::Metrics metrics;
  if (echo.GetMetrics(&metrics) == AudioProcessing::kNoError)
    measures.enhancement = metrics.echo_return_loss_enhancement.instant;
  int median = 0, deviation = 0;
  float poor = 0;
  if (echo.GetDelayMetrics(&median, &deviation, &poor) == AudioProcessing::kNoError && poor >= 0) measures.poor_delays = poor;
}
