/// Something that the doctor found: what is wrong, why that matters, and what mends it.
struct Finding: Equatable {
  /// A clause without a full stop.
  var what: String
  /// What comes of it, as a sentence.
  var why: String
  /// The command to type or the line to write; a comment after `#` says what else to do.
  var cure: String
  /// Whether an audience would hear a fault, or hears one now.
  var isAudible: Bool

  /// A finding that would be heard.
  static func fault(_ what: String, why: String, cure: String) -> Finding {
    Finding(what: what, why: why, cure: cure, isAudible: true)
  }

  /// A finding that would not be heard by itself.
  static func hint(_ what: String, why: String, cure: String) -> Finding {
    Finding(what: what, why: why, cure: cure, isAudible: false)
  }
}

/// What a check says about a machine.
struct Diagnosis: Equatable {
  /// What the check looked at, in a few words each.
  var facts: [String] = []
  var findings: [Finding] = []
}
