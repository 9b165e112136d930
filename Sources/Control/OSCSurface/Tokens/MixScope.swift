/// The addresses that a client with a token for the mix of an output may use.
struct MixScope: Hashable, Sendable {
  let output: String

  /// Whether the client may set an address: level, balance, switch and solo of each send into the output, and the output's own level.
  func sets(_ address: String) -> Bool {
    let parts = address.split(separator: "/")
    guard parts.first == "session" else {
      return parts.count >= 3 && parts[0] == "output" && parts[1] == output && Self.levels.contains(parts[2])
    }
    return isSend(parts) && parts.count >= 7
      && (Self.levels.contains(parts[6]) || ["on", "pan", "solo"].contains(parts[6]))
  }

  /// Whether the client may read an address: what belongs to its sends and its output, their meters, and the names of sessions and streams.
  func reads(_ address: String) -> Bool {
    let parts = address.split(separator: "/")
    guard parts.count > 1 else { return false }
    return switch parts[0] {
    case "output": parts[1] == output
    case "session":
      isSend(parts) || parts == ["session", "list"] || parts.count == 3 && Self.names.contains(parts[2])
        || parts.count == 4 && parts[2] == "stream" && parts[3] == "list"
    case "meter":
      parts.count > 2 && (parts[1] == "stream" || parts[1] == "output" && parts[2] == output)
        && parts.last != "reset"
    case "system": parts == ["system", "panic"]
    default: false
    }
  }

  private static let levels: Set<Substring> = ["gain", "fader"]
  private static let names: Set<Substring> = ["name", "color", "category"]

  private func isSend(_ parts: [Substring]) -> Bool {
    parts.count > 5 && parts[0] == "session" && parts[2] == "stream" && parts[4] == "to" && parts[5] == output
  }
}

/// What a client may reach.
enum Reach: Hashable, Sendable {
  /// All that its permission allows.
  case everything
  /// One mix.
  case mix(MixScope)
  /// Nothing, for a reason.
  case nothing(String)

  /// Whether the client may use all addresses.
  var isWhole: Bool { self == .everything }

  func reads(_ address: String) -> Bool {
    switch self {
    case .everything: true
    case .mix(let scope): scope.reads(address)
    case .nothing: false
    }
  }

  func sets(_ address: String) -> Bool {
    switch self {
    case .everything: true
    case .mix(let scope): scope.sets(address)
    case .nothing: false
    }
  }

  /// Whether an address concerns only the sender, so that everybody may use it. What it brings is limited as everything else.
  func serves(_ address: String) -> Bool {
    switch self {
    case .everything: true
    case .mix: Self.services.contains(address) || address.hasPrefix("/client/")
    case .nothing: Self.greetings.contains(address)
    }
  }

  /// The addresses by which a client says who it is.
  private static let greetings: Set<String> = ["/hello", "/token", "/bye", "/ping", "/request"]
  private static let services = greetings.union([
    "/subscribe", "/unsubscribe", "/snapshot", "/resync", "/sync", "/get",
  ])

  /// Why an address is denied.
  func reason(_ address: String) -> String {
    switch self {
    case .everything: address
    case .mix(let scope):
      "\(address) is no part of the mix of \(scope.output), for which this client has a token"
    case .nothing(let reason): "\(address) is denied: \(reason)"
    }
  }
}
