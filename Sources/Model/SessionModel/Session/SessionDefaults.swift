/// The values of new sessions and streams that no command and no preset sets.
public enum SessionDefaults {
  /// The stream of a session that a program creates over OSC.
  public static let stream: StreamID = "main"
  /// Channels of a stream.
  public static let streamChannels = 2
  /// Channels of the capture of a session whose category has input.
  public static let captureChannels = 1

  /// For sessions that a program creates over OSC: the program decides, as an app does under AVAudioSession.
  public static let ofPrograms = Conduct(activation: .manual, resumption: .never, unplug: .continue)
  /// For sessions of a preset: JACK programs know nothing of interruptions and plugs, so the router acts for them.
  public static let ofPresets = Conduct(activation: .connected, resumption: .recommended, unplug: .wait)

  /// The actions that the router takes for a session by itself.
  public struct Conduct: Sendable {
    public let activation: Activation
    public let resumption: Resumption
    public let unplug: UnplugConduct
  }
}
