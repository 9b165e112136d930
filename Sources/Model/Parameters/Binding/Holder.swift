public import SessionModel

/// A kind of object with parameters, such as a session: how an address finds an object in a state, and which
/// event sets one of its properties.
///
/// It binds a parameter to a property's key path and to the setting that changes the property. So the
/// compiler checks that the property, the setting and the value in between have one type.
struct Holder<Object: Sendable, Setting: Sendable>: Sendable {
  /// Calls the closure with the object of an address, without copying the object; not if it does not exist.
  let visit: @Sendable (RouterState, Target, (Object) -> Void) -> Void
  /// The event that carries out a setting.
  let event: @Sendable (Target, Setting) throws(SessionError) -> Event

  init(
    visit: @escaping @Sendable (RouterState, Target, (Object) -> Void) -> Void,
    event: @escaping @Sendable (Target, Setting) throws(SessionError) -> Event
  ) {
    (self.visit, self.event) = (visit, event)
  }

  init(
    find: @escaping @Sendable (RouterState, Target) -> Object?,
    event: @escaping @Sendable (Target, Setting) throws(SessionError) -> Event
  ) {
    self.init(
      visit: { state, target, body in if let object = find(state, target) { body(object) } }, event: event)
  }

  /// Reads something from the object of an address; nil if it does not exist.
  func read<Result>(_ state: RouterState, _ target: Target, _ body: (Object) -> Result) -> Result? {
    var result: Result?
    visit(state, target) { result = body($0) }
    return result
  }

  /// Binds a property that is set without a fade.
  func value<Property: ParameterValue>(
    _ property: @escaping @Sendable (Object) -> Property, set: @escaping @Sendable (Property) -> Setting
  ) -> Parameter.Binding {
    value(read: { property($0).value }, write: { value throws(SessionError) in set(try Property(value)) })
  }

  /// Binds a property with conversions of its own for reading and writing.
  func value(
    read: @escaping @Sendable (Object) -> Value,
    write: @escaping @Sendable (Value) throws(SessionError) -> Setting
  ) -> Parameter.Binding {
    .value(
      read: { [self] state, target in self.read(state, target, read) },
      write: { [event] request throws(SessionError) in try event(request.target, try write(request.value)) })
  }

  /// Binds a level or number that sets and fades change.
  func control(
    _ control: @escaping @Sendable (Object) -> Control, move: @escaping @Sendable (ControlMove) -> Setting
  ) -> Parameter.Binding {
    self.control(control, maximum: { _ in Decibels.highest }, move: move)
  }

  /// Binds a number of which values above a limit take admin.
  func control(
    _ control: @escaping @Sendable (Object) -> Control, free: @escaping @Sendable (Object) -> Double,
    move: @escaping @Sendable (ControlMove) -> Setting
  ) -> Parameter.Binding {
    .control(
      Parameter.Moved(
        { [self] state, target in
          read(state, target) { Parameter.Moved.Reading(control: control($0), free: free($0)) }
        }, move: { [event] target, wanted throws(SessionError) in try event(target, move(wanted)) }))
  }

  /// Binds a level with a maximum of its own.
  func control(
    _ control: @escaping @Sendable (Object) -> Control, maximum: @escaping @Sendable (Object) -> Double,
    move: @escaping @Sendable (ControlMove) -> Setting
  ) -> Parameter.Binding {
    .control(
      Parameter.Moved(
        { [self] state, target in
          read(state, target) { Parameter.Moved.Reading(control: control($0), maximum: maximum($0)) }
        }, move: { [event] target, wanted throws(SessionError) in try event(target, move(wanted)) }))
  }

  /// Binds a property that is read-only.
  func readOnly<Property: ParameterValue>(
    _ property: @escaping @Sendable (Object) -> Property
  ) -> Parameter.Binding {
    .readOnly { [self] state, target in read(state, target) { property($0).value } }
  }

  /// Binds a value that follows from an object and the rest of the state.
  func observed<Property: ParameterValue>(
    isMoving: @escaping @Sendable (Moment, Object) -> Bool = { _, _ in false },
    _ read: @escaping @Sendable (Moment, Object) -> Property
  ) -> Parameter.Binding {
    .observed(
      Parameter.Observed(
        { [self] moment, target in self.read(moment.state, target) { read(moment, $0).value } },
        isMoving: { [self] moment, target in
          self.read(moment.state, target) { isMoving(moment, $0) } ?? false
        }))
  }
}

extension Holder {
  /// Binds a place or state of a transport.
  func transport<Property: ParameterValue>(
    isMoving: @escaping @Sendable (Moment, Object) -> Bool = { _, _ in false },
    _ read: @escaping @Sendable (Moment, Object) -> Property,
    write: @escaping @Sendable (Target, Property) throws(SessionError) -> Event
  ) -> Parameter.Binding {
    .transport(
      Parameter.Observed(
        { [self] moment, target in self.read(moment.state, target) { read(moment, $0).value } },
        isMoving: { [self] moment, target in
          self.read(moment.state, target) { isMoving(moment, $0) } ?? false
        }), write: { request throws(SessionError) in try write(request.target, try Property(request.value)) })
  }
}

// MARK: The kinds of objects

extension Table {
  static let router = Holder<RouterState, RouterSetting>(
    find: { state, _ in state }, event: { (_, setting) throws(SessionError) in .router(setting) })

