import ControlInterface
import OSC

extension Endpoint {
  /// The correction of a text that is not an endpoint, as the end of a sentence; nil if the text is an endpoint.
  static func correction(of text: String) -> String? {
    if Endpoint(text) != nil { return nil }
    if text.hasPrefix(unixPrefix) { return "write unix:PATH, such as unix:/tmp/desk.osc" }
    if text.hasPrefix(tcpPrefix) {
      if isBareIPv6(text.dropFirst(tcpPrefix.count)) {
        return "write an IPv6 address in brackets, such as tcp:[::1]:9440"
      }
      return "write tcp:HOST:PORT, such as tcp:127.0.0.1:9440, with a port from 0 to 65535"
    }
    if UInt16(text) != nil { return "write HOST:PORT, such as 127.0.0.1:\(text)" }
    if isBareIPv6(text) { return "write an IPv6 address in brackets, such as [::1]:9440" }
    if !text.contains(":"), !text.isEmpty, !text.contains("/") {
      return "write HOST:PORT, such as \(text):9440"
    }
    if text.hasPrefix("/") { return "write unix:PATH, such as unix:\(text)" }
    return "write HOST:PORT, such as \(standard), with a port from 0 to 65535, tcp:HOST:PORT, or unix:PATH"
  }

  /// Whether a text is an IPv6 address without brackets, with or without a port.
  static func isBareIPv6(_ text: some StringProtocol) -> Bool {
    let place = text.prefix { $0 != "%" }
    return [place, place.lastIndex(of: ":").map { place[..<$0] } ?? ""].contains {
      HostAddress($0).map { !$0.isIPv4 } ?? false
    }
  }
}
