/// A metric with all its samples, in the text format of Prometheus (version 0.0.4).
///
/// Label values are ids and words, never sentences, so that their number is bounded.
struct MetricFamily {
  enum Kind: String { case counter, gauge, histogram }

  /// A value with its labels.
  struct Sample {
    /// What follows the name of the family, such as `_bucket`.
    var suffix = ""
    var labels: [(name: String, value: String)]
    var value: Double
  }

  let name: String
  let kind: Kind
  /// One sentence for people.
  let help: String
  var samples: [Sample] = []

  init(_ name: String, _ kind: Kind, _ help: String) {
    (self.name, self.kind, self.help) = (name, kind, help)
  }

  /// A family with one sample without labels.
  init(_ name: String, _ kind: Kind, _ help: String, value: Double) {
    self.init(name, kind, help)
    add(value)
  }

  mutating func add(_ value: Double, _ labels: (name: String, value: String)...) {
    samples.append(Sample(labels: labels, value: value))
  }

  /// Adds a truth as 1 or 0.
  mutating func add(_ value: Bool, _ labels: [(name: String, value: String)]) {
    samples.append(Sample(labels: labels, value: value ? 1 : 0))
  }

  // MARK: Text

  /// Writes the lines of the family; nothing if it has no sample.
  func write(to page: inout String) {
    guard !samples.isEmpty else { return }
    page += "# HELP \(name) \(Self.escaped(help, quotes: false))\n# TYPE \(name) \(kind.rawValue)\n"
    for sample in samples {
      page += name
      page += sample.suffix
      for (index, label) in sample.labels.enumerated() {
        page += index == 0 ? "{" : ","
        page += "\(label.name)=\"\(Self.escaped(label.value, quotes: true))\""
      }
      page += sample.labels.isEmpty ? " " : "} "
      page += Self.text(sample.value)
      page += "\n"
    }
  }

  /// A text without backslashes and line ends of its own; in label values, quotes are escaped, too.
  static func escaped(_ text: String, quotes: Bool) -> String {
    guard text.utf8.contains(where: { [0x22, 0x5C, 0x0A].contains($0) }) else { return text }
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\": escaped += "\\\\"
      case "\n": escaped += "\\n"
      case "\"" where quotes: escaped += "\\\""
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }

  /// A number as Prometheus reads it: whole numbers without a point.
  static func text(_ value: Double) -> String {
    if value.isNaN { return "NaN" }
    if value.isInfinite { return value < 0 ? "-Inf" : "+Inf" }
    if let whole = Int(exactly: value), abs(whole) < 1 << 53 { return "\(whole)" }
    return "\(value)"
  }
}
