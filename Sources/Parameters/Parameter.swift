public import SessionModel

/// One address of the router: its kind, range, unit and meaning, and how it reads and changes the state.
///
/// Dispatch, errors, discovery, preset keys, the schema and the reference in `docs/` are all made from the table of these.
public struct Parameter: Sendable {
  /// The address with placeholders, such as `/session/<s>/gain`.
  public let address: String
  public let kind: Kind
  /// `dB`, `s`, `Hz` or empty.
  public let unit: String
  /// One sentence for the reference.
  public let summary: String
  /// The right that changing it takes.
  public let right: Right
  /// What a recall must name in its scope to touch it.
  public let scope: Scope?
  /// Its key in a preset's object of the same owner, nil if presets do not say it.
  public let key: String?
  /// The object of a preset that it belongs to.
  public let owner: Table.Owner
  public let binding: Binding

  /// - Parameter owner: whose key it is, where that is not the innermost object of the address.
  init(
    _ address: String, _ kind: Kind, unit: String = "", right: Right = .control, scope: Scope? = nil,
    key: String? = nil, of owner: Table.Owner? = nil, _ binding: Binding, _ summary: String
  ) {
    (self.address, self.kind, self.unit, self.right) = (address, kind, unit, right)
    (self.scope, self.key, self.binding, self.summary) = (scope, key, binding, summary)
    self.owner = owner ?? Table.Owner(innermostOf: address)
  }

  /// How a parameter meets the state.
  public enum Binding: Sendable {
    /// A value that moves: read it with a time, move it by an event.
    case control(Moved)
    /// A value that is simply set.
    case value(read: Read, write: Write)
    case readOnly(Read)
    /// What only reads, and follows other sessions or the time.
    case observed(Observed)
    /// Carried out by the surface itself.
    case surface(Command)
  }

  /// Reads the value, or nil when there is none there.
  public typealias Read = @Sendable (RouterState, Target) -> Value?
  /// The event that sets the value.
  public typealias Write = @Sendable (Request) throws(SessionError) -> Event

  /// A set, as it reaches a parameter.
  public struct Request: Sendable {
    public let state: RouterState
    public let target: Target
    /// Of the parameter's kind, checked against its range.
    public let value: Value
    /// Further arguments of the message, as sent.
    public let extra: [Value]
    public init(state: RouterState, target: Target, value: Value, extra: [Value] = []) {
      (self.state, self.target, self.value, self.extra) = (state, target, value, extra)
    }
  }

  /// A parameter that sets and fades move.
  public struct Moved: Sendable {
    /// The value in force, its own or an inherited one.
    public let control: @Sendable (RouterState, Target) -> Control?
    public let move: @Sendable (Target, ControlMove) -> Event
    /// The most a surface may set here, dB; levels only.
    public let maximum: @Sendable (RouterState, Target) -> Double
    /// For what may inherit its value.
    public let inheritance: Inheritance?

    public init(
      _ control: @escaping @Sendable (RouterState, Target) -> Control?,
      maximum: @escaping @Sendable (RouterState, Target) -> Double = { _, _ in 10 },
      inheritance: Inheritance? = nil, move: @escaping @Sendable (Target, ControlMove) -> Event
    ) {
      (self.control, self.maximum, self.inheritance, self.move) = (control, maximum, inheritance, move)
    }

    /// Whether the value is inherited now.
    public func isInherited(_ state: RouterState, _ target: Target) -> Bool {
      inheritance?.isInForce(state, target) ?? false
    }

    /// The value if it is its own.
    public func own(_ state: RouterState, _ target: Target) -> Control? {
      isInherited(state, target) ? nil : control(state, target)
    }
  }

  /// How a value is inherited.
  public struct Inheritance: Sendable {
    public let isInForce: @Sendable (RouterState, Target) -> Bool
    /// Gives up a value of its own.
    public let event: @Sendable (Target) -> Event
    /// What the value reads, and is set to, while it is inherited.
    public static let word = "inherit"
  }

  /// What follows other sessions or the time.
  public struct Observed: Sendable {
    public let read: @Sendable (Moment, Target) -> Value?
    /// Whether it moves by itself now, along a ramp that will end.
    public let isMoving: @Sendable (Moment, Target) -> Bool

    public init(
      _ read: @escaping @Sendable (Moment, Target) -> Value?,
      isMoving: @escaping @Sendable (Moment, Target) -> Bool = { _, _ in false }
    ) {
      (self.read, self.isMoving) = (read, isMoving)
    }
  }

  /// The parts of the address.
  public var parts: [Substring] { address.split(separator: "/") }

  /// Whether it can be set at all.
  public var isWritable: Bool {
    switch binding {
    case .control, .value: true
    case .readOnly, .observed, .surface: false
    }
  }

  /// Whether it acts on its arguments; a meter is read, although the surface itself answers.
  public var isCommand: Bool { if case .surface(let command) = binding { command != .meter } else { false } }

  /// Whether it is sent to subscribers only, and never in a snapshot.
  public var isMeter: Bool { if case .surface(.meter) = binding { true } else { false } }

  /// Whether it is a level, and so in dB.
  public var isLevel: Bool { kind == .level }

  /// Reads the value; nil where there is none.
  public func read(_ moment: Moment, _ target: Target) -> Value? {
    switch binding {
    case .control(let moved):
      moved.isInherited(moment.state, target)
        ? .text(Inheritance.word)
        : moved.control(moment.state, target).map {
          .number($0.value(at: moment.time, isLevel: isLevel))
        }
    case .value(let read, _), .readOnly(let read): read(moment.state, target)
    case .observed(let observed): observed.read(moment, target)
    case .surface: nil
    }
  }

  /// Whether the value moves by itself now: by a fade, or along a ramp.
  public func isMoving(_ moment: Moment, _ target: Target) -> Bool {
    switch binding {
    case .control(let moved): moved.own(moment.state, target)?.isFading(at: moment.time) ?? false
    case .observed(let observed): observed.isMoving(moment, target)
    case .value, .readOnly, .surface: false
    }
  }
}
