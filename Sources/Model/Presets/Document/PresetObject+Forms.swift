import SessionModel

extension PresetObject {
  /// The form of the keys in an object of entries.
  enum Names: Sendable {
    case slugs, sources, destinations, contributions

    /// A regular expression for the whole key.
    var pattern: String {
      switch self {
      case .slugs: Form.slug
      case .sources: "(?!none$)\(Form.slug)"
      case .destinations:
        "\(Form.slug)(:\(Form.channel)(-\(Form.channel))?|:\(Form.crosspoint)([+]\(Form.crosspoint))*)?"
      case .contributions: "(input:)?\(Form.slug)"
      }
    }

    /// Whether a key has the form.
    func accept(_ key: String) -> Bool {
      guard let regex = try? Regex(pattern).matchingSemantics(.unicodeScalar) else { return false }
      return key.wholeMatch(of: regex) != nil
    }
  }

  /// The form of a text.
  enum Form: Sendable {
    /// Words of the scope joined by `+`, or `all`.
    case scope
    /// A text that no program mistakes for one of its options.
    case word
    /// A session and one of its streams.
    case streamOfSession
    /// A session, stream, output or input that a recorder records.
    case recorderSource

    /// A regular expression for the whole text.
    var pattern: String {
      switch self {
      case .scope:
        "all|\(Self.anyScope)([+]\(Self.anyScope))*"
      case .word: "[^- \(Self.controls)][^ \(Self.controls)]*"
      case .streamOfSession: "\(Self.slug)[.]\(Self.slug)"
      case .recorderSource: "(session|output|input):\(Self.slug)|stream:\(Self.slug)[.]\(Self.slug)"
      }
    }

    /// The control characters, for a class of a regular expression.
    static let controls = #"\u0000-\u001f\u007f-\u009f"#
    private static let anyScope = "(\(Scope.allCases.map(\.rawValue).joined(separator: "|")))"
    /// The form that `Identifier` accepts.
    static let slug = "[a-z0-9][a-z0-9_-]{0,31}"
    /// A channel from 1 to 1024, as `ChannelSelection` reads it.
    fileprivate static let channel = "0*([1-9][0-9]{0,2}|10[01][0-9]|102[0-4])"
    fileprivate static let crosspoint = "\(channel):\(channel)"

  }
}
