/// An entry of a stream's sources or of a capture's destinations: it describes JACK ports of programs.
///
/// Under PipeWire several programs may have the same JACK name. The names of the application, of what it plays and of its node distinguish them.
public struct ProgramPorts: Hashable, Sendable {
  /// The channel that the ports belong to, from 1; nil gives the ports of each program to the channels in their order.
  public var channel: Int?
  /// The full names of the ports; nil for all ports of the program.
  public var ports: PortGlob?
  /// Patterns for the program's names; those that are absent accept every name.
  public var names: [ProgramNames.Key: PortGlob] = [:]

  /// Makes an entry for ports by their names alone.
  public init(_ ports: PortGlob) { self.ports = ports }

  /// Makes an entry; nil if it describes nothing, or if the channel does not exist.
  public init?(channel: Int? = nil, ports: PortGlob?, names: [ProgramNames.Key: PortGlob]) {
    guard ports != nil || !names.isEmpty else { return nil }
    if let channel { guard Self.channels.contains(channel) else { return nil } }
    (self.channel, self.ports, self.names) = (channel, ports, names)
  }

  /// The channels that an entry may name.
  public static let channels = 1...SessionStream.maximumChannels

  /// Whether a program's names are accepted.
  /// - Parameter names: nil if they are not known; then an entry with names does not accept the program.
  public func accepts(_ names: ProgramNames?) -> Bool {
    self.names.allSatisfy { key, glob in names.map { glob.matches($0[key]) } ?? false }
  }
}

/// The names of a program at the audio server. A server without nodes knows only the JACK client.
public struct ProgramNames: Hashable, Sendable {
  public enum Key: String, CaseIterable, Sendable { case application, media, node }

  /// Such as `Firefox`.
  public var application: String
  /// What the program plays, such as the title of a song; empty if the server does not know it.
  public var media: String
  /// The name of the program's node.
  public var node: String
  /// The server's number of the node, which distinguishes two tabs of one browser; nil if the server has no nodes.
  public var number: String?

  public init(application: String, media: String = "", node: String, number: String? = nil) {
    (self.application, self.media, self.node, self.number) = (application, media, node, number)
  }

  /// The names at a server without nodes.
  public init(client: String) { self.init(application: client, node: client) }

  public subscript(key: Key) -> String {
    switch key {
    case .application: application
    case .media: media
    case .node: node
    }
  }
}

// MARK: Text

extension ProgramPorts: CustomStringConvertible {
  /// The entry as addresses write it: `mpv:out_*`, `2=mpv:out_2`, `{application=Firefox,media=Some song}`,
  /// `1={application=Firefox}Firefox:output_FL`.
  public var text: String {
    let patterns = ProgramNames.Key.allCases.compactMap { key in
      names[key].map { "\(key.rawValue)=\(Self.escaped($0.text))" }
    }
    return (channel.map { "\($0)=" } ?? "") + (patterns.isEmpty ? "" : "{\(patterns.joined(separator: ","))}")
      + (ports?.text ?? "")
  }

  public var description: String { text }

  /// Reads an entry; nil if the text is none.
  public init?(_ text: String) {
    var rest = text[...]
    let digits = rest.prefix { $0.isASCII && $0.isNumber }
    if !digits.isEmpty, rest.dropFirst(digits.count).first == "=" {
      guard let number = Int(digits), Self.channels.contains(number) else { return nil }
      channel = number
      rest = rest.dropFirst(digits.count + 1)
    }
    if rest.first == "{" {
      guard let names = Self.takeNames(&rest) else { return nil }
      self.names = names
    }
    guard rest.isEmpty else {
      guard let glob = PortGlob(String(rest)) else { return nil }
      ports = glob
      return
    }
    guard !names.isEmpty else { return nil }
  }

  private static func escaped(_ text: String) -> String {
    text.map { "\\,}".contains($0) ? "\\\($0)" : "\($0)" }.joined()
  }

  /// Takes the patterns in braces from the start of a text.
  private static func takeNames(_ text: inout Substring) -> [ProgramNames.Key: PortGlob]? {
    var names: [ProgramNames.Key: PortGlob] = [:]
    var (word, isEscaped) = ("", false)
    func note() -> Bool {
      guard let equals = word.firstIndex(of: "="),
        let key = ProgramNames.Key(rawValue: String(word[..<equals])),
        names[key] == nil, let glob = PortGlob(String(word[word.index(after: equals)...]))
      else { return false }
      names[key] = glob
      word = ""
      return true
    }
    text = text.dropFirst()
    while let character = text.popFirst() {
      switch character {
      case _ where isEscaped:
        // Before a wildcard it is the pattern's own.
        word += "*?".contains(character) ? "\\\(character)" : "\(character)"
        isEscaped = false
      case "\\": isEscaped = true
      case ",": guard note() else { return nil }
      case "}": return note() ? names : nil
      default: word.append(character)
      }
    }
    return nil
  }
}
