public import SystemCalls

/// A connection to a web server of this machine, which sends whatever bytes a test wants to send.
public final class HTTPConnection {
  private let descriptor: Int32
  private var received: [UInt8] = []
  private var hasEnded = false

  /// The answer to a request.
  public struct Answer: Equatable {
    public var status: Int
    /// The fields of the head by their names in lower case.
    public var fields: [String: String]
    public var body: [UInt8]

    public var text: String { String(decoding: body, as: UTF8.self) }
  }

  /// - Parameters:
  ///   - host: the address of 127.0.0.0/8 that the connection comes from.
  ///   - overIPv6: whether to connect to ::1, from there.
  ///   - receiveBuffer: bytes that the system keeps for a client that reads slowly; nil for the usual number.
  public init(
    port: UInt16, from host: UInt32 = 0x7f00_0001, overIPv6: Bool = false, receiveBuffer: Int32? = nil
  ) throws(SystemError) {
    descriptor = try System.socket(overIPv6 ? .ipv6 : .ipv4, .stream)
    if let receiveBuffer { try System.setReceiveBuffer(descriptor, bytes: receiveBuffer) }
    if overIPv6 {
      try System.connect(descriptor, to: .ipv6(host: 1, scope: 0, port: port))
    } else {
      try System.bind(descriptor, to: .ipv4(host: host, port: 0))
      try System.connect(descriptor, to: .ipv4(host: 0x7f00_0001, port: port))
    }
  }

  deinit { System.close(descriptor) }

  /// Asks once, on a connection of its own.
  public static func ask(_ method: String, _ path: String, port: UInt16) throws(SystemError) -> Answer? {
    try HTTPConnection(port: port).ask(method, path)
  }

  /// Sends a request with a usual head, and waits for its answer; nil if the connection ends.
  public func ask(
    _ method: String, _ path: String, host: String? = "127.0.0.1", fields: [String] = [], body: String = ""
  ) -> Answer? {
    let head = ["\(method) \(path) HTTP/1.1"] + (host.map { ["Host: \($0)"] } ?? []) + fields
    send(head.joined(separator: "\r\n") + "\r\n\r\n" + body)
    return answer(hasBody: method != "HEAD")
  }

  /// Sends bytes, as far as the other end takes them.
  public func send(_ text: String) { send(Array(text.utf8)) }

  /// Sends bytes, as far as the other end takes them.
  public func send(_ bytes: [UInt8]) { try? System.writeAll(descriptor, bytes) }

  /// Waits for so many bytes; nil if the connection ends before, or if nothing comes for so many seconds.
  public func bytes(_ count: Int, seconds: Double = 10) -> [UInt8]? {
    while received.count < count { guard read(seconds) else { return nil } }
    defer { received.removeFirst(count) }
    return Array(received[..<count])
  }

  /// Waits for an answer; nil if the connection ends before it is whole, or if nothing comes for so many seconds.
  public func answer(hasBody: Bool = true, seconds: Double = 10) -> Answer? {
    guard let end = waitForHead(seconds) else { return nil }
    let lines = String(decoding: received[..<end], as: UTF8.self).split(separator: "\r\n").map(String.init)
    received.removeFirst(end + 4)
    let words = lines.first?.split(separator: " ") ?? []
    guard words.count >= 2, let status = Int(words[1]) else { return nil }
    var fields: [String: String] = [:]
    for line in lines.dropFirst() {
      guard let colon = line.firstIndex(of: ":") else { return nil }
      fields[line[..<colon].lowercased()] = line[line.index(after: colon)...].trimming
    }
    // Behind 101 come frames.
    let length = hasBody && status != 101 ? fields["content-length"].flatMap { Int($0) } ?? 0 : 0
    while received.count < length { guard read(seconds) else { return nil } }
    defer { received.removeFirst(length) }
    return Answer(status: status, fields: fields, body: Array(received[..<length]))
  }

  /// Whether the other end closes the connection within some seconds. Reads and drops what it still sends.
  public func ends(within seconds: Double = 10) -> Bool {
    while read(seconds) {}
    return hasEnded
  }

  private func waitForHead(_ seconds: Double) -> Int? {
    while true {
      let end = received.indices.dropLast(3).first { received[$0...].starts(with: [13, 10, 13, 10]) }
      if let end { return end }
      guard read(seconds) else { return nil }
    }
  }

  /// Reads what comes next; false at the end, or if nothing comes.
  private func read(_ seconds: Double) -> Bool {
    guard !hasEnded, (try? System.poll(descriptor, milliseconds: Int32(seconds * 1_000))) == true else {
      return false
    }
    let bytes = (try? System.read(descriptor, count: 65_536)) ?? []
    hasEnded = bytes.isEmpty
    received += bytes
    return !hasEnded
  }
}

extension Substring {
  fileprivate var trimming: String { String(drop { $0 == " " }) }
}
