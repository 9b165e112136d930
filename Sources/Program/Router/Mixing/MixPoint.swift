import MediaKernel
import MixEngine
import MixKernel
import SessionModel

/// A channel where sound enters or leaves the mix.
enum MixPoint: Hashable {
  /// One of the router's own JACK ports.
  case port(PortKey)
  /// A channel of a player, as a source.
  case player(PlayerID, DeckChannel)
  /// A channel of a recorder, as a sink.
  case recorder(RecorderID, TapChannel)

  /// Whether sound enters the mix here.
  var isSource: Bool {
    switch self {
    case .port(let key): key.isSource
    case .player: true
    case .recorder: false
    }
  }

  /// The JACK port; nil for players and recorders.
  var port: PortKey? { if case .port(let key) = self { key } else { nil } }

  /// The point in the engine's terms; nil for a JACK port that the server has not made yet.
  func endpoint(_ handles: [PortKey: PortHandle]) -> MixStructure.Endpoint? {
    switch self {
    case .port(let key): handles[key].map { .port($0) }
    case .player(_, let channel): .deck(channel)
    case .recorder(_, let channel): .tap(channel)
    }
  }
}

/// The players and recorders that the mix has, by the memory that they share with the audio thread.
struct MixMedia: Equatable {
  var decks: [PlayerID: DeckPairStore] = [:]
  var taps: [RecorderID: RecorderTapStore] = [:]

  static func == (left: Self, right: Self) -> Bool {
    left.decks.count == right.decks.count && left.taps.count == right.taps.count
      && left.decks.allSatisfy { right.decks[$0.key] === $0.value }
      && left.taps.allSatisfy { right.taps[$0.key] === $0.value }
  }
}
