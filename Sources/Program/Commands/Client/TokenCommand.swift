import ControlInterface
import OSC
import SystemCalls

/// `multiroute token`: makes, lists and withdraws tokens for mixes.
enum TokenCommand {
  struct Options: Equatable {
    var client: ClientOptions
    var job: Job

    enum Job: Equatable {
      case mix(output: String, seconds: Double?, name: String?)
      case list
      case withdraw(String)
    }

    init(_ arguments: ParsedArguments, _ context: Context) throws(CommandFailure) {
      let words = arguments.positionals
      switch (words.first, words.count) {
      case ("mix", 2):
        let seconds = try arguments.text(.tokenLength).map { text throws(CommandFailure) in
          guard let seconds = TokenCommand.seconds(text) else {
            throw .usage(of: .token, ["--for \(text) is no length of time; write such as 90m, 3h or 2d"])
          }
          return seconds
        }
        job = .mix(output: words[1], seconds: seconds, name: arguments.text(.tokenName))
      case ("list", 1): job = .list
      case ("withdraw", 2): job = .withdraw(words[1])
      default:
        throw .usage(
          of: .token,
          [
            "\(words.joined(separator: " ")) is not understood; write: multiroute token mix OUTPUT, list, or withdraw NAME"
          ])
      }
      client = try ClientOptions(arguments, context)
    }
  }

  /// A length of time as people write it: `90m`, `3h` or `2d`.
  static func seconds(_ text: String) -> Double? {
    guard let unit = ["m": 60.0, "h": 3_600, "d": 86_400][text.suffix(1)],
      let count = PlainNumber.decimal(String(text.dropLast())), count > 0
    else { return nil }
    return count * unit
  }

  static func perform(_ options: Options, _ context: Context) throws(CommandFailure) {
    var link = try RouterLink(options.client)
    switch options.job {
    case .mix(let output, let seconds, let name):
      try make(output, seconds ?? 12 * 3_600, name, options.client.router, &link, context.console)
    case .list: try list(&link, context.console)
    case .withdraw(let word):
      _ = try link.request(OSCMessage("/token/withdraw", .string(word)))
    }
  }

  private static func make(
    _ output: String, _ seconds: Double, _ name: String?, _ router: Endpoint, _ link: inout RouterLink,
    _ console: Console
  ) throws(CommandFailure) {
    // The router tells whether it serves a page before it makes a token that nobody could use.
    let place = try page(of: router, &link)
    let arguments: [OSCArgument] =
      [.string(output), .float(Float(seconds / 3_600))] + (name.map { [.string($0)] } ?? [])
    guard
      let row = try link.request(OSCMessage("/token/make", arguments)).first?.arguments, row.count > 5
    else { throw CommandFailure(.failure, "multiroute: the router made no token") }
    let address = "http://\(place.address)/mix/\(row[4].plain)#\(row[5].plain)"
    console.print("\(row[3].plain): \(address)")
    if place.isLocal {
      console.tell(
        "multiroute: the page is at this machine only; start the router with --http HOST:PORT, HOST an address of the network"
      )
    }
    do throws(CommandFailure) {
      for line in try code(address, isColoured: console.output.isColoured, &link) { console.print(line) }
    } catch {
      // The link is whole without a picture of it.
      for line in error.lines { console.tell("multiroute: no QR code: \(line)") }
    }
  }

  /// Where other machines find the page of the router.
  private static func page(
    of router: Endpoint, _ link: inout RouterLink
  ) throws(CommandFailure) -> (address: String, isLocal: Bool) {
    let info = try link.request(OSCMessage("/system/info")).first?.arguments ?? []
    guard let key = info.firstIndex(of: .string("http")), info.indices.contains(key + 1) else {
      throw CommandFailure(.failure, "multiroute: the router serves no page; start it with --http HOST:PORT")
    }
    let address = info[key + 1].plain
    guard let colon = address.lastIndex(of: ":") else { return (address, false) }
    let (host, port) = (String(address[..<colon]), address[colon...])
    guard host == "0.0.0.0" || host == "[::]" else {
      return (address, host.hasPrefix("127.") || host == "[::1]")
    }
    // The router receives at every interface: others find it at the address by which this command does, or at one of this machine.
    if case .udp(let host, _) = router, !router.isLocal { return ("\(host)\(port)", false) }
    if case .tcp(let host, _) = router, !router.isLocal { return ("\(host)\(port)", false) }
    let own = System.getifaddrs().compactMap { HostAddress($0.address) }.first { $0.isIPv4 && !$0.isLoopback }
    return own.map { ("\($0)\(port)", false) } ?? ("127.0.0.1\(port)", true)
  }

  /// The QR code as lines of half blocks, with its quiet zone.
  private static func code(
    _ text: String, isColoured: Bool, _ link: inout RouterLink
  ) throws(CommandFailure) -> [String] {
    guard let row = try link.request(OSCMessage("/token/code", .string(text))).first?.arguments,
      row.count > 3, case .int32(let size) = row[2], case .string(let modules) = row[3]
    else { return [] }
    return HalfBlocks.lines(Array(modules.utf8).map { $0 == 0x31 }, width: Int(size), isColoured: isColoured)
  }

  private static func list(_ link: inout RouterLink, _ console: Console) throws(CommandFailure) {
    let rows = try link.request(OSCMessage("/token/list")).map { $0.arguments.dropFirst(2).map { $0 } }
      .filter { $0.count >= 5 }
    guard !rows.isEmpty else { return console.print("There is no token.") }
    for row in rows {
      let left = Int(row[3].plain) ?? 0
      console.print(
        "\(row[0].plain)  \(row[1].plain)  \(row[2].plain)  ends in \(left / 3_600) h \(left / 60 % 60) min  clients: \(row[4].plain)"
      )
    }
  }
}
