import EffectKernel
import MixEngine
import SessionModel

/// The chain of effects of a stream in the mix.
struct MixEffects: Equatable {
  var store: EffectNodeStore
  /// Whether it is heard; otherwise it only gets the stream's sound.
  var isOpen: Bool
  /// Frames between its input and its output.
  var delay: Int

  static func == (left: Self, right: Self) -> Bool {
    left.store === right.store && left.isOpen == right.isOpen && left.delay == right.delay
  }
}

extension TopologyBuilder {
  /// Adds the inputs and outputs of a stream's chain.
  ///
  /// The gate that opens when a program is connected comes before the chain, and all that follows an operator's or the law's word comes
  /// behind it, where it is heard at once.
  mutating func add(_ effects: MixEffects, to stream: SessionStream, of session: Session) {
    let address = StreamAddress(session: session.id, stream: stream.id)
    for channel in 1...stream.channels {
      let input = MixPoint.effect(address, EffectChannel(effects.store, .input(channel - 1)))
      topology.sinks.append(input)
      topology.sources.append(.effect(address, EffectChannel(effects.store, .output(channel - 1))))
      for feed in ownFeeds(of: stream, channel, in: session) {
        let row = MixTopology.RowKey(
          source: feed.point, stages: sourceStages(feed, stream, channel, session), ducked: nil)
        topology.cells.append(
          MixTopology.Cell(
            key: MixTopology.CellKey(row: row, sink: input, scale: feed.scale),
            send: .effects(session.id, stream.id)))
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
