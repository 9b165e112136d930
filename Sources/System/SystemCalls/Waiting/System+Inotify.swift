import Glibc

/// Events of the files in a folder.
public struct FolderEvents: OptionSet, Sendable {
  public let rawValue: UInt32
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  public static let created = FolderEvents(rawValue: UInt32(IN_CREATE))
  public static let deleted = FolderEvents(rawValue: UInt32(IN_DELETE))
  /// A file was renamed to this name.
  public static let movedIn = FolderEvents(rawValue: UInt32(IN_MOVED_TO))
  /// A file's permissions, owner or times changed.
  public static let attributes = FolderEvents(rawValue: UInt32(IN_ATTRIB))
  public static let closedAfterWriting = FolderEvents(rawValue: UInt32(IN_CLOSE_WRITE))
}

extension System {
  /// Makes a descriptor that becomes readable after events in watched folders.
  public static func inotify_init1() throws(SystemError) -> Int32 {
    try check("inotify_init1", Glibc.inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK)))
  }

  /// Watches a folder.
  public static func inotify_add_watch(
    _ descriptor: Int32, _ folder: String, _ events: FolderEvents
  ) throws(SystemError) {
    try check("inotify_add_watch", Glibc.inotify_add_watch(descriptor, folder, events.rawValue), folder)
  }

  /// The names of the files with events since the last call, one for each event. Never waits.
  public static func inotify_read(_ descriptor: Int32) -> [String] {
    var names: [String] = []
    withUnsafeTemporaryAllocation(byteCount: 4_096, alignment: 8) { buffer in
      let header = MemoryLayout<inotify_event>.size
      while case let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count), count > 0 {
        var offset = 0
        while offset + header <= count {
          let event = buffer.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
          let end = offset + header + Int(event.len)
          let name = buffer[(offset + header)..<end].prefix { $0 != 0 }
          names.append(String(decoding: name, as: UTF8.self))
          offset = end
        }
      }
    }
    return names
  }
}
