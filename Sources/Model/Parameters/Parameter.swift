public import Effects
public import SessionModel

/// One address of the router: its kind, range, unit and meaning, and how it reads and changes the state.
///
/// Dispatch, errors, discovery, preset keys, the schema and the reference in `docs/` all follow from the table of
/// parameters. A parameter is a class, because a recall copies thousands of references to parameters.
public final class Parameter: Sendable {
  /// The address with placeholders, such as `/session/<s>/gain`.
  public let address: String
  public let kind: Kind
  /// `dB`, `s`, `Hz` or empty.
  public let unit: String
  /// One sentence for the reference.
  public let summary: String
  /// The permission that a change needs.
  public let right: Right
  /// The scope that a recall must name to change the parameter.
  public let scope: Scope?
  /// The key in the owner's object of a preset; nil if presets do not contain the parameter.
  public let key: String?
  /// The kind of preset object that contains the key.
  public let owner: Table.Owner
  /// The step of a restoration that sets a kept value again.
  public let restored: Restoration
  public let binding: Binding
  /// The parts of the address.
  public let parts: [Substring]
  /// The places for ids in the address, in order.
  public let placeholders: [Placeholder]

  /// - Parameters:
  ///   - owner: the object that has the key, if not the innermost object of the address.
  ///   - restored: the step of a restoration that sets a kept value again, if not the step of plain settings.
  init(
    _ address: String, _ kind: Kind, unit: String = "", right: Right = .control, scope: Scope? = nil,
    key: String? = nil, of owner: Table.Owner? = nil, restored: Restoration = .settings, _ binding: Binding,
    _ summary: String
  ) {
    (self.address, self.kind, self.unit, self.right) = (address, kind, unit, right)
    (self.scope, self.key, self.binding, self.summary) = (scope, key, binding, summary)
    self.restored = restored
    let parts = address.split(separator: "/")
    self.parts = parts
    placeholders = parts.compactMap { Placeholder(rawValue: String($0)) }
    self.owner = owner ?? Table.Owner(innermostOf: address)
  }

  /// How a parameter reads and changes the state.
  public enum Binding: Sendable {
    /// A value that can fade: a reading depends on the time, and an event moves the value.
    case control(Moved)
    /// A value that is set without a fade.
    case value(read: Read, write: Write)
    case readOnly(Read)
    /// A read-only value that follows from other sessions or from the time.
    case observed(Observed)
    /// A read-only value that is measured all the time. It goes to subscribers whose pattern names it, and is never
    /// part of a snapshot.
    case measured(Read)
    /// A position or state of a player. It changes by itself and can be set, but a kept state or an undo does not
    /// restore it.
    case transport(Observed, write: Write)
    /// A leaf of a strip, which stands for a leaf of the strip's target.
    case alias(Alias)
    /// An action that the law carries out. Its arguments make the event.
    case action(Action)
    /// A command that the surface itself carries out.
    case surface(Command)
    /// A command that the surface itself carries out, with a value that shows the effect.
    case lamp(Command, lit: Read)
  }

  /// Reads the value; nil if there is none.
  public typealias Read = @Sendable (RouterState, Target) -> Value?
  /// Makes the event that sets the value.
  public typealias Write = @Sendable (Request) throws(SessionError) -> Event
  /// Makes the event of an action.
  public typealias Action = @Sendable (ActionRequest) throws(SessionError) -> Event

  /// A request to set a parameter.
  public struct Request: Sendable {
    public let state: RouterState
    public let target: Target
    /// The value, of the parameter's kind and within its range.
    public let value: Value
    /// The message's further arguments, as sent.
    public let extra: [Value]
    public init(state: RouterState, target: Target, value: Value, extra: [Value] = []) {
      (self.state, self.target, self.value, self.extra) = (state, target, value, extra)
    }
  }

  /// A level or number that sets and fades change.
  public struct Moved: Sendable {
    /// Reads the control; nil if no object has the address.
    public let reading: @Sendable (RouterState, Target) -> Reading?
    /// Makes the event that carries out a change.
    public let move: @Sendable (Target, ControlMove) throws(SessionError) -> Event
    /// Present if the value may be inherited.
    public let inheritance: Inheritance?
    /// Whether the value is part of another parameter's, with which kept states and an undo have it.
    public let isPart: Bool

    public init(
      _ reading: @escaping @Sendable (RouterState, Target) -> Reading?, inheritance: Inheritance? = nil,
      isPart: Bool = false, move: @escaping @Sendable (Target, ControlMove) throws(SessionError) -> Event
    ) {
      (self.reading, self.inheritance, self.isPart, self.move) = (reading, inheritance, isPart, move)
    }

    /// A level or number with its maximum.
    public struct Reading: Sendable {
      /// The value in force, own or inherited.
      public let control: Control
      /// The highest level that a surface may set, in dB; for levels only.
      public let maximum: Double
      /// The highest value that needs only the parameter's permission. A higher value needs the permission admin.
      public let free: Double
      /// For a control of a plugin: its range, unit and choices.
      public let plugin: EffectControl?
      public init(
        control: Control, maximum: Double = Decibels.highest, free: Double = .infinity,
        plugin: EffectControl? = nil
      ) {
        (self.control, self.maximum, self.free, self.plugin) = (control, maximum, free, plugin)
      }

