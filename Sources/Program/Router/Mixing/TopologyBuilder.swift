import EffectKernel
import MediaKernel
import MixEngine
import SessionModel

/// Computes the topology of the mix from the state, as a pure function.
struct TopologyBuilder {
  let state: RouterState
  var topology = MixTopology()
  /// The players that play into each stream.
  private var players: [StreamAddress: [(id: PlayerID, decks: DeckPairStore)]] = [:]
  /// The effects.
  private var effects: [InsertPlace: MixEffects] = [:]
  /// The dims of each output's own content: by solos at monitor outputs, and by talkbacks where they are heard.
  let dims: [PortID: [StageKey]]

  static func topology(of state: RouterState, _ media: MixMedia = MixMedia()) -> MixTopology {
    var builder = TopologyBuilder(state: state)
    builder.addPorts()
    builder.addPlayers(media)
    builder.effects = media.effects
    // In an order that does not change.
    for (place, effects) in media.effects.sorted(by: { $0.key.address < $1.key.address }) {
      builder.add(effects, at: place)
    }
    for session in state.sessions.values {
      for stream in session.streams.values { builder.addDestinations(of: stream, in: session) }
      builder.addCapture(of: session, media.voices[session.id])
    }
    builder.addTalkbacks()
    builder.addSolos(media)
    for session in state.sessions.values {
      if let voice = media.voices[session.id] { builder.addLoudspeakers(to: voice, of: session) }
    }
    for recorder in state.recorders.values {
      if let tap = media.taps[recorder.id] { builder.add(recorder, tap) }
    }
    builder.addMeters(media)
    return builder.topology
  }

  private init(state: RouterState) { (self.state, dims) = (state, Self.dimStages(of: state)) }

  private mutating func addPorts() {
    for port in state.inputs.values where port.channels > 0 {
      topology.sources += (1...port.channels).map { .port(.input(port.id, $0)) }
    }
    for port in state.outputs.values where port.channels > 0 {
      topology.sinks += (1...port.channels).map { .port(.output(port.id, $0)) }
      addBalance(of: port)
    }
    for session in state.sessions.values {
      for stream in session.streams.values {
        topology.sources += stream.ownChannels.map { .port(.stream(session.id, stream.id, $0)) }
      }
      if session.capture.channels > 0 {
        topology.sinks += (1...session.capture.channels).map { .port(.capture(session.id, $0)) }
      }
    }
  }

