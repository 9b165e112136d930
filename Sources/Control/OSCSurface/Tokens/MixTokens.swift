public import ControlInterface
import OSC
import Parameters
import SessionModel

/// The tokens for mixes, and the clients that have presented one.
public struct MixTokens: Sendable {
  private(set) var tokens: [MixToken]
  private let tools: Tools
  /// The ids of the tokens that clients have presented. An id stays after its token has ended: such a client has no right until it leaves.
  private(set) var holders: [Peer: Int] = [:]
  private var wrong = WrongTries()
  /// The greatest id so far.
  private var lastID: Int

  /// What the tokens need of the program.
  public struct Tools: Sendable {
    /// The hash of a secret; nil for a text that is none. Called on the policy thread.
    public var hash: @Sendable (String) -> String?
    /// The time of day, in seconds since 1970.
    public var now: @Sendable () -> Double
    /// Takes the tokens after each change, to keep them over a restart; never waits.
    public var keep: @Sendable ([MixToken]) -> Void

    public init(
      hash: @escaping @Sendable (String) -> String? = { _ in nil },
      now: @escaping @Sendable () -> Double = { 0 }, keep: @escaping @Sendable ([MixToken]) -> Void = { _ in }
    ) {
      (self.hash, self.now, self.keep) = (hash, now, keep)
    }
  }

  /// - Parameter tokens: those of an earlier run.
  public init(_ tokens: [MixToken] = [], _ tools: Tools = Tools()) {
    self.tools = tools
    self.tokens = tokens.filter { $0.end > tools.now() }
    lastID = tokens.map(\.id).max() ?? 0
  }

  /// Greatest number of tokens, and of clients that have presented one.
  static let capacity = 64
  /// How long a token may last: a minute to 31 days, in seconds.
  static let lengths = 60.0...31 * 86_400
  /// The length of a token for which none is given: an evening.
  static let usualLength = 12 * 3_600.0

  // MARK: Clients

  /// What a client may reach by the token that it has presented; nil if it has presented none.
  func reach(of peer: Peer) -> Reach? {
    guard let id = holders[peer] else { return nil }
    guard let token = tokens.first(where: { $0.id == id }), token.end > tools.now() else {
      return .nothing("its token has ended or was withdrawn; present another with /token")
    }
    return .mix(MixScope(output: token.output.name))
  }

  /// The token of a secret.
  /// - Throws: `SessionError` denied if there is none, or while the host must wait; full.
  mutating func find(_ secret: String, of peer: Peer, at time: Double) throws(SessionError) -> MixToken {
    try wrong.check(peer.host, at: time, noun: "tokens")
    guard let hash = tokens.isEmpty ? nil : tools.hash(secret),
      let token = tokens.first(where: { $0.hash == hash && $0.end > tools.now() })
    else {
      wrong.note(peer.host, at: time)
      throw SessionError(.denied, "there is no such token; it may have ended or been withdrawn")
    }
    guard holders[peer] != nil || holders.count < Self.capacity else {
      throw SessionError(.full, "\(Self.capacity) clients use tokens; end one of them with /bye")
    }
    return token
  }

  mutating func note(_ token: MixToken, of peer: Peer) { holders[peer] = token.id }

  mutating func forget(_ peer: Peer) { holders[peer] = nil }

  /// Forgets clients that have lost their places, if there is no room for more. Their packets then count as those of their hosts.
  mutating func forgetLost(but clients: [Peer]) {
    guard holders.count >= Self.capacity else { return }
    holders = holders.filter { clients.contains($0.key) }
  }

  /// Seconds until a token ends; 0 if it has.
  func left(of token: MixToken) -> Double { max(0, token.end - tools.now()) }

  // MARK: Making and ending

  /// Checks that a token can be made.
  /// - Throws: `SessionError` full, or badValue if the name is taken.
  func check(_ name: String) throws(SessionError) {
    guard tokens.count < Self.capacity else {
      throw SessionError(.full, "there are \(Self.capacity) tokens; withdraw one with /token/withdraw")
    }
    guard !name.isEmpty, name.utf8.count <= 64, Int(name) == nil else {
      throw SessionError(.badValue, "the name of a token has 1 to 64 bytes, and is no number")
    }
    guard !tokens.contains(where: { $0.name == name }) else {
      throw SessionError(.badValue, "there is a token \(name); withdraw it first, or choose another name")
    }
  }

  /// The first free name that begins as the output's.
  func freeName(for output: PortID) -> String {
    let names = Set(tokens.map(\.name))
    return ([output.name] + (2...Self.capacity + 1).map { "\(output) \($0)" }).first { !names.contains($0) }!
  }

  mutating func add(
    _ name: String, _ output: PortID, seconds: Double, hash: String
  ) throws(SessionError) -> MixToken {
    try check(name)
    lastID += 1
    let token = MixToken(id: lastID, name: name, output: output, end: tools.now() + seconds, hash: hash)
    tokens.append(token)
    tools.keep(tokens)
    return token
  }

  /// The token of a name or an id.
  /// - Throws: `SessionError` notFound.
  func token(_ word: String) throws(SessionError) -> MixToken {
    guard let token = tokens.first(where: { $0.name == word || "\($0.id)" == word }) else {
      let names = tokens.map(\.name)
      throw SessionError(.notFound, "there is no token \(word); \(NearestName.hint(for: word, among: names))")
    }
    return token
  }

  /// Ends a token.
  ///
  /// - Returns: the clients that have used it.
  mutating func end(_ token: MixToken) -> [Peer] {
    tokens.removeAll { $0.id == token.id }
    tools.keep(tokens)
    return holders.filter { $0.value == token.id }.map(\.key)
  }

  /// The tokens whose time is over.
  var ended: [MixToken] { tokens.filter { $0.end <= tools.now() } }

  /// When the next token ends, in seconds from now; nil without tokens. The clock may be set meanwhile, so it is looked at each minute.
  var untilEnd: Double? { tokens.map { min(60, max(0, $0.end - tools.now())) }.min() }
}
