import CAvahi
import ControlInterface
import Threads

/// The work of a search: browses for each kind of service, and asks for the address of each that comes.
///
/// One thread uses it.
final class SearchWorker {
  private let loop: AvahiLoop
  private let wanted: String?
  /// Browsers that have not told all they know.
  private var browsing = 0
  /// Services whose addresses are awaited.
  private var resolving = 0
  /// Why the search ends early.
  private var failure: String?
  private var found: [String: Entry] = [:]
  /// The names of services that this machine announces.
  private var localNames: Set<String> = []

  private struct Entry {
    var ownName: String
    var services: Set<NetworkService> = []
  }

  init(_ loop: AvahiLoop, for wanted: String?) { (self.loop, self.wanted) = (loop, wanted) }

  private var avahi: mr_avahi { loop.avahi }

  /// - Returns: why nothing could be found; nil if the search was possible.
  func run(within seconds: Double) -> String? {
    let refusal = loop.serve(
      waits: false,
      { client, state, owner in SearchWorker.of(owner).note(client, state) },
      Unmanaged.passUnretained(self).toOpaque(), until: MonotonicTime.now + seconds
    ) { [self] in
      failure != nil || browsing + resolving == 0
        || wanted.map(isReached) ?? false
    }
    return refusal ?? failure
  }

  /// Whether nothing better than what is known of a router can come.
  private func isReached(_ name: String) -> Bool {
    guard let entry = found[name] else { return false }
    return resolving == 0 || entry.services.contains { $0.kind == .oscOverUDP && $0.host.isIPv4 }
  }

  var routers: [FoundRouter] {
    found.map { name, entry in
      FoundRouter(
        name: name, ownName: entry.ownName, isLocal: localNames.contains(name),
        services: entry.services.sorted { Self.rank($0).lexicographicallyPrecedes(Self.rank($1)) })
    }.sorted { $0.name < $1.name }
  }

  private static func rank(_ service: NetworkService) -> [UInt64] {
    let kind = NetworkService.Kind.allCases.firstIndex(of: service.kind) ?? 0
    let host = service.host
    return [
      UInt64(kind), host.isIPv4 ? 0 : 1, host.isLinkLocal ? 1 : 0, UInt64(host.number >> 64),
      UInt64(truncatingIfNeeded: host.number), UInt64(service.port),
    ]
  }

  private static func of(_ owner: UnsafeMutableRawPointer?) -> SearchWorker {
    Unmanaged<SearchWorker>.fromOpaque(owner!).takeUnretainedValue()
  }

  // MARK: What the library calls

  private func note(_ client: OpaquePointer?, _ state: AvahiClientState) {
    if state == AVAHI_CLIENT_FAILURE { failure = loop.reason(avahi.avahi_client_errno(client)) }
    guard state == AVAHI_CLIENT_S_RUNNING || state == AVAHI_CLIENT_S_REGISTERING, browsing == 0 else {
      return
    }
    for kind in NetworkService.Kind.allCases {
      let browser = avahi.avahi_service_browser_new(
        client, AvahiIfIndex(AVAHI_IF_UNSPEC), AvahiProtocol(AVAHI_PROTO_UNSPEC), kind.rawValue, nil,
        AvahiLookupFlags(rawValue: 0),
        { browser, interface, family, event, name, type, domain, flags, owner in
          SearchWorker.of(owner).note(event, browser, interface, family, name, type, domain, flags)
        }, Unmanaged.passUnretained(self).toOpaque())
      if browser != nil { browsing += 1 } else { failure = loop.reason(avahi.avahi_client_errno(client)) }
    }
  }

  private func note(
    _ event: AvahiBrowserEvent, _ browser: OpaquePointer?, _ interface: AvahiIfIndex, _ family: AvahiProtocol,
    _ name: UnsafePointer<CChar>?, _ type: UnsafePointer<CChar>?, _ domain: UnsafePointer<CChar>?,
    _ flags: AvahiLookupResultFlags
  ) {
    let client = avahi.avahi_service_browser_get_client(browser)
    switch event {
    case AVAHI_BROWSER_NEW:
      if let name, flags.rawValue & AVAHI_LOOKUP_RESULT_LOCAL.rawValue != 0 {
        localNames.insert(String(cString: name))
      }
      // The address is asked for in the family of the answer: a router announces itself where it receives.
      let resolver = avahi.avahi_service_resolver_new(
        client, interface, family, name, type, domain, family, AvahiLookupFlags(rawValue: 0),
        { resolver, interface, _, event, name, type, _, _, address, port, text, _, owner in
          let worker = SearchWorker.of(owner)
          worker.resolving -= 1
          if event == AVAHI_RESOLVER_FOUND { worker.take(name, type, address, interface, port, text) }
          _ = worker.avahi.avahi_service_resolver_free(resolver)
        }, Unmanaged.passUnretained(self).toOpaque())
      if resolver != nil { resolving += 1 }
    case AVAHI_BROWSER_ALL_FOR_NOW: browsing -= 1
    case AVAHI_BROWSER_FAILURE: failure = loop.reason(avahi.avahi_client_errno(client))
    default: break
    }
  }

  private func take(
    _ name: UnsafePointer<CChar>?, _ type: UnsafePointer<CChar>?, _ address: UnsafePointer<AvahiAddress>?,
    _ interface: AvahiIfIndex, _ port: UInt16, _ text: UnsafeMutablePointer<AvahiStringList>?
  ) {
    let attributes = attributes(text)
    guard let name, let type, let address, attributes[RouterAttribute.version] != nil,
      let kind = NetworkService.Kind(rawValue: String(cString: type))
    else { return }
    let announced = String(cString: name)
    let service = NetworkService(kind, host: Self.host(address.pointee, at: interface), port: port)
    // The daemon has the services of this machine at its loopback interface, too, where the router need not receive.
    guard !service.host.isLoopback else { return }
    found[announced, default: Entry(ownName: attributes[RouterAttribute.name] ?? announced)].services
      .insert(service)
  }

  private static func host(_ address: AvahiAddress, at interface: AvahiIfIndex) -> HostAddress {
    guard address.proto == AVAHI_PROTO_INET6 else {
      return HostAddress(UInt32(bigEndian: address.data.ipv4.address))
    }
    let number = withUnsafeBytes(of: address.data.ipv6) { $0.loadUnaligned(as: UInt128.self) }
    return HostAddress(ipv6: UInt128(bigEndian: number), scope: UInt32(max(0, interface)))
  }

  /// The texts of a record of the form `KEY=VALUE`.
  private func attributes(_ text: UnsafeMutablePointer<AvahiStringList>?) -> [String: String] {
    var (attributes, next): ([String: String], _) = ([:], text)
    while let item = next {
      next = avahi.avahi_string_list_get_next(item)
      let bytes = UnsafeBufferPointer(
        start: avahi.avahi_string_list_get_text(item), count: avahi.avahi_string_list_get_size(item))
      let parts = String(decoding: bytes, as: UTF8.self).split(separator: "=", maxSplits: 1)
      if parts.count == 2 { attributes[String(parts[0])] = String(parts[1]) }
    }
    return attributes
  }
}
