import MixEngine
import SessionModel
import VoiceKernel

extension TopologyBuilder {
  /// Adds the processed microphone to a session's capture, and the microphone as a sink.
  ///
  /// The microphone is the sum of all inputs in the capture, with their sends, so that the canceller hears all of them. The capture's gate comes
  /// behind the processing, where it is heard at once.
  mutating func add(_ voice: MixVoice, to session: Session) {
    let source = MixPoint.voice(session.id, VoiceChannel(voice.store, .processed))
    topology.sources.append(source)
    topology.sinks.append(voice.microphone(session.id))
    let row = MixTopology.RowKey(
      source: source, stages: [.voiceGate(voice.number), .captureGate(session.id)], ducked: nil)
    add(row, 1, of: 1, into: session.capture.channels, send: .voice(session.id)) {
      .port(.capture(session.id, $0))
    }
  }

  /// Adds what a voice processing knows of the loudspeakers: what their devices get. A loudspeaker that plays the session's own microphones
  /// (reinforcement) is known without them, or the canceller would remove the near end with the echo (docs/develop/decisions/voice.md).
  ///
  /// Call it when all streams are there.
  mutating func addLoudspeakers(to voice: MixVoice, of session: Session) {
    let microphones = Set(state.microphones(of: session))
    func isOwn(_ cell: MixTopology.Cell) -> Bool {
      inputs(of: cell.key.row.source).contains(where: microphones.contains)
    }
    let reinforced = Set(topology.cells.filter(isOwn).compactMap(\.key.sink.output))
    for (channel, loudspeaker) in voice.loudspeakers.enumerated() {
      let known = VoiceChannel(voice.store, .loudspeaker(channel))
      guard let output = MixPoint.port(loudspeaker).output, reinforced.contains(output) else {
        topology.loudspeakers.append(MixTopology.Loudspeaker(sink: loudspeaker, channel: known))
        continue
      }
      let sink = MixPoint.loudspeaker(output, known)
      topology.sinks.append(sink)
      topology.balances[sink] = topology.balances[.port(loudspeaker)]
      topology.cells += topology.cells.filter { $0.key.sink == .port(loudspeaker) && !isOwn($0) }.map {
        cell in
        var cell = cell
        cell.key.sink = sink
        return cell
      }
    }
  }
}

extension TopologyBuilder {
  /// The inputs whose sound comes from a point: its own, or those that feed its effects.
  func inputs(of point: MixPoint) -> [PortID] {
    switch point {
    case .effect(.input(let id), _): [id]
    case .effect(.stream(let session, let stream), _):
      (state.sessions[session]?.streams[stream]?.sources ?? []).compactMap { source in
        if case .input(let id, _) = source { id } else { nil }
      }
    default: point.input.map { [$0] } ?? []
    }
  }
}

extension MixVoice {
  /// The sink that is the microphone.
  func microphone(_ session: SessionID) -> MixPoint { .voice(session, VoiceChannel(store, .microphone)) }
}
