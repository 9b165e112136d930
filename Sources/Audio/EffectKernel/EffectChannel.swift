/// One channel of a chain of effects. It keeps the chain's memory.
///
/// Two channels are equal if they are the same channel of the same chain.
public struct EffectChannel: Hashable, Sendable {
  public let store: EffectNodeStore
  public let kind: Kind

  public enum Kind: Hashable, Sendable {
    /// To the chain: a channel of the sound, counted from 0.
    case input(Int)
    /// To the chain: a channel of the sound that its side chain hears, counted from 0.
    case side(Int)
    /// From the chain: a channel of the processed sound, counted from 0.
    case output(Int)
  }

  public init(_ store: EffectNodeStore, _ kind: Kind) {
    switch kind {
    case .input(let channel), .output(let channel):
      precondition((0..<store.channels).contains(channel), "there is no channel \(channel)")
    case .side(let channel):
      precondition((0..<store.sideChannels).contains(channel), "there is no channel \(channel)")
    }
    (self.store, self.kind) = (store, kind)
  }

  public static func == (left: Self, right: Self) -> Bool {
    left.store === right.store && left.kind == right.kind
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(store))
    hasher.combine(kind)
  }
}
