import Effects
public import SessionModel

/// The objects that an address names, one for each of its placeholders.
public struct Target: Hashable, Sendable {
  public var session: SessionID?
  public var stream: StreamID?
  public var output: PortID?
  public var input: PortID?
  /// The other session of a capture send.
  public var other: SessionID?
  /// A source of interruptions.
  public var source: InterruptionID?
  /// The session whose capture a meter shows.
  public var capture: SessionID?
  public var preset: PresetID?
  public var player: PlayerID?
  /// The session of a talkback.
  public var talkback: SessionID?
  public var recorder: RecorderID?
  public var group: GroupID?
  /// Counts from 1.
  public var channel: Int?
  /// A strip of a surface, and a bank of strips; both count from 1.
  public var strip: Int?
  /// An effect of a chain, counted from 1, and the symbol of one of its controls.
  public var effect: Int?
  public var control: String?
  /// The symbol of one of its meters.
  public var meter: String?
  public var bank: Int?

  public init(
    session: SessionID? = nil, stream: StreamID? = nil, output: PortID? = nil, input: PortID? = nil,
    other: SessionID? = nil, source: InterruptionID? = nil, capture: SessionID? = nil,
    preset: PresetID? = nil, player: PlayerID? = nil, recorder: RecorderID? = nil, channel: Int? = nil,
    strip: Int? = nil, bank: Int? = nil, talkback: SessionID? = nil, group: GroupID? = nil,
    effect: Int? = nil, control: String? = nil, meter: String? = nil
  ) {
    (self.session, self.stream, self.output) = (session, stream, output)
    (self.input, self.other, self.source) = (input, other, source)
    (self.capture, self.preset, self.channel) = (capture, preset, channel)
    (self.player, self.recorder, self.strip, self.bank) = (player, recorder, strip, bank)
    (self.talkback, self.group) = (talkback, group)
    (self.effect, self.control, self.meter) = (effect, control, meter)
  }
}

/// A place in an address for an id.
public enum Placeholder: String, CaseIterable, Sendable {
  case session = "<s>"
  case stream = "<t>"
  case output = "<o>"
  case input = "<i>"
  case other = "<x>"
  case source = "<source>"
  case capture = "<c>"
  case preset = "<id>"
  case player = "<p>"
  case recorder = "<r>"
  case group = "<g>"
  case channel = "<n>"
  case strip = "<strip>"
  case bank = "<bank>"
  case talkback = "<talk>"
  case effect = "<e>"
  case control = "<control>"
  case meter = "<meter>"

  /// The kind of object in words.
  public var noun: String {
    switch self {
    case .session, .other: "session"
    case .stream: "stream"
    case .output: "output"
    case .input: "input"
    case .source: "source of interruptions"
    case .capture: "session with a capture"
    case .preset: "preset"
    case .player: "player"
    case .recorder: "recorder"
    case .group: "group"
    case .channel: "channel"
    case .strip: "strip"
    case .bank: "bank"
    case .talkback: "talkback"
    case .effect: "effect"
    case .control: "control"
    case .meter: "meter"
    }
  }

  /// The names of the existing objects for this place, in order.
  public func names(in state: RouterState, at target: Target) -> [String] {
    switch self {
    case .session: state.sessions.keys.map(\.name)
    case .other:
      target.session.flatMap { state.sessions[$0] }?.capture.sessions.keys.map(\.name) ?? []
    case .stream: target.session.flatMap { state.sessions[$0] }?.streams.keys.map(\.name) ?? []
    case .output:
      if let stream = target.stream, let session = target.session {
        state.sessions[session]?.streams[stream]?.destinations.keys.map(\.name) ?? []
      } else {
        state.outputs.keys.map(\.name)
      }
    case .input:
      if let session = target.session {
        state.sessions[session]?.capture.inputs.keys.map(\.name) ?? []
      } else {
        state.inputs.keys.map(\.name)
      }
    case .source: state.interruptions.keys.map(\.name)
    case .capture: state.sessions.keys(where: \.hasCapture).map(\.name)
    case .preset: state.presets.library.keys.map(\.name)
    case .player: state.players.keys.map(\.name)
    case .recorder: state.recorders.keys.map(\.name)
    case .group: state.groups.keys.map(\.name)
    case .channel: Self.channels(in: state, at: target).map { "\($0)" }
    case .strip: Self.stripNames
    case .bank: Self.bankNames
    case .talkback: state.talkbackSessions.map(\.name)
    case .effect: (0..<(state.insert(target)?.effects.count ?? 0)).map { "\($0 + 1)" }
    case .control: Self.controls(in: state, at: target)
    case .meter: state.effectFacts(at: target)?.meters.map(\.symbol) ?? []
    }
  }

  /// The targets with each existing object in this place, in order.
  public func targets(in state: RouterState, at target: Target) -> [Target] {
    guard self == .session else {
      return names(in: state, at: target).compactMap { fill($0, into: target) }
    }
    // There may be a thousand sessions, and reading each id back from its name would take most of the time.
    return state.sessions.keys.map { id in
      var filled = target
      filled.session = id
      return filled
    }
  }

