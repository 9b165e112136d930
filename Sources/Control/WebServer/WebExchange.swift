public import ControlInterface

/// A request for a page, with `GET` or `HEAD`.
public struct WebRequest: Equatable, Sendable {
  /// The path, decoded and without a query, such as `/metrics`.
  public var path: String
  /// The text behind `?`, decoded, its parts with `&` between them; nil without a question mark or with nothing behind it.
  public var query: String?
  /// The machine that asks. It may connect, so it has a permission, perhaps only that to view.
  public var host: HostAddress
  /// The fields of the head that say which form of a page fits, by their names in lower case: `accept`, `accept-encoding`, `if-none-match`.
  public var fields: [String: String]

  public init(
    path: String, query: String? = nil, host: HostAddress = .loopback, fields: [String: String] = [:]
  ) {
    (self.path, self.query, self.host, self.fields) = (path, query, host, fields)
  }
}

/// The answer to a request.
public struct WebAnswer: Equatable, Sendable {
  /// The status code of HTTP.
  public var status: Int
  /// The media type of the body.
  public var type: String
  public var body: [UInt8]
  /// A file that is sent instead of `body`; nil for none.
  public var file: WebFile?
  /// Further fields of the head, by their names. At most 2,000 bytes; no line breaks.
  public var fields = ["Cache-Control": "no-store"]

  public init(status: Int = 200, type: String, body: [UInt8]) {
    (self.status, self.type, self.body) = (status, type, body)
  }

  /// An answer with a file.
  public init(type: String, file: WebFile) {
    self.init(type: type, body: [])
    self.file = file
  }

  /// An answer in plain words.
  public init(status: Int, _ sentence: String) {
    self.init(status: status, type: "text/plain; charset=utf-8", body: Array("\(sentence)\n".utf8))
  }

  /// Bytes of the body.
  var size: Int { file?.size ?? body.count }
}
