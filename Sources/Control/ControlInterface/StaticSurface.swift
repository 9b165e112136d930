public import Patterns

/// A surface that gets feedback without asking: a device that cannot send `/hello` and `/subscribe` (`surfaces` of the configuration).
public struct StaticSurface: Equatable, Sendable {
  public var name: String
  public var host: HostAddress
  /// The UDP port at which the surface receives.
  public var port: UInt16
  /// What it gets; empty for everything but meters.
  public var subscriptions: [AddressPattern] = []
  /// Messages a second of one address; nil for the usual rate.
  public var rate: Double?
  public var echo = Echo.settled
  public var switches = SwitchFormat.integers
  /// The bank of strips that the surface has; nil if it has none.
  public var bank: Bank?

  public init(name: String, host: HostAddress, port: UInt16) {
    (self.name, self.host, self.port) = (name, host, port)
  }

  /// A bank of strips.
  public struct Bank: Equatable, Sendable {
    public var number: Int
    /// The number of strips.
    public var size: Int

    public init(number: Int, size: Int) { (self.number, self.size) = (number, size) }
  }
}

/// What a surface hears of a value that it sets itself.
public enum Echo: String, CaseIterable, Sendable {
  /// The applied value, once, a moment after its last set.
  case settled
  /// Every change at once.
  case always
  /// Nothing, unless the value has become another one.
  case never
}

/// How switches and lamps are sent to a surface.
public enum SwitchFormat: String, CaseIterable, Sendable {
  case integers = "i"
  case floats = "f"
  case tags = "tf"
}
