public import Parameters
public import SessionModel

/// The client that made a change, and the settings that its command has set.
public struct Authorship: Sendable {
  /// The client in words, such as `tablet (192.168.1.20:9000)`.
  public let client: String
  /// Whether the command was refused, so that all its events are errors of the client.
  public let isRefused: Bool
  /// The settings; one may occur twice. They are collected only when they are read, because a pattern may set thousands, and often
  /// nothing reports them.
  public var settings: [SettingAddress] { collect() }
  private let collect: @Sendable () -> [SettingAddress]

  public init(
    client: String, isRefused: Bool = false,
    settings: @autoclosure @escaping @Sendable () -> [SettingAddress]
  ) {
    (self.client, self.isRefused, collect) = (client, isRefused, settings)
  }
}

/// One setting of one object, such as the gain of a session.
public struct SettingAddress: Sendable {
  /// Such as `/session/show/gain`.
  public let address: String
  private let parameter: Parameter
  private let target: Target

  /// - Parameter address: an address of the parameter or of a leaf beside it, such as `/session/show/fader`.
  public init(_ address: String, of parameter: Parameter, at target: Target) {
    let template = parameter.address.split(separator: "/")
    let parts = zip(template, address.split(separator: "/")).map { $0.hasPrefix("<") ? $1 : $0 }
    self.address = parts.map { "/\($0)" }.joined()
    (self.parameter, self.target) = (parameter, target)
  }

  /// The value at a time; nil if the object does not exist any more.
  public func value(in state: RouterState, at time: Double) -> Value? {
    parameter.read(Moment(state, at: time), target)
  }

  /// Whether the value still changes by itself, by a fade.
  public func isMoving(in state: RouterState, at time: Double) -> Bool {
    parameter.isMoving(Moment(state, at: time), target)
  }
}
