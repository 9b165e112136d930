/// The page for browsers: the files that a web server gives to them.
///
/// All files are part of the program as they were written, so that they stay readable where they lie and no step of the build makes files. They are
/// packed once, when a browser first asks, which takes some milliseconds.
public enum WebPage {
  /// The answer to a request for a file.
  public struct Answer: Equatable, Sendable {
    /// 200, or 304 if the browser has the same file already.
    public var status: Int
    /// The media type of the file.
    public var type: String
    /// Further fields of the head.
    public var fields: [String: String]
    /// The file, or nothing with 304.
    public var body: [UInt8]
  }

  /// The files, by their paths. Made when they are first needed.
  static let files = Dictionary(uniqueKeysWithValues: PageFile.all.map { ($0.path, $0) })

  /// Answers a request. Any thread; the first call packs all files.
  /// - Parameters:
  ///   - path: the decoded path without a query, such as `/core/osc.js`; `/` is the page itself, and `/mix/OUTPUT` the same page for one mix.
  ///   - fields: those of the request's head, by names in lower case: `accept-encoding` and `if-none-match` are used.
  /// - Returns: nil if the page has no such file.
  public static func answer(to path: String, fields: [String: String] = [:]) -> Answer? {
    // The page itself reads which mix it shows.
    guard let file = files[path == "/" || path.hasPrefix("/mix/") ? "/index.html" : path] else { return nil }
    var answer = Answer(status: 200, type: file.type, fields: head(of: file), body: file.bytes)
    if accepts(file.tag, fields["if-none-match"]) {
      (answer.status, answer.body) = (304, [])
    } else if let packed = file.packed, accepts("deflate", fields["accept-encoding"]) {
      answer.fields["Content-Encoding"] = "deflate"
      answer.body = packed
    }
    return answer
  }

  /// No byte from another host, no script but the page's own files, no page around it. A picture may also be part of a style.
  private static let policy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

  /// A browser keeps a file, and asks each time whether it is still the same.
  private static func head(of file: PageFile) -> [String: String] {
    [
      "Content-Security-Policy": policy, "X-Content-Type-Options": "nosniff",
      "Referrer-Policy": "no-referrer",
      "Cache-Control": "no-cache", "Vary": "Accept-Encoding", "ETag": file.tag,
    ]
  }

  /// Whether a list with commas between its items has one of them that its weight does not exclude. A weak tag names the same file.
  private static func accepts(_ item: String, _ list: String?) -> Bool {
    (list ?? "").split(separator: ",").contains { entry in
      let parts = entry.filter { $0 != " " }.split(separator: ";")
      guard let name = parts.first,
        !parts.contains(where: { ["q=0", "q=0.0", "q=0.00", "q=0.000"].contains($0) })
      else { return false }
      return name == item || name == "W/\(item)"
    }
  }
}
