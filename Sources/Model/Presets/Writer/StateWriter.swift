public import JSON5
import Parameters
public import SessionModel

extension KeptDocument {
  /// Writes a state as a preset with a head. It has every key of the table, so that a router that reads it
  /// reaches the same state. As a preset it can be checked, run and recalled like any other.
  ///
  /// A fade is written as the value at its end.
  ///
  /// - Parameter time: router time in seconds, on which the places of players depend.
  public static func json(of state: RouterState, head: KeptHead, at time: Double = 0) -> JSONValue {
    var writer = StateWriter(state, at: time)
    var members = writer.preset()
    writer.noteKeyless()
    // The ports in `kept` add to the settings.
    let kept = writer.kept(head)
    if !writer.settings.isEmpty { members.append(.init("settings", .object(writer.settings))) }
    return .object(members + [.init("kept", .object(kept))])
  }
}

/// Writes a state as a preset, and collects the settings without a preset key.
struct StateWriter {
  let state: RouterState
  /// The parts of the settings that a preset for people contains; nil for a kept state, which contains everything.
  let scope: Set<Scope>?
  /// Router time in seconds.
  let time: Double
  private let moment: Moment
  /// Settings of sessions and ports without a preset key, by address.
  private(set) var settings: [JSONValue.Member] = []
  /// The router's own settings without a preset key, by address.
  private(set) var ownSettings: [JSONValue.Member] = []

  init(_ state: RouterState, storing scope: Set<Scope>? = nil, at time: Double = 0) {
    (self.state, self.scope, self.time, moment) = (state, scope, time, Moment(state, at: time))
  }

  /// Whether the document contains a part of the settings.
  func contains(_ part: Scope?) -> Bool { scope.map { scope in part.map(scope.contains) ?? false } ?? true }

  /// The members of the preset.
  mutating func preset() -> [JSONValue.Member] {
    [.init("multiroute", 1)] + leaves(of: .router, at: Target())
      + [
        .init("ports", .object(ports())),
        .init("ducking", .object(leaves(of: .ducking, at: Target()))),
        .init("interruptions", .object(leaves(of: .interruptions, at: Target()))),
        .init("sessions", .object(sessions())),
      ] + media() + groups()
  }

  // MARK: Sessions

  private mutating func sessions() -> [JSONValue.Member] {
    var members: [JSONValue.Member] = []
    for session in state.sessions.values { members.append(.init(session.id.name, .object(entry(session)))) }
    return members
  }

  private mutating func entry(_ session: Session) -> [JSONValue.Member] {
    let target = Target(session: session.id)
    var members: [JSONValue.Member] = [.init("category", .string(session.category.rawValue))]
    // The switches of voice processing are legal in their modes only.
    if contains(.category) || contains(.process) && !session.voice.isInherited {
      members.append(.init("mode", .string(session.mode.rawValue)))
    }
    if contains(.category) {
      members.append(.init("options", .array(session.requestedOptions.names.map { .string($0) })))
    }
    let (isKept, inputs) = (scope == nil, state.inputs)
    func isWritten(_ parameter: Parameter) -> Bool { isKept || session.takes(parameter, among: inputs) }
    members += leaves(of: .session, at: target, where: isWritten)
    if contains(.active) { members.append(.init("active", .bool(session.isWantedActive))) }
    members.append(.init("io", .object(leaves(of: .io, at: target, where: isWritten))))
    members.append(.init("voice", .object(leaves(of: .voice, at: target))))
    if session.talkback != Talkback() {
      members.append(.init("talkback", .object(leaves(of: .talkback, at: target))))
    }
    members.append(.init("ducking", .object(leaves(of: .ducker, at: target))))
    if contains(streamsOf: session) {
      var streams: [JSONValue.Member] = []
      for stream in session.streams.values {
        streams.append(.init(stream.id.name, .object(entry(stream, of: session))))
      }
      members.append(.init("streams", .object(streams)))
    }
    let mayCapture = scope == nil || session.category.hasInput && contains(.route)
    if session.capture.isUsed, mayCapture { members.append(.init("capture", .object(capture(of: session)))) }
    return members
  }

  /// Whether the document contains a session's streams, and what belongs to them. In a preset for people they would be refused where they
  /// rest.
  func contains(streamsOf session: Session?) -> Bool { scope == nil || session?.category.hasStreams != false }