  static let session = Holder<Session, SessionSetting>(
    visit: { state, target, body in
      if let id = target.session { state.sessions.read(id, body) }
    },
    event: { (target, setting) throws(SessionError) in .session(try target.id(of: \.session), setting) })

  static let stream = Holder<SessionStream, StreamSetting>(
    visit: { state, target, body in
      guard let session = target.session, let id = target.stream else { return }
      state.sessions.read(session) { $0.streams.read(id, body) }
    },
    event: { (target, setting) throws(SessionError) in
      .stream(try target.id(of: \.session), try target.id(of: \.stream), setting)
    })

  /// A destination that was never made reads as one that is off.
  static let destination = Holder<Destination, DestinationSetting>(
    visit: { state, target, body in
      guard let output = target.output else { return }
      stream.visit(state, target) { stream in
        if stream.destinations.read(output, body) == nil { body(Destination(isOn: false)) }
      }
    },
    event: { (target, setting) throws(SessionError) in
      // Key paths would take most of the time of thousands of destinations.
      guard let session = target.session, let stream = target.stream, let output = target.output else {
        throw Target.incomplete
      }
      return .destination(session, stream, output, setting)
    })

  /// The send of another session into a session's capture. It is off until a command sets it.
  static let captureSession = Holder<CaptureSend, CaptureSetting>(
    find: { state, target in
      target.other.map { state.session(target)?.capture.sessions[$0] ?? CaptureSend(isOn: false) }
    },
    event: { (target, setting) throws(SessionError) in
      .captureSession(try target.id(of: \.session), try target.id(of: \.other), setting)
    })

  /// The send of an input into a session's capture. It is off until a command sets it.
  static let captureInput = Holder<CaptureSend, CaptureSetting>(
    find: { state, target in
      target.input.map { state.session(target)?.capture.inputs[$0] ?? CaptureSend(isOn: false) }
    },
    event: { (target, setting) throws(SessionError) in
      .captureInput(try target.id(of: \.session), try target.id(of: \.input), setting)
    })

  static let player = Holder<MediaPlayer, PlayerSetting>(
    visit: { state, target, body in
      if let id = target.player { state.players.read(id, body) }
    },
    event: { (target, setting) throws(SessionError) in .player(try target.id(of: \.player), .set(setting)) })

  static let recorder = Holder<MediaRecorder, RecorderSetting>(
    visit: { state, target, body in
      if let id = target.recorder { state.recorders.read(id, body) }
    },
    event: { (target, setting) throws(SessionError) in
      .recorder(try target.id(of: \.recorder), .set(setting))
    })

  static let group = Holder<SoundGroup, GroupSetting>(
    visit: { state, target, body in if let id = target.group { state.groups.read(id, body) } },
    event: { (target, setting) throws(SessionError) in .group(try target.id(of: \.group), .set(setting)) })

  static let output = port(.output)
  static let input = port(.input)

  static func port(_ direction: Direction) -> Holder<Port, PortSetting> {
    Holder(
      visit: { state, target, body in
        if let id = target[direction] { state[direction].read(id, body) }
      },
      event: { (target, setting) throws(SessionError) in
        .port(direction, try target.id(of: direction == .output ? \.output : \.input), setting)
      })
  }

  /// One channel of an input.
  static let inputChannel = Holder<Port.ChannelStrip, ChannelSetting>(
    find: { state, target in
      guard let number = target.channel,
        let strips = target.input.flatMap({ state.inputs[$0]?.channelStrips }),
        strips.indices.contains(number - 1)
      else { return nil }
      return strips[number - 1]
    },
    event: { (target, setting) throws(SessionError) in
      .channel(try target.id(of: \.input), try target.id(of: \.channel), setting)
    })

  /// A source of interruptions. One that has never begun reads as off.
  static let interruption = Holder<Interruption, InterruptionSetting>(
    find: { state, target in target.source.map { state.interruptions[$0] ?? Interruption(id: $0) } },
    event: { (target, setting) throws(SessionError) in
      let source = try target.id(of: \.source)
      return switch setting {
      case .on(true): .beginInterruption(source)
      case .on(false): .endInterruption(source)
      case .ringing(let isRinging): .ring(source, isRinging)
      }
    })

  /// The settings of a source of interruptions.
  enum InterruptionSetting: Sendable {
    case on(Bool)
    case ringing(Bool)
  }
}

extension RouterState {
  /// The chain of effects that an address names.
  func insert(_ target: Target) -> Insert? { target.insert.flatMap { insert(at: $0) } }

  func session(_ target: Target) -> Session? { target.session.flatMap { sessions[$0] } }

  func stream(_ target: Target) -> SessionStream? {
    target.stream.flatMap { session(target)?.streams[$0] }
  }
}

extension Target {
  /// The chain of effects that an address names: that of a stream, of a capture, of an output or of an input.
  public var insert: InsertPlace? {
    if let session { return stream.map { .stream(session, $0) } ?? .capture(session) }
    return output.map { .output($0) } ?? input.map { .input($0) }
  }

  /// The port that an address names.
  fileprivate subscript(direction: Direction) -> PortID? { direction == .output ? output : input }

  /// The id of an object that a command or parameter requires, such as `\.session`.
  /// - Throws: `SessionError` notFound if the address has no such id.
  public func id<ID>(of place: KeyPath<Target, ID?>) throws(SessionError) -> ID {
    guard let id = self[keyPath: place] else { throw Self.incomplete }
    return id
  }

  fileprivate static let incomplete = SessionError(
    .notFound, "the address does not name all objects that it needs")
}
