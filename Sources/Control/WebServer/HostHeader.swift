import ControlInterface

/// Decides whether a request was meant for this machine, by its header `Host`.
///
/// A page of another site can make its own name lead to this machine, and its script could then read what a browser here may read. A number is
/// no such name.
public struct HostHeader: Equatable, Sendable {
  /// The names of this machine, in lower case.
  private let names: Set<String>

  /// - Parameter machine: the name of this machine in the network.
  public init(machine: String) {
    let name = machine.lowercased()
    names = ["localhost", name, "\(name).local"]
  }

  /// Whether the header names this machine by an address or one of its names, with or without a port.
  public func isOurs(_ header: String) -> Bool {
    let text = header.lowercased()
    guard text.hasPrefix("["), let end = text.firstIndex(of: "]") else {
      let host = text.prefix { $0 != ":" }
      return names.contains(String(host)) || HostAddress(host) != nil
    }
    // An IPv6 address. A browser writes no interface of its own machine behind `%`, but other programs do.
    let (host, rest) = (text[..<end].dropFirst().prefix { $0 != "%" }, text[end...].dropFirst())
    return HostAddress(host) != nil && (rest.isEmpty || rest.hasPrefix(":"))
  }
}
