import Glibc

/// The file of the kept state: written whole, synced and renamed, by a thread of its own so that no disk holds policy up.
public final class StateFile: Sendable {
  private let path: String
  private let executor = ThreadExecutor(name: "mr-state")

  public init(path: String) { self.path = path }

  /// What an earlier run left because it did not end in order; nil if there is nothing to read.
  public func read() -> KeptState? {
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
    Task(executorPreference: executor) { [path] in Self.write(kept.text, to: path) }
  }

  /// Forgets the state: the end was in order. Waits for what is being written.
  func remove() {
    executor.stop()
    unlink(path)
  }

  /// Whoever reads sees the old file or the new one, never half of one.
  private static func write(_ text: String, to path: String) {
    makeFolders(for: path)
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
