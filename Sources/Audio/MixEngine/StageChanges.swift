/// New levels of stages, in the order in which they were added. If a stage occurs twice, its last level counts.
public struct StageChanges: Equatable, Sendable, ExpressibleByDictionaryLiteral {
  public struct Change: Equatable, Sendable {
    public let key: StageKey
    public let level: StageLevel
  }

  public private(set) var list: [Change] = []

  public init() {}

  public init(dictionaryLiteral levels: (StageKey, StageLevel)...) {
    list = levels.map { Change(key: $0, level: $1) }
  }

  public init(_ levels: [StageKey: StageLevel]) { list = levels.map { Change(key: $0, level: $1) } }

  public var isEmpty: Bool { list.isEmpty }

  public mutating func reserveCapacity(_ count: Int) { list.reserveCapacity(count) }

  public mutating func append(_ key: StageKey, _ level: StageLevel) {
    list.append(Change(key: key, level: level))
  }
}
