/// Finds what a person probably meant by a name that does not exist.
public enum NearestName {
  /// Names longer than this get no suggestion; it bounds the cost of one comparison.
  public static let longestName = 128

  /// The candidate that differs least from `name`, or nil when none is near.
  ///
  /// Near is one difference in three letters, at least one; capitals do not count as a difference. Of candidates that are
  /// equally near the first wins. The cost is the product of both lengths for each candidate of similar length.
  public static func suggestion(for name: String, among candidates: some Sequence<String>) -> String? {
    let wanted = Array(name.lowercased().utf8)
    guard !wanted.isEmpty, wanted.count <= longestName else { return nil }
    var best: (name: String, distance: Int)?
    for candidate in candidates {
      let limit = min(max(1, wanted.count / 3), (best?.distance ?? .max) - 1)
      let letters = Array(candidate.lowercased().utf8)
      guard abs(letters.count - wanted.count) <= limit else { continue }
      let difference = distance(wanted, letters)
      if difference <= limit, difference < letters.count { best = (candidate, difference) }
      if difference == 0 { break }
    }
    return best?.name
  }

  /// Damerau-Levenshtein distance in its "optimal string alignment" form: inserted, missing, wrong and swapped letters count one each.
  static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
    var beforeLast: [Int] = []
    var last = Array(0...right.count)
    for (row, letter) in left.enumerated() {
      var current = [row + 1]
      for (column, other) in right.enumerated() {
        var cost = min(
          last[column] + (letter == other ? 0 : 1), last[column + 1] + 1, current[column] + 1)
        if row > 0, column > 0, letter == right[column - 1], left[row - 1] == other {
          cost = min(cost, beforeLast[column - 1] + 1)
        }
        current.append(cost)
      }
      (beforeLast, last) = (last, current)
    }
    return last[right.count]
  }
}

extension NearestName {
  /// A sentence's end about what there is: the nearest name, or the first few, or that there is none.
  public static func hint(for name: String, among known: [String]) -> String {
    if let nearest = suggestion(for: name, among: known) { return "did you mean '\(nearest)'?" }
    guard !known.isEmpty else { return "there is none" }
    let rest = known.count - mostListed
    return "there are \(known.prefix(mostListed).joined(separator: ", "))"
      + (rest > 0 ? " and \(rest) more" : "")
  }

  /// Most names in one sentence: an error must fit a datagram however many sessions there are.
  private static let mostListed = 16
}
