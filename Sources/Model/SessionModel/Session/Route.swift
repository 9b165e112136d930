/// The ports that a session uses: the outputs where it is heard and the inputs that it captures from.
public struct Route: Equatable, Sendable {
  public var input: PortID?
  /// The second input of the mode dualRoute; nil in all others.
  public var secondaryInput: PortID?
  public var outputs: [PortID]

  public init(input: PortID? = nil, secondaryInput: PortID? = nil, outputs: [PortID] = []) {
    (self.input, self.secondaryInput, self.outputs) = (input, secondaryInput, outputs)
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

/// A temporary replacement for the route of a playAndRecord session (docs/law/preferences.md#3-speaker-override).
public enum PortOverride: String, CaseIterable, Sendable {
  case none
  /// The session uses the built-in speaker and microphone, whatever is plugged in.
  case speaker
}
