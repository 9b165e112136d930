extension AddressPattern {
  /// The pattern between two slashes, compiled to a small automaton that reads each character once.
  public struct Part: Hashable, Sendable {
    /// The part as written.
    public let text: String

    /// Whether the part has no wildcard, so that it matches only `text`.
    public let isLiteral: Bool

    private let code: [UInt8]
    private let nodes: [Node]

    /// Compiles one part.
    init(_ text: String) throws(PatternError) {
      var compiler = PartCompiler(text)
      nodes = try compiler.compile()
      isLiteral = !AddressPattern.isPattern(text)
      code = Array(text.utf8)
      self.text = text
    }

    /// Whether the part matches a whole name; `?` stands for one Unicode scalar.
    public func matches(_ name: String) -> Bool {
      matches(name.utf8.span)
    }

    /// Whether the part matches the UTF-8 bytes between two slashes of an address.
    func matches(_ name: Span<UInt8>) -> Bool {
      // Compares bytes, because Swift strings with different scalars may be equal.
      if isLiteral { return name.count == code.count && name.indices.allSatisfy { name[$0] == code[$0] } }
      return withUnsafeTemporaryAllocation(of: Bool.self, capacity: 2 * (nodes.count + 1)) { memory in
        memory.initialize(repeating: false)
        return run(name, memory: memory)
      }
    }

    /// Follows all paths through the automaton at once. Each half of `memory` holds one set of reached nodes.
    private func run(_ name: Span<UInt8>, memory: UnsafeMutableBufferPointer<Bool>) -> Bool {
      var reached = memory.extracting(..<(nodes.count + 1))
      var following = memory.extracting((nodes.count + 1)...)
      reached[0] = true
      for position in name.indices {
        let byte = name[position]
        // The first byte of a scalar decides for the whole scalar.
        guard byte & 0b1100_0000 != 0b1000_0000 else { continue }
        spread(reached)
        var isAlive = false
        for index in nodes.indices where reached[index] {
          switch nodes[index] {
          case .star: following[index] = true
          case .single(let set) where set.contains(byte): following[index + 1] = true
          case .single, .fork, .jump: continue
          }
          isAlive = true
        }
        guard isAlive else { return false }
        reached.update(repeating: false)
        swap(&reached, &following)
      }
      spread(reached)
      return reached[nodes.count]
    }

    /// Adds the nodes that are reached without a character. They always come later, so that one pass finds all of them.
    private func spread(_ reached: UnsafeMutableBufferPointer<Bool>) {
      for index in nodes.indices where reached[index] {
        switch nodes[index] {
        case .fork(let targets): for target in targets { reached[target] = true }
        case .jump(let target): reached[target] = true
        case .star: reached[index + 1] = true
        case .single: break
        }
      }
    }
  }

  /// One node of a compiled part. The next node follows unless the case says otherwise.
  enum Node: Hashable, Sendable {
    /// Matches one character of a set.
    case single(ScalarSet)
    /// Matches any number of characters.
    case star
    /// Goes on at each of these nodes without reading a character.
    case fork([Int])
    /// Goes on at another node without reading a character.
    case jump(Int)
  }
}

/// A set of characters. It contains all characters beyond ASCII or none, because patterns cannot name them.
struct ScalarSet: Hashable, Sendable {
  private var ascii: UInt128 = 0
  private var others = false

  /// Every character.
  static let all = ScalarSet().inverted

  /// Makes an empty set.
  init() {}

  /// Makes a set of one character.
  init(_ code: UInt8) { insert(code...code) }

  /// The characters that are not in this set.
  var inverted: ScalarSet {
    var result = self
    result.ascii = ~ascii
    result.others.toggle()
    return result
  }

  /// Adds ASCII codes.
  mutating func insert(_ codes: ClosedRange<UInt8>) {
    for code in codes { ascii |= 1 << UInt128(code) }
  }

  /// Whether the scalar that begins with this byte of UTF-8 is in the set.
  func contains(_ byte: UInt8) -> Bool {
    byte < 128 ? ascii >> UInt128(byte) & 1 == 1 : others
  }
}
