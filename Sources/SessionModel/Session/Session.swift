/// A source with a role: what it is for, who may hear it, and how loud the operator wants it.
public struct Session: Equatable, Sendable {
  public let id: SessionID
  /// Display name.
  public var name: String
  public var category: Category = .soloAmbient
  public var mode: Mode = .default
  public var options: SessionOptions = []
  public private(set) var isActive = false
  /// When the router activates the session by itself.
  public var activation: Activation = .manual
  /// The operator's level in dB; policy never writes it.
  public var gain = Control(0)
  /// No surface sets the gain above this, dB.
  public var maximum: Double = 10
  /// The operator's mute.
  public var isMuted = false
  /// Streams in the order they were made.
  public var streams = Registry<StreamID, SessionStream>()
  public var capture = Capture()
  /// The output used whenever it is connected, for categories with one output.
  public var preferredOutput: PortID?
  /// Where the session is now; decided by policy.
  public var route = Route()
  /// Whether some program is connected to it.
  public var isConnected = false

  public init(id: SessionID) { (self.id, name) = (id, id.name) }

  /// Whether the session plays beside others by itself or by option.
  public var isMixable: Bool { category == .ambient || options.contains(.mixWithOthers) }

  /// Whether it was active when the audio server was lost, or shall start with it: `start` sessions come back then.
  public var returnsAfterReset = false

  public mutating func setActive(_ active: Bool) { isActive = active }
}

/// When the router activates a session by itself.
public enum Activation: String, CaseIterable, Sendable {
  case manual, start, connected, signal
}

/// Where a session is heard and what it captures.
public struct Route: Equatable, Sendable {
  public var input: PortID?
  public var outputs: [PortID]

  public init(input: PortID? = nil, outputs: [PortID] = []) { (self.input, self.outputs) = (input, outputs) }

  /// `in:mic out:usb,headphones`; `none` for a side without port.
  public var text: String {
    let out = outputs.isEmpty ? "none" : outputs.map(\.name).joined(separator: ",")
    return "in:\(input?.name ?? "none") out:\(out)"
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

/// What a session's programs receive.
public struct Capture: Equatable, Sendable {
  /// Channels of the capture; 0 when the session has none.
  public var channels = 0
  /// JACK ports that the capture feeds.
  public var destinations: [PortGlob] = []
  /// Other sessions in it: a mix-minus.
  public var sessions = Registry<SessionID, CaptureSend>()
  /// Inputs in it.
  public var inputs = Registry<PortID, CaptureSend>()

  public init() {}
}

/// One contribution to a capture.
public struct CaptureSend: Equatable, Sendable {
  public var isOn: Bool
  /// dB.
  public var gain: Control
  public init(isOn: Bool = true, gain: Double = 0) { (self.isOn, self.gain) = (isOn, Control(gain)) }
}
