import Foundation

/// A small disk that only one program has: a tmpfs in a mount namespace of its own.
public struct PrivateDisk {
  /// The folder of the disk as the program sees it. Outside, this folder is empty.
  public let path: String
  /// A program and its words, which mount the disk and then become the program that follows.
  public let launcher: [String]

  /// The first way in which the system lets this user make a mount namespace; nil if there is none. The run then reports that.
  private static let unshare: [String]? = {
    let ways = [
      ["unshare", "--mount"], ["unshare", "--user", "--map-current-user", "--keep-caps", "--mount"],
    ]
    for way in ways {
      let probe = try? ChildProcess(way[0], way.dropFirst() + ["mount", "-t", "tmpfs", "none", "/mnt"])
      if probe?.wait(seconds: 10) == 0 { return way }
    }
    TestNotes.remark("no test had a full disk, since the system lets this user make no mount namespace")
    return nil
  }()

  /// Whether this user can have such disks.
  public static var isPossible: Bool { unshare != nil }

  /// Describes a disk; the launcher mounts it.
  ///
  /// - Parameter kibibytes: the size, a multiple of 4.
  public init?(in folder: TemporaryFolder, kibibytes: Int) throws {
    guard let unshare = Self.unshare else { return nil }
    path = folder.file("disk")
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    let script = "mount -t tmpfs -o size=\(kibibytes)k none \"$0\" && exec \"$@\""
    launcher = unshare + ["sh", "-c", script, path]
  }

  /// Makes the disk of a running program read-only, or writable again.
  public func setReadOnly(_ isReadOnly: Bool, of process: Int32) throws {
    let isOurs = Self.unshare?.contains("--user") != true
    let enter = ["--target", "\(process)", "--mount"] + (isOurs ? [] : ["--user", "--preserve-credentials"])
    // A file that a program has removed keeps the disk busy until the program has closed it.
    let end = ContinuousClock.now + .seconds(10)
    while true {
      let mount = try ChildProcess(
        "nsenter", enter + ["mount", "-o", "remount,\(isReadOnly ? "ro" : "rw")", path])
      if mount.wait(seconds: 10) == 0 { return }
      guard mount.errors.text.contains("busy"), ContinuousClock.now < end else {
        throw CocoaError(.fileWriteVolumeReadOnly, userInfo: [NSFilePathErrorKey: mount.errors.text])
      }
      usleep(20_000)
    }
  }

  /// The path at which this process finds a file of the disk of a running program.
  public func file(_ name: String, of process: Int32) -> String { "/proc/\(process)/root\(path)/\(name)" }

  /// Fills the disk of a running program to the last page, or makes room again.
  public func setFull(_ isFull: Bool, of process: Int32) throws {
    let filling = file("filling", of: process)
    guard isFull else { return try FileManager.default.removeItem(atPath: filling) }
    let descriptor = open(filling, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: filling])
    }
    defer { close(descriptor) }
    let page = [UInt8](repeating: 0, count: 4_096)
    while write(descriptor, page, page.count) > 0 {}
  }
}
