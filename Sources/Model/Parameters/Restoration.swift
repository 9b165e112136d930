/// The steps in which kept values are set again after a start.
///
/// The law refuses some settings for active sessions and others for inactive ones, so the order matters.
/// Within a step the table gives the order (`Table.restoreOrder`).
public enum Restoration: Int, Comparable, CaseIterable, Sendable {
  /// At the creation of the session: category, mode and options, which the law judges together.
  case creation
  /// While all sessions are inactive.
  case settings
  /// Active sessions and interruptions, in the order in which they began.
  case activity
  /// After that: preferences that only active sessions may have.
  case whileActive
  /// At the end: a session in the background may not start or run.
  case background

  public static func < (left: Restoration, right: Restoration) -> Bool { left.rawValue < right.rawValue }
}

extension Table {
  /// All parameters that can be set, in the order in which kept values are set again.
  public static let restoreOrder: [Parameter] = Restoration.allCases.flatMap { step in
    parameters.filter { $0.isWritable && $0.restored == step }
  }
}
