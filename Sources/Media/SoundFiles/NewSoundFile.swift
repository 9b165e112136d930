import Synchronization
import SystemCalls

/// A sound file that gets its name only when it is whole.
///
/// Until then it has a hidden name in the same folder. A file that is given up leaves nothing. If the program is killed, the hidden file
/// stays until the next one of its name replaces it. One thread at a time writes; any thread may give the file up.
///
/// `@unchecked Sendable` is safe because only the writing thread uses the writer.
public final class NewSoundFile: @unchecked Sendable {
  /// Where the file is in the end.
  public let path: String
  private let hiddenPath: String
  private let replaces: Bool
  private let writer: SoundFileWriter
  /// A second descriptor of the file: it holds the lock that tells other programs that the file is being written.
  private let descriptor: Int32
  /// Whether the file has its name or was given up.
  private let isOver = Mutex(false)
  private var unsynced = 0

  /// Bytes of samples after which the disk gets what was written, so that it never has to take much at once.
  private static let mostUnsynced = 8 << 20

  /// Begins a file in the format that the ending of its name says.
  ///
  /// - Parameter replaces: whether it may replace a file of its name.
  /// - Throws: `MediaError.unknownFormat`; `unwritable`, also if another program is writing a file of this name.
  public init(path: String, replaces: Bool, channelCount: Int, sampleRate: Int) throws(MediaError) {
    guard SoundFileFormat(path: path) != nil else { throw .unknownFormat(path: path) }
    // A link stays, and what it leads to is replaced.
    let target = replaces ? (try? System.realpath(path)) ?? path : path
    if let present = try? System.lstat(target) {
      guard replaces else { throw Self.exists(path) }
      guard present.kind == .file else {
        throw .unwritable(path: path, reason: "it is \(present.kind.noun), not a file")
      }
    }
    let slash = target.lastIndex(of: "/").map(target.index(after:)) ?? target.startIndex
    let hiddenPath = "\(target[..<slash]).\(target[slash...]).part"
    let claimed: Int32
    do throws(SystemError) { (claimed, descriptor) = try Self.claim(hiddenPath) } catch {
      throw .unwritable(path: path, reason: error.reason)
    }
    do throws(MediaError) {
      writer = try SoundFileWriter(
        descriptor: claimed, path: path, channelCount: channelCount, sampleRate: sampleRate)
    } catch {
      try? System.unlink(hiddenPath)
      System.close(descriptor)
      throw error
    }
    (self.path, self.hiddenPath, self.replaces) = (target, hiddenPath, replaces)
  }

  deinit {
    giveUp()
    System.close(descriptor)
  }

  private static func exists(_ path: String) -> MediaError {
    .unwritable(path: path, reason: "there is a file of this name, which is never overwritten")
  }

  /// Makes the hidden file, and locks it. A hidden file that no program has locked is what a killed program left; it goes.
  ///
  /// - Returns: two descriptors of the file.
  private static func claim(_ path: String) throws(SystemError) -> (Int32, Int32) {
    for _ in 0..<10 {
      let (descriptor, isNew): (Int32, Bool)
      do throws(SystemError) {
        (descriptor, isNew) = (try System.open(path, [.readWrite, .create, .exclusive]), true)
      } catch {
        guard error.number == .exists else { throw error }
        guard let present = try? System.open(path, [.noLink, .nonblocking]) else { continue }
        (descriptor, isNew) = (present, false)
      }
      // Some file systems know no locks; two programs that write one file there are unlikely.
      guard (try? System.flock(descriptor)) ?? true else {
        System.close(descriptor)
        throw SystemError("open", .again, path, reason: "it is being written already")
      }
      if isSame(descriptor, path) {
        if isNew, let second = try? System.dup(descriptor) { return (descriptor, second) }
        try? System.unlink(path)
      }
      System.close(descriptor)
    }
    throw SystemError("open", .again, path, reason: "other programs make files of this name")
  }

  private static func isSame(_ descriptor: Int32, _ path: String) -> Bool {
    guard let open = try? System.fstat(descriptor), let named = try? System.lstat(path) else { return false }
    return open.isSameFile(as: named)
  }

  public var channelCount: Int { writer.channelCount }

  /// Appends samples, one array for each channel, all of the same length.
  ///
  /// - Throws: `MediaError.unwritable`.
  public func write(_ channels: [[Float]]) throws(MediaError) {
    try writer.write(channels)
    unsynced += channels.count * (channels.first?.count ?? 0) * MemoryLayout<Float>.size
    if unsynced > Self.mostUnsynced {
      unsynced = 0
      writer.sync()
    }
  }

  /// Gives the whole file its name. Nothing can be written afterwards.
  ///
  /// - Throws: `MediaError.unwritable`, also if the file was given up, or if a file of its name has appeared that must not be replaced.
  public func finish() throws(MediaError) {
    try writer.close()
    do throws(SystemError) { try System.fsync(descriptor) } catch {
      throw .unwritable(path: path, reason: error.reason)
    }
    let failure: MediaError? = isOver.withLock { isOver in
      guard !isOver else { return .unwritable(path: path, reason: "it was given up") }
      do throws(SystemError) {
        if replaces {
          try System.rename(hiddenPath, to: path)
        } else {
          try System.rename(hiddenPath, toNew: path)
        }
      } catch {
        return error.number == .exists ? Self.exists(path) : .unwritable(path: path, reason: error.reason)
      }
      isOver = true
      return nil
    }
    if let failure { throw failure }
    WholeFile.syncFolder(of: path)
  }

  /// Removes what was written. Without effect after `finish`. Any thread may call, also while another one writes.
  public func giveUp() {
    isOver.withLock { isOver in
      guard !isOver else { return }
      isOver = true
      try? System.unlink(hiddenPath)
    }
  }
}
