import Parameters
import SessionModel

/// What the read-only leaves of a session depend on but the session itself does not hold, leaf by leaf.
///
/// Each part is as small as what its leaf can tell: a second session that plays changes nothing for a thousand others.
struct Surroundings {
  private let server: ServerState
  private let primaries: [SessionID]
  private let playing: Int
  private let speech: Speech
  private let inputs: [Input]
  private let outputs: [Hardware]
  private let causes: Causes

  init(_ moment: Moment) {
    let activity = moment.activity
    server = moment.state.server
    primaries = Self.first(activity.primaries)
    playing = min(activity.playing, 2)
    speech = Speech(dictations: Self.first(activity.dictations), isTalking: activity.isTalking)
    inputs = moment.state.inputs.values.map { Input($0) }
    outputs = moment.state.outputs.values.map { Hardware($0) }
    causes = Causes(moment)
  }

  /// The leaves that may read otherwise than before though their session did not change.
  func leaves(changedSince former: Self) -> [String] {
    var leaves: [String] = []
    if server != former.server { leaves += ["rate", "period"] }
    if primaries != former.primaries { leaves.append("hint") }
    if playing != former.playing { leaves.append("others") }
    if speech != former.speech { leaves.append("prompt") }
    if inputs != former.inputs {
      leaves += ["input/available", "input/level", "channels/in/maximum", "latency/in"]
    }
    if outputs != former.outputs { leaves += ["channels/out/maximum", "latency/out"] }
    if server != former.server || causes != former.causes { leaves.append("why") }
    return leaves
  }

  /// Who is asked whether somebody else is in a list need not look behind the second.
  private static func first(_ sessions: [SessionID]) -> [SessionID] { Array(sessions.prefix(2)) }

  /// What prompts depend on.
  private struct Speech: Equatable {
    let dictations: [SessionID]
    let isTalking: Bool
  }

  /// An input, as far as those who may use it read of it.
  private struct Input: Equatable {
    let id: PortID
    let type: PortType
    let isNamed: Bool
    let isAvailable: Bool
    let level: Control
    let hardware: Hardware

    init(_ port: Port) {
      (id, type, isNamed, isAvailable) = (port.id, port.type, port.isNamedByPreset, port.isAvailable)
      (level, hardware) = (port.level, Hardware(port))
    }
  }

  /// What is measured of a port.
  private struct Hardware: Equatable {
    let channels: Int
    let latency: Double
    init(_ port: Port) { (channels, latency) = (port.channels, port.latency) }
  }

  /// What the sentence `why` tells of others.
  private struct Causes: Equatable {
    let isPanicking: Bool
    let isSilent: Bool
    let outputs: [Output]
    let mutedInputs: [PortID]
    let presentInputs: [PortID]
    let recorders: [SessionID]
    let interruptions: Registry<InterruptionID, Interruption>
    let interrupters: [Interrupter]

    init(_ moment: Moment) {
      let state = moment.state
      (isPanicking, isSilent) = (state.isPanicking, state.isSilent)
      outputs = state.outputs.values.map {
        Output(isAvailable: $0.isAvailable, isMuted: $0.isMuted, isOff: Decibels($0.gain.target).isOff)
      }
      mutedInputs = state.inputs.values.filter(\.isHardwareMuted).map(\.id)
      presentInputs = state.inputs.values.filter(\.isAvailable).map(\.id)
      recorders = Surroundings.first(moment.activity.recorders)
      interruptions = state.interruptions
      interrupters = Interrupter.all(in: state)
    }
  }

  private struct Output: Equatable {
    let isAvailable: Bool
    let isMuted: Bool
    let isOff: Bool
  }

  /// A session that interrupts others, and what has become of it.
  private struct Interrupter: Equatable {
    let id: SessionID
    let isActive: Bool
    let displacement: Displacement?

    static func all(in state: RouterState) -> [Self] {
      var found: Set<SessionID> = []
      state.sessions.forEachValue {
        if case .session(let id)? = $0.displacement?.interrupter { found.insert(id) }
      }
      return found.sorted().map { id in
        let session = state.sessions[id]
        return Self(id: id, isActive: session?.isActive ?? false, displacement: session?.displacement)
      }
    }
  }
}
