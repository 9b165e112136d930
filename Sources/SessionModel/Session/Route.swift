/// Where a session is heard and what it captures.
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

  /// `in:mic out:usb,headphones`; `none` for a side without port.
  public var text: String { "in:\(Self.text(inputs)) out:\(Self.text(outputs))" }

  private static func text(_ ports: [PortID]) -> String {
    ports.isEmpty ? "none" : ports.map(\.name).joined(separator: ",")
  }
}

/// Why a route changed; numbers are AVAudioSession's.
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

/// What takes the place of a playAndRecord session's route for a while (semantics, section 10).
public enum PortOverride: String, CaseIterable, Sendable {
  case none
  /// Built-in speaker and built-in microphone, whatever is plugged in.
  case speaker
}