  private static let stripNames = Strips.numbers.map { "\($0)" }
  private static let bankNames = Strips.banks.map { "\($0)" }

  /// The symbols of the controls of a plugin that is loaded.
  private static func controls(in state: RouterState, at target: Target) -> [String] {
    state.effectFacts(at: target)?.controls.map(\.symbol) ?? []
  }

  private static func channels(in state: RouterState, at target: Target) -> [Int] {
    let count: Int?
    if let player = target.player {
      count = state.players[player].map { state.channels(of: $0) }
    } else if let group = target.group {
      count = state.groups[group].map { state.channels(of: $0) }
    } else if let recorder = target.recorder {
      count = state.recorders[recorder].map { state.channels(of: $0) }
    } else if let session = target.capture.flatMap({ state.sessions[$0] }) {
      count = session.capture.channels
    } else if let session = target.session.flatMap({ state.sessions[$0] }) {
      count = target.stream.map { session.streams[$0]?.channels ?? 0 } ?? session.meteredChannels
    } else {
      count =
        target.output.map { state.outputs[$0]?.channels ?? 0 }
        ?? target.input.map { state.inputs[$0]?.channels ?? 0 }
    }
    return count.map { $0 > 0 ? Array(1...$0) : [] } ?? []
  }

  /// Puts a name into the place; nil if the name is not valid there.
  public func fill(_ name: String, into target: Target) -> Target? {
    var filled = target
    switch self {
    case .session:
      guard let id = SessionID(name) else { return nil }
      filled.session = id
    case .other:
      guard let id = SessionID(name) else { return nil }
      filled.other = id
    case .stream:
      guard let id = StreamID(name) else { return nil }
      filled.stream = id
    case .output:
      guard let id = PortID(name) else { return nil }
      filled.output = id
    case .input:
      guard let id = PortID(name) else { return nil }
      filled.input = id
    case .source:
      guard let id = InterruptionID(name) else { return nil }
      filled.source = id
    case .capture:
      guard let id = SessionID(name) else { return nil }
      filled.capture = id
    case .preset:
      guard let id = PresetID(name) else { return nil }
      filled.preset = id
    case .player:
      guard let id = PlayerID(name) else { return nil }
      filled.player = id
    case .recorder:
      guard let id = RecorderID(name) else { return nil }
      filled.recorder = id
    case .group:
      guard let id = GroupID(name) else { return nil }
      filled.group = id
    case .channel:
      guard let number = Self.number(name) else { return nil }
      filled.channel = number
    case .strip:
      guard let number = Self.number(name), Strips.numbers.contains(number) else { return nil }
      filled.strip = number
    case .bank:
      guard let number = Self.number(name), Strips.banks.contains(number) else { return nil }
      filled.bank = number
    case .talkback:
      guard let id = SessionID(name) else { return nil }
      filled.talkback = id
    case .effect:
      guard let number = Self.number(name) else { return nil }
      filled.effect = number
    case .control: filled.control = name
    case .meter: filled.meter = name
    }
    return filled
  }

  /// A number from 1, as addresses write numbers.
  private static func number(_ name: String) -> Int? {
    guard let number = Int(name), number > 0, name.first != "+", name.first != "0" else { return nil }
    return number
  }

  /// Whether a stream has or had this destination; the port itself may no longer be known.
  private static func isDestination(_ output: PortID, of target: Target, in state: RouterState) -> Bool {
    guard let session = target.session, let stream = target.stream else { return false }
    return state.sessions[session]?.streams[stream]?.destinations.contains(output) ?? false
  }

  /// Whether the object exists. A destination or capture send need not exist, since setting makes it, nor
  /// need a source of interruptions, which exists only while it interrupts.
  public func isKnown(_ target: Target, in state: RouterState) -> Bool {
    switch self {
    case .session: target.session.map(state.sessions.contains) ?? false
    case .other: target.other.map(state.sessions.contains) ?? false
    case .stream: state.stream(target) != nil
    case .output:
      target.output.map { state.outputs.contains($0) || Self.isDestination($0, of: target, in: state) }
        ?? false
    case .input: target.input.map(state.inputs.contains) ?? false
    case .source: target.source != nil
    case .capture: target.capture.flatMap { state.sessions[$0] }?.hasCapture ?? false
    case .preset: target.preset.map(state.presets.library.contains) ?? false
    case .player: target.player.map(state.players.contains) ?? false
    case .recorder: target.recorder.map(state.recorders.contains) ?? false
    case .group: target.group.map(state.groups.contains) ?? false
    case .channel: target.channel.map(Self.channels(in: state, at: target).contains) ?? false
    case .strip: target.strip != nil
    case .bank: target.bank != nil
    case .talkback: target.talkback.flatMap { state.sessions[$0] }?.isTalkback ?? false
    case .effect:
      target.effect.map { $0 <= state.insert(target)?.effects.count ?? 0 } ?? false
    case .control: target.control.map(Self.controls(in: state, at: target).contains) ?? false
    case .meter: state.meter(at: target) != nil
    }
  }
}

extension Session {
  /// The number of channels of a session's meter: that of its widest stream.
  public var meteredChannels: Int { streams.values.map(\.channels).max() ?? 0 }
}
