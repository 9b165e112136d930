import SessionModel

/// The disk of the recordings is nearly full.
struct FullDisk: HealthCheck {
  static let rule = HealthRule.disk
  private var isLow = false

  /// Free bytes below which the condition begins, and above which it ends.
  private static let (begin, end) = (1 << 30, 5 << 28)

  mutating func sentence(_ view: HealthView) -> String? {
    guard let disk = view.facts.disk else {
      isLow = false
      return nil
    }
    isLow = disk.free < (isLow ? Self.end : Self.begin)
    return isLow
      ? "the disk of \(disk.folder) is nearly full, so recordings will stop; delete files, or set `media` to a folder on another disk"
      : nil
  }
}
