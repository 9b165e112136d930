import Glibc

/// Events of the files in a folder, and of the folder itself.
public struct FolderEvents: OptionSet, Hashable, Sendable {
  public let rawValue: UInt32
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  public static let created = FolderEvents(rawValue: UInt32(IN_CREATE))
  public static let deleted = FolderEvents(rawValue: UInt32(IN_DELETE))
  /// A file was renamed to this name.
  public static let movedIn = FolderEvents(rawValue: UInt32(IN_MOVED_TO))
  /// A file of this name was renamed.
  public static let movedOut = FolderEvents(rawValue: UInt32(IN_MOVED_FROM))
  /// A file's permissions, owner or times changed.
  public static let attributes = FolderEvents(rawValue: UInt32(IN_ATTRIB))
  /// A file was written or truncated. Its writer still has it open.
  public static let written = FolderEvents(rawValue: UInt32(IN_MODIFY))
  public static let closedAfterWriting = FolderEvents(rawValue: UInt32(IN_CLOSE_WRITE))
  /// The folder itself was deleted or renamed.
  public static let folderGone = FolderEvents(rawValue: UInt32(IN_DELETE_SELF) | UInt32(IN_MOVE_SELF))
  /// The event is about a folder in the watched one. Only reported.
  public static let isFolder = FolderEvents(rawValue: UInt32(IN_ISDIR))
  /// Events were lost, because too many waited. Only reported.
  public static let overflow = FolderEvents(rawValue: UInt32(IN_Q_OVERFLOW))
}

/// An event of a file in a watched folder.
public struct FolderEvent: Hashable, Sendable {
  /// The file's name; empty if the event is about the watched folder itself.
  public var name: String
  public var events: FolderEvents

  public init(_ name: String, _ events: FolderEvents) { (self.name, self.events) = (name, events) }
}

extension System {
  /// Makes a descriptor that becomes readable after events in watched folders.
  public static func inotify_init1() throws(SystemError) -> Int32 {
    try check("inotify_init1", Glibc.inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK)))
  }

  /// Watches a folder. A folder that is watched already gets the further events.
  public static func inotify_add_watch(
    _ descriptor: Int32, _ folder: String, _ events: FolderEvents
  ) throws(SystemError) {
    let mask = events.rawValue | UInt32(IN_ONLYDIR) | UInt32(IN_MASK_ADD)
    try check("inotify_add_watch", Glibc.inotify_add_watch(descriptor, folder, mask), folder)
  }

  /// The events since the last call. Never waits.
  public static func inotify_read(_ descriptor: Int32) -> [FolderEvent] {
    var events: [FolderEvent] = []
    withUnsafeTemporaryAllocation(byteCount: 4_096, alignment: 8) { buffer in
      let header = MemoryLayout<inotify_event>.size
      while case let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count), count > 0 {
        var offset = 0
        while offset + header <= count {
          let event = buffer.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
          let end = offset + header + Int(event.len)
          let name = buffer[(offset + header)..<end].prefix { $0 != 0 }
          events.append(
            FolderEvent(String(decoding: name, as: UTF8.self), FolderEvents(rawValue: event.mask)))
          offset = end
        }
      }
    }
    return events
  }
}
