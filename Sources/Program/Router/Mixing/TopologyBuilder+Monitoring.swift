import MediaKernel
import MixEngine
import SessionModel

extension TopologyBuilder {
  /// The stages that lower each output's own content.
  static func dimStages(of state: RouterState) -> [PortID: [StageKey]] {
    var dims: [PortID: [StageKey]] = [:]
    for port in state.monitors { dims[port.id, default: []].append(.soloDim(port.id)) }
    for session in state.talkbackSessions.compactMap({ state.sessions[$0] }) {
      for output in state.talkbackOutputs(of: session) {
        let dim = StageKey.talkbackDim(output)
        if dims[output]?.contains(dim) != true { dims[output, default: []].append(dim) }
      }
    }
    return dims
  }

  // MARK: Talkbacks

  /// Adds the microphones of all talkbacks, behind gates that are closed until a button is pressed: so a press moves one level and makes
  /// no new crosspoint.
  mutating func addTalkbacks() {
    for id in state.talkbackSessions {
      guard let session = state.sessions[id] else { continue }
      for output in state.talkbackOutputs(of: session) {
        for stream in state.talkbackStreams(of: session, at: output) {
          add(stream, of: session, at: output, .afl, send: .talkback(id)) { stages in
            stages.map { $0 == .sessionGate(id) ? .talkbackGate(id) : $0 }
          }
        }
      }
    }
  }

  // MARK: Solos

  /// Adds what is soloed to the monitor outputs. What a guard keeps away from one is not there (docs/develop/law/solo.md#3-guards).
  mutating func addSolos(_ media: MixMedia) {
    guard !state.monitoring.solos.isEmpty else { return }
    // Outputs are soloed as they are without solos.
    let played = topology.cells
    for monitor in state.monitors {
      for part in state.soloParts(at: monitor.id) { add(part, at: monitor, media, played) }
    }
  }

  private mutating func add(
    _ part: SoloPart, at monitor: Port, _ media: MixMedia, _ played: [MixTopology.Cell]
  ) {
    let point = monitor.monitor.point
    let level = soloStages(at: monitor.id)
    switch part {
    case .stream(let id, let stream):
      guard let session = state.sessions[id], let stream = session.streams[stream] else { return }
      add(stream, of: session, at: monitor.id, point, send: .solo(monitor.id)) { stages in
        // Before the fader a session is heard whether it is active or not.
        (point == .pfl ? stages.filter { $0 != .sessionGate(id) } : stages) + level
      }
    case .input(let id):
      let channels = state.inputs[id]?.channels ?? 0
      for channel in 1..<(channels + 1) {
        for feed in feeds(of: id, channel) {
          let stages = point == .pfl ? [.inputGate(id)] + feed.stages : inputStages(feed)
          addChannel(feed, stages + level, channel, of: channels, at: monitor)
        }
      }
    case .player(let id):
      guard let decks = media.decks[id] else { return }
      for channel in 1..<(decks.channelCount + 1) {
        let feed = Feed(point: .player(id, DeckChannel(decks, channel: channel - 1)))
        let panned = decks.channelCount == 2 ? channel - 1 : nil
        let stages =
          point == .pfl ? [.playerNormalise(id), .playerWind(id)] : playerStages(id, panned)
        addChannel(feed, stages + level, channel, of: decks.channelCount, at: monitor)
      }
    case .output(let id): addOutput(id, at: monitor, played)
    }
  }

  /// The stages behind everything that is soloed at a monitor output.
  private func soloStages(at monitor: PortID) -> [StageKey] {
    [.soloLevel(monitor)] + (dims[monitor] ?? []).filter { $0 != .soloDim(monitor) }
  }

  private mutating func addChannel(
    _ feed: Feed, _ stages: [StageKey], _ channel: Int, of width: Int, at monitor: Port
  ) {
    guard monitor.channels > 0 else { return }
    let row = MixTopology.RowKey(source: feed.point, stages: stages, ducked: nil)
    let first = topology.cells.count
    add(
      row, channel, of: width, into: min(2, monitor.channels), scale: feed.scale, send: .solo(monitor.id)
    ) {
      .port(.output(monitor.id, $0))
    }
    placeCells(since: first, of: monitor)
  }

  /// Adds what another output plays: all its crosspoints, with its ducks, its gain and its mutes, before its delay and its limiter.
  private mutating func addOutput(_ id: PortID, at monitor: Port, _ played: [MixTopology.Cell]) {
    guard let output = state.outputs[id], monitor.channels > 0 else { return }
    let channels = min(2, monitor.channels)
    let factor = 1 / Float((output.channels + channels - 1) / channels).squareRoot()
    var cells: [MixTopology.Cell] = []
    for cell in played {
      guard case .port(.output(id, let channel)) = cell.key.sink, !isGuarded(cell, against: monitor.id) else {
        continue
      }
      var row = cell.key.row
      if let session = row.ducked { row.stages.append(.duck(session, id)) }
      row.ducked = nil
      if let balance = topology.balances[cell.key.sink] { row.stages.append(balance) }
      row.stages += [.outputGain(id), .outputMute(id), .outputGate(id)] + soloStages(at: monitor.id)
      let targets = output.channels == 1 ? Array(1...channels) : [(channel - 1) % channels + 1]
      for target in targets {
        let sink = MixPoint.port(.output(monitor.id, target))
        let scale = cell.key.scale * factor
        // A sound that two channels of the output play is there once, with both levels.
        let same = cells.firstIndex { $0.key.row == row && $0.key.sink == sink && $0.send == cell.send }
        if let same {
          cells[same].key.scale += scale
        } else {
          cells.append(
            MixTopology.Cell(
              key: MixTopology.CellKey(row: row, sink: sink, scale: scale), send: cell.send))
        }
      }
    }
    let first = topology.cells.count
    topology.cells += cells
    placeCells(since: first, of: monitor)
  }

  private func isGuarded(_ cell: MixTopology.Cell, against output: PortID) -> Bool {
    switch cell.send {
    case .stream(let session, let stream, _):
      return state.sessions[session]?.streams[stream]?.isGuarded(against: output) ?? true
    case .talkback(let session):
      return state.sessions[session]?.streams.contains { (stream: SessionStream) in
        stream.isGuarded(against: output)
      } ?? true
    default: return false
    }
  }

  // MARK: Streams

  /// Adds a stream to an output, in its stereo place: before its fader (pfl) or behind it.
  private mutating func add(
    _ stream: SessionStream, of session: Session, at port: PortID, _ point: SoloPoint, send: SendKey,
    stages: ([StageKey]) -> [StageKey]
  ) {
    guard let output = state.outputs[port] else { return }
    let points = ChannelSelection.default.presentCrosspoints(
      width: stream.channels, channels: output.channels, at: port)
    let first = topology.cells.count
    for place in points {
      let side = stream.channels == 1 && points.count == 2 ? place.port - 1 : nil
      for way in ways(of: stream, place.stream, point == .pfl ? .input : .post, in: session, side: side) {
        var row = way.row
        (row.stages, row.ducked) = (stages(row.stages), nil)
        topology.cells.append(
          MixTopology.Cell(
            key: MixTopology.CellKey(
              row: row, sink: .port(.output(port, place.port)), scale: place.scale * way.scale),
            send: send))
      }
    }
    placeCells(since: first, of: output)
  }
}
