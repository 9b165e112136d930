import CAvahi
import ControlInterface
import SystemCalls

/// The work of the thread `mr-mdns`: has the daemon announce services, again after each end of the daemon.
///
/// Everything but `init` runs on that thread.
final class AnnouncerWorker: @unchecked Sendable {
  private let loop: AvahiLoop
  private let router: String
  private let version: String
  private let services: [NetworkService]
  private let tell: @Sendable (String) -> Void
  /// The name that is announced.
  private var name: String
  /// The services at the present client; nil before the first are added.
  private var group: OpaquePointer?
  /// Whether the present client has lost its daemon.
  private var isLost = false
  /// Whether the log knows that nothing is announced.
  private var hasToldAbsence = false

  /// Seconds between two attempts without a system bus. Each pause is twice as long as the last.
  private static let pauses = 0.5...30
  /// Names that are tried.
  private static let mostNames = 100

  init(
    _ loop: AvahiLoop, name: String, version: String, _ services: [NetworkService],
    tell: @escaping @Sendable (String) -> Void
  ) {
    (self.loop, self.router, self.name, self.version) = (loop, name, name, version)
    (self.services, self.tell) = (services, tell)
  }

  private var avahi: mr_avahi { loop.avahi }

  /// Works until the loop ends.
  func run() {
    var pause = Self.pauses.lowerBound
    repeat {
      (group, isLost) = (nil, false)
      let refusal = loop.serve(
        waits: true,
        { client, state, owner in AnnouncerWorker.of(owner).note(client, state) },
        Unmanaged.passUnretained(self).toOpaque()
      ) { isLost }
      if let refusal { tellAbsence("\(refusal)") } else { pause = Self.pauses.lowerBound }
      if loop.isEnding(within: pause) { return }
      pause = min(2 * pause, Self.pauses.upperBound)
    } while true
  }

  private static func of(_ owner: UnsafeMutableRawPointer?) -> AnnouncerWorker {
    Unmanaged<AnnouncerWorker>.fromOpaque(owner!).takeUnretainedValue()
  }

  /// Tells once that nothing is announced, until something is.
  private func tellAbsence(_ reason: String) {
    guard !hasToldAbsence else { return }
    hasToldAbsence = true
    tell(
      "the router is not announced on the network until an avahi daemon runs (\(reason)); it works by its address"
    )
  }

  // MARK: What the library calls

  private func note(_ client: OpaquePointer?, _ state: AvahiClientState) {
    switch state {
    case AVAHI_CLIENT_S_RUNNING: publish(client)
    // The machine gets another name.
    case AVAHI_CLIENT_S_COLLISION, AVAHI_CLIENT_S_REGISTERING:
      if let group { _ = avahi.avahi_entry_group_reset(group) }
    case AVAHI_CLIENT_CONNECTING: tellAbsence("there is none")
    case AVAHI_CLIENT_FAILURE:
      isLost = true
      tellAbsence(loop.reason(avahi.avahi_client_errno(client)))
    default: break
    }
  }

  private func note(_ state: AvahiEntryGroupState) {
    switch state {
    case AVAHI_ENTRY_GROUP_ESTABLISHED:
      hasToldAbsence = false
      let conflict = name == router ? "" : "; the network has another \"\(router)\""
      tell("the router is announced on the network as \"\(name)\"\(conflict)")
    case AVAHI_ENTRY_GROUP_COLLISION:
      rename()
      publish(group.flatMap { avahi.avahi_entry_group_get_client($0) })
    case AVAHI_ENTRY_GROUP_FAILURE:
      tellAbsence(
        loop.reason(avahi.avahi_client_errno(group.flatMap { avahi.avahi_entry_group_get_client($0) })))
    default: break
    }
  }

  // MARK: Services

  /// Announces the services, under another name if this one is taken.
  private func publish(_ client: OpaquePointer?) {
    if group == nil {
      group = avahi.avahi_entry_group_new(
        client, { _, state, owner in AnnouncerWorker.of(owner).note(state) },
        Unmanaged.passUnretained(self).toOpaque())
    }
    guard let group else { return tellAbsence(loop.reason(avahi.avahi_client_errno(client))) }
    for _ in 0..<Self.mostNames {
      _ = avahi.avahi_entry_group_reset(group)
      var error = add(to: group)
      if error == 0 { error = avahi.avahi_entry_group_commit(group) }
      guard error == AVAHI_ERR_COLLISION else {
        if error != 0 { tellAbsence(loop.reason(error)) }
        return
      }
      rename()
    }
    tellAbsence("\(Self.mostNames) names like \(router) are taken")
  }

  private func rename() {
    guard let next = avahi.avahi_alternative_service_name(name) else { return }
    name = String(cString: next)
    avahi.avahi_free(next)
  }

  /// Adds each service at its interface. An interface has one service of each kind, the first.
  ///
  /// - Returns: 0 or the first error.
  private func add(to group: OpaquePointer) -> Int32 {
    var taken: Set<Place> = []
    for service in services {
      guard let place = Place(service), taken.insert(place).inserted else { continue }
      let error = withText(of: service.kind) { text in
        avahi.avahi_entry_group_add_service_strlst(
          group, place.interface, place.family, AvahiPublishFlags(rawValue: 0), name, service.kind.rawValue,
          nil,
          nil, service.port, text)
      }
      guard error == 0 else { return error }
    }
    return 0
  }

  /// Where a service is announced.
  private struct Place: Hashable {
    let kind: NetworkService.Kind
    let interface: AvahiIfIndex
    let family: AvahiProtocol

    /// Nil if no interface has the address any more.
    init?(_ service: NetworkService) {
      kind = service.kind
      family = AvahiProtocol(service.host.isIPv4 ? AVAHI_PROTO_INET : AVAHI_PROTO_INET6)
      guard !service.host.isAny else {
        interface = AvahiIfIndex(AVAHI_IF_UNSPEC)
        return
      }
      let name = System.getifaddrs().first { HostAddress($0.address) == service.host }?.name
      guard let index = name.flatMap(System.if_nametoindex) else { return nil }
      interface = AvahiIfIndex(index)
    }
  }

  private func withText<Result>(
    of kind: NetworkService.Kind, _ body: (UnsafeMutablePointer<AvahiStringList>?) -> Result
  ) -> Result {
    var list: UnsafeMutablePointer<AvahiStringList>?
    // The library puts each in front of the others.
    let attributes =
      kind.attributes + ["\(RouterAttribute.version)=\(version)", "\(RouterAttribute.name)=\(router)"]
    for text in attributes.reversed() { list = avahi.avahi_string_list_add(list, text) }
    defer { avahi.avahi_string_list_free(list) }
    return body(list)
  }
}
