/// The strips of all surfaces: what each of them acts on. Strips have fixed numbers, so that one layout works for every show.
///
/// A strip has a target of its own, or that of a bank: a row of strips that moves over the show's sessions, streams and outputs.
public struct Strips: Equatable, Sendable {
  /// The numbers of strips, and of banks.
  public static let numbers = 1...64
  public static let banks = 1...8
  /// The number of strips from the first one of a bank to that of the next bank.
  public static let pitch = 8
  /// The places that a bank may have.
  public static let places = 0...99_999

  /// The targets that a preset or a command has assigned, by number.
  public private(set) var own: [Int: StripTarget] = [:]
  private var rows = [Bank](repeating: Bank(), count: banks.count)
  /// The targets in force.
  private var targets = [StripTarget?](repeating: nil, count: numbers.count)
  /// The number of targets over which banks move.
  private var total = 0

  public init() {}

  /// A row of strips that moves.
  public struct Bank: Equatable, Sendable {
    /// The number of strips; 0 for a bank that is not used.
    public var size = 0
    /// Index of the target of its first strip.
    public var place = 0
  }

  /// Whether no strip can have a target.
  public var isUnused: Bool { own.isEmpty && !hasBanks }

  /// Whether a bank is used.
  public var hasBanks: Bool { rows.contains { $0.size > 0 } }

  /// The target of a strip; nil if it has none. The object may be gone.
  public func target(of number: Int) -> StripTarget? {
    Self.numbers.contains(number) ? targets[number - 1] : nil
  }

  /// The strips that have a target, with the target.
  public var assigned: [(number: Int, target: StripTarget)] {
    Self.numbers.compactMap { number in targets[number - 1].map { (number, $0) } }
  }

  // MARK: Banks

  /// The first strip of a bank.
  public static func first(of bank: Int) -> Int { 1 + (bank - 1) * pitch }

  public func size(of bank: Int) -> Int { rows[bank - 1].size }

  /// The strips of a bank; empty for a bank that is not used.
  public func strips(of bank: Int) -> Range<Int> {
    let first = Self.first(of: bank)
    return first..<first + size(of: bank)
  }

  /// The number of strips of a bank that have no target of their own.
  private func width(of bank: Int) -> Int { strips(of: bank).count { own[$0] == nil } }

  /// Index of the target of a bank's first strip. If targets have gone, so that none would be left for the bank, it shows the last ones.
  public func place(of bank: Int) -> Int {
    let place = rows[bank - 1].place
    return hasBanks && place >= total ? max(0, total - max(1, width(of: bank))) : place
  }

  /// The bank before or behind which there is no further target keeps its place.
  public mutating func step(_ bank: Int, by steps: Int) {
    let width = max(1, width(of: bank))
    let place = place(of: bank) + steps * width
    guard place < total || steps < 0 else { return }
    rows[bank - 1].place = max(0, place)
  }

  public mutating func setSize(of bank: Int, to size: Int) { rows[bank - 1].size = size }
  public mutating func setPlace(of bank: Int, to place: Int) { rows[bank - 1].place = place }

  // MARK: Targets

  public mutating func assign(_ target: StripTarget?, to number: Int) { own[number] = target }
  public mutating func assign(_ targets: [Int: StripTarget]) { own = targets }

  /// Gives each strip its target.
  /// - Parameter order: the targets over which banks move.
  public mutating func fill(from order: [StripTarget]) {
    total = order.count
    var targets = Self.numbers.map { own[$0] }
    for bank in Self.banks {
      let free = strips(of: bank).filter { own[$0] == nil }
      for (index, number) in zip(place(of: bank)..., free) {
        targets[number - 1] = order.indices.contains(index) ? order[index] : nil
      }
    }
    if targets != self.targets { self.targets = targets }
  }
}
