import MediaKernel

/// What the owner wants of a player, and what the reader thread tells back. The player keeps it under a lock.
struct PlayerWish: Sendable {
  /// Where a player is sent.
  enum Target: Sendable {
    /// Some seconds after the start of an item.
    case place(index: Int, seconds: Double)
    /// Where it is: for another rate, or other items.
    case here
  }

  var items: [PlayerItem] = []
  /// Counts changes of the items that the present deck may keep.
  var itemsVersion = 0
  /// Counts the targets; 0 for none.
  var generation = 0
  var target = Target.place(index: 0, seconds: 0)
  /// The generation of the newest `place`: an order to play waits for it.
  var placeGeneration = 0
  var rate = 1.0
  var winding = Player.Winding.none
  /// Seconds of the crossfade between items.
  var crossfade = 0.0
  var isPrepared = false
  /// Whether the player was stopped, not paused: its rings are given back.
  var isStopped = true
  var order = DeckOrder()

  // MARK: From the reader thread

  /// What the frames of each deck are.
  var tracks: [DeckTrack?] = [nil, nil]
  /// The newest generation that a deck was made for.
  var madeGeneration = 0
  /// The beginning of that deck.
  var madeMark: ProgrammeMark?
  /// What the header of an item says that no deck has opened yet.
  var announced: (item: PlayerItem, facts: ItemFacts)?

  /// The speed of a deck that is made now.
  var tempo: Double {
    switch winding {
    case .none: rate
    case .forward: Player.rates.upperBound
    case .back: 1
    }
  }

  /// Seconds of the item in each second while it sounds.
  var speed: Double { winding == .back ? -Double(Cursor.backwardSpeed) : tempo }

  mutating func send(to target: Target) {
    generation += 1
    self.target = target
    if case .place = target { placeGeneration = generation }
  }
}
