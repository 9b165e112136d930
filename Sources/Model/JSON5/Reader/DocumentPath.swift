/// The path from the root of a document to a value: `ports.pa.outputs[1]`.
public struct DocumentPath: Hashable, Sendable, CustomStringConvertible {
  /// One step of a path.
  public enum Step: Hashable, Sendable {
    /// Into a member of an object.
    case key(String)
    /// Into an element of an array, counted from 0.
    case index(Int)
  }

  /// The steps from the root; an empty list is the root itself.
  public var steps: [Step]

  public init(_ steps: [Step] = []) { self.steps = steps }

  /// The path with one more step.
  public func appending(_ step: Step) -> Self { Self(steps + [step]) }

  /// Keys joined by dots, with quotes around keys that are not plain words; elements as `[1]`.
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
