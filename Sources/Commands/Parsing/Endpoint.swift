/// A host and a port, as written: the host may be a name that is looked up later.
public struct Endpoint: Hashable, Sendable, CustomStringConvertible {
  public var host: String
  public var port: UInt16

  public init(host: String, port: UInt16) { (self.host, self.port) = (host, port) }

  /// Reads `HOST:PORT`, or returns nil.
  public init?(_ text: String) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty, !parts[0].contains(where: \.isWhitespace),
      parts[1].utf8.allSatisfy({ (0x30...0x39).contains($0) }), let port = UInt16(parts[1])
    else { return nil }
    self.init(host: String(parts[0]), port: port)
  }

  /// Where a router is by default.
  public static let standard = Endpoint(host: "127.0.0.1", port: 9_440)

  public var description: String { "\(host):\(port)" }

  /// What would be right, as the end of a sentence; nil when the text is right.
  static func correction(of text: String) -> String? {
    if Endpoint(text) != nil { return nil }
    if UInt16(text) != nil { return "write HOST:PORT, such as 127.0.0.1:\(text)" }
    if !text.contains(":"), !text.isEmpty { return "write HOST:PORT, such as \(text):9440" }
    return "write HOST:PORT, such as \(standard), with a port from 0 to 65535"
  }
}
