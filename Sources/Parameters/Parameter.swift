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
  public let binding: Binding

  init(
    _ address: String, _ kind: Kind, unit: String = "", right: Right = .control, scope: Scope? = nil,
    key: String? = nil, _ binding: Binding, _ summary: String
  ) {
    (self.address, self.kind, self.unit, self.right) = (address, kind, unit, right)
    (self.scope, self.key, self.binding, self.summary) = (scope, key, binding, summary)
  }

  /// How a parameter meets the state.
  public enum Binding: Sendable {
    /// A value that moves: read it with a time, move it by an event.
    case control(Moved)
    /// A value that is simply set.
    case value(read: Read, write: Write)
    case readOnly(Read)
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
    public let control: @Sendable (RouterState, Target) -> Control?
    public let move: @Sendable (Target, ControlMove) -> Event
    /// The most a surface may set here, dB; levels only.
    public let maximum: @Sendable (RouterState, Target) -> Double
    /// Whether it can be faded.
    public init(
      _ control: @escaping @Sendable (RouterState, Target) -> Control?,
      maximum: @escaping @Sendable (RouterState, Target) -> Double = { _, _ in 10 },
      move: @escaping @Sendable (Target, ControlMove) -> Event
    ) {
      (self.control, self.maximum, self.move) = (control, maximum, move)
    }
  }

  /// The parts of the address.
  public var parts: [Substring] { address.split(separator: "/") }

  /// Whether it can be set at all.
  public var isWritable: Bool {
    switch binding {
    case .control, .value: true
    case .readOnly, .surface: false
    }
  }

  /// Whether it acts on its arguments; a meter is read, although the surface itself answers.
  public var isCommand: Bool { if case .surface(let command) = binding { command != .meter } else { false } }

  /// Whether it is sent to subscribers only, and never in a snapshot.
  public var isMeter: Bool { if case .surface(.meter) = binding { true } else { false } }

  /// Whether it is a level, and so in dB.
  public var isLevel: Bool { kind == .level }

  /// Reads the value at a time; nil where there is none.
  public func read(_ state: RouterState, _ target: Target, at time: Double) -> Value? {
    switch binding {
    case .control(let moved):
      moved.control(state, target).map { .number($0.value(at: time, isLevel: isLevel)) }
    case .value(let read, _), .readOnly(let read): read(state, target)
    case .surface: nil
    }
  }
}
