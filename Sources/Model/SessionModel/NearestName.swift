/// Finds the name that an operator probably meant by a name that does not exist.
public enum NearestName {
  /// Names with more bytes than this get no suggestion. The limit bounds the cost of one comparison.
  public static let longestName = 128

  /// The candidate that differs least from `name`; nil if none is near.
  ///
  /// A candidate is near if at most one letter in three differs, and always with a single difference. Capital letters do not count as
  /// different. Of equally near candidates the first wins. The time for a candidate of similar length is the product of both lengths.
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

  /// Damerau-Levenshtein distance in its "optimal string alignment" form: each inserted, missing, wrong or swapped letter counts as one.
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
  /// The end of a sentence about an unknown name: it offers the nearest name, else lists the first names that exist.
  /// - Parameter words: what may be meant, too, and is not listed.
  public static func hint(for name: String, among known: [String], or words: [String] = []) -> String {
    if let nearest = suggestion(for: name, among: known + words) { return "did you mean '\(nearest)'?" }
    guard !known.isEmpty else { return "there is none" }
    let rest = known.count - mostListed
    return "there are \(known.prefix(mostListed).joined(separator: ", "))"
      + (rest > 0 ? " and \(rest) more" : "")
  }

  /// Greatest number of names in one sentence: an error must fit into a datagram, even with a thousand sessions.
  private static let mostListed = 16
}
