import SystemCalls

/// Whether the libraries that are loaded when they are first needed are installed.
enum LibraryCheck {
  static func examine(_ machine: Machine) -> Diagnosis {
    var diagnosis = Diagnosis()
    if machine.missingLibraries.isEmpty {
      diagnosis.facts.append("all \(LoadedLibrary.all.count) libraries are installed")
    }
    let untried = machine.libraries.filter(LoadedLibrary.untried.contains)
    if !untried.isEmpty {
      diagnosis.facts.append(
        "known as published, but not tried with multiroute: \(untried.joined(separator: ", "))")
    }
    for (library, missing) in machine.missingLibraries.sorted(by: { $0.key.use < $1.key.use }) {
      diagnosis.findings.append(
        .hint(
          "no \(library.use): \(missing)", why: "Everything else works without it.",
          cure: library.package.command()))
    }
    return diagnosis
  }
}
