import SystemCalls
import TemporaryFolders
import Testing

@testable import ServiceManager

@Suite("What systemd and its journal are told")
struct ServiceManagerTests {
  /// A socket that stands for one of systemd's.
  private final class StandIn {
    let descriptor: Int32

    init(at address: SocketAddress) throws {
      descriptor = try System.socket(.unix, .datagram)
      try System.bind(descriptor, to: address)
    }

    deinit { System.close(descriptor) }

    /// The text of the next datagram, which has arrived already; nil if there is none.
    func take() throws -> String? {
      var buffer = [UInt8](repeating: 0, count: 65_536)
      return try buffer.withUnsafeMutableBytes { buffer in
        try System.recvfrom(descriptor, into: buffer, waits: false).map {
          String(decoding: buffer.prefix($0.size), as: UTF8.self)
        }
      }
    }
  }

  @Test("A service says that it is ready, its status on one line, that it lives, and that it ends")
  func notices() throws {
    let folder = try TemporaryFolder()
    let manager = try StandIn(at: .unix(path: folder.file("notify")))
    let socket = try ServiceSocket(folder.file("notify"))
    #expect(socket.send(.ready, .status("one\nWATCHDOG=trigger")))
    #expect(socket.send(.watchdog))
    #expect(socket.send(.stopping))
    #expect(try manager.take() == "READY=1\nSTATUS=one WATCHDOG=trigger")
    #expect(try manager.take() == "WATCHDOG=1")
    #expect(try manager.take() == "STOPPING=1")
    #expect(try manager.take() == nil)
  }

  @Test("The socket may have an abstract name, as that of a user's systemd often has")
  func abstract() throws {
    let name = "multiroute-test-\(System.getpid())"
    let manager = try StandIn(at: .abstract(name: Array(name.utf8)))
    #expect(try ServiceSocket("@\(name)").send(.ready))
    #expect(try manager.take() == "READY=1")
  }

  @Test("A manager that does not listen, or does not read, is not waited for")
  func deaf() throws {
    let folder = try TemporaryFolder()
    #expect(try !ServiceSocket(folder.file("absent")).send(.ready))
    let manager = try StandIn(at: .unix(path: folder.file("notify")))
    let socket = try ServiceSocket(folder.file("notify"))
    var sent = 0
    while socket.send(.watchdog), sent < 100_000 { sent += 1 }
    #expect(sent < 100_000)
    #expect(try manager.take() == "WATCHDOG=1")
    #expect(socket.send(.watchdog))
  }

  @Test(
    "A place that is neither a path nor an abstract name is refused with the reason",
    arguments: ["vsock:2:1", "run/notify", ""])
  func strange(_ place: String) {
    #expect(throws: SystemError.self) { try ServiceSocket(place) }
  }

  @Test("The watchdog's time is that of the environment, if this process is meant")
  func watchdog() {
    #expect(ServiceSocket.watchdogSeconds("15000000", process: nil) == 15)
    #expect(ServiceSocket.watchdogSeconds("500000", process: "\(System.getpid())") == 0.5)
    #expect(ServiceSocket.watchdogSeconds("500000", process: "1") == nil)
    for wrong in [nil, "", "0", "-5", "soon"] {
      #expect(ServiceSocket.watchdogSeconds(wrong, process: nil) == nil)
    }
  }

  @Test("The journal receives a message with its fields, one line each")
  func entry() throws {
    let folder = try TemporaryFolder()
    let journal = try StandIn(at: .unix(path: folder.file("journal")))
    let socket = try JournalSocket(path: folder.file("journal"))
    let entry = JournalEntry(
      "the show\nhas quit", .warning, program: "multiroute", fields: [("MULTIROUTE_SESSION", "show")])
    try socket.send(entry)
    let text =
      "MESSAGE=the show has quit\nPRIORITY=4\nSYSLOG_IDENTIFIER=multiroute\nMULTIROUTE_SESSION=show\n"
    #expect(try journal.take() == text)
    #expect(JournalEntry(text: text).plainLine == "<4>the show has quit")
  }

  @Test("An absent journal is an error, so that the line can go elsewhere")
  func noJournal() throws {
    let folder = try TemporaryFolder()
    let socket = try JournalSocket(path: folder.file("absent"))
    #expect(throws: SystemError.self) { try socket.send(JournalEntry("lost", .info, program: "multiroute")) }
  }

  @Test("Standard error is the journal only if it is the very file that systemd names")
  func stream() throws {
    let (read, write) = try System.pipe()
    defer { for end in [read, write] { System.close(end) } }
    let status = try System.fstat(write)
    #expect(JournalSocket.isJournal(write, stream: "\(status.device):\(status.inode)"))
    #expect(!JournalSocket.isJournal(write, stream: "\(status.device):\(status.inode + 1)"))
    #expect(!JournalSocket.isJournal(write, stream: nil))
    #expect(!JournalSocket.isJournal(-1, stream: "\(status.device):\(status.inode)"))
  }
}
