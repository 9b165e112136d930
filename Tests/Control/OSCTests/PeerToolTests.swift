import Foundation
import OSC
import Testing

/// liblo's own programs as independent peers over real sockets.
@Suite("Other OSC programs")
struct PeerToolTests {
  @Test("oscsend's arguments arrive with their types and values")
  func oscsend() async throws {
    let inbox = try Inbox()
    let sender = try Tool(
      "oscsend",
      ["127.0.0.1", "\(inbox.port)", "/session/music/gain", "ihfdsScmTFNI"]
        + ["-7", "123456789012", "0.5", "-2.25", "two words", "symbol", "A", "00903c7f"])
    #expect(
      await inbox.next().0
        == .success(
          .message(
            OSCMessage(
              "/session/music/gain", .int32(-7), .int64(123_456_789_012), .float(0.5), .double(-2.25),
              .string("two words"), .symbol("symbol"), .character(0x41), .midi(0x0090_3c7f), .boolean(true),
              .boolean(false), .null, .impulse))))
    #expect(sender.exitStatus() == 0)
  }

  @Test("oscdump reads our messages, bundles included, and the error of a port in use names it")
  func oscdump() throws {
    var free: UDPSocket? = try UDPSocket(port: 0)
    let port = try #require(free).localAddress.port
    free = nil
    let dump = try Tool("oscdump", ["-L", "\(port)"])
    defer { dump.terminate() }
    try waitUntilListening(port)

    let error = #expect(throws: SocketError.self) { try UDPSocket(port: port) }
    guard case .addressInUse(_, let holder?) = error else {
      Issue.record("unexpected: \(String(describing: error))")
      return
    }
    #expect(holder.program == "oscdump")
    #expect(holder.processID == dump.processID)
    #expect(error?.description == "UDP port \(port) is in use by oscdump (process \(dump.processID)).")

    let client = try OSCClient(port: port)
    try client.send(
      OSCMessage(
        "/all", .int32(-7), .int64(1 << 40), .float(0.5), .double(-2.25), .string("two words"),
        .symbol("sym"),
        .character(0x41), .midi(0x0090_3c7f), .boolean(true), .boolean(false), .null, .impulse,
        .blob([1, 2, 255])))
    for packet in PacketEncoder.bundles(of: [OSCMessage("/one", .int32(1)), OSCMessage("/two", .string(""))])
    {
      try client.send(bytes: packet)
    }
    try client.send(OSCMessage("/end"))
    var lines: [String] = []
    while let line = dump.nextLine(), !line.hasSuffix("/end ") {
      // The first word is the time of arrival.
      lines.append(String(line.drop { $0 != " " }.dropFirst()))
    }
    #expect(
      lines.filter { !$0.hasPrefix("/ready") } == [
        "/all ihfdsScmTFNIb -7 1099511627776 0.500000 -2.250000 \"two words\" 'sym 'A' "
          + "MIDI [0x00 0x90 0x3c 0x7f] #T #F Nil Infinitum [3b 0x1 0x2 0xff]",
        "/one i 1", "/two s \"\"",
      ])
  }

  /// Sends until a program listens at the port.
  private func waitUntilListening(_ port: UInt16) throws {
    while true {
      let client = try OSCClient(port: port)
      do throws(SocketError) {
        try client.send(OSCMessage("/ready"))
        _ = try client.receive(timeout: .milliseconds(20))
        return
      } catch {
        guard error.isRefused else { throw error }
      }
    }
  }
}

/// A program that runs beside the test.
private final class Tool {
  private let process = Process()
  private let output = Pipe()
  private var buffered: [UInt8] = []

  var processID: Int32 { process.processIdentifier }

  init(_ name: String, _ arguments: [String]) throws {
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [name] + arguments
    process.standardOutput = output
    try process.run()
  }

  deinit { terminate() }

  func terminate() {
    // SIGKILL, because a child inherits the signals that the test runner's threads block, SIGTERM among them.
    if process.isRunning { kill(processID, SIGKILL) }
    process.waitUntilExit()
  }

  func exitStatus() -> Int32 {
    process.waitUntilExit()
    return process.terminationStatus
  }

  /// The next line of its output, or nil when none comes within ten seconds.
  func nextLine() -> String? {
    let descriptor = output.fileHandleForReading.fileDescriptor
    while true {
      if let end = buffered.firstIndex(of: UInt8(ascii: "\n")) {
        defer { buffered.removeSubrange(...end) }
        return String(decoding: buffered[..<end], as: UTF8.self)
      }
      var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard poll(&waiting, 1, 10_000) > 0 else { return nil }
      var chunk = [UInt8](repeating: 0, count: 4_096)
      let count = read(descriptor, &chunk, chunk.count)
      guard count > 0 else { return nil }
      buffered += chunk[..<count]
    }
  }
}
