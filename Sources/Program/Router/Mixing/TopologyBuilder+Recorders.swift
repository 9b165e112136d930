import MediaKernel
import SessionModel

extension TopologyBuilder {
  /// Adds the tap of a recorder.
  ///
  /// A source with more channels than the recorder is summed as in a capture, and a mono source feeds all. Of an output, which is recorded
  /// as its device gets it, the first channels are taken.
  mutating func add(_ recorder: MediaRecorder, _ tap: RecorderTapStore) {
    let channels = tap.channelCount
    let sink = { MixPoint.recorder(recorder.id, TapChannel(tap, channel: $0 - 1)) }
    let send = SendKey.recorder(recorder.id)
    switch recorder.source {
    case .output(let id):
      for channel in 0..<min(channels, state.outputs[id]?.channels ?? 0) {
        topology.copies.append(
          MixTopology.Copy(
            sink: .output(id, channel + 1), recorder: recorder.id, tap: TapChannel(tap, channel: channel)))
      }
      return
    case .input(let id):
      for channel in 0..<(state.inputs[id]?.channels ?? 0) {
        for feed in feeds(of: id, channel + 1) {
          let row = MixTopology.RowKey(source: feed.point, stages: inputStages(feed), ducked: nil)
          add(
            row, channel + 1, of: state.inputs[id]?.channels ?? 0, into: channels, scale: feed.scale,
            send: send, sink: sink)
        }
      }
    case .stream(let session, let stream):
      if let session = state.sessions[session], let stream = session.streams[stream] {
        add(stream, of: session, into: channels, send: send, sink: sink)
      }
    case .session(let id):
      guard let session = state.sessions[id] else { break }
      for stream in session.streams.values {
        add(stream, of: session, into: channels, send: send, sink: sink)
      }
    }
    topology.sinks += (1...channels).map(sink)
  }

  private mutating func add(
    _ stream: SessionStream, of session: Session, into channels: Int, send: SendKey,
    sink: (Int) -> MixPoint
  ) {
    for channel in 1...stream.channels {
      for way in ways(of: stream, channel, .post, in: session) {
        add(way.row, channel, of: stream.channels, into: channels, scale: way.scale, send: send, sink: sink)
      }
    }
  }
}
