import Foundation
import SystemCalls
import TemporaryFolders
import Testing

@Suite struct FileTests {
  private let folder: TemporaryFolder
  private var path: String { folder.file("file") }

  init() throws { folder = try TemporaryFolder() }

  private func write(_ text: String, to path: String) throws {
    let file = try System.open(path, [.write, .create, .truncate], permissions: 0o600)
    defer { System.close(file) }
    try System.writeAll(file, Array(text.utf8))
    try System.fsync(file)
  }

  @Test("Written bytes are read back, up to the limit")
  func limit() throws {
    let text = String(repeating: "0123456789", count: 20_000)
    try write(text, to: path)
    #expect(try WholeFile.bytes(path) == Array(text.utf8))
    #expect(try WholeFile.bytes(path, limit: 100_001).count == 100_001)
    let file = try System.open(path)
    defer { System.close(file) }
    #expect(try System.pread(file, count: 4, at: 10) == Array("0123".utf8))
  }

  @Test("A file has its kind, size and permissions; a removed file has no status")
  func status() throws {
    try write("abc", to: path)
    let status = try System.stat(path)
    #expect(status.kind == .file)
    #expect((status.size, status.permissions, status.user) == (3, 0o600, System.getuid()))
    try System.chmod(path, 0o400)
    #expect(try System.stat(path).permissions == 0o400)
    #expect(try System.stat(folder.path).kind == .folder)
    try System.unlink(path)
    #expect(!System.access(path))
    #expect(throws: SystemError.self) { try System.stat(path) }
  }

  @Test("A folder lists its names in order, without itself and its parent")
  func names() throws {
    for name in ["b", "a", "c"] { try write(name, to: "\(folder.path)/\(name)") }
    try System.rename("\(folder.path)/b", to: "\(folder.path)/d")
    #expect(try System.readdir(folder.path) == ["a", "c", "d"])
    #expect(throws: SystemError("opendir", .noSuchFile, "/nowhere")) { try System.readdir("/nowhere") }
  }

  @Test("Folders are made with their parents, repeatably, but not in place of a file")
  func folders() throws {
    try System.makeFolders("\(folder.path)/a")
    try System.makeFolders("\(folder.path)/a")
    #expect(try System.stat("\(folder.path)/a").kind == .folder)
    try write("", to: path)
    #expect(throws: SystemError.self) { try System.makeFolders("\(path)/below") }
  }

  @Test("A file is locked by one descriptor at a time")
  func lock() throws {
    try write("", to: path)
    let (first, second) = (try System.open(path, .readWrite), try System.open(path, .readWrite))
    #expect(try System.flock(first))
    #expect(try !System.flock(second))
    System.close(first)
    #expect(try System.flock(second))
    System.close(second)
  }

  @Test("A file without a name keeps its bytes")
  func nameless() throws {
    let file = try System.tmpfile()
    defer { System.close(file) }
    try System.writeAll(file, Array("abc".utf8))
    #expect(try System.pread(file, count: 10, at: 1) == Array("bc".utf8))
  }

  @Test("A document that grows while it is read is refused, not read in part")
  func growing() throws {
    let path = path
    try write(String(repeating: "x", count: 100_000), to: path)
    // A thread of its own: a task would wait for other tests.
    let ended = DispatchSemaphore(value: 0)
    let writer = Thread {
      while !Thread.current.isCancelled {
        guard let file = try? System.open(path, [.write, .append]) else { break }
        for _ in 0..<100 { _ = try? System.write(file, Array("more".utf8)) }
        System.close(file)
      }
      ended.signal()
    }
    writer.start()
    let end = ContinuousClock.now + .seconds(30)
    var refusal: SystemError?
    while refusal == nil, ContinuousClock.now < end {
      do throws(SystemError) { _ = try WholeFile.document(path, limit: .max) } catch { refusal = error }
    }
    writer.cancel()
    ended.wait()
    #expect(refusal?.reason == "it changed while it was read; read it again")
    #expect(refusal?.number == .again && refusal?.subject == path)
    #expect(try WholeFile.document(path, limit: .max).count > 100_000)
  }

  @Test("A watched folder reports the name of a new file")
  func watch() throws {
    let watch = try System.inotify_init1()
    defer { System.close(watch) }
    let number = try System.inotify_add_watch(watch, folder.path, [.created, .movedIn])
    #expect(System.inotify_read(watch) == [])
    try write("", to: path)
    #expect(try System.poll(watch, milliseconds: 5_000))
    #expect(System.inotify_read(watch) == [FolderChange(watch: number, events: .created, name: "file")])
  }

  @Test("Events of a folder say what happened, to which name, and which folder is no longer watched")
  func folderEvents() throws {
    let folder = try TemporaryFolder()
    try System.mkdir(folder.file("a"))
    let descriptor = try System.inotify_init1()
    defer { System.close(descriptor) }
    let events: FolderEvents = [.created, .movedOut, .movedIn, .deleted, .selfDeleted, .noLink]
    let top = try System.inotify_add_watch(descriptor, folder.path, events)
    let inner = try System.inotify_add_watch(descriptor, folder.file("a"), events)
    try System.mkdir(folder.file("b"))
    try System.rename(folder.file("b"), to: folder.file("c"))
    try System.rmdir(folder.file("a"))
    #expect(
      System.inotify_read(descriptor) == [
        FolderChange(watch: top, events: [.created, .isFolder], name: "b"),
        FolderChange(watch: top, events: [.movedOut, .isFolder], name: "b"),
        FolderChange(watch: top, events: [.movedIn, .isFolder], name: "c"),
        FolderChange(watch: inner, events: .selfDeleted, name: ""),
        FolderChange(watch: inner, events: .ended, name: ""),
        FolderChange(watch: top, events: [.deleted, .isFolder], name: "a"),
      ])
    System.inotify_rm_watch(descriptor, top)
    #expect(System.inotify_read(descriptor) == [FolderChange(watch: top, events: .ended, name: "")])
    #expect(throws: SystemError("inotify_add_watch", .notFolder, "/dev/null")) {
      try System.inotify_add_watch(descriptor, "/dev/null", events)
    }
  }

  @Test("A real path has no links and dots, and exists")
  func realPaths() throws {
    let folder = try TemporaryFolder()
    try System.mkdir(folder.file("a"))
    let real = try System.realpath(folder.path)
    #expect(try System.realpath(folder.file("a/.././a/")) == real + "/a")
    #expect(throws: SystemError("realpath", .noSuchFile, folder.file("b"))) {
      try System.realpath(folder.file("b"))
    }
  }

  @Test("A lock can be waited for")
  func waitingLock() throws {
    let folder = try TemporaryFolder()
    let first = try System.open(folder.file("lock"), [.write, .create])
    let second = try System.open(folder.file("lock"), .write)
    defer { System.close(second) }
    #expect(try System.flock(first) && !System.flock(second))
    System.close(first)
    #expect(try System.flock(second, waits: true))
  }
}
