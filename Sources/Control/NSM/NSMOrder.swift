/// What a session manager asks of this program. One order is carried out after the other.
public enum NSMOrder: Equatable, Sendable {
  /// Load the session's project, or make it. A later one takes the place of the project that is open.
  case open(NSMProject)
  /// Save the project that is open.
  case save

  /// The address of the order, which its answer names.
  var address: String {
    switch self {
    case .open: "/nsm/client/open"
    case .save: "/nsm/client/save"
    }
  }
}

/// This program's part of a session.
public struct NSMProject: Equatable, Sendable {
  /// Where the project lies. The program chooses whether the path is a file or a folder.
  public let path: String
  /// The session's name, for people.
  public let name: String
  /// The name that the JACK client must have.
  public let client: String

  public init(path: String, name: String, client: String) {
    (self.path, self.name, self.client) = (path, name, client)
  }
}

/// Why an order was not carried out.
public struct NSMFailure: Error, Equatable, Sendable {
  public var code: Code
  /// For people, without a full stop.
  public var reason: String

  public init(_ code: Code, _ reason: String) { (self.code, self.reason) = (code, reason) }

  /// The codes of the protocol that this program uses.
  public enum Code: Int32, Sendable {
    case general = -1
    case noSession = -6
    case badProject = -9
    case createFailed = -10
    case pending = -12
  }
}
