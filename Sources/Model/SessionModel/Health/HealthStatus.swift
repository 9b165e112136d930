/// The conditions of health that hold now, and the rules that the operator has silenced.
public struct HealthStatus: Equatable, Sendable {
  /// The conditions that hold now, silenced or not.
  public private(set) var conditions: [HealthRule: HealthCondition] = [:]
  /// Rules that raise no alarm until the end of the run, or until they are no longer silenced.
  public private(set) var silenced: Set<HealthRule> = []

  public init() {}

  /// The alarms that are on, the weightiest first: conditions of rules that are not silenced.
  public var alarms: [(rule: HealthRule, condition: HealthCondition)] {
    HealthRule.allCases.compactMap { rule in
      isOn(rule) ? conditions[rule].map { (rule, $0) } : nil
    }
  }

  /// Whether a rule's alarm is on: its condition holds, and the rule is not silenced.
  public func isOn(_ rule: HealthRule) -> Bool { conditions[rule] != nil && !silenced.contains(rule) }

  /// `ok`, or the sentence of the weightiest alarm.
  public var sentence: String { alarms.first?.condition.sentence ?? "ok" }

  /// Begins, renews or ends a condition.
  public mutating func set(_ rule: HealthRule, _ condition: HealthCondition?) { conditions[rule] = condition }

  /// Silences a rule, or ends that.
  public mutating func silence(_ rule: HealthRule, _ isSilenced: Bool) {
    if isSilenced { silenced.insert(rule) } else { silenced.remove(rule) }
  }
}

/// A condition of health that holds.
public struct HealthCondition: Equatable, Sendable {
  /// When it began, in seconds of the router's time.
  public var start: Double
  /// What is wrong, and what to do.
  public var sentence: String

  public init(since start: Double, _ sentence: String) { (self.start, self.sentence) = (start, sentence) }
}
