import Effects
import Parameters
import SessionModel

/// What OSCQuery tells of the parameters of the table.
extension Parameter {
  /// The type tags of a parameter without a present value; those of a command are those of the arguments that it needs.
  var queryTags: String {
    switch kind {
    case .trigger: return "I"
    case .command(let signature): return Self.tags(of: signature)
    case .toggle, .inheritableToggle: return "F"
    case .texts, .names, .programPorts, .effects: return "s"
    case .meter: return "f"
    case .level, .number, .inheritable, .limit, .integer, .choice, .text: return kind.tags
    }
  }

  /// The tags of a signature such as `s id i number [f fade]`. A setting of a client has only one argument, which a read leaves out.
  private static func tags(of signature: String) -> String {
    guard choices(of: signature) == nil else { return "s" }
    let isSetting =
      signature.hasPrefix("[") && !signature.contains("] ") && signature.filter { $0 == "[" }.count == 1
    let needed =
      isSetting ? signature.filter { $0 != "[" && $0 != "]" } : String(signature.prefix { $0 != "[" })
    let tags = needed.split(separator: " ").compactMap { word in
      ["s": "s", "i": "i", "f": "f", "switch": "T"][word]
    }
    return tags.isEmpty ? "I" : tags.joined()
  }

  /// The words of a signature such as `[now | honour]`.
  private static func choices(of signature: String) -> [String]? {
    guard signature.contains("|") else { return nil }
    return signature.split { "[]| ".contains($0) }.map(String.init)
  }

  /// The choices of a parameter that takes one of several words.
  fileprivate var queryChoices: [String]? {
    switch kind {
    case .choice(let names): names
    case .command(let signature): Self.choices(of: signature)
    default: nil
    }
  }

  /// The unit by OSCQuery's name (units.md of the proposal); nil if it has none for it.
  var queryUnit: String? { Self.queryUnit(unit) }

  fileprivate static func queryUnit(_ unit: String) -> String? {
    switch unit {
    case "dB": "gain.db"
    case "dBFS": "gain.db-raw"
    case "s": "time.second"
    case "ms": "time.ms"
    case "Hz": "time.hz"
    default: nil
    }
  }

  /// Words by which a client may filter: the kind, the scope of recalls, and the right if it is not the usual one.
  var queryTagWords: [String] {
    [kind.name] + (scope.map { [$0.rawValue] } ?? [])
      + (isWritable || isCommand ? (right == .control ? [] : ["\(right)"]) : [])
  }
}

extension EffectControl {
  /// What a control tells in place of what its parameter tells.
  ///
  /// - Parameter isMeter: whether it can only be read.
  func queryAttributes(isMeter: Bool) -> [QueryAttribute: String] {
    var attributes: [QueryAttribute: String] = [.description: QueryLeaf.quoted(name)]
    if !isMeter { attributes[.clipMode] = QueryLeaf.list([QueryLeaf.quoted("both")]) }
    attributes[.range] =
      kind == .choice
      ? "[{\"VALS\":\(QueryLeaf.list(points.map(\.value.queryText)))}]"
      : "[{\"MIN\":\(range.lowerBound.queryText),\"MAX\":\(range.upperBound.queryText)}]"
    if !unit.isEmpty {
      attributes[.unit] = QueryLeaf.list([QueryLeaf.quoted(Parameter.queryUnit(unit) ?? unit)])
    }
    return attributes
  }
}

extension AddressTree.Leaf {
  /// The attributes that a plugin gives its control or meter; nil for any other leaf.
  func pluginAttributes(_ state: RouterState, _ target: Target) -> [QueryAttribute: String]? {
    if target.meter != nil { return state.meter(at: target)?.queryAttributes(isMeter: true) }
    guard aspect == .value, let plugin = parameter.plugin(state, target) else { return nil }
    let words = [plugin.kind.rawValue] + (plugin.isLogarithmic ? ["logarithmic"] : [])
    let tags = QueryLeaf.list((parameter.queryTagWords + words).map(QueryLeaf.quoted))
    return plugin.queryAttributes(isMeter: false).merging([.tags: tags]) { $1 }
  }

  /// 1 is read, 2 is write, 3 is both.
  var queryAccess: Int {
    if parameter.isCommand { return parameter.isLamp ? 3 : 2 }
    return parameter.isWritable ? 3 : 1
  }

  /// Whether a client had better send values over its connection: all but those that move continuously, of which the next one makes good what
  /// a network loses.
  var isCritical: Bool {
    guard parameter.isWritable || parameter.isCommand else { return false }
    switch parameter.kind {
    case .level, .number, .inheritable, .limit: return false
    default: return true
    }
  }

  /// What happens to a number beyond the range: `both` ends clip, or `none` does and the set is refused.
  var queryClipMode: String? {
    guard parameter.isWritable else { return nil }
    switch parameter.kind {
    case .number, .inheritable, .limit: return "both"
    case .level, .integer: return "none"
    default: return nil
    }
  }

  /// The range as JSON, and whether it is one of numbers. A plain text has none: a client would take it for a choice.
  var queryRange: (text: String, isOfNumbers: Bool)? {
    if let choices = parameter.queryChoices {
      return ("[{\"VALS\":\(QueryLeaf.list(choices.map(QueryLeaf.quoted)))}]", false)
    }
    func numbers(_ lowest: String, _ highest: String) -> (String, Bool) {
      ("[{\"MIN\":\(lowest),\"MAX\":\(highest)}]", true)
    }
    func numbers(_ range: ClosedRange<Double>) -> (String, Bool) {
      numbers(range.lowerBound.queryText, range.upperBound.queryText)
    }
    if aspect == .position { return numbers(0...1) }
    if parameter.isLamp { return numbers("0", "1") }
    switch parameter.kind {
    case .level: return numbers(-90...10)
    case .number(let range), .inheritable(let range), .limit(let range): return numbers(range)
    case .integer(let range): return numbers("\(range.lowerBound)", "\(range.upperBound)")
    case .meter(channels: false): return numbers(0...1)
    default: return nil
    }
  }
}
