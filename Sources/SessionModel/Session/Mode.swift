/// A session's specialisation within its category; spelled as in AVAudioSession, in the published order.
public enum Mode: String, CaseIterable, Sendable {
  case `default`, voiceChat, videoChat, gameChat, videoRecording, measurement, moviePlayback, spokenAudio
  case voicePrompt, shortFormVideo, dualRoute
}
