import Glibc

/// Events of a folder and the files in it, and how a folder is watched (inotify(7)).
public struct FolderEvents: OptionSet, Hashable, Sendable {
  public let rawValue: UInt32
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  public static let created = FolderEvents(rawValue: UInt32(IN_CREATE))
  public static let deleted = FolderEvents(rawValue: UInt32(IN_DELETE))
  /// A file was renamed to this name, or from this name.
  public static let movedIn = FolderEvents(rawValue: UInt32(IN_MOVED_TO))
  public static let movedOut = FolderEvents(rawValue: UInt32(IN_MOVED_FROM))
  /// A file's permissions, owner or times changed.
  public static let attributes = FolderEvents(rawValue: UInt32(IN_ATTRIB))
  /// A file was written or truncated. Its writer still has it open.
  public static let written = FolderEvents(rawValue: UInt32(IN_MODIFY))
  public static let closedAfterWriting = FolderEvents(rawValue: UInt32(IN_CLOSE_WRITE))
  /// The watched folder itself was deleted or renamed.
  public static let selfDeleted = FolderEvents(rawValue: UInt32(IN_DELETE_SELF))
  public static let selfMoved = FolderEvents(rawValue: UInt32(IN_MOVE_SELF))

  /// Only for `inotify_add_watch`: refuses symbolic links.
  public static let noLink = FolderEvents(rawValue: UInt32(IN_DONT_FOLLOW))

  /// Only reported: the system dropped events because nobody read them in time.
  public static let overflowed = FolderEvents(rawValue: UInt32(IN_Q_OVERFLOW))
  /// Only reported: the folder is no longer watched.
  public static let ended = FolderEvents(rawValue: UInt32(IN_IGNORED))
  /// Only reported, beside another event: the name is that of a folder.
  public static let isFolder = FolderEvents(rawValue: UInt32(IN_ISDIR))
}

/// An event in a watched folder.
public struct FolderChange: Hashable, Sendable {
  /// The number that `inotify_add_watch` returned; negative for `overflowed`.
  public var watch: Int32
  public var events: FolderEvents
  /// The name in the folder; empty for events of the folder itself.
  public var name: String

  public init(watch: Int32, events: FolderEvents, name: String) {
    (self.watch, self.events, self.name) = (watch, events, name)
  }
}

extension System {
  /// Makes a descriptor that becomes readable after events in watched folders.
  public static func inotify_init1() throws(SystemError) -> Int32 {
    try check("inotify_init1", Glibc.inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK)))
  }

  /// Watches a folder. A folder that is watched already gets the further events.
  ///
  /// - Returns: the number of the watch, which stays the same for a folder that is watched already.
  @discardableResult
  public static func inotify_add_watch(
    _ descriptor: Int32, _ folder: String, _ events: FolderEvents
  ) throws(SystemError) -> Int32 {
    let mask = events.rawValue | UInt32(IN_ONLYDIR) | UInt32(IN_MASK_ADD)
    return try check("inotify_add_watch", Glibc.inotify_add_watch(descriptor, folder, mask), folder)
  }

  /// Stops watching a folder; a watch that does not exist is ignored.
  public static func inotify_rm_watch(_ descriptor: Int32, _ watch: Int32) {
    _ = Glibc.inotify_rm_watch(descriptor, watch)
  }

  /// The events since the last call, in order. Never waits.
  public static func inotify_read(_ descriptor: Int32) -> [FolderChange] {
    var changes: [FolderChange] = []
    withUnsafeTemporaryAllocation(byteCount: 4_096, alignment: 8) { buffer in
      let header = MemoryLayout<inotify_event>.size
      while case let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count), count > 0 {
        var offset = 0
        while offset + header <= count {
          let event = buffer.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
          let end = offset + header + Int(event.len)
          let name = buffer[(offset + header)..<end].prefix { $0 != 0 }
          changes.append(
            FolderChange(
              watch: event.wd, events: FolderEvents(rawValue: event.mask),
              name: String(decoding: name, as: UTF8.self)))
          offset = end
        }
      }
    }
    return changes
  }
}