  private mutating func addPlayers(_ media: MixMedia) {
    for player in state.players.values {
      guard let decks = media.decks[player.id] else { continue }
      topology.sources += (0..<decks.channelCount).map {
        .player(player.id, DeckChannel(decks, channel: $0))
      }
      players[StreamAddress(session: player.session, stream: player.stream), default: []].append(
        (player.id, decks))
    }
  }

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
    let first = topology.cells.count
    for point in points {
      let side = stream.channels == 1 && points.count == 2 ? (point.port == points[0].port ? 0 : 1) : nil
      // The side on which a channel of the stream stands at a send of its own balance.
      let panned = destination.pan.isUsed ? (stream.channels == 2 ? point.stream - 1 : side) : nil
      for way in ways(of: stream, point.stream, destination.tap, in: session, side: side) {
        var row = way.row
        if let panned { row.stages.append(.sendPan(session.id, stream.id, port, channel: panned)) }
        if let dims = dims[port] { row.stages += dims }
        let key = MixTopology.CellKey(
          row: row, sink: .port(.output(port, point.port)), scale: point.scale * way.scale)
        topology.cells.append(MixTopology.Cell(key: key, send: .stream(session.id, stream.id, port)))
      }
    }
    placeCells(since: first, of: output)
  }

  /// A point that feeds a channel of a stream, and its factor there.
  struct Feed {
    var point: MixPoint
    var scale: Float = 1
    /// Stages behind those of the point itself.
    var stages: [StageKey] = []
  }

  /// All that feeds a channel of a stream: its effects if they are heard, otherwise its sources.
  func feeds(of stream: SessionStream, _ channel: Int, in session: Session) -> [Feed] {
    processed(.stream(session.id, stream.id), channel).map { [$0] }
      ?? ownFeeds(of: stream, channel, in: session)
  }

  /// The sound of a chain in a channel, if it is heard.
  func processed(_ place: InsertPlace, _ channel: Int) -> Feed? {
    guard !effects.isEmpty, let chain = effects[place], chain.isOpen else { return nil }
    return Feed(point: .effect(place, EffectChannel(chain.store, .output(channel - 1))))
  }

  /// The sources of a channel of a stream: its own JACK ports, the inputs that it has, and the players in it.
  func ownFeeds(of stream: SessionStream, _ channel: Int, in session: Session) -> [Feed] {
    let polarity = stream.inverted.polarity(of: channel)
    var feeds = [Feed(point: .port(.stream(session.id, stream.id, channel)), scale: polarity)]
    for further in stream.furtherChannels {
      let scale = FoldDown.factor(of: further, in: channel)
      if scale > 0 {
        feeds.append(Feed(point: .port(.stream(session.id, stream.id, further)), scale: scale * polarity))
      }
    }
    for case .input(let id, let range) in stream.sources {
      if let fed = state.inputs[id]?.channel(feeding: channel, of: range) {
        feeds += self.feeds(of: id, fed).map {
          Feed(point: $0.point, scale: $0.scale * polarity, stages: $0.stages)
        }
      }
    }
    guard !players.isEmpty else { return feeds }
    for (id, decks) in players[StreamAddress(session: session.id, stream: stream.id)] ?? []
    where channel <= decks.channelCount {
      feeds.append(Feed(point: .player(id, DeckChannel(decks, channel: channel - 1)), scale: polarity))
    }
    return feeds
  }

  /// The chain from a source channel to a tap (docs/develop/law/streams.md#3-taps).
  func row(
    _ feed: Feed, _ stream: SessionStream, _ channel: Int, _ tap: Tap, _ session: Session,
    side: Int? = nil
  ) -> MixTopology.RowKey {
    // A mono stream that fills two channels is balanced between them.
    let panned = stream.channels == 2 ? channel - 1 : side
    let own: [StageKey]
    // A player is always there, so the stream's gate, which opens when a program is connected, is not for it.
    var gates = [StageKey.sessionGate(session.id)]
    switch feed.point {
    case .player(let id, _): own = playerStages(id, panned)
    case .effect(.stream, _): own = []
    default:
      own = inputStages(feed)
      gates.append(.streamGate(session.id, stream.id))
    }
    var stages: [StageKey] = []
    // A list that grows keeps up to half of its memory unused, and there is one for each row.
    stages.reserveCapacity(own.count + Self.longestStreamChain)
    stages += own
    stages += gates
    if tap != .input { stages += [.sessionMute(session.id), .streamMute(session.id, stream.id)] }
    if tap == .post {
      stages += [.sessionGain(session.id), .streamGain(session.id, stream.id)]
      if let panned { stages.append(.streamPan(session.id, stream.id, channel: panned)) }
    }
    // A send before the mutes is a musician's monitor, which must not duck.
    let isDucked = tap != .input && !stream.isDuckExempt
    return MixTopology.RowKey(source: feed.point, stages: stages, ducked: isDucked ? session.id : nil)
  }

  /// Two gates, two mutes, two gains and the balance.
  private static let longestStreamChain = 7

  /// The player's own stages come before all taps, as if the player were a program with a mixer of its own.
  func playerStages(_ id: PlayerID, _ side: Int?) -> [StageKey] {
    [.playerGain(id), .playerMute(id), .playerNormalise(id), .playerWind(id)]
      + (side.map { [.playerPan(id, channel: $0)] } ?? [])
  }

  func inputStages(_ feed: Feed) -> [StageKey] {
    let (id, channel): (PortID, Int)
    switch feed.point {
    case .port(.input(let input, let number)): (id, channel) = (input, number)
    case .effect(.input(let input), let effect): (id, channel) = (input, effect.number + 1)
    default: return []
    }
    return [
      .inputGate(id), .inputMute(id), .inputGain(id), .inputLevel(id),
      .inputChannelMute(id, channel: channel),
      .inputChannelGain(id, channel: channel),
    ] + feed.stages
  }

  // MARK: Captures

  private mutating func addCapture(of session: Session, _ voice: MixVoice?) {
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
        let send = SendKey.captureInput(session.id, id)
        for feed in feeds(of: id, channel) {
          var row = MixTopology.RowKey(source: feed.point, stages: inputStages(feed), ducked: nil)
          if let voice {
            add(row, first + channel, of: total, into: 1, scale: feed.scale, send: send) { _ in
              voice.microphone(session.id)
            }
          } else {
            row.stages.append(.captureGate(session.id))
            add(row, first + channel, of: total, intoCaptureOf: session, scale: feed.scale, send: send)
          }
        }
      }
    }
    if let voice { add(voice, to: session) }
    for (other, send) in session.capture.sessions where send.isOn {
      guard let heard = state.sessions[other] else { continue }
      for stream in heard.streams.values {
        for channel in 1...stream.channels {
          for way in ways(of: stream, channel, .post, in: heard) {
            let send = SendKey.captureSession(session.id, other)
            if let voice, !inputs(of: way.row.source).isEmpty {
              add(way.row, channel, of: stream.channels, into: 1, scale: way.scale, send: send) { _ in
                voice.microphone(session.id)
              }
            } else {
              var row = way.row
              row.stages.append(.captureGate(session.id))
              add(row, channel, of: stream.channels, intoCaptureOf: session, scale: way.scale, send: send)
            }
          }
        }
      }
    }
  }

  /// Adds a channel to a capture.
  private mutating func add(
    _ row: MixTopology.RowKey, _ channel: Int, of width: Int, intoCaptureOf session: Session,
    scale: Float = 1, send: SendKey
  ) {
    add(row, channel, of: width, into: session.capture.channels, scale: scale, send: send) {
      .port(.capture(session.id, $0))
    }
  }

  /// Adds a channel of a source to sinks. A mono source feeds all channels of the sink. A source with more channels than the sink is
  /// summed; n channels that share one are scaled by 1/sqrt(n).
  mutating func add(
    _ row: MixTopology.RowKey, _ channel: Int, of width: Int, into channels: Int, scale: Float = 1,
    send: SendKey, sink: (Int) -> MixPoint
  ) {
    let targets = width == 1 ? Array(1...channels) : [(channel - 1) % channels + 1]
    let summed = (width + channels - 1) / channels
    for target in targets {
      topology.cells.append(
        MixTopology.Cell(
          key: MixTopology.CellKey(row: row, sink: sink(target), scale: scale / Float(summed).squareRoot()),
          send: send))
    }
  }
}
