public import MediaKernel

/// Orders for players and recorders. All orders and levels of one publish take effect in the same period.
///
/// It keeps the stores, so that no other store can be taken for one that is gone.
public struct MediaOrders: Sendable {
  private(set) var decks: [ObjectIdentifier: (store: DeckPairStore, order: DeckOrder)] = [:]
  private(set) var taps: [ObjectIdentifier: (store: RecorderTapStore, order: TapOrder)] = [:]

  public init() {}

  public var isEmpty: Bool { decks.isEmpty && taps.isEmpty }

  /// The order for a player.
  public subscript(store: DeckPairStore) -> DeckOrder? {
    get { decks[ObjectIdentifier(store)]?.order }
    set { decks[ObjectIdentifier(store)] = newValue.map { (store, $0) } }
  }

  /// The order for a recorder.
  public subscript(store: RecorderTapStore) -> TapOrder? {
    get { taps[ObjectIdentifier(store)]?.order }
    set { taps[ObjectIdentifier(store)] = newValue.map { (store, $0) } }
  }
}
