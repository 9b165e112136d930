/// What all plugins of a run share.
struct HostSettings {
  /// Frames per second.
  var rate: Double
  /// Frames of the longest block.
  var frames: Int
}
