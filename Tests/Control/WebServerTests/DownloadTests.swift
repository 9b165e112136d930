import HTTPClient
import SystemCalls
import Testing
import Threads
import WebServer

@Suite("A file is sent as it is on the disk, and no download holds the server up") struct DownloadTests {
  /// A file without a name. `promised` are the bytes that the answer promises, if not all.
  private static func file(_ bytes: [UInt8], promised: Int? = nil) throws -> WebFile {
    let descriptor = try System.tmpfile()
    try System.writeAll(descriptor, bytes)
    return WebFile(descriptor, size: promised ?? bytes.count)
  }

  /// Bytes that do not repeat with any size of a part.
  private static func noise(_ count: Int) -> [UInt8] {
    var state: UInt64 = 1
    return (0..<count).map { _ in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return UInt8(state >> 56)
    }
  }

  private func house(_ file: WebFile, _ limits: WebLimits = WebLimits()) throws -> House {
    try House(limits, answer: { WebAnswer(type: "audio/wav", file: file) })
  }

  @Test(
    "A file of any size arrives bit for bit, and the connection serves on",
    arguments: [0, 1, 16_384, 262_144, 3_000_001])
  func whole(size: Int) throws {
    let bytes = Self.noise(size)
    let house = try house(Self.file(bytes))
    let connection = try house.connection()
    for _ in 0..<2 {
      let answer = try #require(connection.ask("GET", "/file"))
      #expect(answer.status == 200 && answer.fields["content-type"] == "audio/wav")
      #expect(answer.body == bytes)
    }
    #expect(connection.ask("GET", "/5")?.text == " !\"#$")
  }

  @Test("HEAD tells the size of a file, and sends none of it")
  func head() throws {
    let house = try house(Self.file(Self.noise(100_000)))
    let connection = try house.connection()
    let answer = try #require(connection.ask("HEAD", "/file"))
    #expect(answer.status == 200 && answer.fields["content-length"] == "100000")
    #expect(connection.ask("GET", "/1")?.text == " ")
  }

  @Test(
    "One download too many is refused, other pages are served meanwhile, and a place is free again when a client leaves"
  )
  func places() throws {
    var limits = WebLimits()
    limits.downloads = 1
    let bytes = Self.noise(20 << 20)
    let house = try house(Self.file(bytes), limits)
    var slow: HTTPConnection? = try HTTPConnection(port: house.port, receiveBuffer: 4_096)
    slow?.send("GET /file HTTP/1.1\r\nHost: localhost\r\n\r\n")
    #expect(slow?.bytes(4_096)?.starts(with: Array("HTTP/1.1 200".utf8)) == true)
    let other = try house.connection()
    let refusal = try #require(other.ask("GET", "/file"))
    #expect(refusal.status == 503 && refusal.fields["retry-after"] == "10")
    #expect(refusal.text.contains("1 files are being downloaded now"))
    #expect(other.ask("HEAD", "/file")?.status == 200)
    #expect(other.ask("GET", "/5")?.status == 200)
    slow = nil
    // The end of the other connection is noticed by the same thread, in turn.
    var answer = refusal
    for _ in 0..<100 where answer.status != 200 {
      answer = try #require(try house.connection().ask("GET", "/file"))
    }
    #expect(answer.body == bytes)
  }

  @Test("A client that reads slowly gets the whole file")
  func slowly() throws {
    let bytes = Self.noise(2 << 20)
    let house = try house(Self.file(bytes))
    let slow = try HTTPConnection(port: house.port, receiveBuffer: 4_096)
    #expect(slow.ask("GET", "/file")?.body == bytes)
  }

  @Test("A file that became shorter ends the connection, so that nobody takes it for whole")
  func shortened() throws {
    let house = try house(Self.file(Self.noise(100_000), promised: 300_000))
    let connection = try house.connection()
    #expect(connection.ask("GET", "/file") == nil)
    #expect(connection.ends())
    #expect(try HTTPConnection.ask("GET", "/5", port: house.port)?.status == 200)
  }

  @Test(
    "A client that takes nothing, and one that takes a file for too long, are closed",
    arguments: [true, false])
  func patience(readsNothing: Bool) throws {
    var limits = WebLimits()
    if readsNothing { limits.answerSeconds = 1 } else { limits.downloadSeconds = 1 }
    let descriptor = try System.tmpfile()
    try System.ftruncate(descriptor, size: 400 << 20)
    let house = try house(WebFile(descriptor, size: 400 << 20), limits)
    let client = try HTTPConnection(port: house.port, receiveBuffer: 4_096)
    client.send("GET /file HTTP/1.1\r\nHost: localhost\r\n\r\n")
    let end = MonotonicTime.now + 30
    if readsNothing {
      OwnThread.sleep(seconds: 2.5)
    } else {
      // The client takes a part now and then, so that only the limit of the whole file can end this.
      while client.bytes(4_096, seconds: 5) != nil, MonotonicTime.now < end { OwnThread.sleep(seconds: 0.01) }
    }
    #expect(client.answer() == nil)
    #expect(client.ends() && MonotonicTime.now < end)
  }
}
