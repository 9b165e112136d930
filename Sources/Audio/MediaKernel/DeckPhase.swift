/// What a player does. No enumeration, like every choice of the audio thread that another file sees: the compiler makes those hashable,
/// which needs the language's runtime.
struct DeckPhase: BitwiseCopyable, Equatable {
  private let number: UInt8

  @_noLocks
  private init(_ number: UInt8) { self.number = number }

  static var silent: DeckPhase { @_noLocks get { DeckPhase(0) } }
  static var sounding: DeckPhase { @_noLocks get { DeckPhase(1) } }
  /// It lacks frames.
  static var starving: DeckPhase { @_noLocks get { DeckPhase(2) } }

  @_noLocks
  static func == (one: DeckPhase, other: DeckPhase) -> Bool { one.number == other.number }
}

/// Where the frames of a period lie.
struct DeckSource: BitwiseCopyable, Equatable {
  private let number: UInt8

  @_noLocks
  private init(_ number: UInt8) { self.number = number }

  /// Nowhere.
  static var silence: DeckSource { @_noLocks get { DeckSource(0) } }
  /// In the present deck.
  static var deck: DeckSource { @_noLocks get { DeckSource(1) } }
  /// Put together in the patches.
  static var patch: DeckSource { @_noLocks get { DeckSource(2) } }

  @_noLocks
  static func == (one: DeckSource, other: DeckSource) -> Bool { one.number == other.number }
}
