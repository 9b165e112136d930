import SessionModel

/// The values outside a session on which its read-only leaves depend, leaf by leaf.
///
/// Each part contains only what its leaf shows. For instance, a second playing session changes no leaf of a thousand others.
package struct Surroundings {
  private let server: ServerState
  private let primaries: [SessionID]
  private let playing: Int
  private let speech: Speech
  private let inputs: [Input]
  private let outputs: [Hardware]
  private let causes: Causes
  private let captures: Captures
  private let limits: [Limits]
  private let groupLevels: [GroupLevel]
  private let echoes: [SessionID: Double]
  private let monitoring: [String]

  package init(_ moment: Moment) {
    let activity = moment.activity
    server = moment.state.server
    primaries = Self.first(activity.primaries)
    playing = min(activity.playing, 2)
    speech = Speech(dictations: Self.first(activity.dictations), isTalking: activity.isTalking)
    inputs = moment.state.inputs.values.map { Input($0) }
    outputs = moment.state.outputs.values.map { Hardware($0) }
    causes = Causes(moment)
    captures = Captures(moment)
    monitoring = moment.state.monitoringEffects
    limits = moment.state.outputs.values.map { Limits($0) }
    groupLevels = moment.state.groups.values.filter(\.changesLevels).map { GroupLevel($0) }
    var echoes: [SessionID: Double] = [:]
    moment.state.sessions.forEachValue { session in
      if session.processesVoice { echoes[session.id] = moment.state.echoDelay(of: session)?.fromMix }
    }
    self.echoes = echoes
  }

  /// The leaves whose readings may have changed although their session has not. The order of the ports is not compared.
  package func leaves(changedSince former: Self) -> [String] {
    var leaves: [String] = []
    if server != former.server { leaves += ["rate", "period"] }
    if primaries != former.primaries { leaves.append("hint") }
    if playing != former.playing { leaves.append("others") }
    if speech != former.speech { leaves.append("prompt") }
    if inputs != former.inputs {
      leaves += ["input/available", "input/level", "channels/in/maximum", "latency/in"]
    }
    if echoes != former.echoes { leaves.append("voice/delay") }
    if outputs != former.outputs { leaves += ["channels/out/maximum", "latency/out"] }
    // The sentence of a session that only records tells about its capture.
    let hasNewCaptures = server != former.server || captures != former.captures
    if hasNewCaptures { leaves.append("capture/why") }
    let hasNewSounds = causes != former.causes || monitoring != former.monitoring
    if hasNewCaptures || hasNewSounds { leaves.append("why") }
    if server != former.server || hasNewSounds || limits != former.limits
      || groupLevels != former.groupLevels
    {
      leaves.append("causes")
    }
    return leaves
  }

  /// The first two entries of a list are enough to tell whether it contains a session other than a given one.
  private static func first(_ sessions: [SessionID]) -> [SessionID] { Array(sessions.prefix(2)) }

  /// The values on which prompts depend.
  private struct Speech: Equatable {
    let dictations: [SessionID]
    let isTalking: Bool
  }

  /// The values of an input that its sessions read.
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

  /// The measured values of a port.
  private struct Hardware: Equatable {
    let channels: Int
    let latency: Double
    init(_ port: Port) { (channels, latency) = (port.channels, port.latency) }
  }

  /// The sessions and inputs that captures contain and that are not heard there or changed by the desktop's mixer, with the reasons.
  private struct Captures: Equatable {
    let sessions: [SessionID: String]
    /// The inputs that feed these sessions, by which a microphone may arrive although it may not be recorded.
    let feeds: [SessionID: [PortID]]
    let inputs: [PortID: String]
    let room: Room?
    let groups: [SilencingGroup]

    init(_ moment: Moment) {
      let state = moment.state
      var captured: Set<SessionID> = []
      state.sessions.forEachValue { captured.formUnion($0.capture.sessions.keys) }
      var hindered: [SessionID: String] = [:]
      for id in captured { hindered[id] = state.captureHindrance(of: id, moment.activity) }
      sessions = hindered
      var feeds: [SessionID: [PortID]] = [:]
      for id in captured { feeds[id] = state.sessions[id]?.inputsOfStreams }
      self.feeds = feeds
      inputs = Dictionary(
        state.inputs.keys.compactMap { id in state.captureRemark(ofInput: id).map { (id, $0) } },
        uniquingKeysWith: { first, _ in first })
      room = state.sessions.contains(where: \.processesVoice) ? Room(state) : nil
      groups = SilencingGroup.all(in: state)
    }
  }

  /// The loudspeakers that microphones may hear, whose echo voice processing removes.
  private struct Room: Equatable {
    let lists: [PortID: [PortID]]
    let outputs: [PortID: Bool]

    init(_ state: RouterState) {
      let lists = state.inputs.values.compactMap { port in port.echo.map { (port.id, $0) } }
      let outputs = state.outputs.values.filter(\.isAvailable).map { ($0.id, $0.type.isHeardInRoom) }
      self.lists = Dictionary(lists) { first, _ in first }
      self.outputs = Dictionary(outputs) { first, _ in first }
    }
  }

  /// The values of other sessions that the sentence `why` mentions.
  private struct Causes: Equatable {
    let isPanicking: Bool
    let isSilent: Bool
    let outputs: [Output]
    let mutedInputs: [PortID]
    let closedInputs: [ClosedInput]
    let desktopVolumes: [PortID: DesktopVolume]
    let presentInputs: [PresentInput]
    let recorders: [SessionID]
    let interruptions: Registry<InterruptionID, Interruption>
    let interrupters: [Interrupter]
    let players: [PlayingPlayer]
    let inputRecorders: [InputRecorder]
    let groups: [SilencingGroup]

    init(_ moment: Moment) {
      let state = moment.state
      groups = SilencingGroup.all(in: state)
      players = state.players.values.map { PlayingPlayer($0) }
      inputRecorders = state.recorders.values.compactMap { InputRecorder($0) }
      (isPanicking, isSilent) = (state.isPanicking, state.isSilent)
      outputs = state.outputs.values.map {
        Output(
          type: $0.type, isNamed: $0.isNamedByPreset, isAvailable: $0.isAvailable, channels: $0.channels,
          isMuted: $0.isMuted,
          isOff: Decibels($0.gain.target).isOff, desktopVolume: $0.desktopVolume,
          insert: $0.insert)
      }
      desktopVolumes = Dictionary(
        state.inputs.values.compactMap { port in port.desktopVolume.map { (port.id, $0) } },
        uniquingKeysWith: { first, _ in first })
      mutedInputs = state.inputs.values.filter(\.isHardwareMuted).map(\.id)
      closedInputs = state.inputs.values.map { ClosedInput($0, state) }
      presentInputs = state.inputs.values.filter(\.isAvailable).map {
        PresentInput(id: $0.id, channels: $0.channels)
      }
      recorders = Surroundings.first(moment.activity.recorders)
      interruptions = state.interruptions
      interrupters = Interrupter.all(in: state)
    }
  }

  /// What a session tells of a group that silences members.
  private struct SilencingGroup: Equatable {
    let id: GroupID
    let members: [GroupPattern]
    let isMuted: Bool
    let isOff: Bool

    static func all(in state: RouterState) -> [Self] {
      guard !state.groups.isEmpty else { return [] }
      return state.groups.values.filter { $0.silences(byGain: true) }.map {
        Self(
          id: $0.id, members: $0.members, isMuted: $0.isMuted, isOff: Decibels($0.gain.target).isOff)
      }
    }
  }

  /// What a session tells of a player.
  private struct PlayingPlayer: Equatable {
    let id: PlayerID
    let session: SessionID
    let transport: PlayerTransport
    let isScheduled: Bool
    let title: String?
    let isMuted: Bool
    let isOff: Bool

    init(_ player: MediaPlayer) {
      (id, session, title) = (player.id, player.session, player.title)
      (transport, isScheduled) = (player.transport, player.startTime != nil)
      (isMuted, isOff) = (player.isMuted, Decibels(player.gain.target).isOff)
    }
  }

  /// What a session tells of a recorder of an input.
  private struct InputRecorder: Equatable {
    let id: RecorderID
    let source: RecorderSource
    let session: SessionID
    let state: RecorderState

    init?(_ recorder: MediaRecorder) {
      guard let session = recorder.session else { return nil }
      (id, source, self.session, state) = (recorder.id, recorder.source, session, recorder.state)
    }
  }

  /// What an output does to sound that `causes` tells and `why` does not.
  private struct Limits: Equatable {
    let maximumTotal: Double
    let delay: Double
    let dim: Double

    init(_ output: Port) {
      (maximumTotal, delay) = (output.maximumTotal, output.heldBack(output.delay.target))
      dim = output.section.dim
    }
  }

  /// What a session tells of a group that makes members louder or quieter.
  private struct GroupLevel: Equatable {
    let id: GroupID
    let members: [GroupPattern]
    let gain: Double

    init(_ group: SoundGroup) { (id, members, gain) = (group.id, group.members, group.gain.target) }
  }

  /// What a session tells of an input that feeds it and lets nothing through.
  private struct ClosedInput: Equatable {
    let id: PortID
    let hindrance: String?
    /// The channels that let something through.
    let open: [Int]

    init(_ input: Port, _ state: RouterState) {
      (id, hindrance) = (input.id, state.captureHindrance(ofInput: input.id))
      open = (0..<input.channels).map { $0 + 1 }.filter { !input.isClosed($0...$0) }
    }
  }

  private struct PresentInput: Equatable {
    let id: PortID
    let channels: Int
  }

  private struct Output: Equatable {
    let type: PortType
    let isNamed: Bool
    let isAvailable: Bool
    let channels: Int
    let isMuted: Bool
    let isOff: Bool
    let desktopVolume: DesktopVolume?
    let insert: Insert
  }

  /// A session that interrupts others, and its present condition.
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
