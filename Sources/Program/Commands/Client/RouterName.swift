import ControlInterface
import OSC
import ServiceDiscovery

/// The name of a router in the network, as `--to` takes it.
struct RouterName {
  let text: String

  init(_ text: String) { self.text = text }

  /// Seconds in which a router is looked for.
  private static let patience = 5.0
  /// Greatest number of bytes of a name in the network (RFC 6763, 4.1.1).
  private static let longest = 63

  /// Whether a text may be such a name: it is no endpoint, whole or in part.
  static func isOne(_ text: String) -> Bool {
    Endpoint(text) == nil && (1...longest).contains(text.utf8.count) && !text.contains { ":/".contains($0) }
      && !text.unicodeScalars.contains { $0.properties.generalCategory == .control }
      && !text.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") }
  }

  /// Where the router of the name receives.
  /// - Throws: `CommandFailure` unavailable if there is none.
  func endpoint(_ context: Context) throws(CommandFailure) -> Endpoint {
    let routers: [FoundRouter]
    do throws(FoundRouter.Failure) {
      routers = try FoundRouter.search(within: Self.patience, for: text)
    } catch {
      throw CommandFailure(
        .unavailable, "multiroute: the router '\(text)' cannot be looked for: \(error)", advice)
    }
    if let endpoint = routers.first(where: { $0.name == text })?.endpoints(context).first { return endpoint }
    let names =
      routers.isEmpty ? "none was found" : "there are \(routers.map(\.name).joined(separator: ", "))"
    throw CommandFailure(
      .unavailable, "multiroute: no router on the network is named '\(text)'; \(names).", advice)
  }

  private var advice: String { "For an address, write --to HOST:PORT, such as --to \(text):9440" }
}

extension FoundRouter {
  /// The endpoints at which this machine reaches the router: UDP before TCP. A router of this machine is reached by its Unix socket, as the
  /// other addresses do not stand for this machine.
  func endpoints(_ context: Context) -> [Endpoint] {
    let path = isLocal ? context.folders.sockets.live(ofRouter: ownName) : nil
    return (path.map { [.unix(path: $0)] } ?? [])
      + services.compactMap { service in
        switch service.kind {
        case .oscOverUDP: .udp(host: "\(service.host)", port: service.port)
        case .oscOverTCP: .tcp(host: "\(service.host)", port: service.port)
        case .oscQuery, .page: nil
        }
      }
  }
}