  private mutating func entry(_ stream: SessionStream, of session: Session) -> [JSONValue.Member] {
    var members: [JSONValue.Member] = [.init("channels", .number(Double(stream.channels)))]
    members += leaves(of: .stream, at: Target(session: session.id, stream: stream.id))
    // In a kept state the law places the stream again; a preset says where it goes.
    let hasRoute =
      scope == nil ? !stream.isPlacedByDefault : session.category == .multiRoute && contains(.route)
    guard hasRoute else { return members }
    var destinations: [JSONValue.Member] = []
    for (output, destination) in stream.destinations where destination.isUsed {
      // In another mode the output rests.
      if scope != nil, let port = state.outputs[output], !session.mayUse(port, .output) { continue }
      let target = Target(session: session.id, stream: stream.id, output: output)
      // The destination's key contains the channels.
      let leaves = leaves(of: .destination, at: target).filter { $0.key != "map" }
      destinations.append(.init("\(output)\(destination.channels.suffix)", .object(leaves)))
    }
    return members + [.init("to", .object(destinations))]
  }

  private mutating func capture(of session: Session) -> [JSONValue.Member] {
    var mix: [JSONValue.Member] = []
    for (other, send) in session.capture.sessions where send.isUsed {
      let target = Target(session: session.id, other: other)
      mix.append(.init(other.name, .object(leaves(of: .captureSession, at: target))))
    }
    for (input, send) in session.capture.inputs where send.isUsed {
      let target = Target(session: session.id, input: input)
      mix.append(.init("input:\(input)", .object(leaves(of: .captureInput, at: target))))
    }
    return leaves(of: .capture, at: Target(session: session.id)) + [.init("mix", .object(mix))]
  }

  // MARK: Parameters

  /// All keys of an object with their values. A value that presets do not allow as that of a key goes to the settings without one.
  mutating func leaves(
    of owner: Table.Owner, at target: Target, where isWanted: (Parameter) -> Bool = { _ in true }
  ) -> [JSONValue.Member] {
    var members: [JSONValue.Member] = []
    for parameter in Table.keys(of: owner) where contains(parameter.scope) && isWanted(parameter) {
      guard let key = parameter.key, let value = parameter.wantedValue(at: target, in: state) else {
        continue
      }
      if value.fitsPresets {
        members.append(.init(key, value.json))
      } else {
        note(parameter, value, at: target)
      }
    }
    return members
  }

  /// Adds a value to the settings without a preset key, by its address.
  mutating func note(_ parameter: Parameter, _ value: Value, at target: Target) {
    let member = JSONValue.Member(parameter.address(at: target), value.json)
    if parameter.isOfObject { settings.append(member) } else { ownSettings.append(member) }
  }
}

extension Session {
  /// Whether a preset may set a key of the session to its present value. What the category, an option or a guard forbids by now rests in
  /// the session.
  fileprivate func takes(_ parameter: Parameter, among inputs: Registry<PortID, Port>) -> Bool {
    switch parameter.address {
    case "/session/<s>/io/input": return category.hasInput || inputIO != .running
    case "/session/<s>/io/output": return category.hasOutput || outputIO != .running
    case "/session/<s>/input/preferred":
      guard let port = preferredInput.flatMap({ inputs[$0] }) else { return true }
      return mayUse(port, .input)
    case "/session/<s>/output/preferred":
      guard let preferredOutput else { return true }
      return category != .multiRoute && !streams.contains { $1.isGuarded(against: preferredOutput) }
    default: return true
    }
  }
}

extension Destination {
  /// Whether the destination differs from one that was never made, which reads as off at 0 dB.
  var isUsed: Bool {
    isOn || gain.target != 0 || pan.target != 0 || channels != .default || tap != .post
  }
}

extension Capture {
  fileprivate var isUsed: Bool {
    channels > 0 || !destinations.isEmpty || isSole || !containsRoute
      || sessions.values.contains(where: \.isUsed)
      || inputs.values.contains(where: \.isUsed)
  }
}

extension CaptureSend {
  /// Whether the send differs from one that was never made, which reads as off at 0 dB.
  fileprivate var isUsed: Bool { isOn || gain.target != 0 }
}

extension Value {
  /// Whether presets allow the value: their texts are short and never empty.
  var fitsPresets: Bool {
    switch self {
    case .text(let text): Self.fits(text)
    case .texts(let texts): texts.allSatisfy { Self.fits($0, limit: ValueReader.longestEntry) }
    default: true
    }
  }

  private static func fits(_ text: String, limit: Int = 256) -> Bool {
    !text.isEmpty && text.utf8.count <= limit
      && !text.unicodeScalars.contains { $0.properties.generalCategory == .control }
  }

  var json: JSONValue {
    switch self {
    case .number(let number): .number(number)
    case .integer(let number): .number(Double(number))
    case .flag(let isOn): .bool(isOn)
    case .text(let text): .string(text)
    case .texts(let texts): .array(texts.map { .string($0) })
    case .numbers(let numbers): .array(numbers.map { .number(Double($0)) })
    }
  }
}
