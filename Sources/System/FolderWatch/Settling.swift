import SystemCalls

/// Tells when an editor has finished with a file.
///
/// Editors write in several steps: they truncate and write, write twice, or move files around. An edit is over when nothing has happened for
/// a while and no changed file is still open for writing. A program that keeps a file open is waited for only so long.
struct Settling {
  /// Seconds without an event after which an edit is over.
  static let quiet = 0.2
  /// Seconds to wait for a file that is still open.
  static let patience = 1.0

  private let suffix: String
  /// The files that were changed and not yet closed.
  private var open: Set<String> = []
  /// When the edit is over, in seconds of the caller's clock; nil without an edit.
  private(set) var due: Double?

  /// - Parameter suffix: how the names of files end that count.
  init(suffix: String) { self.suffix = suffix }

  /// Takes an event of a watched folder.
  mutating func note(_ change: FolderChange, at time: Double) {
    guard change.name.hasSuffix(suffix) else { return }
    if !change.events.isDisjoint(with: [.written, .created]) { open.insert(change.name) }
    if !change.events.isDisjoint(with: [.closedAfterWriting, .movedIn, .movedOut, .deleted]) {
      open.remove(change.name)
    }
    due = time + (open.isEmpty ? Self.quiet : Self.patience)
  }

  /// Notes that any file may have changed.
  mutating func noteUnknown(at time: Double) { due = max(due ?? 0, time + Self.quiet) }

  /// Whether an edit is over now; true once for each.
  mutating func take(at time: Double) -> Bool {
    guard let due, due <= time else { return false }
    (self.due, open) = (nil, [])
    return true
  }
}
