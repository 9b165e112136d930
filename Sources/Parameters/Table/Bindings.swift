import SessionModel

extension Value {
  /// The number of a value that was checked to be one; likewise below.
  var double: Double {
    switch self {
    case .number(let value): value
    case .integer(let value): Double(value)
    default: 0
    }
  }

  var int: Int { if case .integer(let value) = self { value } else { 0 } }
  var bool: Bool { self == .flag(true) }
  var string: String { if case .text(let value) = self { value } else { "" } }
  var strings: [String] { if case .texts(let value) = self { value } else { [] } }
}

extension RouterState {
  func session(_ target: Target) -> Session? { target.session.flatMap { sessions[$0] } }

  func stream(_ target: Target) -> SessionStream? {
    target.stream.flatMap { session(target)?.streams[$0] }
  }

  /// The destination of a stream at an output; one that was never made reads as off.
  func destination(_ target: Target) -> Destination? {
    guard let stream = stream(target), let output = target.output else { return nil }
    return stream.destinations[output] ?? Destination(isOn: false)
  }

  func existingSession(_ target: Target) throws(SessionError) -> Session {
    guard let session = session(target) else {
      throw SessionError(.notFound, "there is no session \(target.session?.name ?? "")")
    }
    return session
  }
}

extension PortID {
  /// Reads an id, or `none` as nil.
  /// - Throws: `SessionError` badValue.
  static func optional(_ text: String) throws(SessionError) -> PortID? {
    guard text != "none" else { return nil }
    guard let id = PortID(text) else {
      throw SessionError(.badValue, "'\(text)' is no port id; ids are lower-case letters, digits, - and _")
    }
    return id
  }

  /// Reads ids joined by commas or blanks, or `none`.
  /// - Throws: `SessionError` badValue.
  static func list(_ texts: [String]) throws(SessionError) -> [PortID] {
    var ids: [PortID] = []
    for text in texts {
      for part in text.split(whereSeparator: { $0 == "," || $0 == " " }) {
        if let id = try optional(String(part)), !ids.contains(id) { ids.append(id) }
      }
    }
    return ids
  }
}

extension Parameter.Binding {
  /// A plain setting of a session.
  static func session(
    _ read: @escaping @Sendable (Session) -> Value,
    write: @escaping @Sendable (Value) throws(SessionError) -> SessionSetting
  ) -> Self {
    .value(
      read: { state, target in state.session(target).map(read) },
      write: { request throws(SessionError) in .session(request.target.session!, try write(request.value)) })
  }

  /// A part of a session's configuration.
  static func configuration(
    read: @escaping @Sendable (Session) -> Value,
    change: @escaping @Sendable (Session, Value) throws(SessionError) -> SessionConfiguration
  ) -> Self {
    .value(
      read: { state, target in state.session(target).map(read) },
      write: { request throws(SessionError) in
        let session = try request.state.existingSession(request.target)
        return .configure(session.id, try change(session, request.value))
      })
  }

  static func sessionReadOnly(_ read: @escaping @Sendable (Session) -> Value) -> Self {
    .readOnly { state, target in state.session(target).map(read) }
  }

  static func serverReadOnly(_ read: @escaping @Sendable (ServerState) -> Double) -> Self {
    .readOnly { state, target in state.session(target).map { _ in .number(read(state.server)) } }
  }

  /// A plain setting of a stream.
  static func stream(
    _ read: @escaping @Sendable (SessionStream) -> Value,
    write: @escaping @Sendable (Value) throws(SessionError) -> StreamSetting
  ) -> Self {
    .value(
      read: { state, target in state.stream(target).map(read) },
      write: { request throws(SessionError) in
        .stream(request.target.session!, request.target.stream!, try write(request.value))
      })
  }

  /// A plain setting of a destination.
  static func destination(
    _ read: @escaping @Sendable (Destination) -> Value,
    write: @escaping @Sendable (Value) throws(SessionError) -> DestinationSetting
  ) -> Self {
    .value(
      read: { state, target in state.destination(target).map(read) },
      write: { request throws(SessionError) in
        let target = request.target
        return .destination(target.session!, target.stream!, target.output!, try write(request.value))
      })
  }

  /// A plain setting of a port.
  static func port(
    _ direction: Direction, _ read: @escaping @Sendable (Port) -> Value,
    write: @escaping @Sendable (Value) throws(SessionError) -> PortSetting
  ) -> Self {
    .value(
      read: { state, target in state.port(direction, target).map(read) },
      write: { request throws(SessionError) in
        .port(direction, request.target.port(direction)!, try write(request.value))
      })
  }

  static func portReadOnly(_ direction: Direction, _ read: @escaping @Sendable (Port) -> Value) -> Self {
    .readOnly { state, target in state.port(direction, target).map(read) }
  }

  /// A level or number of a port.
  static func portControl(
    _ direction: Direction, _ control: @escaping @Sendable (Port) -> Control,
    maximum: @escaping @Sendable (Port) -> Double = { _ in 10 },
    move: @escaping @Sendable (ControlMove) -> PortSetting
  ) -> Self {
    .control(
      Parameter.Moved(
        { $0.port(direction, $1).map(control) },
        maximum: { $0.port(direction, $1).map(maximum) ?? 10 },
        move: { .port(direction, $0.port(direction)!, move($1)) }))
  }
}

extension Target {
  func port(_ direction: Direction) -> PortID? { direction == .output ? output : input }
}

extension RouterState {
  func port(_ direction: Direction, _ target: Target) -> Port? {
    target.port(direction).flatMap { self[direction][$0] }
  }
}
