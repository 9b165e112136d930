import SessionModel

/// Where every stage and send shall be.
struct MixLevels: Equatable {
  var stages: [StageKey: Level] = [:]
  var sends: [SendKey: Level] = [:]
  var treatments: [PortID: Treatment] = [:]

  /// Where a stage shall be, and how it gets there.
  struct Level: Equatable {
    var target: Float
    /// Changes with every set, even to the same value.
    var revision: UInt32 = 0
    var shape = Ramp.Shape.raisedCosine
    var seconds: Double
    /// Where a stage that is new starts; nil at its target.
    var initial: Float?
    /// Where a fade is now; nil at rest. A stage that begins in the middle of one starts there.
    var present: Float?

    /// Whether a stage that goes to `other` must now go here; how long it takes does not matter.
    func isNew(after other: Level) -> Bool { target != other.target || revision != other.revision }
  }

  /// Delay in seconds, ceiling as amplitude.
  struct Treatment: Equatable {
    var delay: Double
    var ceiling: Float
  }
}

/// What is connected at the server, beyond what the state knows; what is not connected stays closed.
struct Liveness: Equatable {
  /// Streams with at least one source.
  var streams: Set<StreamAddress> = []
  /// Outputs whose device takes our sound.
  var outputs: Set<PortID> = []
  /// Inputs whose device gives us sound.
  var inputs: Set<PortID> = []
  /// Captures whose cables do not change now.
  var captures: Set<SessionID> = []

  /// Whose cables carry sound.
  var owners: Set<LinkOwner> {
    Set(
      streams.map { .stream($0) } + outputs.map { .output($0) } + inputs.map { .input($0) })
  }
}

/// A stream with its session.
struct StreamAddress: Hashable {
  var session: SessionID
  var stream: StreamID
}
