import EffectKernel
import MixEngine
import SessionModel

/// A chain of effects in the mix.
struct MixEffects: Equatable {
  var store: EffectNodeStore
  /// Whether it is heard; otherwise it only gets the sound.
  var isOpen: Bool
  /// Frames between its input and its output.
  var delay: Int
  /// What its side chains hear; nil if they hear its own sound.
  var sideChain: SideChainSource?

  static func == (left: Self, right: Self) -> Bool {
    left.store === right.store && left.isOpen == right.isOpen && left.delay == right.delay
      && left.sideChain == right.sideChain
  }
}

extension TopologyBuilder {
  /// Adds a chain: to the sinks that go through it, or with crosspoints from the sources to it.
  mutating func add(_ effects: MixEffects, at place: InsertPlace) {
    addSideChain(of: effects, at: place)
    let channels = 1...effects.store.channels
    func channel(_ number: Int, _ kind: (Int) -> EffectChannel.Kind) -> EffectChannel {
      EffectChannel(effects.store, kind(number - 1))
    }
    switch place {
    case .stream(let id, let stream):
      guard let session = state.sessions[id], let stream = session.streams[stream] else { return }
      for number in channels {
        let rows = ownFeeds(of: stream, number, in: session).map {
          ($0, sourceStages($0, stream, number, session))
        }
        add(rows, to: channel(number, EffectChannel.Kind.input), at: place)
      }
    case .input(let id):
      for number in channels {
        let rows = ownFeeds(of: id, number).map { ($0, [.inputGate(id)] + $0.stages) }
        add(rows, to: channel(number, EffectChannel.Kind.input), at: place)
      }
    case .output(let id):
      for number in channels {
        topology.inserts[.port(.output(id, number))] = MixTopology.SinkInsert(
          place: place, channel: channel(number, EffectChannel.Kind.input))
      }
      return
    case .capture(let id):
      for number in channels {
        topology.inserts[.port(.capture(id, number))] = MixTopology.SinkInsert(
          place: place, channel: channel(number, EffectChannel.Kind.input))
      }
      return
    }
    topology.sources += channels.map { .effect(place, channel($0, EffectChannel.Kind.output)) }
  }

  /// Adds a channel that a chain gets.
  ///
  /// The gates that open when a program or device is there come before the chain, and all that follows an operator's or the law's word comes
  /// behind it, where it is heard at once.
  private mutating func add(
    _ feeds: [(feed: Feed, stages: [StageKey])], to channel: EffectChannel, at place: InsertPlace
  ) {
    let sink = MixPoint.effect(place, channel)
    topology.sinks.append(sink)
    for (feed, stages) in feeds {
      let row = MixTopology.RowKey(source: feed.point, stages: stages, ducked: nil)
      topology.cells.append(
        MixTopology.Cell(
          key: MixTopology.CellKey(row: row, sink: sink, scale: feed.scale), send: .effects(place)))
    }
  }

  /// Adds what the side chains of a chain hear. A mono sound feeds both channels; of others each gets the mean of those that share it.
  private mutating func addSideChain(of effects: MixEffects, at place: InsertPlace) {
    let width = effects.store.sideChannels
    func side(_ number: Int) -> EffectChannel { EffectChannel(effects.store, .side(number)) }
    func targets(_ channel: Int, of channels: Int) -> [(side: EffectChannel, share: Float)] {
      guard channels > 1 else { return (0..<width).map { (side($0), 1) } }
      let number = (channel - 1) % width
      return [(side(number), 1 / Float((channels - number + width - 1) / width))]
    }
    switch effects.sideChain {
    case nil: return
    case .output(let id)?:
      let channels = state.outputs[id]?.channels ?? 0
      for channel in 0..<channels {
        topology.keys += targets(channel + 1, of: channels).map {
          MixTopology.Key(sink: .output(id, channel + 1), channel: $0.side, share: $0.share)
        }
      }
    case .stream(let id, let stream)?:
      topology.sinks += (0..<width).map { .effect(place, side($0)) }
      guard let session = state.sessions[id], let stream = session.streams[stream] else { return }
      for channel in 1...stream.channels {
        for feed in ownFeeds(of: stream, channel, in: session) {
          let row = row(feed, stream, channel, .pre, session)
          let key = MixTopology.RowKey(source: row.source, stages: row.stages, ducked: nil)
          topology.cells += targets(channel, of: stream.channels).map {
            MixTopology.Cell(
              key: MixTopology.CellKey(
                row: key, sink: .effect(place, $0.side), scale: feed.scale * $0.share),
              send: .effects(place))
          }
        }
      }
    }
  }

  /// A player is always there, so the stream's gate, which opens when a program is connected, is not for it.
  private func sourceStages(
    _ feed: Feed, _ stream: SessionStream, _ channel: Int, _ session: Session
  ) -> [StageKey] {
    if case .player(let id, _) = feed.point {
      return playerStages(id, stream.channels == 2 ? channel - 1 : nil)
    }
    return inputStages(feed) + [.streamGate(session.id, stream.id)]
  }
}

extension InsertPlace {
  /// Whether sinks go through the chain themselves. The chains of all others have crosspoints.
  var isOfSinks: Bool {
    switch self {
    case .output, .capture: true
    case .stream, .input: false
    }
  }
}

extension EffectChannel {
  /// The number of the channel, counted from 0.
  var number: Int {
    switch kind {
    case .input(let number), .side(let number), .output(let number): number
    }
  }
}
