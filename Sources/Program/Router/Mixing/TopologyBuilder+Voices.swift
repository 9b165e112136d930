import MixEngine
import SessionModel
import VoiceKernel

extension TopologyBuilder {
  /// Adds the processed microphone to a session's capture, and what the processing needs.
  ///
  /// The microphone is the sum of the capture's inputs, with their sends, so that the canceller hears all of them. The capture's gate comes behind
  /// the processing, where it is heard at once.
  mutating func add(_ voice: MixVoice, to session: Session) {
    let source = MixPoint.voice(session.id, VoiceChannel(voice.store, .processed))
    topology.sources.append(source)
    topology.sinks.append(voice.microphone(session.id))
    topology.loudspeakers += voice.loudspeakers.enumerated().map { channel, sink in
      MixTopology.Loudspeaker(sink: sink, channel: VoiceChannel(voice.store, .loudspeaker(channel)))
    }
    let row = MixTopology.RowKey(
      source: source, stages: [.voiceGate(voice.number), .captureGate(session.id)], ducked: nil)
    add(row, 1, of: 1, into: session.capture.channels, send: .voice(session.id)) {
      .port(.capture(session.id, $0))
    }
  }
}

extension MixVoice {
  /// The sink that is the microphone.
  func microphone(_ session: SessionID) -> MixPoint { .voice(session, VoiceChannel(store, .microphone)) }
}
