import Parameters

/// A question of an HTTP client, as OSCQuery defines them: a node with all below it, one attribute of a node, or the host.
public enum QueryQuestion: Equatable, Sendable {
  case host
  case node(String)
  case attribute(String, named: String)

  /// - Parameters:
  ///   - path: an OSC address.
  ///   - query: what follows the question mark, such as `VALUE`, `HOST_INFO` or `HOST_INFO=1`; a value is ignored. Nil or empty for the whole node.
  public init(path: String, query: String?) {
    let name = query.map { $0.prefix { $0 != "=" } } ?? ""
    self =
      name.isEmpty && query?.isEmpty ?? true
      ? .node(path) : name == "HOST_INFO" ? .host : .attribute(path, named: String(name))
  }
}

extension QueryQuestion {
  /// The least right of a host that gets an answer. The page of a mix asks for the host before it shows its token.
  var leastRight: Right { self == .host ? .mix : .view }

  /// Whether the answer may have thousands of nodes.
  public var mayBeLong: Bool {
    switch self {
    case .host: false
    case .node: true
    case .attribute(_, let name): name == QueryAttribute.contents.rawValue
    }
  }
}

/// An answer to a question.
public struct QueryAnswer: Equatable, Sendable {
  /// The status code of HTTP.
  public var status: Int
  /// JSON if the status is 200, a sentence otherwise.
  public var text: String

  init(_ status: Int, _ text: String) { (self.status, self.text) = (status, text) }

  /// For hosts that may not read.
  public static let denied = QueryAnswer(
    403, "This host may not view the router; add it to \"hosts\" in the configuration.")
}

extension QueryView {
  /// Answers a question. Any thread may call. A whole tree takes up to a tenth of a second: neither the policy thread nor that of the web server may make one.
  public func answer(_ question: QueryQuestion, _ host: QueryHost) -> QueryAnswer {
    switch question {
    case .host: return QueryAnswer(200, host.text)
    case .node(let path):
      guard let text = tree(at: path) else { return Self.unknown(path) }
      return QueryAnswer(200, text)
    case .attribute(let path, let name):
      guard let attribute = QueryAttribute(rawValue: name) else {
        let known = QueryAttribute.allCases.map(\.rawValue).joined(separator: ", ")
        return QueryAnswer(
          400, "There is no attribute \(name); there are HOST_INFO, \(known). Ask for one at a time.")
      }
      guard let (node, target) = QueryNode.find(path, in: state) else { return Self.unknown(path) }
      // A value that can never be read differs from one that is not known yet.
      if attribute == .value, let value = node.value, value.leaf.queryAccess == 2 {
        return QueryAnswer(204, "")
      }
      var writer = QueryWriter(self)
      let isKnown = writer.write(attribute, of: node, path, target)
      return QueryAnswer(200, isKnown ? "{\"\(name)\":\(writer.text)}" : "{}")
    }
  }

  private static func unknown(_ path: String) -> QueryAnswer {
    QueryAnswer(404, "There is nothing at \(path); /system/list lists what is below an address.")
  }
}
