import Glibc
import SystemCalls
import TemporaryFolders
import Testing
import Threads

@testable import Writers

@Suite("Files of lines")
struct LineFileTests {
  @Test("Lines are appended to the present content")
  func appends() throws {
    let folder = try TemporaryFolder()
    try LineFile(path: folder.file("lines")).append("one")
    try LineFile(path: folder.file("lines")).append("two")
    #expect(try folder.text(of: "lines") == "one\ntwo\n")
  }

  @Test("Only the user may read a new file")
  func permissions() throws {
    let folder = try TemporaryFolder()
    _ = try LineFile(path: folder.file("lines"))
    #expect(try System.stat(folder.file("lines")).permissions == 0o600)
  }

  @Test("A full disk leaves no half line, and later lines are written once there is room")
  func fullDisk() throws {
    let folder = try TemporaryFolder()
    let file = try LineFile(path: folder.file("lines"))
    // The limit of file sizes cuts a write short, as a full disk does.
    signal(SIGXFSZ, SIG_IGN)
    var usual = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &usual)
    var small = rlimit(rlim_cur: 25, rlim_max: usual.rlim_max)
    setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &small)
    try file.append("0123456789")
    try file.append("0123456789")
    let error = #expect(throws: LineFileError.self) { try file.append("0123456789") }
    setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &usual)
    #expect(error == .system(EFBIG))
    try file.append("after")
    #expect(try folder.text(of: "lines") == "0123456789\n0123456789\nafter\n")
  }

  @Test(
    "A FIFO that no program reads is refused at once, and one whose reader goes away fails and does not wait")
  func fifo() throws {
    signal(SIGPIPE, SIG_IGN)
    let folder = try TemporaryFolder()
    #expect(mkfifo(folder.file("fifo"), 0o600) == 0)
    #expect(throws: LineFileError.noReader) { try LineFile(path: folder.file("fifo")) }
    let reader = open(folder.file("fifo"), O_RDONLY | O_NONBLOCK)
    let file = try LineFile(path: folder.file("fifo"))
    try file.append("line")
    var bytes = [UInt8](repeating: 0, count: 10)
    #expect(read(reader, &bytes, 10) == 5)
    close(reader)
    #expect(throws: LineFileError.noReader) { try file.append("line") }
  }

  @Test("A FIFO accepts a line that is larger than its buffer, as soon as a program reads")
  func slowReader() throws {
    let folder = try TemporaryFolder()
    #expect(mkfifo(folder.file("fifo"), 0o600) == 0)
    let reader = open(folder.file("fifo"), O_RDONLY | O_NONBLOCK)
    defer { close(reader) }
    let file = try LineFile(path: folder.file("fifo"))
    let line = String(repeating: "y", count: 300_000)
    let thread = OwnThread("test-writer") { try? file.append(line) }
    var (bytes, count) = ([UInt8](repeating: 0, count: 65_536), 0)
    while count < 300_001 {
      var request = pollfd(fd: reader, events: Int16(POLLIN), revents: 0)
      guard poll(&request, 1, 10_000) > 0 else { break }
      count += max(0, read(reader, &bytes, bytes.count))
    }
    thread.join()
    #expect(count == 300_001)
  }

  @Test(
    "Folders, devices and paths without a folder are refused",
    arguments: ["/tmp", "/dev/null", "/nowhere/file"])
  func refused(path: String) {
    let error = #expect(throws: LineFileError.self) { try LineFile(path: path) }
    #expect(error == (path.hasPrefix("/nowhere") ? .system(ENOENT) : .notAFile))
  }
}
