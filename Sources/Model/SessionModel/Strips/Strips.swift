/// The strips of all surfaces: what each of them acts on. Strips have fixed numbers, so that one layout works for every show.
///
/// A strip has a target of its own, or that of a bank: a row of strips that moves over the show, or over the controls of effects.
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

  public init() {}

  /// A row of strips that moves.
  public struct Bank: Equatable, Sendable {
    /// The number of strips; 0 for a bank that is not used.
    public var size = 0
    /// Index of the target of its first strip.
    public var place = 0
    /// What it moves over.
    public var range = BankRange.show
    /// The number of targets over which it moves; 0 for a bank that is not used.
    fileprivate var total = 0
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
  public func range(of bank: Int) -> BankRange { rows[bank - 1].range }

  /// Whether a bank moves over controls of effects.
  public var hasBanksOfEffects: Bool { rows.contains { $0.size > 0 && $0.range != .show } }

  /// The strips of a bank; empty for a bank that is not used.
  public func strips(of bank: Int) -> Range<Int> {
    let first = Self.first(of: bank)
    return first..<first + size(of: bank)
  }

  /// The number of strips of a bank that have no target of their own.
  private func width(of bank: Int) -> Int { strips(of: bank).count { own[$0] == nil } }

  /// Index of the target of a bank's first strip. If targets have gone, so that none would be left for the bank, it shows the last ones; if
  /// all have gone, it keeps its place until they are back.
  public func place(of bank: Int) -> Int {
    let (place, total) = (rows[bank - 1].place, rows[bank - 1].total)
    return total > 0 && place >= total ? max(0, total - max(1, width(of: bank))) : place
  }

  /// The bank before or behind which there is no further target keeps its place.
  public mutating func step(_ bank: Int, by steps: Int) {
    let width = max(1, width(of: bank))
    let place = place(of: bank) + steps * width
    guard place < rows[bank - 1].total || steps < 0 else { return }
    rows[bank - 1].place = max(0, place)
  }

  public mutating func setSize(of bank: Int, to size: Int) { rows[bank - 1].size = size }
  public mutating func setPlace(of bank: Int, to place: Int) { rows[bank - 1].place = place }

  /// Sets what a bank moves over, from the first target on.
  public mutating func setRange(of bank: Int, to range: BankRange) {
    (rows[bank - 1].range, rows[bank - 1].place) = (range, 0)
  }

  // MARK: Targets

  public mutating func assign(_ target: StripTarget?, to number: Int) { own[number] = target }
  public mutating func assign(_ targets: [Int: StripTarget]) { own = targets }

  /// Gives each strip its target.
  /// - Parameter order: the targets over which a bank moves.
  public mutating func fill(from order: (BankRange) -> [StripTarget]) {
    var targets = Self.numbers.map { own[$0] }
    var orders: [BankRange: [StripTarget]] = [:]
    for bank in Self.banks {
      var present: [StripTarget] = []
      if size(of: bank) > 0 {
        let range = range(of: bank)
        present = orders[range] ?? order(range)
        orders[range] = present
      }
      if rows[bank - 1].total != present.count { rows[bank - 1].total = present.count }
      let free = strips(of: bank).filter { own[$0] == nil }
      for (index, number) in zip(place(of: bank)..., free) {
        targets[number - 1] = present.indices.contains(index) ? present[index] : nil
      }
    }
    if targets != self.targets { self.targets = targets }
  }
}
