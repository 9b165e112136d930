import MixEngine
import SessionModel

/// The wanted level of every stage and send, and the treatment of every output.
struct MixLevels: Equatable {
  var stages: [StageKey: Level] = [:]
  /// Each send once, in the order of the state.
  var sends: [Send] = []
  var treatments: [PortID: Treatment] = [:]
  /// Members of groups whose level is on its way, with the end of the way, in seconds of the router's time.
  var slides: [GroupMember: Double] = [:]

  struct Send: Equatable {
    var key: SendKey
    var level: Level
  }

  /// A wanted level, and the ramp to it.
  struct Level: Equatable {
    var target: Float
    /// Changes with every set, even to the same value.
    var revision: UInt32 = 0
    var shape = Ramp.Shape.raisedCosine
    var seconds: Double
    /// Whether the level holds from the first frame on, without a ramp: nothing sounds behind the stage.
    var isAtOnce = false
    /// The level at which a new stage starts; nil starts at the target.
    var initial: Float?
    /// The present level of a fade, at which a stage starts that is made during the fade; nil if there is no fade.
    var present: Float?

    /// Whether a stage with the level `other` needs a new ramp. A difference in time or shape alone needs none.
    func isNew(after other: Level) -> Bool { target != other.target || revision != other.revision }
  }

  /// How long everything that opens or closes takes: gates, mutes, and crosspoints that appear or disappear.
  struct Switching: Equatable {
    var seconds: Double
    var shape = Ramp.Shape.raisedCosine
  }

  struct Treatment: Equatable {
    /// Seconds.
    var delay: Double
  }
}

/// The streams, ports and captures with connections at the audio server. The gates of all others stay closed.
struct Liveness: Equatable {
  /// Streams with at least one source.
  var streams: Set<StreamAddress> = []
  /// Outputs whose device is connected to the router.
  var outputs: Set<PortID> = []
  /// Inputs whose device is connected to the router.
  var inputs: Set<PortID> = []
  /// Captures whose connections do not change at present.
  var captures: Set<SessionID> = []
  /// Streams and sessions whose sources have just appeared. Their gates open at once: a ramp would cut the attack.
  var beginning: Set<StreamAddress> = []
  var beginningSessions: Set<SessionID> = []
  /// Whether the sound of each voice processing is let through, by its number.
  var voices: [Int: Bool] = [:]

  /// All streams, outputs and inputs with connections.
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
