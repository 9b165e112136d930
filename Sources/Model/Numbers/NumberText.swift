/// Writes numbers for people and documents. All code uses these functions, since other formatting would need
/// Foundation.
extension BinaryFloatingPoint where Self: CustomStringConvertible {
  /// The number in full, without a fraction if it is whole: `-6`, `0.5`.
  ///
  /// The fewest digits that distinguish the number from all others of its type. `Float(-3.3)` is `-3.3`, as a
  /// surface sent it; the same number as `Double` has more digits.
  public var shortText: String { Int(exactly: self).map(String.init) ?? description }
}

extension Double {
  /// The decimals of a rounded number.
  public enum Places: Sendable {
    /// Exactly so many decimals: `0.50`.
    case exactly(Int)
    /// At most so many decimals, without zeros at the end: `0.5`, `2`.
    case upTo(Int)
  }

  /// The number rounded to some decimals, never `-0`. In full if it is not finite or its magnitude is 10^12
  /// or more.
  ///
  /// - Parameter showsPlus: whether numbers above 0 get a plus sign.
  public func text(_ places: Places, showsPlus: Bool = false) -> String {
    let (count, dropsZeros) =
      switch places {
      case .exactly(let count): (count, false)
      case .upTo(let count): (count, true)
      }
    guard isFinite, magnitude < 1e12 else { return shortText }
    var scale = 1
    for _ in 0..<count { scale *= 10 }
    let scaled = Int((magnitude * Double(scale)).rounded())
    let sign = scaled == 0 ? "" : self < 0 ? "-" : showsPlus ? "+" : ""
    var (fraction, digits) = (scaled % scale, count)
    while dropsZeros, digits > 0, fraction.isMultiple(of: 10) {
      (fraction, digits) = (fraction / 10, digits - 1)
    }
    guard digits > 0 else { return "\(sign)\(scaled / scale)" }
    let text = "\(fraction)"
    return "\(sign)\(scaled / scale)." + String(repeating: "0", count: digits - text.count) + text
  }
}
