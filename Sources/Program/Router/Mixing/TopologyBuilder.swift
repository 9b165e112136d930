import MixEngine
import SessionModel

/// Computes the topology of the mix from the state, as a pure function.
struct TopologyBuilder {
  private let state: RouterState
  private var topology = MixTopology()

  static func topology(of state: RouterState) -> MixTopology {
    var builder = TopologyBuilder(state: state)
    for port in state.inputs.values where port.channels > 0 {
      builder.topology.sources += (1...port.channels).map { .input(port.id, $0) }
    }
    for port in state.outputs.values where port.channels > 0 {
      builder.topology.sinks += (1...port.channels).map { .output(port.id, $0) }
    }
    for session in state.sessions.values {
      for stream in session.streams.values {
        builder.topology.sources += (1...stream.channels).map { .stream(session.id, stream.id, $0) }
      }
      if session.capture.channels > 0 {
        builder.topology.sinks += (1...session.capture.channels).map { .capture(session.id, $0) }
      }
    }
    for session in state.sessions.values {
      for stream in session.streams.values { builder.addDestinations(of: stream, in: session) }
      builder.addCapture(of: session)
    }
    return builder.topology
  }

  private init(state: RouterState) { self.state = state }

  // MARK: Streams

  /// Adds the destinations that the operator chose, for multiRoute; otherwise the one output that the law chose.
  private mutating func addDestinations(of stream: SessionStream, in session: Session) {
    if session.category == .multiRoute {
      for (port, destination) in stream.destinations where destination.isOn {
        add(stream, of: session, to: port, destination)
      }
    } else if let port = session.route.outputs.first {
      add(stream, of: session, to: port, Destination())
    }
  }

  private mutating func add(
    _ stream: SessionStream, of session: Session, to port: PortID, _ destination: Destination
  ) {
    // The law keeps guards (`never`), too. Without a crosspoint the stream cannot reach the output even if the law is wrong.
    guard let output = state.outputs[port], !stream.isGuarded(against: port) else { return }
    let points = destination.channels.presentCrosspoints(
      width: stream.channels, channels: output.channels, at: port)
    for point in points {
      let side = stream.channels == 1 && points.count == 2 ? (point.port == points[0].port ? 0 : 1) : nil
      for feed in feeds(of: stream, point.stream, in: session) {
        let row = row(feed, stream, point.stream, destination.tap, session, side: side)
        topology.cells.append(
          MixTopology.Cell(
            key: MixTopology.CellKey(row: row, sink: .output(port, point.port), scale: point.scale),
            send: .stream(session.id, stream.id, port)))
      }
    }
  }

  /// All ports that feed a channel of a stream: the stream's own JACK port, and the inputs among its sources.
  private func feeds(of stream: SessionStream, _ channel: Int, in session: Session) -> [PortKey] {
    var feeds = [PortKey.stream(session.id, stream.id, channel)]
    for case .input(let id, let range) in stream.sources {
      if let fed = state.inputs[id]?.channel(feeding: channel, of: range) { feeds.append(.input(id, fed)) }
    }
    return feeds
  }

  /// The chain from a source channel to a tap (docs/law/streams.md#3-taps).
  private func row(
    _ feed: PortKey, _ stream: SessionStream, _ channel: Int, _ tap: Tap, _ session: Session, side: Int? = nil
  ) -> MixTopology.RowKey {
    var stages = inputStages(feed) + [.sessionGate(session.id), .streamGate(session.id, stream.id)]
    if tap != .input { stages += [.sessionMute(session.id), .streamMute(session.id, stream.id)] }
    if tap == .post {
      stages += [.sessionGain(session.id), .streamGain(session.id, stream.id)]
      // A mono stream that fills two channels is balanced between them.
      if let panned = stream.channels == 2 ? channel - 1 : side {
        stages.append(.streamPan(session.id, stream.id, channel: panned))
      }
    }
    // A send before the mutes is a musician's monitor, which must not duck.
    let isDucked = tap != .input && !stream.isDuckExempt
    return MixTopology.RowKey(source: feed, stages: stages, ducked: isDucked ? session.id : nil)
  }

  private func inputStages(_ feed: PortKey) -> [StageKey] {
    guard case .input(let id, let channel) = feed else { return [] }
    return [
      .inputGate(id), .inputMute(id), .inputGain(id), .inputLevel(id),
      .inputChannelMute(id, channel: channel),
      .inputChannelGain(id, channel: channel),
    ]
  }

  // MARK: Captures

  private mutating func addCapture(of session: Session) {
    guard session.capture.channels > 0 else { return }
    // The two inputs of a dualRoute session follow each other, like the channels of one input.
    let own = session.ownInputs
    func width(_ inputs: some Sequence<PortID>) -> Int {
      inputs.reduce(0) { $0 + (state.inputs[$1]?.channels ?? 0) }
    }
    for id in session.capturedInputs {
      guard let input = state.inputs[id], input.channels > 0 else { continue }
      let first = own.contains(id) ? width(own.prefix { $0 != id }) : 0
      let total = own.contains(id) ? width(own) : input.channels
      for channel in 1...input.channels {
        let feed = PortKey.input(id, channel)
        let row = MixTopology.RowKey(
          source: feed, stages: inputStages(feed) + [.captureGate(session.id)], ducked: nil)
        add(row, first + channel, of: total, intoCaptureOf: session, send: .captureInput(session.id, id))
      }
    }
    for (other, send) in session.capture.sessions where send.isOn {
      guard let heard = state.sessions[other] else { continue }
      for stream in heard.streams.values {
        for channel in 1...stream.channels {
          for feed in feeds(of: stream, channel, in: heard) {
            var row = row(feed, stream, channel, .post, heard)
            row.stages.append(.captureGate(session.id))
            add(
              row, channel, of: stream.channels, intoCaptureOf: session,
              send: .captureSession(session.id, other))
          }
        }
      }
    }
  }

  /// Adds a channel to a capture. A mono source feeds all channels of the capture. A source with more channels than the capture is
  /// summed; n channels that share one are scaled by 1/sqrt(n).
  private mutating func add(
    _ row: MixTopology.RowKey, _ channel: Int, of width: Int, intoCaptureOf session: Session, send: SendKey
  ) {
    let channels = session.capture.channels
    let targets = width == 1 ? Array(1...channels) : [(channel - 1) % channels + 1]
    let summed = (width + channels - 1) / channels
    for target in targets {
      topology.cells.append(
        MixTopology.Cell(
          key: MixTopology.CellKey(
            row: row, sink: .capture(session.id, target), scale: 1 / Float(summed).squareRoot()), send: send))
    }
  }
}
