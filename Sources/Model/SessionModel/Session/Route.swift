/// The ports that a session uses: the outputs where it is heard and the inputs that it captures from.
///
/// The ports are behind one reference: a thousand sessions may get the same route at once, and each of them is told of it.
public struct Route: Equatable, Sendable {
  @usableFromInline var ports: Shared<Ports>

  @usableFromInline struct Ports: Equatable, Sendable {
    @usableFromInline var input: PortID?
    @usableFromInline var secondaryInput: PortID?
    @usableFromInline var outputs: [PortID]
  }

  public init(input: PortID? = nil, secondaryInput: PortID? = nil, outputs: [PortID] = []) {
    ports = Shared(Ports(input: input, secondaryInput: secondaryInput, outputs: outputs))
  }

  @inlinable public var input: PortID? {
    _read { yield ports.value.input }
    _modify { yield &ports.value.input }
  }
  /// The second input of the mode dualRoute; nil in all others.
  @inlinable public var secondaryInput: PortID? {
    _read { yield ports.value.secondaryInput }
    _modify { yield &ports.value.secondaryInput }
  }
  @inlinable public var outputs: [PortID] {
    _read { yield ports.value.outputs }
    _modify { yield &ports.value.outputs }
  }

  /// The inputs, the primary one first.
  public var inputs: [PortID] { [input, secondaryInput].compactMap(\.self) }

  /// The route as text, such as `in:mic out:usb,headphones`; a direction without a port is `none`.
  public var text: String { "in:\(Self.text(inputs)) out:\(Self.text(outputs))" }

  private static func text(_ ports: [PortID]) -> String {
    ports.isEmpty ? "none" : ports.map(\.name).joined(separator: ",")
  }
}

/// Why a route changed. The numbers are AVAudioSession's.
public enum RouteChangeReason: Int, Sendable {
  case unknown = 0
  case newDeviceAvailable = 1
  case oldDeviceUnavailable = 2
  case categoryChange = 3
  case override = 4
  case wakeFromSleep = 6
  case noSuitableRouteForCategory = 7
  case routeConfigurationChange = 8
}

/// A temporary replacement for the route of a playAndRecord session (docs/develop/law/preferences.md#3-speaker-override).
public enum PortOverride: String, CaseIterable, Sendable {
  case none
  /// The session uses the built-in speaker and microphone, whatever is plugged in.
  case speaker
}
