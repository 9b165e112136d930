/// How much the memory between the audio thread and the effects program has room for.
public enum EffectLimits {
  /// Chains.
  public static var chains: Int { @_noLocks get { 64 } }
  /// Effects of a chain.
  public static var effects: Int { @_noLocks get { 8 } }
  /// Channels of a chain.
  public static var channels: Int { @_noLocks get { 8 } }
  /// Channels of another sound that a chain's effects listen to.
  public static var sideChannels: Int { @_noLocks get { 2 } }
  /// Values that the plugins of a chain show.
  public static var meters: Int { @_noLocks get { 256 } }
  /// Frames by which a chain delays its sound at most.
  public static var latency: Int { @_noLocks get { 8_192 } }
  /// Changes of controls that wait.
  static var changes: Int { @_noLocks get { 4_096 } }
  /// Frames of the longest period.
  public static var frames: Int { @_noLocks get { 8_192 } }
  /// Frames of a channel's input that are kept: a power of two, and more than the plugins and the longest period delay the sound together.
  public static var circle: Int { @_noLocks get { 32_768 } }
}
