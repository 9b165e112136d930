/// A request for a page, with `GET` or `HEAD`.
public struct WebRequest: Equatable, Sendable {
  /// The path, decoded and without a query, such as `/metrics`.
  public var path: String

  public init(path: String) { self.path = path }
}

/// The answer to a request.
public struct WebAnswer: Equatable, Sendable {
  /// The status code of HTTP.
  public var status: Int
  /// The media type of the body.
  public var type: String
  public var body: [UInt8]

  public init(status: Int = 200, type: String, body: [UInt8]) {
    (self.status, self.type, self.body) = (status, type, body)
  }

  /// An answer in plain words.
  public init(status: Int, _ sentence: String) {
    self.init(status: status, type: "text/plain; charset=utf-8", body: Array("\(sentence)\n".utf8))
  }
}
