import ControlInterface
import JSON5
import OSC
import ServiceDiscovery

/// `multiroute find`: lists the routers on the network.
enum FindCommand {
  struct Options: Equatable {
    var seconds: Double
    /// Longest time to wait for the answers of the routers.
    var timeout: Duration
    var isJSON: Bool

    init(_ arguments: ParsedArguments) {
      seconds = arguments.seconds(.searchSeconds) ?? 5
      timeout = .seconds(arguments.seconds(.timeout) ?? 1)
      isJSON = arguments.has(.json)
    }
  }

  /// A router with its answer.
  private struct Entry {
    var router: FoundRouter
    var endpoints: [Endpoint]
    var link: RouterLink?
    /// The preset in force, or `none`; nil if the router has not answered.
    var preset: String?
  }

  private static let question = "/preset/current"

  /// - Throws: `CommandFailure` unavailable if no avahi daemon answers.
  static func perform(_ options: Options, _ context: Context) throws(CommandFailure) {
    let routers: [FoundRouter]
    do throws(FoundRouter.Failure) {
      routers = try FoundRouter.search(within: options.seconds)
    } catch {
      throw CommandFailure(
        .unavailable, "multiroute: routers cannot be looked for: \(error)",
        "Install and start the package avahi-daemon, or name a router by its address: --to HOST:PORT")
    }
    let entries = ask(routers, options, context)
    if options.isJSON { return context.console.write(json(entries).text) }
    guard !entries.isEmpty else {
      return context.console.tell(
        "No router was found. A router is announced if --osc opens it to the network, and an avahi daemon runs there."
      )
    }
    print(entries, context.console)
  }

  /// Asks all routers for their presets, and then awaits all answers.
  private static func ask(_ routers: [FoundRouter], _ options: Options, _ context: Context) -> [Entry] {
    var entries = routers.map { router in
      let endpoints = router.endpoints(context)
      let link = endpoints.first.flatMap {
        try? RouterLink(ClientOptions(router: $0, timeout: options.timeout))
      }
      try? link?.send(OSCMessage(question))
      return Entry(router: router, endpoints: endpoints, link: link)
    }
    let end = ContinuousClock.now + options.timeout
    for index in entries.indices {
      guard let link = entries[index].link else { continue }
      while entries[index].preset == nil,
        let packet = try? link.receive(within: max(.zero, end - ContinuousClock.now))
      {
        let answer = packet.messages.first { $0.address == question }
        entries[index].preset = answer?.arguments.first?.plain
      }
    }
    return entries
  }

  private static func print(_ entries: [Entry], _ console: Console) {
    var table = TextTable([("ROUTER", .left), ("PRESET", .left), ("ADDRESSES", .left)])
    for entry in entries {
      let places = entry.endpoints.map(\.description) + entry.router.pages
      table.append([
        .init(entry.router.name, .bold),
        entry.preset.map { .init($0) } ?? .init("no answer", .red), .init(places.joined(separator: ", ")),
      ])
      if entry.preset == nil {
        table.append(
          note: .init("it answers this machine if its \"hosts\" list this machine's address", .dim))
      }
    }
    for line in table.lines(console) { console.print(line) }
  }

  private static func json(_ entries: [Entry]) -> JSONValue {
    func texts(_ texts: [String]) -> JSONValue { .array(texts.map { .string($0) }) }
    return .array(
      entries.map { entry in
        .object([
          .init("name", .string(entry.router.name)),
          .init("preset", entry.preset.map { .string($0) } ?? .null),
          .init("local", .bool(entry.router.isLocal)),
          .init("addresses", texts(entry.endpoints.map(\.description))),
          .init("pages", texts(entry.router.pages)),
        ])
      })
  }
}
