import Glibc

/// The file of the kept state: written whole, synced and renamed, by a thread of its own so that no disk holds policy up.
public final class StateFile: Sendable {
  private let path: String
  private let executor = ThreadExecutor(name: "mr-state")

  /// Held as long as we run; -1 where another router keeps its state in the same file, which we then leave alone.
  private let lock: Int32

  public init(path: String) {
    self.path = path
    Self.makeFolders(for: path)
    let descriptor = open("\(path).lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    if descriptor >= 0, flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      close(descriptor)
      lock = -1
    } else {
      lock = descriptor
    }
  }

  deinit { if lock >= 0 { close(lock) } }

  /// Whether the state can be kept: the folder can be written, and no other router keeps its own there.
  public var isOurs: Bool { lock >= 0 }

  /// What an earlier run left because it did not end in order; nil if there is nothing to read.
  public func read() -> KeptState? {
    guard isOurs else { return nil }
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = Glibc.read(descriptor, &chunk, chunk.count)
      guard count > 0 else { break }
      bytes += chunk[..<count]
    }
    return KeptState(text: bytes)
  }

  /// Writes soon; the caller does not wait.
  func write(_ kept: KeptState) {
    guard isOurs else { return }
    Task(executorPreference: executor) { [path] in Self.write(kept.text, to: path) }
  }

  /// Forgets the state: the end was in order. Waits for what is being written.
  func remove() {
    executor.stop()
    guard isOurs else { return }
    unlink(path)
    unlink("\(path).lock")
  }

  /// Whoever reads sees the old file or the new one, never half of one.
  private static func write(_ text: String, to path: String) {
    let fresh = "\(path).new"
    let descriptor = open(fresh, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return }
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      guard count > 0 else { break }
      bytes = bytes.dropFirst(count)
    }
    fsync(descriptor)
    close(descriptor)
    if bytes.isEmpty { rename(fresh, path) }
  }

  private static func makeFolders(for path: String) {
    var folder = ""
    for part in path.split(separator: "/").dropLast() {
      folder += "/\(part)"
      mkdir(folder, 0o700)
    }
  }
}
