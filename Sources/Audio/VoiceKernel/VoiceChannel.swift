/// One channel of the voice processing of a capture. It keeps the processing's memory.
///
/// Two channels are equal if they are the same channel of the same processing.
public struct VoiceChannel: Hashable, Sendable {
  public let store: VoiceNodeStore
  public let kind: Kind

  public enum Kind: Hashable, Sendable {
    /// To the worker: the microphone.
    case microphone
    /// To the worker: a channel of the loudspeakers, counted from 0.
    case loudspeaker(Int)
    /// From the worker: the processed microphone.
    case processed
  }

  public init(_ store: VoiceNodeStore, _ kind: Kind) {
    if case .loudspeaker(let channel) = kind {
      precondition((0..<store.loudspeakers).contains(channel), "there is no loudspeaker \(channel)")
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
