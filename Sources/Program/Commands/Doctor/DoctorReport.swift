import JSON5

/// What all checks say about a machine.
struct DoctorReport {
  let diagnoses: [(check: String, diagnosis: Diagnosis)]

  init(_ machine: Machine, checks: [DoctorCheck] = DoctorCheck.all) {
    diagnoses = checks.map { ($0.name, $0.examine(machine)) }
  }

  private var findings: [Finding] { diagnoses.flatMap(\.diagnosis.findings) }
  /// How many findings would be heard.
  var audible: Int { findings.count(where: \.isAudible) }

  // MARK: For people

  /// Prints what was looked at, then what was found: first what would be heard.
  func print(on console: Console) {
    var table = TextTable([("CHECK", .left), ("THIS MACHINE", .left)])
    for (check, diagnosis) in diagnoses {
      for (index, fact) in diagnosis.facts.enumerated() {
        table.append([.init(index == 0 ? check : "", .bold), .init(fact)])
      }
    }
    for line in table.lines(console) { console.print(line) }
    for finding in findings.filter(\.isAudible) + findings.filter({ !$0.isAudible }) {
      console.print("")
      print(finding, on: console)
    }
    console.print("")
    console.print(summary)
  }

  private func print(_ finding: Finding, on console: Console) {
    let title = finding.isAudible ? "FAULT" : "HINT"
    let indentation = String(repeating: " ", count: Self.column)
    let width = max(Self.narrowest, (console.output.isTerminal ? console.output.width : 100) - Self.column)
    let blanks = String(repeating: " ", count: Self.column - title.count)
    let what = Wrapping.lines("\(finding.what).", width: width)
    console.print(console.styled(title, finding.isAudible ? .red : .yellow) + blanks + (what.first ?? ""))
    for line in what.dropFirst() + Wrapping.lines(finding.why, width: width) {
      console.print(indentation + line)
    }
    // Never wrapped, so that a command can be copied.
    console.print(indentation + console.styled(finding.cure, .bold))
  }

  private static let (column, narrowest) = (7, 40)

  private var summary: String {
    let others = findings.count - audible
    func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }
    if findings.isEmpty { return "Nothing was found that would be heard, and nothing to improve." }
    if audible == 0 { return "Nothing was found that would be heard; \(count(others, "hint"))." }
    return "\(count(audible, "fault")) would be heard; \(count(others, "hint"))."
  }

  // MARK: For programs

  /// `{"audible": 1, "facts": [{"check", "fact"}], "findings": [{"check", "audible", "what", "why", "cure"}]}`.
  var json: JSONValue {
    .object([
      .init("audible", .number(Double(audible))),
      .init(
        "facts",
        .array(
          diagnoses.flatMap { check, diagnosis in
            diagnosis.facts.map { .object([.init("check", .string(check)), .init("fact", .string($0))]) }
          })),
      .init(
        "findings",
        .array(
          diagnoses.flatMap { check, diagnosis in
            diagnosis.findings.map { finding in
              .object([
                .init("check", .string(check)), .init("audible", .bool(finding.isAudible)),
                .init("what", .string(finding.what)), .init("why", .string(finding.why)),
                .init("cure", .string(finding.cure)),
              ])
            }
          })),
    ])
  }
}
