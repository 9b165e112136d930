/// How much of its time a scan works.
public enum ScanPace: Sendable {
  /// Without a pause: somebody waits for it.
  case full
  /// At most half of the time, so that processor, disk and memory stay free for the sound.
  case background
}
