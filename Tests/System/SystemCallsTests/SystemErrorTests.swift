import SystemCalls
import Testing

@Suite struct SystemErrorTests {
  @Test("The error of a failed call names the call, its subject and the reason")
  func names() {
    let error = #expect(throws: SystemError.self) { try System.open("/nowhere/at/all") }
    #expect(error?.number == .noSuchFile)
    #expect(error.map { "\($0)" } == "open for /nowhere/at/all failed: No such file or directory")
  }

  @Test("A folder opens and cannot be read; the error names the folder")
  func folder() {
    let error = #expect(throws: SystemError.self) { try WholeFile.bytes("/tmp") }
    #expect(error == SystemError("read", .isFolder, "/tmp"))
  }

  @Test("A path that is too long for a socket is refused with the path")
  func longPath() throws {
    let socket = try System.socket(.unix, .datagram)
    defer { System.close(socket) }
    let path = "/tmp/" + String(repeating: "x", count: 103)
    let error = #expect(throws: SystemError.self) { try System.bind(socket, to: .unix(path: path)) }
    #expect(error?.number == .nameTooLong)
    #expect(error?.subject == path)
  }
}
