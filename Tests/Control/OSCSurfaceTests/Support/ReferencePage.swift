import Checkout

/// The page `docs/reference/osc.md`.
enum ReferencePage {
  static let file = "docs/reference/osc.md"

  /// The row of each address. The page writes addresses together that differ in one part: `/a/{b,c}/d`.
  static func rows(of text: String) -> [String: Substring] {
    var rows: [String: Substring] = [:]
    for row in text.split(separator: "\n") where row.hasPrefix("- `") {
      for text in row.prefix(while: { $0 != "(" }).matches(of: /`(\/[^`{]*)(?:\{([^`}]*)\})?([^`]*)`/) {
        for part in (text.2 ?? "").split(separator: ",", omittingEmptySubsequences: false) {
          rows["\(text.1)\(part)\(text.3)"] = row
        }
      }
    }
    return rows
  }

  /// The rows of the page that is there.
  static let rows = (try? Checkout.text(file)).map { rows(of: $0) } ?? [:]
}