      /// The value at a time.
      public func value(at time: Double, isLevel: Bool) -> Double {
        plugin?.value(of: control, at: time) ?? control.value(at: time, isLevel: isLevel)
      }

      /// The value that the control takes for a wanted one within its range.
      public func accepted(_ value: Double) -> Double {
        guard let plugin, plugin.kind != .continuous else { return value }
        return Double(plugin.accepted(Float(value)))
      }
    }

    /// The value in force, own or inherited.
    public func control(_ state: RouterState, _ target: Target) -> Control? {
      reading(state, target)?.control
    }

    /// Whether the value is inherited at present.
    public func isInherited(_ state: RouterState, _ target: Target) -> Bool {
      inheritance?.isInForce(state, target) ?? false
    }

    /// The value, unless it is inherited.
    public func own(_ state: RouterState, _ target: Target) -> Control? {
      isInherited(state, target) ? nil : control(state, target)
    }
  }

  /// How a value is inherited.
  public struct Inheritance: Sendable {
    public let isInForce: @Sendable (RouterState, Target) -> Bool
    /// Makes the event that removes the object's own value.
    public let event: @Sendable (Target) throws(SessionError) -> Event
    /// The word that sets a value to inherited, and that an inherited value reads as.
    public static let word = "inherit"
  }

  /// A value that follows from other sessions or from the time.
  public struct Observed: Sendable {
    public let read: @Sendable (Moment, Target) -> Value?
    /// Whether the value changes by itself at present, along a ramp with an end.
    public let isMoving: @Sendable (Moment, Target) -> Bool

    public init(
      _ read: @escaping @Sendable (Moment, Target) -> Value?,
      isMoving: @escaping @Sendable (Moment, Target) -> Bool = { _, _ in false }
    ) {
      (self.read, self.isMoving) = (read, isMoving)
    }
  }

  /// Whether the parameter can be set.
  public var isWritable: Bool {
    switch binding {
    case .control, .value, .transport, .alias: true
    case .readOnly, .observed, .measured, .action, .surface, .lamp: false
    }
  }

  /// Whether the parameter is a setting: it keeps its value until somebody sets another value.
  public var isSetting: Bool {
    switch binding {
    case .control(let moved): !moved.isPart
    case .value: true
    case .readOnly, .observed, .measured, .transport, .alias, .action, .surface, .lamp: false
    }
  }

  /// The command that the surface carries out itself or passes to the law; nil for a parameter without a command.
  public var command: Command? {
    switch binding {
    case .surface(let command), .lamp(let command, _): command
    case .action: .act
    case .control, .value, .readOnly, .observed, .measured, .transport, .alias: nil
    }
  }

  /// Makes the event of an action; nil for any other parameter.
  public var action: Action? { if case .action(let action) = binding { action } else { nil } }

  /// Whether the parameter takes arguments and acts on them. A meter does not, although the surface itself answers it.
  public var isCommand: Bool { command.map { $0 != .meter } ?? false }

  /// Whether the parameter is a command that also has a value.
  public var isLamp: Bool { if case .lamp = binding { true } else { false } }

  /// Whether the parameter goes only to subscribers, and is never part of a snapshot.
  public var isMeter: Bool { if case .surface(.meter) = binding { true } else { false } }

  /// The value of an output's meters that the parameter shows; nil for any other parameter.
  public var meterValue: MeterValue? { isMeter ? Table.meterValues[address] : nil }

  /// Whether the parameter is measured all the time, and goes to subscribers whose pattern names it.
  public var isMeasured: Bool { if case .measured = binding { true } else { false } }

  /// Whether the parameter is a control of a plugin, which has a range of its own.
  public var isPluginControl: Bool {
    if case .control = binding { parts.last.map(String.init) == Placeholder.control.rawValue } else { false }
  }

  /// Whether the parameter is a level, in dB.
  public var isLevel: Bool { kind == .level }

  /// Reads the value; nil if the parameter has none.
  public func read(_ moment: Moment, _ target: Target) -> Value? {
    switch binding {
    case .control(let moved):
      moved.isInherited(moment.state, target)
        ? .text(Inheritance.word)
        : moved.reading(moment.state, target).map {
          .number($0.value(at: moment.time, isLevel: isLevel))
        }
    case .value(let read, _), .readOnly(let read), .measured(let read), .lamp(_, let read):
      read(moment.state, target)
    case .observed(let observed), .transport(let observed, _): observed.read(moment, target)
    case .alias(let alias): alias.read(moment, target)
    case .surface, .action: nil
    }
  }

  /// Whether the value changes by itself at present, by a fade or along a ramp.
  public func isMoving(_ moment: Moment, _ target: Target) -> Bool {
    switch binding {
    case .control(let moved): moved.own(moment.state, target)?.isFading(at: moment.time) ?? false
    case .observed(let observed), .transport(let observed, _): observed.isMoving(moment, target)
    case .alias(let alias): alias.isMoving(moment, target)
    case .value, .readOnly, .measured, .action, .surface, .lamp: false
    }
  }
}
