#pragma once
#include <modules/audio_processing/include/audio_processing.h>

using Processing = rtc::scoped_refptr<webrtc::AudioProcessing>;

/// Switches the parts on. The canceller of these versions searches for the delay by itself, whatever it is told.
inline bool prepare(Processing &made, const webrtc::StreamConfig &format, const mr_voice_parts &parts) {
  using namespace webrtc;
  AudioProcessing::Config config;
  config.high_pass_filter.enabled = parts.highpass;
  config.echo_canceller.enabled = parts.echo;
  // Each part is on only if it is wanted.
  config.echo_canceller.enforce_high_pass_filtering = false;
  config.residual_echo_detector.enabled = parts.echo;
  config.noise_suppression.enabled = parts.noise;
  config.noise_suppression.level = AudioProcessing::Config::NoiseSuppression::kModerate;
  config.gain_controller1.enabled = parts.level;
  config.gain_controller1.mode = AudioProcessing::Config::GainController1::kAdaptiveDigital;
  config.gain_controller1.target_level_dbfs = 9;
  config.gain_controller1.compression_gain_db = 9;
  config.gain_controller1.enable_limiter = true;
  config.gain_controller1.analog_gain_controller.enabled = false;
  made = AudioProcessingBuilder().Create();
  if (!made) return false;
  made->ApplyConfig(config);
  return made->Initialize({{format, format, format, format}}) == AudioProcessing::kNoError;
}

/// Reads the measures of the echo canceller. What these versions tell instead of delays is how likely an echo is still heard.
inline void measure(webrtc::AudioProcessing &processing, mr_voice_measures &measures) {
  const webrtc::AudioProcessingStats stats = processing.GetStatistics();
  measures.enhancement = stats.echo_return_loss_enhancement.value_or(0);
  measures.poor_delays = stats.residual_echo_likelihood.value_or(0);
}
