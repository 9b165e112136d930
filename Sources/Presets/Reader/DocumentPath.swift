/// The way from the root of a document to a value in it: `ports.pa.outputs[1]`.
public struct DocumentPath: Hashable, Sendable, CustomStringConvertible {
  /// One step down.
  public enum Step: Hashable, Sendable {
    /// Into a member of an object.
    case key(String)
    /// Into an element of an array, counted from 0.
    case index(Int)
  }

  /// From the root down; empty is the root itself.
  public var steps: [Step]

  public init(_ steps: [Step] = []) { self.steps = steps }

  /// The path one step further down.
  public func appending(_ step: Step) -> Self { Self(steps + [step]) }

  /// Keys joined by dots, those that are no plain words in quotes; elements as `[1]`.
  public var description: String {
    var text = ""
    for step in steps {
      switch step {
      case .index(let index): text += "[\(index)]"
      case .key(let key):
        if !text.isEmpty { text += "." }
        text += Self.isPlain(key) ? key.shortened : key.quoted
      }
    }
    return text
  }

  private static func isPlain(_ key: String) -> Bool {
    !key.isEmpty
      && key.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"): true
        case UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "$"): true
        default: false
        }
      }
  }
}
